// Asks the engine about rules, start positions and PGN. The page itself knows no rules of chess.

export type Color = "white" | "black";
export interface LegalMove {
  /** The move in UCI notation, with castling as king takes rook. */
  uci: string;
  from: string; to: string; san: string; promotion?: string;
  /** For castling, the squares to which the king and the rook go. */
  castling?: { king: string; rook: string };
}
export interface Outcome { winner: Color | null; text: string; result: string }
export interface Position {
  fen: string; shredder: string; turn: Color; check: string | null; fullmove: number; halfmove: number;
  start: string | null; outcome: Outcome | null; moves: LegalMove[]; warnings: string[];
}
export interface Castling {
  color: Color; side: "O-O" | "O-O-O"; right: boolean; can: boolean; uci?: string; king?: [string, string];
  rook?: [string, string]; empty?: string[]; safe?: string[]; hand?: string[]; obstacles?: { text: string; squares: string[] }[];
}
export type Note = { nag: number } | { comment: string } | { variation: Line };
export interface LineMove { uci: string | null; san: string; notes: Note[] }
export interface Line { before: Note[]; moves: LineMove[] }
export interface PgnGame { tags: [string, string][]; start: string; result: string; line: Line; errors?: string[]; warnings?: string[] }
/** A game that could not be read from PGN, for example because its FEN is invalid. */
export interface UnreadGame { tags: [string, string][]; errors: string[]; line?: undefined }
export interface Numbers { white: number; black: number }
export interface StartFacts {
  name: string; fen: string; xfen: string; number: Numbers | null; mirror: Numbers | null;
  rank: { white: string; black: string }; rows: { white: [string, string][]; black?: [string, string][] };
}
/** Statistics of one player's moves: accuracy in percent, average loss in centipawns. */
export interface Summary { accuracy?: number; average_loss?: number; inaccuracies: number; mistakes: number; blunders: number }
export interface Judgement { moves: { nag: number | null; name: string | null }[]; white: Summary; black: Summary }
export interface Question {
  fen: string; turned: boolean; ask: string; pieces: string[]; needs: string[]; can: boolean; why: string; grade: number;
}

/** The part of the engine that answers questions. */
export interface Answerer { ask(line: string): unknown }

export class Rules {
  /** Name and version of the engine, and outlines of the pieces from pawn to king. */
  readonly about: { name: string; pieces: string[] };

  constructor(private answerer: Answerer) {
    this.about = this.ask("about");
  }

  private ask<T>(line: string): T {
    return this.answerer.ask(line) as T;
  }

  /** Returns the facts and legal moves of a position, given as in UCI's `position`. */
  position(words: string): Position { return this.ask(`position ${words}`); }

  /** Returns a variation in SAN, without moves after the first illegal one. */
  line(moves: string[], words: string): { moves: { uci: string; san: string }[]; text: string } {
    return this.ask(`line ${moves.join(" ")} position ${words}`);
  }

  /** Returns the castlings of both sides with the obstacles to each. */
  explain(words: string): { castlings: Castling[] } { return this.ask(`explain ${words}`); }

  /** Returns the move that a text means, such as Nf3, e2e4 or O-O. */
  find(text: string, words: string): { uci: string; san: string } { return this.ask(`find ${text} position ${words}`); }

  /** Returns the facts of a start. */
  start(text: string): StartFacts { return this.ask(`start ${text}`); }

  /** Returns the games of a PGN text. */
  pgn(text: string): (PgnGame | UnreadGame)[] { return this.ask<{ games: (PgnGame | UnreadGame)[] }>(`pgn ${JSON.stringify(text)}`).games; }

  /** Returns a game as PGN. */
  write(game: PgnGame): string { return this.ask<{ pgn: string }>(`write ${JSON.stringify(game)}`).pgn; }

  /** Judges the moves of a game. `scores` has White's score of each position, with `best` or `other` in between. */
  judge(scores: string, words: string): Judgement { return this.ask(`judge ${scores} position ${words}`); }

  /** Returns questions on castling. */
  quiz(words: string): Question[] { return this.ask<{ questions: Question[] }>(`quiz ${words}`).questions; }
}
