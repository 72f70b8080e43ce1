// The state that all parts of the page share: the game, the settings, the chosen tab.

import { Color, Position, Question } from "../../engine/answers";
import { Rules } from "../../engine/rules";
import { announce, toast } from "./dom";
import type { Editor } from "./editor";
import { Game, GameNode } from "./game";
import { Match, MatchRecord } from "./match";
import { Searcher } from "./searcher";
import { setSound } from "./sound";
import { load, save } from "./storage";
import { spellings, spoken, t, translated } from "./texts";

export type Tab = "start" | "play" | "analyse" | "learn" | "game";
/** A part of the tab for learning. */
export type Lesson = "castling" | "quiz" | "puzzles";
export interface Arrow { from: string; to: string; brush: string }

export interface Settings {
  isAnalysing: boolean; lines: number; elo: number; rival: string; color: Color | "either"; clock: string;
  /** The user's own time control, in the same form as `clock`. */
  ownClock: string;
  isSounding: boolean; isArmageddon: boolean; isDouble: boolean;
  lesson: Lesson; grade: string;
}

/** A puzzle or a retried mistake: the board shows its game instead of the game of the page. */
export interface Exercise {
  game: Game;
  title: string;
  orientation: Color;
  /** Whether the solution is shown. */
  isDone: boolean;
  /** Is called with the user's move; missing while we expect none. */
  answer?: (uci: string) => void;
}

const DEFAULTS: Settings = { isAnalysing: false, lines: 1, elo: 1000, rival: "engine", color: "white", clock: "", ownClock: "20+10",
  isSounding: !matchMedia("(prefers-reduced-motion: reduce)").matches, isArmageddon: false, isDouble: false,
  lesson: "castling", grade: "1" };

export class App {
  game: Game;
  tab: Tab = "start";
  orientation: Color = "white";
  settings: Settings;
  match?: Match;
  /** Shows the clocks of the match. */
  showClock = (): void => undefined;
  /** The quiz question that the board shows instead of the game. */
  question?: Question;
  puzzle?: Exercise;
  /** A mistake of the game for which the user looks for a better move. */
  retry?: Exercise;
  /** The name of the user among the players of games. */
  private ownName = load<string>("me");
  editor?: Editor;
  /** Arrows and rings that a panel wants on the board. */
  arrows: Arrow[] = [];
  private listeners: (() => void)[] = [];
  private isPending = false;

  constructor(readonly rules: Rules, readonly searcher: Searcher) {
    this.settings = { ...DEFAULTS, ...load<Partial<Settings>>("settings") };
    setSound(this.settings.isSounding);
    this.game = new Game(rules, rules.position("startpos").fen);
  }

  get me(): string | undefined {
    return this.ownName;
  }

  set me(name: string | undefined) {
    this.ownName = name;
    save("me", name);
  }

  /** Calls a function after every change. */
  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Tells the listeners that something changed. Several calls in a row become one. */
  changed(): void {
    if (this.isPending) return;
    this.isPending = true;
    queueMicrotask(() => {
      this.isPending = false;
      this.listeners.forEach(listener => listener());
    });
  }

  /** Returns the exercise on the board. */
  get exercise(): Exercise | undefined {
    if (this.tab === "analyse") return this.retry;
    return this.tab === "learn" && this.settings.lesson === "puzzles" ? this.puzzle : undefined;
  }

  /** Returns the editor while the board shows it. */
  get editing(): Editor | undefined {
    return this.tab === "start" ? this.editor : undefined;
  }

  get isPlaying(): boolean {
    return this.match !== undefined && !this.match.ending;
  }

  /** Returns `true` while a match with a clock runs. */
  get isTimed(): boolean {
    return this.isPlaying && this.match!.clock !== undefined;
  }

  /** Returns the game on the board. */
  get view(): Game {
    return (this.exercise ?? this).game;
  }

  /** Returns the current position of the game on the board; a quiz question does not count. */
  get position(): Position {
    return this.view.current.position;
  }

  /** Returns `true` if the user may move on the board: not while the engine thinks, nor in a puzzle that is solved. */
  mayMove(): boolean {
    if (this.exercise) return this.exercise.answer !== undefined;
    return !this.match || this.match.ending !== undefined || this.match.isYourMove(this.game.current);
  }

  show(tab: Tab): void {
    this.tab = tab;
    if (tab !== "learn") this.question = undefined;
    this.arrows = [];
    this.changed();
  }

  set(change: Partial<Settings>): void {
    Object.assign(this.settings, change);
    setSound(this.settings.isSounding);
    save("settings", this.settings);
    this.changed();
  }

  /** Replaces the game. */
  replace(game: Game): void {
    this.match?.abandon();
    this.match = undefined;
    this.question = this.retry = this.editor = undefined;
    this.arrows = [];
    this.game = game;
    this.changed();
  }

  /** Begins or resumes a match at the end of the game. */
  begin(record: MatchRecord): void {
    this.game.current = this.game.root.last;
    this.retry = this.editor = undefined;
    this.match = new Match(this, record);
    this.match.run();
    this.changed();
  }

  /** Shows a part of the tab for learning. */
  learn(lesson: Lesson): void {
    this.question = undefined;
    this.set({ lesson });
    this.show("learn");
  }

  /** Makes a position the current one of its game. */
  goTo(node: GameNode | undefined): void {
    if (!node) return;
    node.game.current = node;
    this.arrows = [];
    this.say(node);
    this.changed();
  }

  /** Returns the move that a text means in the position on the board. Tells the user if there is none. */
  find(text: string): string | undefined {
    const { rules } = this, { position, words } = this.view.current;
    for (const spelling of spellings(text)) {
      try {
        return rules.find(spelling, words).uci;
      } catch {
        // The next spelling may mean something.
      }
    }
    // The PGN reader also knows move numbers, figurines and foreign letters. But R stays a rook, and never is a French king.
    const [game] = rules.readPgn(`[FEN "${position.fen}"]\n\n${text}`);
    const [move, ...others] = game?.errors?.length ? [] : game?.line?.moves ?? [];
    const [english = ""] = /[KQRBNP](?=[a-h1-8x])/.exec(text) ?? [];
    if (move?.uci && others.length === 0 && move.san.startsWith(english)) return move.uci;
    toast(t("illegal", { text }));
    return undefined;
  }

  /** Handles a move that the user made on the board or typed. */
  enter(uci: string): void {
    if (this.exercise) this.exercise.answer?.(uci);
    else this.play(uci);
  }

  /** Plays a move in the game. */
  play(uci: string): void {
    const node = this.game.play(uci);
    if (!node) return;
    this.arrows = [];
    this.say(node);
    this.changed();
    this.match?.moved(node);
  }

  /** Lets screen readers speak the move that leads to a position. */
  private say(node: GameNode): void {
    const side = node.position.turn === "white" ? t("black") : t("white");
    const ending = node.position.outcome ? `. ${translated(node.position.outcome.text)}` : "";
    announce(node.san ? t("spokenMove", { side, move: spoken(node.san) }) + ending : t("first"));
  }
}
