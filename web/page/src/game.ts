// The game: a tree of moves with comments, glyphs and scores.

import { Line, LineMove, Note, PgnGame, Position, Rules, Summary } from "./rules";
import { Score } from "./searcher";
import { t } from "./texts";

export interface Evaluation { score: Score; depth: number; chances?: [number, number, number] }

/** Statistics of both players, for the main line of which `line` is the last position. */
export interface GameSummary { line: string; white: Summary; black: Summary }

export class GameNode {
  readonly children: GameNode[] = [];
  comment = "";
  nags: number[] = [];
  evaluation?: Evaluation;
  private known?: Position;

  constructor(readonly game: Game, readonly parent?: GameNode, readonly uci = "", readonly san = "") {}

  /** Returns the position in the words of UCI's `position`. */
  get words(): string {
    const moves = this.path().map(node => node.uci);
    return `fen ${this.game.start}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
  }

  /** Returns facts and legal moves of the position. */
  get position(): Position {
    return this.known ??= this.game.rules.position(this.words);
  }

  /** Returns the moves from the start, without the start itself. */
  path(): GameNode[] {
    return this.parent ? [...this.parent.path(), this] : [];
  }

  /** Returns the number of moves of both sides before this position. */
  get ply(): number {
    return this.parent ? this.parent.ply + 1 : 0;
  }

  /** Returns the last position of the line that begins here. */
  get last(): GameNode {
    return this.children[0]?.last ?? this;
  }

  get isMain(): boolean {
    return !this.parent || (this.parent.children[0] === this && this.parent.isMain);
  }
}

/** Returns `[%eval …]` of a score, for comments. */
const evalText = ({ score }: Evaluation): string =>
  `[%eval ${score.mate !== undefined ? `#${score.mate}` : ((score.cp ?? 0) / 100).toFixed(2)}]`;

/** Depth of an `[%eval …]`, which has none: about that of a judgement. */
const READ_DEPTH = 12;

/** Returns the score of an `[%eval …]`. */
function readEval(text: string): Evaluation | undefined {
  const found = /\[%eval (#?)(-?[\d.]+)/.exec(text);
  if (!found) return undefined;
  const value = Number(found[2]);
  return { score: found[1] ? { mate: value } : { cp: Math.round(100 * value) }, depth: READ_DEPTH };
}

export class Game {
  readonly root: GameNode;
  current: GameNode;
  /** Result that was agreed on, by resignation or time. */
  result = "*";
  summary?: GameSummary;
  /** Faults of the text that the game was read from, for the user. */
  notes: string[] = [];

  constructor(readonly rules: Rules, readonly start: string, public tags: [string, string][] = []) {
    this.root = new GameNode(this);
    this.current = this.root;
  }

  /** Plays a move after the current position, which may be there already. */
  play(uci: string): GameNode | undefined {
    const existing = this.current.children.find(child => child.uci === uci);
    if (existing) return this.current = existing;
    const move = this.current.position.moves.find(legal => legal.uci === uci);
    if (!move) return undefined;
    const made = new GameNode(this, this.current, move.uci, move.san);
    this.current.children.push(made);
    return this.current = made;
  }

  /** Removes a position and all after it. */
  remove(node: GameNode): void {
    const parent = node.parent;
    if (!parent) return;
    if (this.current.path().includes(node)) this.current = parent;
    parent.children.splice(parent.children.indexOf(node), 1);
  }

  /** Makes the line of a position the main line. */
  promote(node: GameNode): void {
    for (const { parent } of node.path()) {
      const child = node.path().find(other => other.parent === parent)!;
      parent!.children.splice(parent!.children.indexOf(child), 1);
      parent!.children.unshift(child);
    }
  }

  /** Returns the positions of the main line, from the start. */
  mainLine(): GameNode[] {
    return [this.root, ...this.root.last.path()];
  }

  /** Returns the indices of the children that lead to the current position. */
  place(): number[] {
    return this.current.path().map(node => node.parent!.children.indexOf(node));
  }

  /** Goes to the position that `place` returned. */
  goTo(place: number[]): void {
    this.current = place.reduce((node, index) => node.children[index] ?? node, this.root);
  }

  /** Returns the game in the form of the engine's PGN commands. */
  toPgn(): PgnGame {
    const notes = (node: GameNode, siblings: GameNode[]): Note[] => {
      const comment = [node.evaluation && evalText(node.evaluation), node.comment].filter(Boolean).join(" ");
      return [
        ...node.nags.map(nag => ({ nag })),
        ...(comment ? [{ comment }] : []),
        ...siblings.map(sibling => ({ variation: line(sibling) })),
      ];
    };
    const line = (first: GameNode): Line => {
      const moves: LineMove[] = [];
      // The variations of a move are those of its siblings; a variation does not repeat them.
      for (let node: GameNode | undefined = first; node; node = node.children[0]) {
        const siblings: GameNode[] = node === first && first.parent!.children[0] !== first ? [] : node.parent!.children.slice(1);
        moves.push({ uci: node.uci, san: node.san, notes: notes(node, siblings) });
      }
      return { before: [], moves };
    };
    const first = this.root.children[0];
    const ending = this.root.last.position.outcome;
    return {
      tags: this.tags, start: this.start, result: this.result !== "*" ? this.result : ending?.result ?? "*",
      line: first ? { ...line(first), before: this.root.comment ? [{ comment: this.root.comment }] : [] } : { before: [], moves: [] },
    };
  }

  /** Makes a game from a FEN. */
  static fromFen(rules: Rules, text: string): Game {
    const { fen, warnings } = rules.position(`fen ${text}`), game = new Game(rules, fen);
    game.notes = warnings;
    return game;
  }

  /** Makes a game from the form that `toPgn` returns. */
  static fromPgn(rules: Rules, pgn: PgnGame): Game {
    const game = new Game(rules, pgn.start, pgn.tags), [reason] = pgn.errors ?? [];
    game.result = pgn.result;
    let isCut = false;
    const addNote = (node: GameNode, note: Note) => {
      if ("nag" in note) node.nags.push(note.nag);
      if ("comment" in note) {
        node.evaluation ??= readEval(note.comment);
        node.comment = [node.comment, note.comment.replace(/\[%eval [^\]]*\]\s*/g, "").trim()].filter(Boolean).join(" ");
      }
      if ("variation" in note && node.parent) addLine(node.parent, note.variation);
    };
    const addLine = (from: GameNode, line: Line) => {
      const noted: [GameNode, Note[]][] = [];
      let node = from;
      for (const move of line.moves) {
        // A null move ends the line, because the board cannot show it.
        if (!move.uci) {
          isCut = true;
          break;
        }
        let child = node.children.find(other => other.uci === move.uci);
        if (!child) {
          child = new GameNode(game, node, move.uci, move.san);
          node.children.push(child);
        }
        node = child;
        noted.push([node, move.notes]);
      }
      // A comment before a variation belongs to its first move, one before the game to the start.
      const before = line.before.filter(note => !("variation" in note)), first = line === pgn.line ? undefined : noted[0];
      if (first) first[1] = [...before, ...first[1]];
      else before.forEach(note => addNote(from, note));
      // Variations come after all moves of the line: one that begins with the line's own move would else continue it.
      for (const [at, notes] of noted) notes.forEach(note => addNote(at, note));
    };
    addLine(game.root, pgn.line);
    game.notes.push(...pgn.warnings ?? []);
    if (reason !== undefined) game.notes.push(t("readInPart", { reason }));
    if (isCut) game.notes.push(t("nullMove"));
    return game;
  }
}
