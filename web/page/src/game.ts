// The game: a tree of moves with comments, glyphs and scores.

import { Color, Line, LineMove, Note, PgnGame, Position, Score, Summary } from "../../engine/answers";
import { Rules } from "../../engine/rules";
import { t, translated } from "./texts";

export interface Evaluation {
  score: Score; depth: number; chances?: [number, number, number];
  /** The score on the scale of chess sites, on which we judge moves and write `[%eval …]`. */
  site?: Score;
  /** White's chance to win in percent, once the graph has shown it. */
  chance?: number;
}

/** Statistics of both players. `line` is the last position of the main line that was judged. */
export interface GameSummary {
  line: string; white: Summary; black: Summary;
  /** How many sentences and lines of an earlier analysis were removed. */
  replaced?: number;
  /** Whether the scores come from the text of the game. */
  isRead?: boolean;
}

/** A comment with this name begins each line that we add. `enroque-tools analyse` does the same. */
export const ENGINE = "Enroque";
/** `[%eval …]` has no depth. We assume about as much as our own judgement reaches. */
const READ_DEPTH = 12;
/** A command in a comment, such as `[%clk 0:03:00]`: its name and its value. */
const COMMAND = /\[%(\w+)\s*([^\]]*)\]?/g;
/** A sentence of this program or lichess, such as `(0.10 → −0.60) Inaccuracy. Loses a pawn after Qxb2. c5 was best.` */
const ADVICE = new RegExp("(?:\\([^()]*\\) )?(?:Inaccuracy|Mistake|Blunder|Checkmate is now unavoidable|Lost forced checkmate sequence"
  + "|Not the best checkmate sequence)\\. ((?:Allows|Misses|Loses|Gives up|Leaves) [^.]+\\. )?(\\S+) was best\\.");
/** A remark of this program on a move without a mark. */
const REMARK = /(?:Only move\. \S+ was next best, and a (?:mistake|blunder)|Missed mate\. (\S+) mates in \d+)\./;
const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

export class GameNode {
  readonly children: GameNode[] = [];
  comment = "";
  /** Comment before the move, which begins a variation. */
  before = "";
  /** Comment after the variations on the move, just before the next move. */
  after = "";
  /** Commands in the comments, without `%eval`. */
  commands: string[] = [];
  nags: number[] = [];
  evaluation?: Evaluation;
  private known?: Position;

  constructor(readonly game: Game, readonly parent?: GameNode, readonly uci = "", readonly san = "") {}

