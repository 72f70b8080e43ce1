// The moves of the game with variations, comments and glyphs.

import { App } from "./app";
import { button, iconButton, make, moveForm, toast } from "./dom";
import { GameNode } from "./game";
import { ICONS } from "./icons";
import { t } from "./texts";

const GLYPHS: Record<number, string> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
const CLASSES: Record<number, string> = { 2: "mistake", 4: "blunder", 6: "inaccuracy" };

export class MoveList {
  readonly element = make("section", { class: "moves", "aria-label": t("moves") });
  private list = make("div", { class: "list", tabIndex: -1 });
  private edit = make("div", { class: "edit" });
  private comment = make("input", { type: "text", placeholder: t("comment"), "aria-label": t("comment"), input: () => this.saveComment() });
  /** The move whose comment the field shows. */
  private commented?: GameNode;

  constructor(private app: App) {
    this.edit.append(this.comment,
      iconButton(ICONS.up, t("promote"), () => { app.game.promote(app.game.current); app.changed(); }),
      iconButton(ICONS.bin, t("remove"), () => { app.game.remove(app.game.current); app.changed(); }));
    this.element.append(this.list, this.edit, moveForm("move", text => this.enter(text)));
  }

  render(): void {
    const { game, match } = this.app, hadFocus = this.list.contains(document.activeElement);
    this.list.replaceChildren();
    if (game.root.children.length === 0) this.list.append(make("p", { class: "pale" }, t("noMoves")));
    else this.addLine(this.list, game.root);
    this.edit.hidden = game.current === game.root || (match !== undefined && !match.ending);
    (this.edit.children[1] as HTMLElement).hidden = game.current.isMain;
    // A text that is being typed stays as it is.
    if (this.commented !== game.current || document.activeElement !== this.comment) this.comment.value = game.current.comment;
    this.commented = game.current;
    const current = this.list.querySelector<HTMLElement>("[aria-current]");
    const top = current ? current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2 : 0;
    if (this.list.scrollHeight > this.list.clientHeight) this.list.scrollTop = top;
    if (hadFocus) (current ?? this.list).focus({ preventScroll: true });
  }

  /** Adds the moves after a position. */
  private addLine(into: HTMLElement, from: GameNode, first?: GameNode): void {
    let needsNumber = true;
    for (let node = first ?? from.children[0]; node; node = node.children[0]) {
      const before = node.parent!.position;
      const number = before.turn === "white" || needsNumber
        ? make("span", { class: "number" }, `${before.fullmove}${before.turn === "white" ? "." : "…"}`) : undefined;
      needsNumber = false;
      into.append(make("span", { class: "numbered" }, number, this.move(node)), " ");
      if (node.comment) {
        into.append(make("span", { class: "comment" }, node.comment));
        needsNumber = true;
      }
      const siblings = node === first ? [] : node.parent!.children.slice(1);
      for (const sibling of siblings) {
        const variation = make("span", { class: "variation" });
        this.addLine(variation, from, sibling);
        into.append(variation);
        needsNumber = true;
      }
    }
  }

  private move(node: GameNode): HTMLElement {
    const glyph = node.nags.map(nag => GLYPHS[nag] ?? "").join("");
    return button(node.san + glyph, () => this.app.goTo(node), {
      class: `move ${node.nags.map(nag => CLASSES[nag] ?? "").join("")}`, "aria-current": node === this.app.game.current ? "true" : undefined,
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

  /** Stores the comment at each key, so that none is pending when another move is shown or clicked. */
  private saveComment(): void {
    this.commented!.comment = this.comment.value.trim();
    this.app.changed();
  }
}
