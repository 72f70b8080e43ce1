// Loads games from PGN, FEN and links, and shares them.

import { PgnGame, UnreadGame } from "../../engine/answers";
import { App } from "./app";
import { button, choose, make, toast } from "./dom";
import { Game } from "./game";
import { mayEnd, readStart, setUp } from "./startpanel";
import { t } from "./texts";

const MAX_CHOICES = 100;
/** The engine says this about a Chess960 game whose tags tell no start position. */
const LACKS_START = "neither a FEN nor a number of a start position";
/** A FEN, as such or in UCI's `position`, and what comes after it: moves, or the operations of an EPD. */
const POSITION = /^(?:position\s+)?(?:fen\s+)?([a-zA-Z1-8]+(?:\/[a-zA-Z1-8]+){7}(?=\s|$)(?:\s+\S+){0,3}(?:\s+\d+){0,2})\s*(?:moves\s+)?([^]*)$/;
const OPERATIONS = /^.*;$/;
/** The tags of a game, with the variant among them. */
const VARIANT_TAGS = /^(?:\[.*\]\s*\n)*\[Variant .*\]\s*\n(?:\[.*\]\s*\n)*/gim;

/** Copies a text. If that fails, selects it in `field`, so that the user can copy it. */
async function copy(text: string, field: HTMLInputElement | HTMLTextAreaElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    // Pages opened from the file system may have no clipboard.
    field.value = text;
    field.select();
    toast(t("copyByHand"));
  }
}

/** Returns a link that opens this page with the position of the board. */
function linkOf(app: App): string {
  const number = app.position.start && readStart(app, app.position.fen)?.number;
  const words = number && number.white === number.black ? `sp=${number.white}` : `fen=${app.position.fen.replaceAll(" ", "_")}`;
  return `${location.href.split("#")[0]}#${words}`;
}

/** Returns a game from the position that `hash`, the part of a link after #, names; nothing if it names none. */
export function gameOfHash(app: App, hash: string): Game | undefined {
  const found = /^#(sp|fen)=(.+)$/.exec(decodeURIComponent(hash));
  if (!found) return undefined;
  const text = found[2]!.replaceAll("_", " ");
  if (found[1] === "fen") return Game.fromFen(app.rules, text);
  const fen = readStart(app, text)?.xfen;
  return fen === undefined ? undefined : new Game(app.rules, fen);
}

const nameOf = ({ tags, line }: PgnGame, at: number): string => {
  const tag = (name: string) => tags.find(([key]) => key === name)?.[1] ?? "?";
  return `${at + 1}. ${tag("White")} – ${tag("Black")} ${tag("Result").replace("?", "")} (${Math.ceil(line.moves.length / 2)})`;
};

