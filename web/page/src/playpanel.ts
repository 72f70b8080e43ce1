// Settings of a match, and the match itself.

import { Color } from "../../engine/answers";
import { App } from "./app";
import { button, make, radios } from "./dom";
import { Game } from "./game";
import { Clock, limitOf, MAX_ELO, MIN_ELO } from "./match";
import { randomStart, setUp } from "./startpanel";
import { t } from "./texts";

const STEP = 100;
/** Time controls: minutes, and seconds of increment for each move. The empty text means no clock. */
const CLOCKS = ["", "3+2", "5+3", "10+5", "15+10", "30+20", "own"];
/** In an armageddon game, Black has this fraction of White's time. */
const ARMAGEDDON_PART = 0.8;
const MINUTE = 60_000, SECOND = 1000;

const readClock = (text: string, isArmageddon: boolean): Clock | undefined => {
  if (text === "") return undefined;
  const [minutes, increment] = text.split("+").map(Number) as [number, number];
  return { increment: increment * SECOND, left: { white: minutes * MINUTE, black: minutes * MINUTE * (isArmageddon ? ARMAGEDDON_PART : 1) } };
};

export const levelText = (elo: number): string => elo > MAX_ELO ? t("fullStrength") : t("elo", { elo });

export class PlayPanel {
  readonly element = make("div", { class: "play" });
  private level = make("input", { type: "range", id: "level", min: String(MIN_ELO), max: String(MAX_ELO + STEP), step: String(STEP),
    input: () => this.app.set({ elo: Number(this.level.value) }) });
  private armageddon = make("input", { type: "checkbox", id: "armageddon", change: () => this.app.set({ isArmageddon: this.armageddon.checked }) });
  private levelName = make("output", { for: "level" });
  private settings: HTMLElement;
  private status = make("p", { class: "status" });
  private sounds = make("input", { type: "checkbox", id: "sounds", change: () => this.app.set({ isSounding: this.sounds.checked }) });
  /** Minutes, and seconds of increment, of the user's own time control. */
  private own: HTMLInputElement[];
  private ownRow: HTMLElement;
  private forEngine: HTMLElement[];
  private running: HTMLElement;
  private over: HTMLElement;
  private back = button(t("takeBack"), () => this.app.match?.takeBack());
  private begins = button(t("playStart"), () => this.start(), { class: "main" });
  private hint = button(t("hint"), () => void this.app.match?.hint());
  private resign = button(t("resign"), () => this.app.match?.resign());
  private draw = button(t("drawOffer"), () => void this.app.match?.offerDraw());
  private pause = button(t("pause"), () => this.app.match?.pause());

  constructor(private app: App, private analyse: () => void) {
    const setting = (name: "rival" | "color" | "clock", label: string, values: [string, string][]) =>
      radios(name, label, values, app.settings[name], value => app.set({ [name]: value }));
    const setOwn = () => { if (this.own.every(field => field.reportValidity())) app.set({ ownClock: this.own.map(field => field.value).join("+") }); };
    this.own = app.settings.ownClock.split("+").map((value, at) =>
      make("input", { type: "number", id: `own-${at}`, min: at === 0 ? "0.5" : "0", max: "180", step: at === 0 ? "0.5" : "1", required: true, value, change: setOwn }));
    this.ownRow = make("div", { class: "row dice" }, ...this.own.map((field, at) => make("label", { for: field.id }, t(at === 0 ? "minutes" : "increment"), field)));
    this.forEngine = [
      make("div", { class: "level" }, make("label", { for: "level" }, t("level")), this.levelName, this.level, make("p", { class: "pale" }, t("levelHint"))),
      setting("color", t("color"), [["white", t("white")], ["either", t("eitherColor")], ["black", t("black")]])];
    this.settings = make("div", {}, setting("rival", t("rival"), [["engine", t("opponent")], ["person", t("rivalPerson")]]), ...this.forEngine,
      setting("clock", t("clock"), CLOCKS.map(clock => [clock, clock === "" ? t("noClock") : clock === "own" ? t("ownClock") : clock])), this.ownRow,
      make("label", { class: "check", for: "armageddon" }, this.armageddon, make("span", {}, t("armageddon"))),
      make("div", { class: "buttons" }, this.begins,
        button(t("playRandom"), () => { setUp(app, randomStart(app)); this.start(); })));
    this.running = make("div", { class: "buttons" }, this.back, this.hint, this.draw, this.pause, this.resign);
    this.over = make("div", { class: "buttons two" },
      button(t("analyseGame"), () => this.analyse(), { class: "main" }), button(t("playAgain"), () => this.again()));
    this.element.append(this.status, this.running, this.over, this.settings,
      make("label", { class: "check", for: "sounds" }, this.sounds, make("span", {}, t("sounds"))));
  }

