// Runs one search at a time. A new search stops the one before.

import { Color, Score } from "../../engine/answers";
import { Engine, Search } from "../../engine/engine";
import { Limits, SearchLine } from "../../engine/info";
import { toast } from "./dom";
import { t } from "./texts";

/** What a search reports about one of its lines. The score is from White's point of view. */
export interface Report extends SearchLine {
  /** Chances in percent that White wins, that nobody does, and that Black does. */
  chances?: [number, number, number];
}
export interface Request {
  position: string;
  turn: Color;
  limits: Limits;
  lines?: number;
  /** Forgets earlier searches first, so that the result doesn't depend on them. */
  isFresh?: boolean;
  /** Limits the strength to this Elo; missing for full strength. */
  elo?: number;
  report?: (report: Report) => void;
}

/** Turns a score of the side to move to White's point of view. */
export function ofWhite(score: Score, turn: Color): Score {
  if (turn === "white") return score;
  return score.mate === undefined ? { cp: -(score.cp ?? 0) } : { mate: -score.mate };
}

/** Turns a line's score and chances to White's point of view. */
function reportOf(line: SearchLine, turn: Color): Report {
  const chances = line.wdl?.map(chance => chance / 10);
  if (turn === "black") chances?.reverse();
  return { ...line, score: ofWhite(line.score, turn), chances: chances as Report["chances"] };
}

export class Searcher {
  private running?: Search;
  private latest?: Request;

  constructor(private engine: Engine) {
    this.setUp();
  }

  /** Starts an engine of its own for a searcher. */
  static async load(): Promise<Searcher> {
    return new Searcher(await Engine.load());
  }

  private setUp(): void {
    this.engine.setOption("UCI_ShowWDL", true);
    this.engine.setOption("UCI_AnalyseMode", true);
  }

  /**
   * Runs a search. Returns the best move, or nothing if another search or `stop` ended this one. If the worker has died, for
   * example for lack of memory, starts another one and searches again.
   */
  async search(request: Request): Promise<string | undefined> {
    this.stop();
    this.latest = request;
    try {
      return await this.run(request);
    } catch {
      if (this.latest !== request) return undefined;
    }
    try {
      this.engine = await Engine.load();
      this.setUp();
      toast(t("engineRestarted"));
      return this.latest === request ? await this.run(request) : undefined;
    } catch (error) {
      toast(t("engineFailed", { reason: (error as Error).message }));
      return undefined;
    }
  }

  private async run({ position, turn, limits, lines = 1, isFresh = false, elo, report }: Request): Promise<string | undefined> {
    const { engine } = this;
    if (isFresh) engine.newGame();
    engine.setOption("MultiPV", lines);
    engine.setOption("UCI_LimitStrength", elo !== undefined);
    if (elo !== undefined) engine.setOption("UCI_Elo", elo);
    engine.position(position);
    const search = this.running = engine.go(limits);
    for await (const line of search) {
      if (this.running !== search) break;
      if (!line.bound) report?.(reportOf(line, turn));
    }
    const { move } = await search.best;
    if (this.running !== search) return undefined;
    this.running = undefined;
    return move;
  }

  /** Ends the running search. */
  stop(): void {
    this.latest = undefined;
    // If the worker has died, the search itself reports it.
    this.running?.stop().catch(() => undefined);
    this.running = undefined;
  }

  /** Ends the engine at once. The searcher can't be used any more. */
  quit(): void {
    this.latest = this.running = undefined;
    this.engine.quit();
  }
}
