// The board: chessground. The engine supplies the legal moves.

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key } from "@lichess-org/chessground/types";
import { LegalMove } from "../../engine/answers";
import { App } from "./app";
import { castlingRefusal } from "./castling";
import { byId, choose, make, toast } from "./dom";
import { EditorBoard } from "./editor";
import { opposite } from "./match";
import { ROLES } from "./players";
import { moveText, pieceName, t, TextKey } from "./texts";

const LINE_WIDTH = 10;
/** Fill and stroke of the pieces, as in the pages of `enroque-tools`. */
const INKS = { white: ["fff", "222"], black: ["222", "ddd"] };

/** Returns the style that draws the pieces: outlines from pawn to king in a box of 45 units. */
function pieceStyle(outlines: string[]): string {
  return Object.values(ROLES).flatMap((role, at) => Object.entries(INKS).map(([color, [fill, stroke]]) => {
    const picture = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 45 45'><path d='${outlines[at]}' fill='%23${fill}' stroke='%23${stroke}'/></svg>`;
    return `.${role}.${color} { background-image: url("data:image/svg+xml,${picture}"); }`;
  })).join("\n");
}
const THIN_WIDTH = 5;
/** The board's width on paper, in pixels, which chessground needs before the page is laid out: some ten centimetres. */
const PRINTED_SIZE = 376;
/** We go one move further after the mouse wheel has scrolled this many pixels. */
const WHEEL_STEP = 60;

/** Describes for screen readers on which squares each piece stands. */
function described(fen: string): string {
  const squares = new Map<string, string[]>();
  fen.split(" ")[0]!.split("/").forEach((rank, y) => {
    let x = 0;
    for (const letter of rank) {
      if (/\d/.test(letter)) { x += Number(letter); continue; }
      squares.set(letter, [...squares.get(letter) ?? [], "abcdefgh".charAt(x) + (8 - y)]);
      x++;
    }
  });
  const list = (letters: string) => [...letters].filter(letter => squares.has(letter))
    .map(letter => `${t(`piece${letter.toUpperCase()}` as TextKey)} ${squares.get(letter)!.join(" ")}`).join(", ");
  return `${t("white")}: ${list("KQRBNP")}. ${t("black")}: ${list("kqrbnp")}.`;
}

export class BoardView {
  private ground: Api;
  private selected?: string;
  private shown = "";

  private editor: EditorBoard;

  constructor(private app: App) {
    document.head.append(make("style", {}, pieceStyle(app.rules.about.pieces)));
    this.ground = Chessground(byId("board"), {
      animation: { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180 },
      movable: { free: false, events: { after: (from, to) => void this.moved(from, to) } },
      premovable: { showDests: false },
      draggable: { autoDistance: true },
      events: { select: key => this.clicked(key) },
      drawable: {
        brushes: Object.fromEntries(
          [["best", "#1f6f8b", 0.85], ["other", "#1f6f8b", 0.4], ["hint", "#15781b", 0.9], ["threat", "#a8201c", 0.8],
            ["king", "#1f4fb0", 0.75], ["rook", "#15781b", 1], ["obstacle", "#b01818", 1],
            ["green", "#15781b", 1], ["red", "#882020", 1], ["blue", "#003088", 1], ["yellow", "#e68f00", 1]]
            .map(([key, color, opacity]) => [key, { key: String(key), color: String(color), opacity: Number(opacity), lineWidth: key === "rook" ? THIN_WIDTH : LINE_WIDTH }]),
        ) as never,
      },
    });
    this.editor = new EditorBoard(app, this.ground);
    this.listenToWheel();
    for (const type of ["mouseup", "touchend"]) document.addEventListener(type, () => this.dropped(), true);
    new ResizeObserver(() => this.ground.redrawAll()).observe(byId("frame"));
    addEventListener("beforeprint", () => this.resize(`${PRINTED_SIZE}px`));
    addEventListener("afterprint", () => this.resize(""));
  }

  /** Gives the board another width, in CSS; the common one if empty. */
  private resize(width: string): void {
    byId("frame").style.width = width;
    this.ground.redrawAll();
  }

  /** Lets the mouse wheel go through the moves. */
  private listenToWheel(): void {
    let sum = 0;
    byId("frame").addEventListener("wheel", event => {
      const { app } = this, node = app.view.current;
      if (event.ctrlKey || app.question || app.editing || app.exercise?.isDone === false) return;
      event.preventDefault();
      // A touchpad sends many small steps, so we add them up.
      sum = Math.sign(event.deltaY) === Math.sign(sum) ? sum + event.deltaY : event.deltaY;
      if (Math.abs(sum) < WHEEL_STEP && event.deltaMode === WheelEvent.DOM_DELTA_PIXEL) return;
      app.goTo(sum > 0 ? node.children[0] : node.parent);
      sum = 0;
    }, { passive: false });
  }

