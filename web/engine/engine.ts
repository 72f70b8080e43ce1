/** The engine: a UCI session in a worker. */

import { type BestMove, goLine, type Limits, parseBestMove, parseInfo, type SearchLine } from "./info.js";
import { loadModule } from "./load.js";
import type { Remote } from "./replaced.js";
import { words } from "./rules.js";
import { ofWorker, startSession } from "./start.js";
import type { WebWorker } from "./workers.js";

/** A running search. Iterate over it to get its lines; if you leave the loop, the search stops. */
export class Search implements AsyncIterable<SearchLine> {
  /** The move that the search ends with. */
  readonly best: Promise<BestMove>;
  /** Lines that nobody has taken. */
  private readonly lines: SearchLine[] = [];
  private hasEnded = false;
  private wake = (): void => undefined;
  private resolve!: (best: BestMove) => void;
  private reject!: (error: Error) => void;

  /** @internal */
  constructor(private readonly halt: () => void) {
    this.best = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Whoever only iterates gets an error there.
    this.best.catch(() => undefined);
  }

  /** Ends the search. Resolves to its best move. */
  stop(): Promise<BestMove> {
    if (!this.hasEnded) this.halt();
    return this.best;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SearchLine, void> {
    try {
      for (;;) {
        for (let line = this.lines.shift(); line; line = this.lines.shift()) yield line;
        if (this.hasEnded) return void (await this.best);
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      if (!this.hasEnded) this.halt();
    }
  }

  /** @internal */
  add(line: SearchLine): void {
    this.lines.push(line);
    this.wake();
  }

  /** @internal Ends with a move, or with an error if the engine has broken down. */
  end(best: BestMove | Error): void {
    this.hasEnded = true;
    if (best instanceof Error) this.reject(best);
    else this.resolve(best);
    this.wake();
  }
}

/** How to start an engine. */
export interface EngineOptions {
  /**
   * A worker that runs `enroque/worker`. Without it, the engine starts a worker of its own from a `blob:` address,
   * which a strict content security policy may forbid.
   */
  worker?: WebWorker;
  /** Whether castling is king takes rook, as in Chess960, or a king's move such as `e1g1`. The default is `true`. */
  chess960?: boolean;
}

/** A chess engine in a worker. You can start several. */
export class Engine {
  /** Is called with every line that the session prints. */
  onLine: (line: string) => void = () => undefined;

  private remote!: Remote;
  /** Searches that have not ended, the running one first. */
  private readonly searches: Search[] = [];
  /** Who waits for `readyok`, in order. */
  private readonly waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];

  private constructor() {}

  /** Starts an engine. */
  static async load({ worker, chess960 = true }: EngineOptions = {}): Promise<Engine> {
    const engine = new Engine();
    const receive = (line: string): void => engine.receive(line);
    const fail = (error: Error): void => engine.fail(error);
    engine.remote = worker ? ofWorker(worker, receive, fail) : await startSession(await loadModule(), receive, fail);
    if (chess960) engine.setOption("UCI_Chess960", true);
    await engine.ready();
    return engine;
  }

  /** The search that was started last, if it has not ended. */
  get search(): Search | undefined {
    return this.searches.at(-1);
  }

  /** Sends a line of UCI. A line that is no command for a running search ends the search. */
  send(line: string): void {
    if (/^\s*go\b(?!.*\bperft\b)/.test(line)) this.searches.push(this.newSearch());
    this.remote.send(line);
  }

  /** Resolves when the engine has executed everything before. During a search, it resolves at once. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.send("isready");
    });
  }

  setOption(name: string, value: string | number | boolean): void {
    this.send(`setoption name ${name} value ${value}`);
  }

  /** Forgets what earlier searches have found. */
  newGame(): void {
    this.send("ucinewgame");
  }

  /** Sets the position that `go` searches; see {@link Rules} for what it may be. */
  position(position: string): void {
    this.send(`position ${words(position)}`);
  }

  /** Starts a search. It ends an earlier one. */
  go(limits: Limits = {}): Search {
    this.send(goLine(limits));
    return this.search as Search;
  }

  /** Tells a search with `ponder` that the opponent has played the expected move. */
  ponderHit(): void {
    this.send("ponderhit");
  }

  /** Ends the running search, if there is one. Resolves to its best move. */
  async stop(): Promise<BestMove | undefined> {
    return this.search?.stop();
  }

  /** Ends the engine at once. */
  quit(): void {
    this.remote.close();
    for (const search of this.searches.splice(0)) search.end({ move: undefined });
  }

  private fail(error: Error): void {
    for (const search of this.searches.splice(0)) search.end(error);
    for (const { reject } of this.waiting.splice(0)) reject(error);
    // Nothing that is sent from now on gets an answer.
    this.remote = { send: () => this.fail(error), close: () => undefined };
  }

  private newSearch(): Search {
    const search: Search = new Search(() => {
      // A later search has already ended this one, and must not be stopped in its place.
      if (this.search === search) this.remote.send("stop");
    });
    return search;
  }

  private receive(line: string): void {
    this.onLine(line);
    if (line.startsWith("bestmove")) this.searches.shift()?.end(parseBestMove(line));
    else if (line === "readyok") this.waiting.shift()?.resolve();
    else {
      const found = parseInfo(line);
      if (found) this.searches[0]?.add(found);
    }
  }
}
