// The choice of a start position.

import { ByColor, Color, StartFacts } from "../../engine/answers";
import atlas from "../atlas.txt";
import { App } from "./app";
import { button, choose, make, toast } from "./dom";
import { EditorPanel } from "./editor";
import { Game } from "./game";
import { isRank, t, translated } from "./texts";

const COUNT = 960;
const DAY = 86_400_000;
/** Today's start is the day times this, modulo 960. As they are coprime, every start gets its turn. */
const DAY_FACTOR = 577;
const DICE = [6, 8, 20];
const ORTHODOX = 518;
/** Figures of the atlas for each start: White's score and its standard error in centipawns, good moves times ten, and
 * the plies at which White and Black castle, negative if they do not castle. */
const FIGURES = atlas.split("\n").map(line => [...line].map(letter => letter.charCodeAt(0) - 40));

/** Returns a random number below a limit. */
export function randomBelow(limit: number): number {
  const most = 2 ** 32 - 2 ** 32 % limit, value = new Uint32Array(1);
  do crypto.getRandomValues(value); while (value[0]! >= most);
  return value[0]! % limit;
}

/** Returns the number of today's start position. */
export function ofToday(now = new Date()): number {
  return Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY) * DAY_FACTOR % COUNT;
}

/** Returns the numbers in the form that `Rules.start` expects. */
const wordsOf = ({ white, black }: ByColor<number>): string => white === black ? `sp:${white}` : `dfrc:${white}:${black}`;

/** Returns the facts about the start that a number, letters or a FEN name; nothing if they name no start. */
export function readStart(app: App, text: string): StartFacts | undefined {
  try {
    return app.rules.start(text);
  } catch {
    return undefined;
  }
}

/** Returns `true` if the current game may end. If it is running with a clock, asks the user. */
export async function mayEnd(app: App): Promise<boolean> {
  return !app.isTimed || await choose(t("endsGame"), [t("endGame"), t("playOn")]) === 0;
}

/** Returns the name of a game's start. */
export function startName(app: App): string {
  const facts = factsOf(app);
  if (!facts?.number) return t("startOther");
  const { white, black } = facts.number;
  return white === black ? t("startNumber", { number: white }) : t("startDouble", { white, black });
}

/** Returns a game from a random start. */
export function randomStart(app: App): Game {
  const white = randomBelow(COUNT);
  return new Game(app.rules, app.rules.start(wordsOf({ white, black: app.settings.isDouble ? randomBelow(COUNT) : white })).xfen);
}

/** Replaces the game and shows its warnings. Undo brings back an old game with moves or a match; the match goes on. */
export function setUp(app: App, game: Game, message?: string): void {
  const { game: old, orientation, match } = app;
  const record = match && !match.ending ? match.record : undefined;
  const undo = record || old.root.children.length > 0 ? { text: t("undo"), isOnGame: true, run: () => {
    app.replace(old);
    app.orientation = orientation;
    if (!record) return;
    app.begin(record);
    app.show("play");
  } } : undefined;
  app.replace(game);
  app.orientation = game.sideOf(app.me) ?? app.orientation;
  const text = [message ?? (undo ? t("newGame") : ""), ...game.notes].join(" ").trim();
  if (text !== "") toast(text, undo);
}

/** Returns what the atlas says about a start, as labels and values. */
function atlasRows(number: number): [string, string][] {
  const [score, error, good, white, black] = FIGURES.map(figures => figures[number]!) as [number, number, number, number, number];
  const pawns = (value: number) => (value / 100).toFixed(2);
  const mean = FIGURES[0]!.reduce((sum, value) => sum + value) / COUNT;
  const castles = (color: Color, ply: number) => t(ply < 0 ? "castlesNot" : "castlesAt", { side: t(color), move: Math.ceil(ply / 2) });
  return [[t("score"), t("scoreOf", { score: `+${pawns(score)}`, error: pawns(error), mean: `+${pawns(mean)}` })],
    [t("goodMoves"), t("goodMovesOf", { count: (good / 10).toFixed(1) })],
    [t("castles"), `${castles("white", white)}, ${castles("black", black)}`]];
}

let known: { fen: string; facts?: StartFacts } | undefined;

/** Returns the facts of the start of the game on the board. */
function factsOf(app: App): StartFacts | undefined {
  const fen = app.game.start;
  if (known?.fen !== fen) known = { fen, facts: app.game.root.position.start ? readStart(app, fen) : undefined };
  return known.facts;
}

