// Puzzles: positions of games in which only one move wins, or saves a draw.

import { Rules } from "../../engine/rules";
import list from "../puzzles.txt";
import { App, Exercise } from "./app";
import { numbered } from "./castling";
import { announce, button, make, moveForm, radios, toast } from "./dom";
import { Game, GameNode } from "./game";
import { setUp } from "./startpanel";
import { load, save } from "./storage";
import { MOTIFS, moveText, t, TextKey } from "./texts";

/**
 * `before` is the position before the opponent's `last` move or, without `last`, the position to solve. `rest` follows the
 * solution until its point is on the board. `motif` and `score` are missing in sets of an earlier version.
 */
interface Puzzle { grade: string; start?: string; before: string; last?: string; solution: string[]; rest: string[]; isDraw: boolean; motif?: string; score?: string }

/** Each line has grade, start number, goal, motif, score, FEN before the opponent's last move, that move, solution and rest. */
const OWN_PUZZLES: Puzzle[] = list.trim().split("\n").map(line => {
  const [grade = "", start = "", goal, motif, score, before = "", last = "", solution = "", rest = ""] = line.split(";");
  return { grade, start, before, last, solution: solution.split(" "), rest: rest.split(" ").filter(move => move), isDraw: goal === "draw", motif, score };
});
const GRADES: [string, TextKey][] = [["1", "easy"], ["2", "medium"], ["3", "hard"]];
/** The most nodes that a search takes to solve an easy or a medium puzzle, as in `enroque-tools puzzles`. */
const GRADE_NODES = [150, 500];
/** The opponent replies after this many milliseconds. */
const REPLY_DELAY = 500;
const DRAW = "saves a draw";

const startOf = (source: string): string | undefined => /Chess960 (\d+)/.exec(source)?.[1];

/** Converts the moves of a line from algebraic notation to coordinates. Move numbers may stand between them. */
function coordinates(rules: Rules, fen: string, before: string[], line: string): string[] {
  const moves = [...before];
  for (const san of line.split(" ").filter(word => word && !/^\d+\.+$/.test(word))) {
    moves.push(rules.find(san, `fen ${fen}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`).uci);
  }
  return moves.slice(before.length);
}

/** A line of the results of `enroque-tools puzzles`. */
interface Row {
  puzzle?: { before: string; last: string; solution: string[]; continuation?: string[]; goal?: string; motif?: string; score?: string; nodes: number; source: string };
  surplus?: boolean;
}

/** Reads what `enroque-tools puzzles` has written: its JSON results, its EPD or its PGN. */
function readSet(rules: Rules, text: string): Puzzle[] {
  if (text.trimStart().startsWith("{")) {
    const rows = text.trim().split(/\r?\n/).map(line => JSON.parse(line) as Row), last = rows.at(-1);
    // The search ends when the set is full, with the puzzle that fills it. If the games ran out before, surplus puzzles fill it up.
    const isFull = last?.puzzle !== undefined && last.puzzle !== null && !last.surplus;
    return rows.flatMap(({ puzzle, surplus }) => {
      if (!puzzle || (isFull && surplus)) return [];
      const grade = String(1 + GRADE_NODES.filter(limit => puzzle.nodes > limit).length);
      return [{ grade, start: startOf(puzzle.source), before: puzzle.before, last: puzzle.last, solution: puzzle.solution, rest: puzzle.continuation ?? [],
        isDraw: puzzle.goal === "draw", motif: puzzle.motif?.replace("-", " "), score: puzzle.score }];
    });
  }
  if (text.trimStart().startsWith("[")) {
    return rules.readPgn(text).flatMap(game => {
      const value = (name: string) => game.tags.find(([tag]) => tag === name)?.[1] ?? "";
      const solution = game.line?.moves.flatMap(({ uci }) => uci ?? []) ?? [], [note] = game.line?.before ?? [];
      if (!value("Event").startsWith("Enroque puzzles") || !game.line || solution.length % 2 === 0) return [];
      const after = game.line.moves.at(-1)!.notes?.find(each => "comment" in each);
      const words = after && /^It (.+) \((\S+)\): ([a-z ]+)\.(?: Then (.*)\.)?$/.exec(after.comment);
      return [{ grade: /\d/.exec(value("Black"))?.[0] ?? "1", start: note && "comment" in note ? startOf(note.comment) : undefined, before: game.start, solution,
        isDraw: words?.[1] === DRAW, score: words?.[2], motif: words?.[3], rest: coordinates(rules, game.start, solution, words?.[4] ?? "") }];
    });
  }
  return text.trim().split(/\r?\n/).flatMap(line => {
    const found = /^(\S+ \S+ \S+ \S+) .*\bpv ([^;]+);/.exec(line), number = (name: string, other: number) => new RegExp(`\\b${name} (\\d+);`).exec(line)?.[1] ?? other;
    if (!found) return [];
    const { fen } = rules.position(`fen ${found[1]} ${number("hmvc", 0)} ${number("fmvn", 1)}`), solution = coordinates(rules, fen, [], found[2]!);
    const [goal, motif, , score] = /\bc2 "([^"]*)"/.exec(line)?.[1]!.split("; ") ?? [];
    return [{ grade: /"grade (\d)"/.exec(line)?.[1] ?? "1", before: fen, solution, isDraw: goal === DRAW, motif, score,
      rest: coordinates(rules, fen, solution, /\bc3 "then ([^"]*)"/.exec(line)?.[1] ?? "") }];
  });
}

