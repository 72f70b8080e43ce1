// Runs one search at a time. A new search stops the one before.

import { Color } from "./rules";

/** Worker with the engine, as in web/engine. */
export interface Engine {
  send(line: string): void;
  onLine: (line: string) => void;
  /** Ends a running search. Its `bestmove` line comes before the promise resolves. */
  stop(): Promise<void>;
}
/** A score from White's point of view: centipawns or moves to mate. */
export interface Score { cp?: number; mate?: number }
/** What a search reports about one of its lines. */
export interface Report {
  depth: number; rank: number; score: Score; chances?: [number, number, number]; nodes: number; speed: number; pv: string[];
}
export interface Request {
  position: string;
  turn: Color;
  /** The words after `go`. */
  limits: string;
  lines?: number;
  /** Limits the strength to this Elo; missing for full strength. */
  elo?: number;
  report?: (report: Report) => void;
}
interface Job extends Request { isStopped?: boolean; done: (best: string | undefined) => void }

/** Parses an `info` line. Returns nothing if it has no variation. */
export function parseInfo(line: string, turn: Color): Report | undefined {
  const words = line.split(" "), at = (name: string) => words.indexOf(name);
  const number = (name: string) => at(name) < 0 ? 0 : Number(words[at(name) + 1]);
  const pv = at("pv");
  if (words[0] !== "info" || pv < 0 || at("lowerbound") > 0 || at("upperbound") > 0) return undefined;
  const sign = turn === "white" ? 1 : -1;
  const value = sign * Number(words[at("score") + 2]);
  const score = words[at("score") + 1] === "mate" ? { mate: value } : { cp: value };
  const wdl = at("wdl");
  let chances: Report["chances"];
  if (wdl > 0) {
    chances = words.slice(wdl + 1, wdl + 4).map(word => Number(word) / 10) as [number, number, number];
    if (sign < 0) chances.reverse();
  }
  return { depth: number("depth"), rank: number("multipv") || 1, score, chances, nodes: number("nodes"),
    speed: number("nps"), pv: words.slice(pv + 1) };
}

export class Searcher {
  private running?: Job;
  private next?: Job;

  constructor(private engine: Engine) {
    engine.onLine = line => this.receive(line);
    engine.send("setoption name UCI_ShowWDL value true");
    engine.send("setoption name UCI_AnalyseMode value true");
  }

  /** Runs a search. Returns the best move, or nothing if another search or `stop` ended this one. */
  search(request: Request): Promise<string | undefined> {
    return new Promise(done => {
      this.next?.done(undefined);
      this.next = { ...request, done };
      if (this.running) void this.halt(this.running);
      else this.begin();
    });
  }

  /** Ends the running search. */
  stop(): void {
    this.next?.done(undefined);
    this.next = undefined;
    if (this.running) void this.halt(this.running);
  }

  private async halt(job: Job): Promise<void> {
    if (job.isStopped) return;
    job.isStopped = true;
    await this.engine.stop();
    if (this.running === job) {
      this.running = undefined;
      job.done(undefined);
    }
    if (!this.running) this.begin();
  }

  private begin(): void {
    const job = this.next;
    this.next = undefined;
    if (!job) return;
    this.running = job;
    this.engine.send(`setoption name MultiPV value ${job.lines ?? 1}`);
    this.engine.send(`setoption name UCI_LimitStrength value ${job.elo !== undefined}`);
    if (job.elo !== undefined) this.engine.send(`setoption name UCI_Elo value ${job.elo}`);
    this.engine.send(`position ${job.position}`);
    this.engine.send(`go ${job.limits}`);
  }

  private receive(line: string): void {
    const job = this.running;
    if (!job) return;
    if (line.startsWith("bestmove")) {
      const best = line.split(" ")[1];
      // If we are stopping this search, `halt` ends the job when the engine is ready again.
      if (job.isStopped) return;
      this.running = undefined;
      job.done(best === "(none)" ? undefined : best);
      if (!this.running) this.begin();
    } else if (job.report && !job.isStopped) {
      const report = parseInfo(line, job.turn);
      if (report) job.report(report);
    }
  }
}
