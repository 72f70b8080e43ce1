// Names, ratings, clocks and captured pieces above and below the board.

import { Color } from "../../engine/answers";
import { App } from "./app";
import { byId, make } from "./dom";
import { opposite } from "./match";
import { levelText } from "./playpanel";
import { t, TextKey } from "./texts";

const SECOND = 1000;
/** With less time than this, in ms, a running clock shows tenths of a second. */
const TENTHS_BELOW = 20_000;
/** Letters of the pieces that can be captured, with their usual values. */
const VALUES: [string, number][] = [["q", 9], ["r", 5], ["b", 3], ["n", 3], ["p", 1]];
/** The names that chessground and our styles use for the pieces, from pawn to king. */
export const ROLES: Record<string, string> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** Returns a time such as 4:07, 1:20:05 or, if it runs, 0:09.3. */
export function timeText(ms: number, isRunning = false): string {
  const left = Math.max(0, ms), seconds = Math.floor(left / SECOND), hours = Math.floor(seconds / 3600);
  const two = (value: number) => String(value).padStart(2, "0"), minutes = Math.floor(seconds / 60) % 60;
  const text = `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
  return isRunning && left < TENTHS_BELOW ? `${text}.${Math.floor(left % SECOND / 100)}` : text;
}

/** Returns the letters of the pieces that a side has lost by capture, and the value of its pieces. */
function material(fen: string, start: string, color: Color): { lost: string[]; value: number } {
  const count = (text: string, letter: string) =>
    text.split(" ")[0]!.split(color === "white" ? letter.toUpperCase() : letter).length - 1;
  let promoted = 0, value = 0;
  const lost = VALUES.flatMap(([letter, worth]) => {
    const now = count(fen, letter), gone = count(start, letter) - now - (letter === "p" ? promoted : 0);
    value += now * worth;
    promoted += Math.max(0, -gone);
    return Array<string>(Math.max(0, gone)).fill(letter);
  });
  return { lost, value };
}

/** The strips above and below the board. */
export class Players {
  constructor(private app: App) {
    app.showClock = () => this.render();
  }

  render(): void {
    const { app } = this, { orientation } = app.exercise ?? app;
    const below = app.question ? (app.question.turned ? "black" : "white") : orientation;
    if (app.editing) return;
    for (const [id, color] of [["above", opposite(below)], ["below", below]] as [string, Color][]) {
      byId(id).replaceChildren(...this.strip(color));
    }
  }

  private strip(color: Color): Node[] {
    const { app } = this, { game, match } = app, isGame = !app.exercise && !app.question, own = isGame ? match : undefined;
    const name = own && own.you !== "both" ? t(color === own.you ? "you" : "opponent") : undefined;
    const rating = own ? (own.isPerson(color) ? undefined : levelText(own.elo ?? Infinity))
      : game.tag(`${color}Elo`);
    const parts: Node[] = [make("span", { class: `dot ${color}` }),
      make("span", { class: "name" }, name ?? (isGame ? game.tag(color) : undefined) ?? t(color)),
      make("span", { class: "pale" }, isGame ? rating : "")];
    if (!app.question) parts.push(this.captured(color));
    const clock = isGame && this.clock(color);
    if (clock) parts.push(clock);
    return parts;
  }

  /** Returns pictures of the pieces that a side has captured, and by how much it is ahead. */
  private captured(color: Color): HTMLElement {
    const { view, position } = this.app, other = opposite(color);
    const own = material(position.fen, view.start, color), theirs = material(position.fen, view.start, other);
    const ahead = own.value - theirs.value;
    const label = theirs.lost.map(letter => t(`piece${letter.toUpperCase()}` as TextKey)).join(", ");
    return make("span", { class: "captured", role: "img", "aria-label": label ? t("captured", { pieces: label }) : t("capturedNone") },
      ...theirs.lost.map((letter, at) => make("i", { class: `man ${other} ${ROLES[letter]}${at > 0 && theirs.lost[at - 1] !== letter ? " apart" : ""}` })),
      make("b", {}, ahead > 0 ? `+${ahead}` : ""));
  }

  private clock(color: Color): HTMLElement | undefined {
    const { app } = this, { match, game, isTimed: isRunning } = app;
    const time = isRunning ? match!.remaining()[color] : game.current.timeOf(color);
    if (time === undefined) return undefined;
    const isTurn = !match?.isPaused && (isRunning ? game.root.last : game.current).position.turn === color;
    return make("span", { class: `clock${isTurn ? " running" : ""}`, role: "timer", "aria-label": t("timeOf", { side: t(color) }) }, timeText(time, isRunning));
  }
}
