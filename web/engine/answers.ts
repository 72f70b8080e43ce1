/**
 * The module's answers to questions, and what some questions contain. Squares are written like `e4`. A `uci` is a move
 * in UCI notation, with castling as king takes rook.
 */

export type Color = "white" | "black";

export interface LegalMove {
  uci: string;
  from: string;
  to: string;
  /** The move in algebraic notation. */
  san: string;
  promotion?: "queen" | "rook" | "bishop" | "knight";
  /** For castling, the squares to which the king and the rook go. */
  castling?: { king: string; rook: string };
}

/** A move without the squares. */
export interface Move {
  uci: string;
  san: string;
}

/** How a game has ended. */
export interface Outcome {
  /** `null` for a draw. */
  winner: Color | null;
  /** A sentence such as `black wins by checkmate`. */
  text: string;
  result: "1-0" | "0-1" | "1/2-1/2";
}

/** The answer to `position`. */
export interface Position {
  /** X-FEN, which writes castling rights as `K` and `Q` if the outermost rook has them. */
  fen: string;
  /** Shredder-FEN, which writes castling rights as files. */
  shredder: string;
  turn: Color;
  /** The square of the king that is in check. */
  check: string | null;
  fullmove: number;
  /** Plies since the last capture or pawn move. */
  halfmove: number;
  /** Whether the position has occurred before. */
  repeated: boolean;
  /** The name of the start position, such as `Chess960 334`, if it is one. */
  start: string | null;
  outcome: Outcome | null;
  moves: LegalMove[];
  /** Castling rights in the FEN that can't be true, one sentence for each. */
  warnings: string[];
}

/** The answer to `line`: a variation up to its first illegal move. */
export interface Variation {
  moves: Move[];
  /** The moves with numbers: `1. e4 e5 2. Nf3`. */
  text: string;
  /** The position after each move. */
  fens: string[];
}

/** Something that prevents castling. */
export interface Obstacle {
  text: string;
  squares: string[];
}

interface NamedCastling {
  color: Color;
  side: "O-O" | "O-O-O";
  /** A sentence on whether this castling is possible. */
  text: string;
}

/** A castling that the position has no right to. */
export interface LostCastling extends NamedCastling {
  right: false;
  can: false;
}

/** A castling that the position has the right to, though perhaps not now. */
export interface RightfulCastling extends NamedCastling {
  right: true;
  /** Whether castling is possible now. */
  can: boolean;
  uci: string;
  /** Origin and destination of the king. */
  king: [from: string, to: string];
  rook: [from: string, to: string];
  /** The squares that must be empty. */
  empty: string[];
  /** The squares that must not be attacked. */
  safe: string[];
  /** The steps on a real board. */
  hand: string[];
  obstacles: Obstacle[];
}

/** The answer to `explain` has four of them: two sides for White and two for Black. */
export type Castling = LostCastling | RightfulCastling;

/** A value for each colour. */
export interface ByColor<T> {
  white: T;
  black: T;
}

/** How one side castles from a start position. */
export interface StartCastling {
  /** The fewest own moves after which castling is legal; `null` if no moves make it legal. */
  moves: number | null;
  /** Pieces on the path of the king or the rook. */
  blockers: string[];
  /** Whether the rook of the other wing is one of them, so that its castling right has to go. */
  costs_other_right: boolean;
}

/** Facts about one side of a start position. */
export interface SideFacts {
  /** Pawns that neither a piece nor a pawn defends. */
  undefended: string[];
  /** Pawns that only the king defends. */
  king_only: string[];
  /** First moves of the opponent that attack one of these pawns. */
  attacks: { pawn: string; move: string }[];
  "o-o": StartCastling | null;
  "o-o-o": StartCastling | null;
  /** Where a bishop stands, the pawns in front of it, and how many squares it could reach on an empty board. */
  bishops: { square: string; is_in_corner: boolean; opened_by: string[]; range: number }[];
  /** The squares of the third rank to which each knight can jump. */
  knights: { square: string; targets: string[] }[];
  /** Numbers of the other starts that this side can reach without losing a castling right. */
  reachable: number[];
  /** The same if castling rights may be lost. */
  reachable_without_castling: number[];
}

/** The answer to `start`. */
export interface StartFacts extends ByColor<SideFacts> {
  /** Such as `Chess960 334`. */
  name: string;
  /** Shredder-FEN. */
  fen: string;
  xfen: string;
  /** Scharnagl numbers, 0 to 959. */
  number: ByColor<number>;
  /** The pieces on the back rank, such as `NRQKRBBN`. */
  rank: ByColor<string>;
  /** Number of the start with the files reversed. */
  mirror: ByColor<number>;
  /** The facts as labels and values. Black's are missing if Black has the start of White. */
  rows: { white: [string, string][]; black?: [string, string][] };
}

