/** The npm package `enroque`: a chess engine and the rules of Chess960. */

export * from "./answers.js";
export { Engine, type EngineOptions, Search } from "./engine.js";
export type { BestMove, Limits, SearchLine } from "./info.js";
export { Rules, RulesError } from "./rules.js";
export type { WebWorker } from "./workers.js";
