// Puzzles: positions from the opening of a game in which only one move wins.

import { Rules } from "../../engine/rules";
import list from "../puzzles.txt";
import { App, Exercise } from "./app";
import { numbered } from "./castling";
import { announce, button, make, moveForm, radios, toast } from "./dom";
import { Game, GameNode } from "./game";
import { setUp } from "./startpanel";
import { load, save } from "./storage";
import { t, TextKey } from "./texts";

/** `before` is the position before the opponent's `last` move or, without `last`, the position to solve. */
interface Puzzle { grade: string; start?: string; before: string; last?: string; solution: string[] }

/** Each line has grade, start number, FEN before the opponent's last move, that move, and the solution. */
const OWN_PUZZLES: Puzzle[] = list.trim().split("\n").map(line => {
  const [grade = "", start = "", ...words] = line.split(" ");
  return { grade, start, before: words.slice(0, 6).join(" "), last: words[6]!, solution: words.slice(7) };
});
const GRADES: [string, TextKey][] = [["1", "easy"], ["2", "medium"], ["3", "hard"]];
/** The most nodes that a search takes to solve an easy or a medium puzzle, as in `enroque-tools puzzles`. */
const GRADE_NODES = [2000, 6000];
/** The opponent replies after this many milliseconds. */
const REPLY_DELAY = 500;

const startOf = (source: string): string | undefined => /Chess960 (\d+)/.exec(source)?.[1];

/** Converts the moves of a line from algebraic notation to coordinates. */
function coordinates(rules: Rules, fen: string, line: string): string[] {
  const moves: string[] = [];
  for (const san of line.split(" ")) moves.push(rules.find(san, `fen ${fen}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`).uci);
  return moves;
}

/** Reads what `enroque-tools puzzles` has written: its JSON results, its EPD or its PGN. */
function readSet(rules: Rules, text: string): Puzzle[] {
  const lines = text.trim().split(/\r?\n/), [first = ""] = lines;
  if (first.startsWith("{")) {
    return lines.flatMap(line => {
      const { puzzle } = JSON.parse(line) as { puzzle?: { before: string; last: string; solution: string[]; nodes: number; source: string } };
      if (!puzzle) return [];
      const grade = String(1 + GRADE_NODES.filter(limit => puzzle.nodes > limit).length);
      return [{ grade, start: startOf(puzzle.source), before: puzzle.before, last: puzzle.last, solution: puzzle.solution }];
    });
  }
  if (first.startsWith("[")) {
    return rules.readPgn(text).flatMap(game => {
      const value = (name: string) => game.tags.find(([tag]) => tag === name)?.[1] ?? "";
      const solution = game.line?.moves.flatMap(({ uci }) => uci ?? []) ?? [], [note] = game.line?.before ?? [];
      if (!value("Event").startsWith("Enroque puzzles") || !game.line || solution.length % 2 === 0) return [];
      return [{ grade: /\d/.exec(value("Black"))?.[0] ?? "1", start: note && "comment" in note ? startOf(note.comment) : undefined, before: game.start, solution }];
    });
  }
  return lines.flatMap(line => {
    const found = /^(\S+ \S+ \S+ \S+) .*\bpv ([^;]+);/.exec(line), number = (name: string, other: number) => new RegExp(`\\b${name} (\\d+);`).exec(line)?.[1] ?? other;
    if (!found) return [];
    const { fen } = rules.position(`fen ${found[1]} ${number("hmvc", 0)} ${number("fmvn", 1)}`);
    return [{ grade: /"grade (\d)"/.exec(line)?.[1] ?? "1", before: fen, solution: coordinates(rules, fen, found[2]!) }];
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
      : this.list.length === 1 ? t("puzzleLoaded") : t("puzzlesLoaded", { count: this.list.length });
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
    this.ask.textContent = puzzle.last === undefined ? t("puzzleAskAlone", { side: t(turn) }) : t("puzzleAsk", { side: t(turn), move: numbered(first) });
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
        this.say(t("puzzleWrong", { move: game.current.position.moves.find(move => move.uci === uci)!.san }), "wrong");
        this.app.changed();
        return;
      }
      const { san } = game.play(uci)!, reply = solution[step + 1];
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
    const { app } = this, exercise = app.puzzle!, { game } = exercise, { solution } = this.puzzle!, first = this.first!;
    const isPlayed = game.current.ply - first.ply === solution.length;
    this.note(isPlayed && this.isClean);
    for (game.current = first; game.current.ply - first.ply < solution.length;) game.play(solution[game.current.ply - first.ply]!);
    this.solved = exercise.isDone = true;
    exercise.answer = undefined;
    this.say(t("puzzleLine", { line: app.rules.line(solution, first.words).text }), isPlayed ? "right" : undefined);
    app.changed();
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
