// The state that all parts of the page share: the game, the settings, the part in front.

import { byId } from "./dom";
import { Game, GameNode } from "./game";
import { Match } from "./match";
import { Color, Position, Question, Rules } from "./rules";
import { Searcher } from "./searcher";
import { load, save } from "./storage";
import { spoken, t } from "./texts";

export type Tab = "start" | "play" | "analyse" | "castling" | "game";
export interface Arrow { from: string; to: string; brush: string }

export interface Settings {
  isAnalysing: boolean; lines: number; elo: number; color: Color | "either"; clock: string; isArmageddon: boolean; isDouble: boolean;
}

const DEFAULTS: Settings = { isAnalysing: false, lines: 1, elo: 1240, color: "white", clock: "", isArmageddon: false, isDouble: false };

/** Elo of the strongest limited level; above it the strength is full. */
export const MAX_ELO = 2440;
export const MIN_ELO = 840;

export class App {
  game: Game;
  tab: Tab = "start";
  orientation: Color = "white";
  settings: Settings;
  match?: Match;
  /** Question of the quiz that the board shows in place of the game. */
  question?: Question;
  /** Arrows and rings that a panel wants on the board. */
  arrows: Arrow[] = [];
  private listeners: (() => void)[] = [];
  private isPending = false;

  constructor(readonly rules: Rules, readonly searcher: Searcher) {
    this.settings = { ...DEFAULTS, ...load<Partial<Settings>>("settings") };
    this.game = new Game(rules, rules.position("startpos").fen);
  }

  /** Calls a function after every change. */
  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Announces a change. Several in a row are one. */
  changed(): void {
    if (this.isPending) return;
    this.isPending = true;
    queueMicrotask(() => {
      this.isPending = false;
      this.listeners.forEach(listener => listener());
    });
  }

  /** Returns the position on the board, which is not that of a quiz. */
  get position(): Position {
    return this.game.current.position;
  }

  /** Returns `true` unless a match is running and it is not your move. */
  mayMove(): boolean {
    return !this.match || this.match.ending !== undefined || this.match.isYourMove(this.game.current);
  }

  show(tab: Tab): void {
    this.tab = tab;
    if (tab !== "castling") this.question = undefined;
    this.arrows = [];
    this.changed();
  }

  set(change: Partial<Settings>): void {
    Object.assign(this.settings, change);
    save("settings", this.settings);
    this.changed();
  }

  /** Replaces the game. */
  replace(game: Game): void {
    this.match?.abandon();
    this.match = undefined;
    this.question = undefined;
    this.arrows = [];
    this.game = game;
    this.changed();
  }

  /** Goes to a position of the game. */
  goTo(node: GameNode | undefined): void {
    if (!node) return;
    this.game.current = node;
    this.arrows = [];
    this.say(node);
    this.changed();
  }

  /** Plays a move on the board. */
  play(uci: string): void {
    const node = this.game.play(uci);
    if (!node) return;
    this.arrows = [];
    this.say(node);
    this.changed();
    this.match?.moved(node);
  }

  /** Tells screen readers the move that leads to a position. */
  private say(node: GameNode): void {
    const side = node.position.turn === "white" ? t("black") : t("white");
    const ending = node.position.outcome ? `. ${node.position.outcome.text}` : "";
    byId("live").textContent = node.san ? t("spokenMove", { side, move: spoken(node.san) }) + ending : t("first");
  }
}