  /** Shows the current position, the quiz question, or the position in the editor. */
  render(): void {
    if (this.editor.render()) {
      this.shown = "";
      this.ground.setAutoShapes([]);
      return;
    }
    const { app } = this, { question, exercise } = app, node = app.view.current;
    const position = node.position;
    const fen = question?.fen ?? position.fen;
    const isPremove = !question && !exercise && app.match?.isPremove(node) === true && !position.outcome;
    const isMovable = !question && app.mayMove() && !(app.isPlaying && position.outcome);
    const orientation = question ? (question.turned ? "black" : "white") : (exercise ?? app).orientation;
    // Setting up the board again would end a drag and erase what the user has drawn.
    const shown = [fen, node.words, orientation, isMovable, isPremove, question !== undefined].join("|");
    this.draw();
    if (shown === this.shown) return;
    this.shown = shown;
    const dests = new Map<Key, Key[]>();
    if (isMovable) {
      for (const move of position.moves) {
        const ends = dests.get(move.from as Key) ?? [];
        ends.push(move.to as Key);
        if (move.castling && move.castling.king !== move.from) ends.push(move.castling.king as Key);
        dests.set(move.from as Key, ends);
      }
    }
    const last = node.parent?.position.moves.find(move => move.uci === node.uci);
    this.ground.set({
      fen, orientation,
      turnColor: position.turn,
      check: !question && position.check !== null,
      lastMove: question || !last ? undefined : [last.from, last.castling?.king ?? last.to] as Key[],
      movable: { color: isMovable ? position.turn : isPremove ? opposite(position.turn) : undefined, dests },
    });
    if (isMovable) this.ground.playPremove();
    else if (!isPremove) this.ground.cancelPremove();
    byId("board").setAttribute("role", "img");
    byId("board").setAttribute("aria-label", t("boardOf", { side: fen.split(" ")[1] === "w" ? t("white") : t("black"), pieces: described(fen) }));
  }

  /** Draws the arrows. */
  draw(): void {
    this.ground.setAutoShapes(this.app.arrows.map(({ from, to, brush }) =>
      ({ orig: from as Key, dest: from === to ? undefined : to as Key, brush })));
  }

  /** Plays the move that the user made. If it could mean several moves, asks which. */
  private async moved(from: string, to: string): Promise<void> {
    if (this.app.editing) return;
    const { app } = this, before = app.view.current, ending = app.match?.ending;
    const moves = before.position.moves.filter(move => move.from === from && (move.to === to || move.castling?.king === to));
    const chosen = moves.length > 1 ? await this.choice(moves) : moves[0];
    // While the dialog was open, the match may have ended, or a link may have opened another game.
    if (chosen && app.view.current === before && app.match?.ending === ending) app.enter(chosen.uci);
    if (app.view.current !== before) return;
    // We set up the position again, so that a piece that made no move goes back.
    this.shown = "";
    app.changed();
  }

  private async choice(moves: LegalMove[]): Promise<LegalMove | undefined> {
    const color = this.app.position.turn;
    const isPromotion = moves[0]!.promotion !== undefined;
    const picture = (move: LegalMove) =>
      make("span", { class: "cg-wrap picture", role: "img", "aria-label": pieceName(move.promotion!) },
        make("piece" as "span", { class: `${move.promotion} ${color}` }));
    const index = isPromotion
      ? await choose(t("promotion"), moves.map(picture), "pictures")
      : await choose(t("choose"), moves.map(move => t(move.castling ? "castlingTo" : "kingMove", { san: moveText(move.san) })));
    return index === undefined ? undefined : moves[index];
  }

  /** Explains an illegal castling that the user tried by two clicks. */
  private clicked(key: string): void {
    if (this.app.editing) return this.editor.tapped(key);
    const before = this.selected;
    this.selected = this.ground.state.selected ?? undefined;
    if (before && before !== key) this.explain(before, key);
  }

  /** Explains an illegal castling that the user tried by dragging. */
  private dropped(): void {
    const drag = this.ground.state.draggable.current;
    const to = drag?.started ? this.ground.getKeyAtDomPos(drag.pos) : undefined;
    if (drag && to && to !== drag.orig) this.explain(drag.orig, to);
  }

  private explain(from: string, to: string): void {
    const { app } = this;
    if (app.question || app.editing || this.ground.state.movable.color !== this.ground.state.turnColor) return;
    if (this.ground.state.pieces.get(from as Key)?.role !== "king") return;
    const isRook = this.ground.state.pieces.get(to as Key)?.role === "rook";
    const refusal = castlingRefusal(app, from, to, isRook);
    if (refusal) toast(refusal, app.exercise ? undefined : { text: t("explain"), run: () => app.learn("castling") });
  }
}