export class StartPanel {
  readonly element = make("div", { class: "start" });
  private field = make("input", {
    type: "text", id: "start-text", placeholder: t("startFieldHint"), autocomplete: "off", autocapitalize: "none", spellcheck: false,
  });
  private double = make("input", { type: "checkbox", id: "double", change: () => this.app.set({ isDouble: this.double.checked }) });
  private dice = DICE.map(sides => make("input", {
    type: "number", id: `die-${sides}`, min: "1", max: String(sides), step: "1", value: "1", inputMode: "numeric",
  }));
  private editor: EditorPanel;
  private parts: HTMLElement;
  private facts = make("div", {});
  private shown?: StartFacts | null;

  constructor(private app: App, private go: (tab: "play" | "analyse") => void) {
    const form = make("form", { class: "row", submit: (event: Event) => { event.preventDefault(); this.submit(); } },
      make("label", { for: "start-text", class: "unseen" }, t("startField")), this.field, make("button", { type: "submit" }, t("setUp")));
    this.editor = new EditorPanel(app, game => this.use(game));
    this.parts = make("div", { class: "parts" },
      make("div", { class: "buttons four" },
        button(t("random"), () => void this.use(randomStart(app)), { class: "main" }),
        button(t("ofToday"), () => this.set(`sp:${ofToday()}`)),
        button(t("mirror"), () => this.mirror()),
        button(t("orthodox"), () => this.set(`sp:${ORTHODOX}`))),
      form,
      make("label", { class: "check", for: "double" }, this.double, make("span", {}, t("isDouble"))),
      make("details", {}, make("summary", {}, t("byDice")),
        make("p", { class: "pale" }, t("diceHint")),
        make("div", { class: "row dice" }, ...this.dice.map((die, at) => make("label", { for: die.id }, t("die", { sides: DICE[at]! }), die)),
          button(t("useDice"), () => this.useDice()))),
      button(t("editBoard"), () => this.editor.open(app.position), { class: "wide" }),
      make("div", { class: "buttons two" },
        button(t("tabPlay"), () => this.go("play")), button(t("tabAnalyse"), () => this.go("analyse"))),
      this.facts);
    this.element.append(this.parts, this.editor.element);
  }

  render(): void {
    this.parts.hidden = this.app.editor !== undefined;
    this.editor.element.hidden = !this.parts.hidden;
    if (this.app.editor) return this.editor.render();
    this.double.checked = this.app.settings.isDouble;
    const facts = factsOf(this.app) ?? null;
    if (facts === this.shown) return;
    this.shown = facts;
    if (!facts) return this.facts.replaceChildren(make("p", { class: "pale" }, t("factsNone")));
    const table = (rows: [string, string][]) => make("table", { class: "facts" }, make("tbody", {},
      ...rows.map(([name, value]) => make("tr", {}, make("th", { scope: "row" }, translated(name)), make("td", {}, translated(value))))));
    const { white, black } = facts.rows, { number } = facts;
    if (number && !black) white.unshift(...atlasRows(number.white));
    this.facts.replaceChildren(make("h2", {}, t("facts")),
      ...(black ? [make("h3", {}, t("factsOf", { side: t("white") })), table(white), make("h3", {}, t("factsOf", { side: t("black") })), table(black)]
        : [table(white)]));
  }

  private submit(): void {
    const text = this.field.value.trim();
    if (text === "") return;
    try {
      const { rules } = this.app;
      void this.use(text.includes("/") ? Game.fromFen(rules, text) : new Game(rules, rules.start(text).xfen));
      this.field.value = "";
    } catch (error) {
      const kind = /^[-+]?[\d.]+(\s*:\s*[-+]?[\d.]+)?$/.test(text) ? "notANumber" : isRank(text) ? "notARank" : undefined;
      toast(kind ? t(kind, { text }) : t("notUnderstood", { reason: (error as Error).message }));
    }
  }

  private set(words: string): void {
    void this.use(new Game(this.app.rules, this.app.rules.start(words).xfen));
  }

  /** Makes this the game of the page, unless the user prefers to finish a running one. */
  private async use(game: Game): Promise<void> {
    if (await mayEnd(this.app)) setUp(this.app, game);
  }

  private mirror(): void {
    const mirror = factsOf(this.app)?.mirror;
    if (mirror) this.set(wordsOf(mirror));
    else toast(t("factsNone"));
  }

  private useDice(): void {
    if (!this.dice.every(die => die.reportValidity() && die.value !== "")) return;
    const number = this.dice.reduce((sum, die, at) => sum * DICE[at]! + Number(die.value) - 1, 0);
    this.set(`sp:${number}`);
  }
}