/** Returns the text of a file, which is in UTF-8 or else in Windows-1252. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

export class GamePanel {
  readonly element = make("div", { class: "game" });
  private fen = make("input", { type: "text", id: "fen", readOnly: true });
  private pgn = make("textarea", { id: "pgn", rows: 9, spellcheck: false, placeholder: t("pgnHint"), input: () => this.render(), blur: () => this.render() });
  private drop = button(t("dropText"), () => { this.showText(); this.render(); }, { hidden: true, class: "wide" });
  private file = make("input", { type: "file", accept: ".pgn,.fen,.txt,text/plain", hidden: true, change: () => void this.openFile() });
  private shown = "";

  constructor(private app: App) {
    document.addEventListener("paste", event => this.pasted(event));
    this.element.append(
      make("label", { for: "fen" }, t("position")), this.fen,
      make("div", { class: "buttons three" },
        button(t("copyFen"), () => void copy(app.position.fen, this.fen)), button(t("copyShredder"), () => void copy(app.position.shredder, this.fen)),
        button(t("copyLink"), () => void copy(linkOf(app), this.fen))),
      make("label", { for: "pgn" }, t("pgn")), this.pgn,
      make("div", { class: "buttons two" },
        button(t("loadPgn"), () => void this.load(this.pgn.value), { class: "main" }),
        button(t("copyPgn"), () => void copy(this.text(), this.pgn)),
        button(t("savePgn"), () => this.save()), button(t("openPgn"), () => this.file.click()), this.drop),
      this.file,
      make("details", {}, make("summary", {}, t("about")), make("p", {}, t("aboutText")), make("p", {}, t("aboutLicence")), make("p", {}, t("keys"))));
  }

  render(): void {
    if (this.app.tab !== "game") return;
    this.fen.value = this.app.position.fen;
    this.drop.hidden = !this.isEdited();
    // A new text would also take away the cursor, or what is selected.
    if (!this.isEdited() && document.activeElement !== this.pgn) this.showText();
  }

  /** Whether the field has a text of the user, which stays until it is loaded, dropped or deleted. */
  private isEdited(): boolean {
    return this.pgn.value !== this.shown && this.pgn.value !== "";
  }

  private showText(): void {
    this.shown = this.text();
    // The same text would only scroll the field to its top.
    if (this.pgn.value !== this.shown) this.pgn.value = this.shown;
  }

  private text(): string {
    return this.app.game.text();
  }

  private save(): void {
    const link = make("a", { href: URL.createObjectURL(new Blob([this.text()], { type: "application/x-chess-pgn" })), download: "enroque.pgn" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 0);
  }

  private async openFile(): Promise<void> {
    const file = this.file.files?.[0];
    this.file.value = "";
    if (file) await this.load(decode(await file.arrayBuffer()));
  }

  /** Loads a text that is pasted outside the fields, or into the game's field before it was edited. */
  private pasted(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text/plain") ?? "", target = event.target as HTMLElement;
    const isOwn = target === this.pgn && this.pgn.value === this.shown;
    if (text.trim() === "" || (!isOwn && target.closest("input, textarea, dialog"))) return;
    event.preventDefault();
    if (isOwn) this.pgn.value = text;
    // The field changes the ends of lines.
    void this.load(isOwn ? this.pgn.value : text);
  }

  /** Loads a FEN or a game. If the text has several games, the user chooses one. */
  private async load(text: string): Promise<void> {
    const { app } = this;
    try {
      const position = this.position(text.trim()), game = position ?? await this.chosen(await this.withStart(text));
      if (!game || !await mayEnd(app)) return;
      const moves = game.mainLine().length - 1;
      if (text === this.pgn.value) this.shown = text;
      setUp(app, game, position && moves === 0 ? t("loadedPosition") : t("loaded", { moves }));
      app.show("analyse");
    } catch (error) {
      toast(t("notUnderstood", { reason: (error as Error).message }));
    }
  }

  /** Reads games. If the text of a Chess960 game lacks the start position, the user chooses one. */
  private async withStart(text: string): Promise<(PgnGame | UnreadGame)[]> {
    const { rules, game } = this.app, games = rules.readPgn(text);
    if (games.some(({ line }) => line) || !games.some(({ errors }) => errors?.some(error => error.includes(LACKS_START)))) return games;
    const starts = [[t("startOnBoard"), game.root.position.fen], [t("startOrthodox"), rules.position("sp 518").fen]] as const;
    const at = await choose(t("chooseStart"), starts.map(([name]) => name));
    return at === undefined ? games : rules.readPgn(text.replace(VARIANT_TAGS, tags => /\[FEN\s/i.test(tags) ? tags : `[FEN "${starts[at]![1]}"]\n${tags}`));
  }

  /** Reads a position and the moves that follow it. */
  private position(text: string): Game | undefined {
    const { rules } = this.app, found = POSITION.exec(text.replace(/^position\s+startpos/, () => rules.position("sp 518").fen));
    if (!found) return undefined;
    const [, fen, rest] = found, game = Game.fromFen(rules, fen!);
    if (!rest || OPERATIONS.test(rest)) return game;
    return Game.fromPgn(rules, rules.readPgn(`[FEN "${game.start}"]\n\n${rest}`)[0] as PgnGame);
  }

  private async chosen(games: (PgnGame | UnreadGame)[]): Promise<Game | undefined> {
    const unread = games.filter(game => !game.line), reason = unread[0]?.errors[0];
    const full = games.filter(game => game.line !== undefined).filter(({ line, tags }) => line.moves.length > 0 || tags.length > 0);
    if (full.length === 0) {
      // A game whose first move is illegal has no moves, but says why.
      const fault = games.find(({ errors }) => errors?.length)?.errors![0];
      toast(fault === undefined ? t("noGame") : t("notUnderstood", { reason: fault }));
      return undefined;
    }
    const shown = full.slice(0, MAX_CHOICES), values = { shown: shown.length, of: full.length };
    const at = full.length === 1 ? 0 : await choose(t(values.shown < values.of ? "chooseGameOf" : "chooseGame", values), shown.map(nameOf), "long");
    if (at === undefined) return undefined;
    const game = Game.fromPgn(this.app.rules, full[at]!);
    if (reason !== undefined) game.notes.push(t("leftOut", { count: unread.length, reason }));
    return game;
  }
}
