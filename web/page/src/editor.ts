// The editor of positions: pieces by drag or tap, the side to move, castling rights and en passant.
//
// It knows no rule: the engine says which castling rights and en passant squares a position allows.

import type { Api } from "@lichess-org/chessground/api";
import type { Key, Piece, Role } from "@lichess-org/chessground/types";
import { Color, Position } from "../../engine/answers";
import { App } from "./app";
import { byId, button, iconButton, make, radios } from "./dom";
import { Game } from "./game";
import { ICONS } from "./icons";
import { opposite } from "./match";
import { ROLES } from "./players";
import { t, TextKey } from "./texts";

const LETTERS = "kqrbnp";
const FILES = "abcdefgh";
const EMPTY = "8/8/8/8/8/8/8/8";
type Tool = Piece | "hand" | "bin";

/** The position in the editor. */
export interface Editor {
  /** Pieces as in a FEN. */
  board: string;
  turn: Color;
  /** Letters of castling rights in Shredder-FEN. */
  rights: Set<string>;
  passant: string;
  tool: Tool;
  /** Whether the board already shows these pieces. */
  isShown: boolean;
}

/** Says in words of the editor which king is missing or too many; nothing if each side has one. */
function faultOf(board: string): string | undefined {
  for (const [letter, side] of [["K", t("white")], ["k", t("black")]] as const) {
    const count = board.split(letter).length - 1;
    if (count !== 1) return count === 0 ? t("noKing", { side }) : t("manyKings", { side, count });
  }
  return undefined;
}

export class EditorPanel {
  readonly element = make("div", { class: "parts" });
  private turn = radios("turn", t("toMove"), [["white", t("white")], ["black", t("black")]], "white", turn => this.set({ turn: turn as Color }));
  private castling = make("fieldset", { class: "rights" });
  private passant = make("select", { id: "passant", change: () => this.set({ passant: this.passant.value }) });
  private passantRow = make("div", { class: "row" }, make("label", { for: "passant" }, t("enPassant")), this.passant);
  private fault = make("p", { class: "bad", role: "status" });
  private fen = make("p", { class: "pale" });
  private use = button(t("usePosition"), () => this.finish(), { class: "main" });

  /** `set` makes a position the game of the page. */
  constructor(private app: App, private setUp: (game: Game) => Promise<void>) {
    this.element.append(make("h2", {}, t("editor")), make("p", { class: "pale" }, t("editorHint")),
      make("div", { class: "buttons two" }, button(t("clearBoard"), () => this.set({ board: EMPTY, isShown: false })),
        button(t("startBoard"), () => this.open(app.game.root.position))),
      this.turn, this.castling, this.passantRow, this.fault, this.fen,
      make("div", { class: "buttons two" }, this.use, button(t("cancel"), () => { app.editor = undefined; app.changed(); })));
  }

  /** Starts editing, beginning with this position. */
  open(position: Position): void {
    const [board, turn, rights, passant] = position.shredder.split(" ") as [string, string, string, string];
    this.app.editor = { board, turn: turn === "w" ? "white" : "black", rights: new Set(rights.replace("-", "")), passant, tool: "hand", isShown: false };
    this.app.changed();
  }

  private set(change: Partial<Editor>): void {
    Object.assign(this.app.editor!, change);
    this.app.changed();
  }

  private words(rights: Iterable<string>, passant: string): string {
    const { board, turn } = this.app.editor!;
    // Shredder-FEN lists the rights from the h-file to the a-file, White's first.
    const sorted = [...rights].sort((a, b) => Number(a > "Z") - Number(b > "Z") || (a < b ? 1 : -1)).join("");
    return `${board} ${turn.charAt(0)} ${sorted || "-"} ${passant} 0 1`;
  }

  /** Returns the fields of the FEN after the engine has removed rights that the position cannot have. */
  private ask(rights: Iterable<string>, passant: string): string[] {
    const { shredder } = this.app.rules.position(`fen ${this.words(rights, passant)}`);
    return shredder.split(" ");
  }

  render(): void {
    const editor = this.app.editor!, { turn } = editor;
    this.turn.querySelector<HTMLInputElement>(`[value=${turn}]`)!.checked = true;
    let allowed: string[] = [], squares: string[] = [], fault = "";
    try {
      this.ask([], "-");
      allowed = [...FILES.toUpperCase(), ...FILES].filter(letter => this.ask([letter], "-")[2] === letter);
      const rank = turn === "white" ? 6 : 3;
      squares = [...FILES].map(file => file + rank).filter(square => this.ask([], square)[3] === square);
    } catch (error) {
      fault = faultOf(editor.board) ?? (error as Error).message.replace(/^FEN [a-z ]*: /, "");
    }
    for (const right of editor.rights) if (!allowed.includes(right)) editor.rights.delete(right);
    if (!squares.includes(editor.passant)) editor.passant = "-";
    this.castling.replaceChildren(make("legend", {}, t("castlingRights")), ...allowed.map(right => this.right(right)),
      allowed.length === 0 ? make("p", { class: "pale" }, t("noRights")) : "");
    this.passantRow.hidden = squares.length === 0;
    this.passant.replaceChildren(make("option", { value: "-" }, t("none")), ...squares.map(square => make("option", { value: square }, square)));
    this.passant.value = editor.passant;
    this.fault.textContent = fault;
    this.use.disabled = fault !== "";
    this.fen.textContent = this.words(editor.rights, editor.passant);
  }

