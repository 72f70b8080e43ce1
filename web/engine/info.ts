/** Lines of UCI in types. */

import type { Score } from "./answers.js";

/** What a search reports about one of its lines. Scores are from the point of view of the side to move. */
export interface SearchLine {
  depth: number;
  /** The depth in plies that the search reached at most. */
  seldepth: number;
  /** 1 for the best line, 2 for the second best, and so on. */
  multipv: number;
  score: Score;
  /** If set, the true score is at least or at most this one. */
  bound?: "lower" | "upper";
  /** Chances of a win, a draw and a loss in per mille, with the option `UCI_ShowWDL`. */
  wdl?: [win: number, draw: number, loss: number];
  nodes: number;
  /** Nodes per second. */
  nps: number;
  /** In milliseconds. */
  time: number;
  /** How full the hash table is, in per mille. */
  hashfull: number;
  /** The moves in UCI notation. */
  pv: string[];
}

/** The end of a search. */
export interface BestMove {
  /** `undefined` if there is no legal move. */
  move: string | undefined;
  /** The reply that the engine expects. */
  ponder?: string;
}

/** The limits of a search, with the names of UCI. Without any, the search ends only when you stop it. */
export interface Limits {
  depth?: number;
  nodes?: number;
  /** Like all times in milliseconds. */
  movetime?: number;
  wtime?: number;
  btime?: number;
  winc?: number;
  binc?: number;
  movestogo?: number;
  /** Looks for a mate in this many moves. */
  mate?: number;
  /** Searches only these moves. */
  searchmoves?: readonly string[];
  /** Searches on the opponent's time until `ponderHit` or `stop`. */
  ponder?: boolean;
  /** Ends only when you stop it, whatever else the limits say. */
  infinite?: boolean;
}

/** Returns the `go` line for limits. */
export function goLine(limits: Limits): string {
  const isUnlimited = Object.entries(limits).every(([name, value]) => name === "searchmoves" || value === undefined);
  const { ponder = false, infinite = isUnlimited, searchmoves, ...numbers } = limits;
  const words = Object.entries(numbers).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]));
  // The moves come last, because they have no end mark.
  if (searchmoves) words.push("searchmoves", ...searchmoves);
  return ["go", ...(ponder ? ["ponder"] : []), ...(infinite ? ["infinite"] : []), ...words].join(" ");
}

/** Parses an `info` line; `undefined` if it has no variation. */
export function parseInfo(text: string): SearchLine | undefined {
  const words = text.split(" ");
  const at = (name: string): number => words.indexOf(name);
  const number = (name: string, otherwise = 0): number => (at(name) < 0 ? otherwise : Number(words[at(name) + 1]));
  const pv = at("pv");
  if (words[0] !== "info" || pv < 0) return undefined;
  const value = Number(words[at("score") + 2]);
  const line: SearchLine = {
    depth: number("depth"),
    seldepth: number("seldepth"),
    multipv: number("multipv", 1),
    score: words[at("score") + 1] === "mate" ? { mate: value } : { cp: value },
    nodes: number("nodes"),
    nps: number("nps"),
    time: number("time"),
    hashfull: number("hashfull"),
    pv: words.slice(pv + 1),
  };
  if (at("lowerbound") > 0) line.bound = "lower";
  if (at("upperbound") > 0) line.bound = "upper";
  const wdl = at("wdl");
  if (wdl > 0) line.wdl = words.slice(wdl + 1, wdl + 4).map(Number) as [number, number, number];
  return line;
}

/** Parses a `bestmove` line. */
export function parseBestMove(text: string): BestMove {
  const [, move, , ponder] = text.split(" ");
  return { move: move === "(none)" ? undefined : move, ...(ponder === undefined ? {} : { ponder }) };
}
