/** The engine for a page: questions on the rules, answered at once, and a UCI session in a worker. */

import workerSource from "worker:./worker.ts";

import { canSuspend, Command, Instance } from "./instance";
import { unpack } from "./unpack";

/** An error in the answer to a question. The message is for users. */
export class RulesError extends Error {}

// The answers have the shapes that README.md lists.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Answer = any;

/** Answers questions on the page's own thread. */
export class Rules {
  private constructor(
    private readonly instance: Instance,
    private readonly lines: string[],
  ) {}

  static async create(module: WebAssembly.Module): Promise<Rules> {
    const lines: string[] = [];
    const host = { print: (line: string): void => void lines.push(line), poll: (): Command => Command.Stop };
    return new Rules(await Instance.create(module, host, false), lines);
  }

  /** Answers a question, such as `position startpos moves e2e4`. */
  ask(question: string): Answer {
    void this.instance.handle(`web ${question}`);
    const answer = JSON.parse(this.lines.splice(0).join("\n")) as Answer;
    if (typeof answer.error === "string") throw new RulesError(answer.error);
    return answer;
  }
}

/** UCI session in a worker. */
export class Engine {
  /** Is called with every line that the session prints. */
  onLine: (line: string) => void = () => undefined;
  /** If `false`, no `stop` can reach a running search. We then replace the worker and lose the hash table. */
  readonly canSuspend = canSuspend;

  private worker: Worker;
  private readonly options = new Map<string, string>();
  private position = "position startpos";
  private isSearching = false;
  /** `true` for `go infinite` and `go ponder`, whose `bestmove` has to wait for `stop`. */
  private isEndless = false;
  private isStopping = false;
  /** Best line of the search so far, in coordinates. */
  private pv: string[] = [];
  /** The `bestmove` line of an endless search that has ended by itself, until `stop` releases it. */
  private held: string | undefined;
  private onEnd: (() => void) | undefined;

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly rules: Rules,
  ) {
    this.worker = this.start();
    this.send("setoption name UCI_Chess960 value true");
  }

  /** Sends a line to the session. */
  send(line: string): void {
    const [word] = line.split(" ");
    if (word === "setoption") this.options.set(line.split(" value ")[0] ?? line, line);
    else if (word === "position") this.position = line;
    else if (word === "go") {
      this.isSearching = true;
      this.isEndless = /\b(infinite|ponder)\b/.test(line);
      this.pv = [];
    }
    this.worker.postMessage(line);
  }

  /** Ends the running search, if there is one. Its `bestmove` comes before the promise resolves. */
  stop(): Promise<void> {
    if (!this.isSearching) return Promise.resolve();
    const ended = new Promise<void>((resolve) => {
      const earlier = this.onEnd;
      this.onEnd = (): void => {
        earlier?.();
        resolve();
      };
    });
    if (this.isStopping) return ended;
    this.isStopping = true;
    if (this.canSuspend) this.worker.postMessage("stop");
    else this.replaceWorker();
    return ended;
  }

  /** Ends the session. */
  close(): void {
    this.worker.terminate();
  }

  private start(): Worker {
    const url = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    worker.onmessage = ({ data }: MessageEvent<string>): void => this.receive(data);
    worker.postMessage(this.module);
    return worker;
  }

  private receive(line: string): void {
    if (!line.startsWith("bestmove")) {
      const pv = /\bmultipv 1 .* pv (.+)$/.exec(line)?.[1];
      if (pv !== undefined) this.pv = pv.split(" ");
      this.onLine(line);
    } else if (!this.canSuspend && this.isEndless && !this.isStopping) {
      this.held = line;
    } else {
      this.end(line);
    }
  }

  private end(bestMove: string): void {
    const resolve = this.onEnd;
    this.isSearching = this.isStopping = false;
    this.onEnd = this.held = undefined;
    this.onLine(bestMove);
    resolve?.();
  }

  private replaceWorker(): void {
    if (this.held !== undefined) {
      this.end(this.held);
      return;
    }
    this.worker.terminate();
    this.worker = this.start();
    for (const line of [...this.options.values(), this.position]) this.worker.postMessage(line);
    const [best = this.anyMove(), reply] = this.pv;
    this.end(`bestmove ${best}${reply === undefined ? "" : ` ponder ${reply}`}`);
  }

  /** Returns a legal move, for a search that was stopped before it reported a line. */
  private anyMove(): string {
    const { moves } = this.rules.ask(this.position) as { moves: { uci: string }[] };
    return moves[0]?.uci ?? "(none)";
  }
}

/** Restores the network's numbers, whose bits and bytes `build.mjs` has rearranged. */
function restoreNetwork(bytes: Uint8Array): void {
  const count = bytes.length >> 1;
  const packed = bytes.slice();
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let index = 0; index < count; index++) {
    const zigzag = ((packed[count + index] ?? 0) << 8) | (packed[index] ?? 0);
    numbers.setInt16(2 * index, (zigzag >> 1) ^ -(zigzag & 1), true);
  }
}

/** Unpacks and compiles the WebAssembly module that is part of the page. */
export async function load(): Promise<{ rules: Rules; engine: Engine }> {
  const element = document.getElementById("engine");
  const bytes = new Uint8Array(await unpack("engine").arrayBuffer());
  const [at, count] = [Number(element?.dataset.at), Number(element?.dataset.count)];
  restoreNetwork(bytes.subarray(at, at + 2 * count));
  const module = await WebAssembly.compile(bytes);
  const rules = await Rules.create(module);
  return { rules, engine: new Engine(module, rules) };
}
