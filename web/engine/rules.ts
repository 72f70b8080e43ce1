/** Answers questions on rules, start positions and games, at once and on the calling thread. */

import type {
  About, Answers, Castling, Evaluation, Judgement, LegalMove, Move, PgnGame, Position, Question, ReviewSearch, Reviewed, Score, StartFacts,
  UnreadGame, Variation,
} from "./answers.js";
import { Command, Instance } from "./instance.js";
import { loadModule } from "./load.js";

/** An error in a question, such as an invalid FEN. The message is for users. */
export class RulesError extends Error {}

/** @internal Completes a position: a FEN gets the word `fen`. */
export const words = (position: string): string => (/^\s*\S+\//.test(position) ? `fen ${position}` : position);

const scoreWords = ({ score, site }: Evaluation): string => {
  const { cp, mate } = site ?? score;
  return mate === undefined ? `${site ? "site" : "cp"} ${cp ?? 0}` : `mate ${mate}`;
};

/**
 * The rules of chess and Chess960.
 *
 * A `position` is a FEN, or what follows `position` in UCI: `startpos`, `fen FEN`, `sp NUMBER` for a start of Chess960
 * or `dfrc NUMBER` for one of double Chess960. After each of them, `moves e2e4 …` may follow. Castling is king takes
 * rook: `e1h1`. Every method throws a {@link RulesError} if it can't read what it got.
 */
export class Rules {
  /** Name and version of the engine, and outlines of the pieces from pawn to king. */
  readonly about: About;

  private constructor(
    private readonly instance: Instance,
    private readonly lines: string[],
  ) {
    this.about = this.ask("about");
  }

  /** Compiles the engine's module if nothing has done so before. */
  static async load(): Promise<Rules> {
    return Rules.of(await loadModule());
  }

  /** @internal */
  static async of(module: WebAssembly.Module): Promise<Rules> {
    const lines: string[] = [];
    const host = { print: (line: string): void => void lines.push(line), poll: (): Command => Command.Stop };
    return new Rules(await Instance.create(module, host, false), lines);
  }

  private ask<Q extends keyof Answers>(question: Q, details = ""): Answers[Q] {
    // The module reads a line, so a line break would end the question.
    void this.instance.handle(`web ${question} ${details.replace(/[\r\n]+/g, " ")}`);
    const answer = JSON.parse(this.lines.splice(0).join("\n")) as Answers[Q] | { error: string };
    if ("error" in answer) throw new RulesError(answer.error);
    return answer;
  }

  /** Returns the state, the FENs and the legal moves of a position. */
  position(position: string): Position {
    return this.ask("position", words(position));
  }

  /** Returns the legal moves of a position. */
  moves(position: string): LegalMove[] {
    return this.position(position).moves;
  }

  /** Returns a variation with algebraic notation and positions, without moves after the first illegal one. */
  line(moves: readonly string[], position: string): Variation {
    return this.ask("line", `${moves.join(" ")} position ${words(position)}`);
  }

  /** Returns the move that a text such as `Nf3`, `e2e4` or `O-O` means. */
  find(text: string, position: string): Move {
    return this.ask("find", `${text} position ${words(position)}`);
  }

  /** Returns the four castlings of a position with conditions and obstacles. */
  explain(position: string): Castling[] {
    return this.ask("explain", words(position)).castlings;
  }

  /** Returns facts about a start: `sp:334`, `dfrc:12:345`, `NRQKRBBN`, `chess90:7` or a FEN. */
  start(text: string): StartFacts {
    return this.ask("start", text);
  }

  /** Returns the games of a PGN text. */
  readPgn(text: string): (PgnGame | UnreadGame)[] {
    return this.ask("pgn", JSON.stringify(text)).games;
  }

  /** Returns a game as PGN. */
  writePgn(game: PgnGame): string {
    return this.ask("write", JSON.stringify(game)).pgn;
  }

  /** Judges the moves in `position` by what a search found before each of them and after the last. */
  judge(position: string, evaluations: readonly Evaluation[]): Judgement {
    const game = words(position);
    const moves = game.split(" moves ")[1]?.trim().split(/\s+/) ?? [];
    const scores = evaluations.flatMap((evaluation, at) => {
      if (at === evaluations.length - 1) return [scoreWords(evaluation)];
      return [scoreWords(evaluation), evaluation.best !== undefined && evaluation.best === moves[at] ? "best" : "other"];
    });
    return this.ask("judge", `${scores.join(" ")} position ${game}`);
  }

  /**
   * Plans a review of the game in `position`, in which a position may cost `nodes`, and judges the moves by what the
   * `searches` found. Do all tasks of an answer, in their order, before you take those of the next.
   */
  review(position: string, result: string, nodes: number, searches: readonly ReviewSearch[]): Reviewed {
    return this.ask("review", JSON.stringify({ position: words(position), result, nodes, searches }));
  }

  /** Returns questions on castling: a fixed set of fifty, or as many as you like from a seed. */
  quiz(from: "graded" | { seed: number; count: number } = "graded"): Question[] {
    return this.ask("quiz", from === "graded" ? from : `${from.seed} ${from.count}`).questions;
  }
}