export class Puzzles {
  private grades: HTMLElement;
  private ask = make("p", { class: "ask" });
  private result = make("p", {});
  private form: HTMLElement;
  private list = OWN_PUZZLES;
  private file = make("input", { type: "file", accept: ".jsonl,.epd,.pgn", hidden: true, change: () => void this.openFile() });
  private source = make("p", { class: "pale" });
  private nextButton = button(t("puzzleSkip"), event => this.next(event.detail === 0));
  private otherButton = button(t("puzzleSolution"), () => this.solved ? this.analyse() : this.finish());
  readonly element: HTMLElement;
  private puzzle?: Puzzle;
  /** First position of the puzzle on the board. */
  private first?: GameNode;
  private solved = false;
  /** Whether the user has made no wrong move. */
  private isClean = true;
  /** For each puzzle's `before`: `true` if the user solved it without a wrong move, `false` if not. */
  private results = load<Record<string, boolean>>("puzzles") ?? {};

  constructor(private app: App) {
    this.grades = radios("grade", t("grade"), GRADES.map(([grade]) => [grade, ""]), app.settings.grade, grade => {
      app.set({ grade });
      this.next();
    });
    this.grades.classList.add("bare", "soft");
    this.form = moveForm("puzzle-move", text => this.enter(text));
    this.element = make("section", { class: "quiz" }, this.grades, this.ask, this.result,
      make("div", { class: "row" }, this.nextButton, this.otherButton), this.form,
      make("div", { class: "row source" }, this.source, button(t("puzzleLoad"), () => this.file.click(), { class: "small" })), this.file);
  }

  render(): void {
    if (!this.app.puzzle) this.next();
    GRADES.forEach(([grade, name], at) => {
      const own = this.list.filter(puzzle => puzzle.grade === grade);
      const right = own.filter(puzzle => this.results[puzzle.before]).length;
      this.grades.querySelectorAll("span")[at]!.textContent = `${t(name)} ${right}/${own.length}`;
    });
    this.source.textContent = this.list === OWN_PUZZLES ? t("puzzlesOwn", { count: this.list.length })
      : t("puzzlesLoaded", { count: this.list.length });
    this.form.hidden = this.solved;
    this.nextButton.textContent = t(this.solved ? "puzzleNext" : "puzzleSkip");
    this.nextButton.classList.toggle("main", this.solved);
    this.otherButton.textContent = t(this.solved ? "tabAnalyse" : "puzzleSolution");
  }

  /** Shows the next puzzle of the grade. Puzzles that were not tried come first, then those not solved. */
  private next(isByKey = false): void {
    const own = this.list.filter(puzzle => puzzle.grade === this.app.settings.grade);
    if (own.length === 0) return toast(t("puzzlesNone"));
    const at = this.puzzle ? own.indexOf(this.puzzle) + 1 : 0;
    const others = [...own.slice(at), ...own.slice(0, at)];
    this.open(others.find(({ before }) => this.results[before] === undefined) ?? others.find(({ before }) => !this.results[before]) ?? others[0]!);
    if (isByKey) this.form.querySelector("input")!.focus();
  }

  /** Loads puzzles from a file. They replace the page's own puzzles until it is reloaded. */
  private async openFile(): Promise<void> {
    const { app } = this, file = this.file.files?.[0];
    this.file.value = "";
    if (!file) return;
    try {
      const list = readSet(app.rules, await file.text());
      if (list.length === 0) return toast(t("puzzlesMissing", { name: file.name }));
      this.list = list;
      this.puzzle = undefined;
      if (!list.some(({ grade }) => grade === app.settings.grade)) app.set({ grade: list[0]!.grade });
      this.grades.querySelector<HTMLInputElement>(`[value="${app.settings.grade}"]`)!.checked = true;
      this.next();
    } catch (error) {
      toast(t("puzzlesBad", { name: file.name, reason: (error as Error).message }));
    }
  }

