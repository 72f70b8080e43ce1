// Explains each castling: its conditions, what prevents it, and how to do it by hand.

import { Castling, LostCastling, RightfulCastling } from "../../engine/answers";
import { App, Arrow } from "./app";
import { button, make } from "./dom";
import { GameNode } from "./game";
import { moveText, t, translated } from "./texts";

/** Returns a sentence about the move that lost a castling right. */
function lossOf(node: GameNode, castling: LostCastling): string {
  const has = (at: GameNode) => at.game.rules.explain(at.words)
    .some(other => other.color === castling.color && other.side === castling.side && other.right);
  if (!has(node.game.root)) return t("neverHad");
  const loser = node.path().find(at => !has(at))!;
  return t("lostBy", { move: numbered(loser) });
}

/** Returns a move with its number. */
export function numbered(node: GameNode): string {
  const before = node.parent!.position;
  return `${before.fullmove}${before.turn === "white" ? "." : "…"} ${moveText(node.san)}`;
}

/** Returns the reason why a castling that the user tried is illegal; nothing if the user did not try to castle. */
export function castlingRefusal(app: App, from: string, to: string, isRook: boolean): string | undefined {
  const node = app.view.current, position = node.position;
  if (position.moves.some(move => move.from === from && (move.to === to || move.castling?.king === to))) return undefined;
  const own = app.rules.explain(node.words).filter(castling => castling.color === position.turn);
  const meant = own.find(castling => castling.right && castling.king[0] === from
    && (castling.rook[0] === to || castling.king[1] === to)) as RightfulCastling | undefined;
  if (meant) return `${meant.side}: ${meant.obstacles.map(obstacle => translated(obstacle.text)).join(" ")}`;
  if (!isRook || from[1] !== to[1]) return undefined;
  const lost = own.find(castling => !castling.right && (castling.side === "O-O") === (to > from)) as LostCastling | undefined;
  return lost && `${lost.side}: ${lossOf(node, lost)}`;
}

export class CastlingPanel {
  private list = make("div", { class: "cards" });
  readonly element = make("div", { class: "parts" }, make("p", { class: "pale" }, t("howTo")), this.list);
  /** Key of the castling that the arrows on the board show. */
  private shown = "";
  /** The position for which we built the cards, and whether the user could move. */
  private built = "";

  constructor(private app: App) {}

  render(): void {
    const { app } = this, node = app.game.current;
    if (app.arrows.length === 0) this.shown = "";
    const wanted = `${node.words}|${app.mayMove()}`;
    if (wanted !== this.built) this.build(node);
    this.built = wanted;
    for (const show of this.list.querySelectorAll<HTMLElement>("[data-key]")) show.ariaPressed = String(show.dataset.key === this.shown);
  }

  private build(node: GameNode): void {
    const castlings = this.app.rules.explain(node.words), { turn } = node.position;
    const details = () => [...this.list.querySelectorAll("details")];
    const wereOpen = details().map(({ open }) => open);
    const cards = (color: string) => castlings.filter(castling => castling.color === color).map(castling => this.card(node, castling));
    this.list.replaceChildren(
      make("h2", {}, t("castlingOf", { side: t(turn) })), ...cards(turn),
      make("details", {}, make("summary", {}, t("castlingOf", { side: t(turn === "white" ? "black" : "white") })),
        ...cards(turn === "white" ? "black" : "white")));
    if (details().length === wereOpen.length) details().forEach((element, at) => { element.open = wereOpen[at]!; });
  }

  private card(node: GameNode, castling: Castling): HTMLElement {
    const { app } = this;
    const state = castling.can ? "castlingCan" : castling.right ? "castlingCannot" : "castlingNoRight";
    const head = make("h3", {}, castling.side, " ", make("span", { class: `chip ${state}` }, t(state)));
    if (!castling.right) return make("article", { class: "card" }, head, make("p", {}, lossOf(node, castling)));
    const way = ([from, to]: [string, string]) => from === to ? t("stays", { square: from }) : t("goes", { from, to });
    const squares = (list: string[]) => list.length > 0 ? list.join(" ") : t("noSquare");
    const key = `${castling.color}${castling.side}`;
    const show = button(t("showOnBoard"), () => {
      this.shown = this.shown === key ? "" : key;
      app.arrows = this.shown ? this.arrows(castling) : [];
      app.changed();
    }, { "data-key": key });
    const isYours = castling.can && app.mayMove();
    return make("article", { class: "card" }, head,
      make("p", {}, t("castlingPath", { king: way(castling.king), rook: way(castling.rook) })),
      castling.obstacles.length > 0 && make("ul", { class: "obstacles" },
        ...castling.obstacles.map(({ text }) => make("li", {}, translated(text)))),
      make("dl", {}, make("dt", {}, t("mustBeEmpty")), make("dd", {}, squares(castling.empty)),
        make("dt", {}, t("mustBeSafe")), make("dd", {}, squares(castling.safe))),
      make("details", {}, make("summary", {}, t("byHand")), make("ol", {}, ...castling.hand.map(step => make("li", {}, translated(step))))),
      make("p", { class: "row" }, show, isYours && button(t("castle"), () => app.play(castling.uci), { class: "main" })));
  }

  private arrows(castling: RightfulCastling): Arrow[] {
    const arrow = ([from, to]: [string, string], brush: string) => ({ from, to, brush });
    return [arrow(castling.king, "king"), arrow(castling.rook, "rook"),
      ...castling.obstacles.flatMap(({ squares }) => squares.map(square => ({ from: square, to: square, brush: "obstacle" })))];
  }
}