/** What is written before the first move or after a move. A variation is an alternative to that move. */
export type Note = { nag: number } | { comment: string } | { variation: Line };

export interface LineMove {
  /** `null` for a null move. */
  uci: string | null;
  san: string;
  notes: Note[];
}

export interface Line {
  before: Note[];
  moves: LineMove[];
}

/** A game from a PGN text. */
export interface PgnGame {
  tags: [name: string, value: string][];
  /** FEN of the start. */
  start: string;
  result: string;
  line: Line;
  /** What could not be read. */
  errors?: string[];
  /** Castling rights in the FEN that can't be true. */
  warnings?: string[];
}

/** A game that could not be read from a PGN text, for example because its FEN is invalid. */
export interface UnreadGame {
  tags: [name: string, value: string][];
  errors: string[];
  line?: undefined;
}

/** A score in centipawns or in moves to mate, which are negative if the side gets mated. */
export interface Score {
  cp?: number;
  mate?: number;
}

/** What a search found in a position of a game that is to be judged. */
export interface Evaluation {
  /** From White's point of view. */
  score: Score;
  /** The same on the scale of chess sites, if it is known. */
  site?: Score;
  /** The best move. If the game went on with it, that move has lost nothing. */
  best?: string;
}

export interface JudgedMove {
  /** How far the move lowered the chance to win, in percentage points. */
  loss: number;
  /** Accuracy in percent. */
  accuracy: number;
  /** `null` for a good move, like `name` and `nag`. */
  mark: "?!" | "?" | "??" | null;
  name: "Inaccuracy" | "Mistake" | "Blunder" | null;
  nag: number | null;
}

/** Statistics of one player's moves. The first two are missing if there are none. */
export interface Summary {
  /** In percent. */
  accuracy?: number;
  /** In centipawns. */
  average_loss?: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  /** Accuracy in percent in each part of the game; `null` if the player had no move there. */
  phases: { opening: number | null; middlegame: number | null; ending: number | null };
}

/** The answer to `judge`. */
export interface Judgement extends ByColor<Summary> {
  moves: JudgedMove[];
  /** White's chance to win in each position, in percent: one more than there are moves. */
  win_percent: number[];
}

/** A search that a review needs. */
export interface ReviewTask {
  /** Index of the position in the game. */
  at: number;
  /** The moves to search, in UCI notation; all if empty. */
  moves: string[];
  /** How many lines the search has to find, at the same depth. */
  lines: number;
  /** The part of what a position may cost. */
  divisor: number;
  /** The nodes to search, with an empty hash table. */
  nodes: number;
  /** Whether this is the first look at a position. */
  is_first: boolean;
}

/** What a search of a review found: its lines at the same depth, best first. Scores are those of the side to move. */
export interface ReviewSearch {
  task: ReviewTask;
  lines: { depth: number; score: Score; pv: string[] }[];
}

export interface ReviewedMove extends JudgedMove {
  /** If the move has a mark, one sentence on why it is bad; `null` where the searches prove nothing. */
  reason: string | null;
  /** What stands out about a move without a mark, with its glyph. */
  remark: { kind: "OnlyMove" | "MissedMate"; nag: number | null; text: string } | null;
}

/** The best line of a position, with White's score and the chances in percent that White wins, nobody does, Black does. */
export interface ReviewedPosition {
  score: Score;
  /** The same on the scale of chess sites. */
  site: Score;
  depth: number;
  chances: [number, number, number];
  pv: string[];
}

/** The answer to `review`. It reaches as far as the positions from the first on have been searched. */
export interface Reviewed extends Judgement {
  /** The searches to do next; none if the review is complete. */
  tasks: ReviewTask[];
  moves: ReviewedMove[];
  /** `null` if the game ended there. */
  positions: (ReviewedPosition | null)[];
}

/** A question of the castling quiz. */
export interface Question {
  fen: string;
  /** Whether to show the board from Black's side. */
  turned: boolean;
  /** The question in words. */
  ask: string;
  /** The squares of king and rook. */
  pieces: string[];
  /** The squares that must be empty or not attacked. */
  needs: string[];
  /** The right answer. */
  can: boolean;
  /** The explanation. */
  why: string;
  /** The difficulty from 1 to 4. */
  grade: number;
}

/** The answer to `about`. */
export interface About {
  /** Name and version of the engine. */
  name: string;
  /** Outlines of the pieces from pawn to king, as paths of SVG. */
  pieces: string[];
}

/** The answer to every question by its first word. */
export interface Answers {
  about: About;
  position: Position;
  line: Variation;
  find: Move;
  explain: { castlings: Castling[] };
  start: StartFacts;
  pgn: { games: (PgnGame | UnreadGame)[] };
  write: { pgn: string };
  judge: Judgement;
  review: Reviewed;
  quiz: { questions: Question[] };
}