  private open(puzzle: Puzzle): void {
    const { app } = this, game = new Game(app.rules, app.rules.position(`fen ${puzzle.before}`).fen);
    const first = this.first = puzzle.last === undefined ? game.root : game.play(puzzle.last)!;
    const { turn } = first.position;
    this.puzzle = puzzle;
    this.solved = false;
    this.isClean = true;
    app.puzzle = { game, title: puzzle.start === undefined ? "" : t("startNumber", { number: puzzle.start }), orientation: turn, isDone: false };
    app.arrows = [];
    this.ask.textContent = `${puzzle.last === undefined ? t("puzzleTurn", { side: t(turn) }) : t("puzzleTurnAfter", { side: t(turn), move: numbered(first) })} ${
      t(puzzle.isDraw ? "puzzleDraws" : "puzzleWins")}`;
    this.say("");
    this.expect(app.puzzle, 0);
    announce(this.ask.textContent);
    app.changed();
  }

  /** Waits for the user's move at this step of the solution. */
  private expect(exercise: Exercise, step: number): void {
    const { solution } = this.puzzle!, { game } = exercise;
    exercise.answer = uci => {
      if (uci !== solution[step]) {
        this.isClean = false;
        this.note(false);
        this.say(t(this.puzzle!.isDraw ? "puzzleWrongDraw" : "puzzleWrong", { move: moveText(game.current.position.moves.find(move => move.uci === uci)!.san) }), "wrong");
        this.app.changed();
        return;
      }
      const san = moveText(game.play(uci)!.san), reply = solution[step + 1];
      if (reply === undefined) return this.finish();
      exercise.answer = undefined;
      this.say(san, "right");
      this.app.changed();
      setTimeout(() => {
        if (this.app.puzzle !== exercise || exercise.isDone) return;
        this.say(t("puzzleGoOn", { move: san, reply: numbered(game.play(reply)!) }), "right");
        this.expect(exercise, step + 2);
        this.app.changed();
      }, REPLY_DELAY);
    };
  }

  /** Shows the solution. The puzzle counts as solved if the user has played all its moves. */
  private finish(): void {
    const { app } = this, exercise = app.puzzle!, { game } = exercise, { solution, rest } = this.puzzle!, first = this.first!;
    const isPlayed = game.current.ply - first.ply === solution.length;
    this.note(isPlayed && this.isClean);
    const line = [...solution, ...rest];
    for (game.current = first; game.current.ply - first.ply < line.length;) game.play(line[game.current.ply - first.ply]!);
    game.current = game.current.path()[first.ply + solution.length - 1]!;
    this.solved = exercise.isDone = true;
    exercise.answer = undefined;
    this.say(t("puzzleLine", { line: moveText(app.rules.line(solution, first.words).text) }) + this.outcome(), isPlayed ? "right" : undefined);
    app.changed();
  }

  /** Says what the solution achieves, and what follows it. */
  private outcome(): string {
    const { isDraw, motif, score, rest, solution } = this.puzzle!, key = MOTIFS[motif ?? ""];
    const end = this.app.puzzle!.game.current;
    const then = rest.length > 0 ? ` ${t("puzzleThen", { line: moveText(this.app.rules.line(rest, end.words).text) })}` : "";
    if (key === undefined || solution.length === 0) return then;
    return ` ${t(isDraw ? "puzzleDrawBy" : "puzzleWinBy", { score: score ?? "", motif: t(key) })}${then}`;
  }

  /** Stores whether the user solved the puzzle. Once solved, it stays solved. */
  private note(isRight: boolean): void {
    // Another tab may have stored further results.
    for (const [puzzle, was] of Object.entries(load<Record<string, boolean>>("puzzles") ?? {})) this.results[puzzle] ||= was;
    this.results[this.puzzle!.before] ||= isRight;
    save("puzzles", this.results);
  }

  private say(text: string, verdict?: "right" | "wrong"): void {
    this.result.replaceChildren(verdict ? make("b", { class: verdict === "right" ? "good" : "bad" }, t(verdict)) : "", ` ${text}`);
    announce(this.result.textContent!);
  }

  /** Enters a move that was typed. */
  private enter(text: string): boolean {
    const uci = this.app.mayMove() ? this.app.find(text) : undefined;
    if (uci) this.app.enter(uci);
    if (this.solved) this.nextButton.focus();
    return uci !== undefined;
  }

  /** Makes the puzzle with its solution the game of the page. */
  private analyse(): void {
    const { app } = this, { game } = app.puzzle!;
    game.current = this.first!;
    this.next();
    setUp(app, game);
    app.orientation = game.current.position.turn;
    app.show("analyse");
  }
}
