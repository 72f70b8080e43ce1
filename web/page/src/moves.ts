// The moves of the game with clocks, scores, variations, comments and glyphs.

import { App } from "./app";
import { button, iconButton, make, moveForm, toast } from "./dom";
import { Game, GameNode } from "./game";
import { mistakeClass } from "./graph";
import { ICONS } from "./icons";
import { timeText } from "./players";
import { scoreText } from "./score";
import { moveText, t } from "./texts";

const GLYPHS: Record<number, string> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□" };

const numberOf = ({ parent }: GameNode): string => `${parent!.position.fullmove}${parent!.position.turn === "white" ? "." : "…"}`;

export class MoveList {
  readonly element = make("section", { class: "moves", "aria-label": t("moves") });
  private list = make("div", { class: "list", tabIndex: -1 });
  private edit = make("div", { class: "edit" });
  private comment = make("input", { type: "text", placeholder: t("comment"), "aria-label": t("comment"), input: () => this.saveComment() });
  private form = moveForm("move", text => this.enter(text));
  private shown?: Game;
  /** The move whose comment the field shows. */
  private commented?: GameNode;

  constructor(private app: App) {
    this.edit.append(this.comment,
      iconButton(ICONS.up, t("promote"), () => { app.game.promote(app.game.current); app.changed(); }),
      iconButton(ICONS.bin, t("remove"), () => { app.game.remove(app.game.current); app.changed(); }));
    this.element.append(this.list, this.edit, this.form);
  }

  render(): void {
    const { game } = this.app, hadFocus = this.list.contains(document.activeElement);
    // A move that was refused in another game makes no sense in this one.
    if (this.shown !== game) this.form.querySelector("input")!.value = "";
    this.shown = game;
    // During an exercise, the moves of the game would give away the answer.
    this.element.hidden = this.app.exercise !== undefined;
    this.list.replaceChildren();
    if (game.root.comment) this.list.append(make("p", { class: "comment" }, game.root.comment));
    if (game.root.children.length === 0) this.list.append(make("p", { class: "pale" }, t("noMoves")));
    else this.list.append(this.table(game.root));
    const result = game.root.children.length > 0 ? game.toPgn().result : "*";
    if (result !== "*") this.list.append(make("p", { class: "result" }, result.replaceAll("1/2", "½")));
    this.edit.hidden = game.current === game.root || this.app.isPlaying;
    (this.edit.children[1] as HTMLElement).hidden = game.current.isMain;
    // We do not replace a comment that the user is typing.
    if (this.commented !== game.current || document.activeElement !== this.comment) this.comment.value = game.current.comment;
    this.commented = game.current;
    const current = this.list.querySelector<HTMLElement>("[aria-current]");
    const top = current ? current.getBoundingClientRect().top - this.list.getBoundingClientRect().top + this.list.scrollTop - this.list.clientHeight / 2 : 0;
    if (this.list.scrollHeight > this.list.clientHeight) this.list.scrollTop = top;
    if (hadFocus) (current ?? this.list).focus({ preventScroll: true });
  }

  /** Returns the main line as a table: a number, White's move, Black's move. Notes stand between its rows. */
  private table(root: GameNode): HTMLElement {
    const table = make("div", { class: "table" });
    let isOpen = false;
    for (let node = root.children[0]; node; node = node.children[0]) {
      const isWhite = node.parent!.position.turn === "white";
      if (isWhite || !isOpen) table.append(make("span", { class: "number" }, String(node.parent!.position.fullmove)));
      if (!isWhite && !isOpen) table.append(make("span", { class: "numbered pale" }, "…"));
      const facts = [node.evaluation && make("span", { class: "value" }, scoreText(node.evaluation.score)),
        node.clock !== undefined && make("time", {}, timeText(node.clock))];
      table.append(make("span", { class: "numbered" }, this.move(node), ...facts));
      isOpen = isWhite;
      const siblings = node.parent!.children.slice(1);
      if (!node.comment && !node.after && siblings.length === 0) continue;
      if (isWhite) table.append(make("span", { class: "numbered pale" }, "…"));
      isOpen = false;
      const notes = make("div", { class: "notes" }, node.comment && make("span", { class: "comment" }, node.shownComment));
      siblings.forEach(sibling => this.addVariation(notes, sibling));
      if (node.after) notes.append(make("span", { class: "comment" }, node.after));
      table.append(notes);
    }
    return table;
  }

  private addVariation(into: HTMLElement, first: GameNode): void {
    const variation = make("span", { class: "variation" }, first.before && make("span", { class: "comment" }, first.before));
    let needsNumber = true;
    for (let node: GameNode | undefined = first; node; node = node.children[0]) {
      const number = node.parent!.position.turn === "white" || needsNumber ? make("span", { class: "number" }, numberOf(node)) : undefined;
      needsNumber = false;
      variation.append(make("span", { class: "numbered" }, number, this.move(node)), " ");
      if (node.comment) {
        variation.append(make("span", { class: "comment" }, node.shownComment));
        needsNumber = true;
      }
      for (const sibling of node === first ? [] : node.parent!.children.slice(1)) {
        this.addVariation(variation, sibling);
        needsNumber = true;
      }
      if (node.after) variation.append(make("span", { class: "comment" }, node.after));
    }
    into.append(variation);
  }

  private move(node: GameNode): HTMLElement {
    const glyph = node.nags.map(nag => GLYPHS[nag] ?? "").join("");
    return button(moveText(node.san) + glyph, () => this.app.goTo(node), {
      class: `move ${mistakeClass(node) ?? ""}`, "aria-current": node === this.app.game.current ? "true" : undefined,
    });
  }

  /** Plays a move that was typed. */
  private enter(text: string): boolean {
    const { app } = this;
    if (!app.mayMove()) toast(app.match?.isThinking ? t("thinking") : t("leaveFirst"));
    else {
      const uci = app.find(text);
      if (uci) app.play(uci);
      return uci !== undefined;
    }
    return false;
  }

  /** Saves the comment after each key press, so that nothing is lost when the user goes to another move. */
  private saveComment(): void {
    this.commented!.comment = this.comment.value.trim();
    this.app.changed();
  }
}