  /** Returns the position in the words of UCI's `position`. */
  get words(): string {
    const moves = this.path().map(node => node.uci);
    return `fen ${this.game.start}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
  }

  /** Returns the facts and legal moves of the position, which the engine finds out once. */
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

  /** Returns the side that made the move. */
  get mover(): Color {
    return this.position.turn === "white" ? "black" : "white";
  }

  /** Returns the value of a command such as `clk`. */
  command(name: string): string | undefined {
    for (const [, found, value] of this.commands.join(" ").matchAll(COMMAND)) if (found === name) return value!.trim();
    return undefined;
  }

  /** Returns the time left for the mover after the move, in ms. */
  get clock(): number | undefined {
    const value = this.command("clk"), parts = value?.split(":").map(Number);
    if (!value || parts!.some(Number.isNaN)) return undefined;
    return 1000 * parts!.reduce((sum, part) => 60 * sum + part, 0);
  }

  set clock(ms: number) {
    const seconds = Math.floor(ms / 1000), two = (value: number) => String(value).padStart(2, "0");
    const text = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    this.commands = [...this.commands.filter(command => !command.startsWith("[%clk")), `[%clk ${text}]`];
  }

  /** Adds a comment, after the variations if `isLate`. We keep its commands apart from its words. */
  annotate(text: string, isLate = false): void {
    const words = text.replace(COMMAND, (command, name: string, value: string) => {
      if (name === "eval") this.evaluation ??= readEval(value);
      else this.commands.push(command);
      return " ";
    }).replace(/\s+/g, " ").trim();
    const place = isLate ? "after" : "comment";
    this[place] = [this[place], words].filter(Boolean).join(" ");
  }

  /** Returns the words of an analysis in the comment, its reason if it has one, and the best move that it names. */
  get advice(): { text: string; reason?: string; best: string } | undefined {
    const found = ADVICE.exec(this.comment);
    return found ? { text: found[0], reason: found[1]?.trim(), best: found[2]! } : undefined;
  }

  /** Returns the remark in the comment, and the mate that it says was missed. */
  get remark(): { text: string; best?: string } | undefined {
    const found = REMARK.exec(this.comment);
    return found ? { text: found[0], best: found[1] } : undefined;
  }

  /** Returns how long the mover thought about the move, in ms, as far as the clocks tell. */
  get spent(): number | undefined {
    const before = this.parent?.timeOf(this.mover), { clock } = this;
    if (before === undefined || clock === undefined) return undefined;
    const increment = Number(/^[^:]*\+(\d+)/.exec(this.game.tag("TimeControl") ?? "")?.[1] ?? 0);
    return Math.max(0, before + 1000 * increment - clock);
  }

  /** Returns the time that a side has left: after its last move, else at the start. */
  timeOf(color: Color): number | undefined {
    for (let at: GameNode | undefined = this; at; at = at.parent) {
      if (at.parent && at.mover === color && at.clock !== undefined) return at.clock;
    }
    const control = /^(?:\d+\/)?(\d+)/.exec(this.game.tag("TimeControl") ?? "");
    return control ? 1000 * Number(control[1]) : undefined;
  }

  /** Returns the comment for the user: the words of an analysis are in the language of the page. */
  get shownComment(): string {
    const text = this.advice?.text ?? this.remark?.text;
    if (!text) return this.comment;
    const [, scores = "", words = ""] = /^(\([^()]*\) )?(.*)$/.exec(text)!;
    return this.comment.replace(text, () => scores + translated(words));
  }

  /** Returns the first move of the line that an analysis preferred to this move. */
  get better(): GameNode | undefined {
    const [first, ...others] = this.parent?.children ?? [], best = this.advice?.best ?? this.remark?.best;
    if (first !== this || !best) return undefined;
    return others.find(other => other.before === ENGINE) ?? others.find(other => other.san === best);
  }
}

/** Returns a score as an `[%eval …]` command. */
const evalText = ({ score, site: { mate, cp } = score }: Evaluation): string =>
  `[%eval ${mate !== undefined ? `#${mate}` : ((cp ?? 0) / 100).toFixed(2)}]`;

/** Parses the value of an `[%eval …]` command. */
function readEval(text: string): Evaluation | undefined {
  const found = /^(#?)([+-]?[\d.]+)/.exec(text.trim());
  if (!found) return undefined;
  const value = Number(found[2]), score = found[1] ? { mate: value } : { cp: Math.round(100 * value) };
  return { score, site: score, depth: READ_DEPTH };
}

export class Game {
  readonly root: GameNode;
  current: GameNode;
  /** Result that was agreed on, by resignation or time. */
  result = "*";
  summary?: GameSummary;
  /** Messages for the user about faults of the text that the game was read from. */
  notes: string[] = [];

  constructor(readonly rules: Rules, readonly start: string, public tags: [string, string][] = []) {
    this.root = new GameNode(this);
    this.current = this.root;
  }

  /** Plays a move in the current position. If the game already has it there, goes to it. */
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

  /** Returns the index of each child on the way from the start to the current position. */
  place(): number[] {
    return this.current.path().map(node => node.parent!.children.indexOf(node));
  }

  /** Goes to the position that `place` returned. */
  goTo(place: number[]): void {
    this.current = place.reduce((node, index) => node.children[index] ?? node, this.root);
  }

  /** Returns the game in the form of the engine's PGN commands. */
  toPgn(): PgnGame {
    const commentOf = (node: GameNode) => [node.evaluation && evalText(node.evaluation), ...node.commands, node.comment].filter(Boolean).join(" ");
    const notes = (node: GameNode, siblings: GameNode[]): Note[] => {
      const comment = commentOf(node);
      return [
        ...node.nags.map(nag => ({ nag })),
        ...(comment ? [{ comment }] : []),
        ...siblings.map(sibling => ({ variation: line(sibling) })),
        ...(node.after ? [{ comment: node.after }] : []),
      ];
    };
    const line = (first: GameNode): Line => {
      const moves: LineMove[] = [];
      // The variations of a move are those of its siblings; a variation does not repeat them.
      for (let node: GameNode | undefined = first; node; node = node.children[0]) {
        const siblings: GameNode[] = node === first && first.parent!.children[0] !== first ? [] : node.parent!.children.slice(1);
        moves.push({ uci: node.uci, san: node.san, notes: notes(node, siblings) });
      }
      return { before: first.before ? [{ comment: first.before }] : [], moves };
    };
    const first = this.root.children[0], opening = commentOf(this.root);
    const ending = this.root.last.position.outcome;
    return {
      tags: this.tags, start: this.start, result: this.result !== "*" ? this.result : ending?.result ?? "*",
      line: first ? { ...line(first), before: opening ? [{ comment: opening }] : [] } : { before: [], moves: [] },
    };
  }

  /** Returns the game as PGN with the seven standard tags first. */
  text(): string {
    const game = this.toPgn(), unknown: Record<string, string> = { Date: "????.??.??", Result: game.result };
    const value = (name: string) => name === "Result" ? game.result : this.tag(name) ?? unknown[name] ?? "?";
    const tags: [string, string][] = ROSTER.map(name => [name, value(name)]);
    return this.rules.writePgn({ ...game, tags: [...tags, ...game.tags.filter(([name]) => !ROSTER.includes(name))] });
  }

  /** Returns the value of a tag, unless it is empty or unknown. */
  tag(name: string): string | undefined {
    const value = this.tags.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1].trim();
    return value && !/^[?.]+$/.test(value) ? value : undefined;
  }

  /** Returns the side of the player whose name contains `name`; nothing if it is both or neither. */
  sideOf(name: string | undefined): Color | undefined {
    const plays = (color: Color) => Boolean(name) && (this.tag(color) ?? "").toLowerCase().includes(name!.toLowerCase());
    return plays("white") === plays("black") ? undefined : plays("white") ? "white" : "black";
  }

  setTag(name: string, value: string): void {
    const old = this.tags.find(([key]) => key === name);
    if (old) old[1] = value;
    else this.tags.push([name, value]);
  }

  /** Adds a new line after a position, even if another line there begins with the same move. */
  addLine(from: GameNode, moves: { uci: string; san: string }[], before: string): void {
    let node = from;
    for (const { uci, san } of moves) {
      const made = new GameNode(this, node, uci, san);
      if (node === from) made.before = before;
      node.children.push(made);
      node = made;
    }
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
    const addNote = (node: GameNode, note: Note, isLate: boolean) => {
      if ("nag" in note) node.nags.push(note.nag);
      if ("comment" in note) node.annotate(note.comment, isLate);
      if ("variation" in note && node.parent) addLine(node.parent, note.variation);
    };
    const addLine = (from: GameNode, line: Line) => {
      const noted: [GameNode, Note[]][] = [];
      const before = new GameNode(game), isVariation = line !== pgn.line;
      line.before.forEach(note => { if ("comment" in note) before.annotate(note.comment); });
      let node = from;
      for (const move of line.moves) {
        // A null move ends the line, because the board cannot show it.
        if (!move.uci) {
          isCut = true;
          break;
        }
        const isFirst = isVariation && node === from;
        // A line of the engine stays separate, even if another line begins with the same move.
        let child = isFirst && before.comment === ENGINE ? undefined : node.children.find(other => other.uci === move.uci);
        if (isFirst && child) child.annotate(before.comment);
        if (!child) {
          child = new GameNode(game, node, move.uci, move.san);
          if (isFirst) child.before = before.comment;
          node.children.push(child);
        }
        if (isFirst) child.commands.push(...before.commands);
        node = child;
        noted.push([node, move.notes]);
      }
      if (!isVariation) Object.assign(from, { comment: before.comment, commands: before.commands, evaluation: before.evaluation });
      // We add variations last: one that repeats the line's own move could otherwise put its moves before the line's.
      for (const [at, notes] of noted) notes.forEach((note, index) => addNote(at, note, notes.slice(0, index).some(earlier => "variation" in earlier)));
    };
    addLine(game.root, pgn.line);
    game.notes.push(...pgn.warnings ?? []);
    if (reason !== undefined) game.notes.push(t("readInPart", { reason }));
    if (isCut) game.notes.push(t("nullMove"));
    return game;
  }
}