  /** Makes the checkbox of a castling right. Checking it unchecks the right with another rook on the same side. */
  private right(letter: string): HTMLElement {
    const { rights, board } = this.app.editor!, color = letter < "a" ? "white" : "black", square = letter.toLowerCase() + (color === "white" ? 1 : 8);
    const row = board.split("/").at(color === "white" ? -1 : 0)!.replace(/\d/g, digit => " ".repeat(Number(digit)));
    const king = row.indexOf(color === "white" ? "K" : "k"), isShort = (other: string) => FILES.indexOf(other.toLowerCase()) > king;
    const box = make("input", { type: "checkbox", id: `right-${letter}`, checked: rights.has(letter), change: () => {
      for (const other of rights) if ((other < "a") === (letter < "a") && isShort(other) === isShort(letter)) rights.delete(other);
      if (box.checked) rights.add(letter);
      this.app.changed();
    } });
    return make("label", { class: "check", for: box.id }, box,
      make("span", {}, t("rightOf", { side: t(color), castling: isShort(letter) ? "O-O" : "O-O-O", square })));
  }

  private finish(): void {
    const { editor, rules } = this.app;
    void this.setUp(Game.fromFen(rules, this.words(editor!.rights, editor!.passant)));
  }
}

/** The board and the strips around it while a position is edited. */
export class EditorBoard {
  private isActive = false;
  private tools: { tool: Tool; made: HTMLElement }[] = [];
  /** The colour at the bottom of the board when we made the tools. */
  private below?: Color;

  constructor(private app: App, private ground: Api) {}

  /** Shows the position being edited. Returns `false` if there is none. */
  render(): boolean {
    const editor = this.app.editing;
    document.body.toggleAttribute("data-editing", editor !== undefined);
    if (!editor) {
      // The strips and the board show the game again.
      if (this.isActive) this.ground.set({ movable: { free: false }, draggable: { deleteOnDropOff: false }, events: { change: undefined } });
      this.isActive = false;
      this.below = undefined;
      return false;
    }
    const isHand = editor.tool === "hand";
    if (!this.isActive) editor.isShown = false;
    this.isActive = true;
    this.ground.set({
      ...(editor.isShown ? {} : { fen: editor.board }), orientation: this.app.orientation, lastMove: undefined, check: false,
      movable: { free: true, color: isHand ? "both" : undefined, dests: undefined }, draggable: { deleteOnDropOff: true },
      events: { change: () => this.changed() },
    });
    if (!editor.isShown) this.ground.selectSquare(null);
    editor.isShown = true;
    if (this.below !== this.app.orientation) this.build(this.app.orientation);
    for (const { tool, made } of this.tools) made.ariaPressed = String(JSON.stringify(tool) === JSON.stringify(editor.tool));
    return true;
  }

  /** Puts the tools into the strips around the board, with the pieces of `below` in the lower strip. */
  private build(below: Color): void {
    this.tools = [];
    this.below = below;
    byId("above").replaceChildren(...this.spares(opposite(below)), this.add("bin", iconButton(ICONS.bin, t("bin"), () => this.choose("bin"))));
    byId("below").replaceChildren(...this.spares(below), this.add("hand", iconButton(ICONS.hand, t("hand"), () => this.choose("hand"))));
  }

  private add(tool: Tool, made: HTMLElement): HTMLElement {
    this.tools.push({ tool, made });
    return made;
  }

  /** Puts the chosen piece on a square that was tapped, or takes it away. */
  tapped(key: string): void {
    const { editor } = this.app, { tool } = editor!;
    if (tool === "hand") return;
    const old = this.ground.state.pieces.get(key as Key);
    const isSame = tool !== "bin" && old?.role === tool.role && old.color === tool.color;
    this.ground.setPieces(new Map([[key as Key, tool === "bin" || isSame ? undefined : tool]]));
    this.changed();
  }

  private changed(): void {
    const { editing } = this.app;
    if (!editing) return;
    editing.board = this.ground.getFen();
    this.app.changed();
  }

  /** Chooses a tool or, if it was chosen already, the hand. */
  private choose(tool: Tool): void {
    const { editor } = this.app;
    editor!.tool = JSON.stringify(tool) === JSON.stringify(editor!.tool) ? "hand" : tool;
    this.app.changed();
  }

  /** Returns buttons with the pieces of a side, which can be dragged onto the board. */
  private spares(color: Color): HTMLElement[] {
    return [...LETTERS].map(letter => {
      const role = ROLES[letter] as Role, piece: Piece = { role, color };
      const drag = (event: MouseEvent | TouchEvent) => this.ground.dragNewPiece(piece, event as never, true);
      const made: HTMLElement = make("button", { type: "button", class: "icon spare", "aria-label": t("spare", { side: t(color), piece: t(`piece${letter.toUpperCase()}` as TextKey) }),
        mousedown: drag, touchstart: drag, click: () => this.choose(piece),
        // After a touch the board swallows the click, so we choose the piece here.
        touchend: (event: TouchEvent) => {
          const { clientX, clientY } = event.changedTouches[0]!;
          if (made.contains(document.elementFromPoint(clientX, clientY))) this.choose(piece);
        } },
      make("i", { class: `man ${color} ${role}` }));
      return this.add(piece, made);
    });
  }
}