  render(): void {
    const { app } = this, { match, game } = app;
    this.settings.hidden = match !== undefined;
    this.running.hidden = !app.isPlaying;
    this.over.hidden = match === undefined || app.isPlaying;
    this.status.hidden = match === undefined;
    this.sounds.checked = app.settings.isSounding;
    this.ownRow.hidden = app.settings.clock !== "own";
    this.forEngine.forEach(part => { part.hidden = app.settings.rival === "person"; });
    this.armageddon.checked = app.settings.isArmageddon;
    this.armageddon.parentElement!.hidden = app.settings.clock === "";
    this.level.value = String(app.settings.elo);
    this.levelName.textContent = this.level.ariaValueText = levelText(app.settings.elo);
    this.begins.textContent = game.current === game.root ? t("playStart") : t("playHere");
    if (match) {
      const isTip = match.isYourMove(game.current);
      this.status.textContent = match.ending ?? (match.isPaused ? t("paused") : match.isThinking ? t("thinking") : !isTip ? t("leaveFirst")
        : match.you === "both" ? t("puzzleTurn", { side: t(game.current.position.turn) }) : t("yourMove"));
      this.back.disabled = !match.canTakeBack || match.isPaused;
      this.hint.disabled = !isTip;
      this.hint.hidden = match.you === "both";
      this.draw.disabled = !match.canOffer;
      this.pause.textContent = t(match.isPaused ? "playOn" : "pause");
      this.pause.hidden = match.clock === undefined;
      this.pause.disabled = match.isThinking;
    }
  }

  private start(): void {
    const { app } = this, { settings, game } = app, { fen, outcome } = game.current.position;
    const you = settings.rival === "person" ? "both" : settings.color === "either" ? (Math.random() < 0.5 ? "white" : "black") : settings.color;
    // We continue the game only from its end, and only if it has no players and no result that we would overwrite.
    const isForeign = ["Event", "White", "Black"].some(name => game.tag(name) !== undefined);
    const goesOn = game.current === game.root.last && !outcome && !isForeign && game.result === "*";
    if (!goesOn) setUp(app, new Game(app.rules, outcome ? game.start : fen));
    const engine = you === "white" ? "Black" : "White", elo = you === "both" ? undefined : limitOf(settings.elo), now = new Date();
    const clock = readClock(settings.clock === "own" ? settings.ownClock : settings.clock, settings.isArmageddon);
    const name = (color: Color) => you === "both" ? "?" : t(you === color ? "you" : "opponent");
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, "0")).join(".");
    const annotator = app.game.tags.filter(([name]) => name === "Annotator");
    app.game.tags = [["Event", t("title")], ["Site", "?"], ["Date", date], ["Round", "-"],
      ["White", name("white")], ["Black", name("black")], ["Result", "*"],
      ...(elo === undefined ? [] : [[`${engine}Elo`, String(elo)] as [string, string]]),
      ...(clock ? [["TimeControl", `${Math.max(clock.left.white, clock.left.black) / SECOND}+${clock.increment / SECOND}`] as [string, string]] : []), ...annotator];
    app.orientation = you === "both" ? "white" : you;
    app.begin({ you, elo, clock, begin: app.game.current.ply,
      isArmageddon: settings.isArmageddon && settings.clock !== "" });
  }

  private again(): void {
    setUp(this.app, new Game(this.app.rules, this.app.game.start));
  }
}
