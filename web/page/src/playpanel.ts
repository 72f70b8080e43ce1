// Settings of a match, and the match itself.

import { App } from "./app";
import { button, make, radios } from "./dom";
import { Game } from "./game";
import { Clock, limitOf, MAX_ELO, MIN_ELO } from "./match";
import { randomStart, setUp } from "./startpanel";
import { t } from "./texts";

const STEP = 100;
/** Time controls: minutes, and seconds of increment for each move. The empty text means no clock. */
const CLOCKS = ["", "3+2", "5+3", "10+5", "15+10", "30+20"];
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
  private running: HTMLElement;
  private over: HTMLElement;
  private back = button(t("takeBack"), () => this.app.match?.takeBack());
  private begins = button(t("playStart"), () => this.start(), { class: "main" });
  private hint = button(t("hint"), () => void this.app.match?.hint());
  private resign = button(t("resign"), () => this.app.match?.resign());

  constructor(private app: App, private analyse: () => void) {
    const setting = (name: "color" | "clock", label: string, values: [string, string][]) =>
      radios(name, label, values, app.settings[name], value => app.set({ [name]: value }));
    this.settings = make("div", {},
      make("div", { class: "level" }, make("label", { for: "level" }, t("level")), this.levelName, this.level, make("p", { class: "pale" }, t("levelHint"))),
      setting("color", t("color"), [["white", t("white")], ["either", t("eitherColor")], ["black", t("black")]]),
      setting("clock", t("clock"), CLOCKS.map(clock => [clock, clock === "" ? t("noClock") : clock.replace("+", " + ")])),
      make("label", { class: "check", for: "armageddon" }, this.armageddon, make("span", {}, t("armageddon"))),
      make("div", { class: "buttons" }, this.begins,
        button(t("playRandom"), () => { setUp(app, randomStart(app)); this.start(); })));
    this.running = make("div", { class: "buttons" }, this.back, this.hint, this.resign);
    this.over = make("div", { class: "buttons two" },
      button(t("analyseGame"), () => this.analyse(), { class: "main" }), button(t("playAgain"), () => this.again()));
    this.element.append(this.status, this.running, this.over, this.settings);
  }

  render(): void {
    const { app } = this, { match, game } = app;
    this.settings.hidden = match !== undefined;
    this.running.hidden = !app.isPlaying;
    this.over.hidden = match === undefined || app.isPlaying;
    this.status.hidden = match === undefined;
    this.armageddon.checked = app.settings.isArmageddon;
    this.armageddon.parentElement!.hidden = app.settings.clock === "";
    this.level.value = String(app.settings.elo);
    this.levelName.textContent = this.level.ariaValueText = levelText(app.settings.elo);
    this.begins.textContent = game.current === game.root ? t("playStart") : t("playHere");
    if (match) {
      const isTip = match.isYourMove(game.current);
      this.status.textContent = match.ending ?? (match.isThinking ? t("thinking") : isTip ? t("yourMove") : t("leaveFirst"));
      this.back.disabled = !match.canTakeBack;
      this.hint.disabled = !isTip;
    }
  }

  private start(): void {
    const { app } = this, { settings, game } = app, { fen, outcome } = game.current.position;
    const you = settings.color === "either" ? (Math.random() < 0.5 ? "white" : "black") : settings.color;
    // We continue the game only from its end, and only if it has no players and no result that we would overwrite.
    const isForeign = ["Event", "White", "Black"].some(name => game.tag(name) !== undefined);
    const goesOn = game.current === game.root.last && !outcome && !isForeign && game.result === "*";
    if (!goesOn) setUp(app, new Game(app.rules, outcome ? game.start : fen));
    const engine = you === "white" ? "Black" : "White", elo = limitOf(settings.elo), clock = readClock(settings.clock, settings.isArmageddon), now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, "0")).join(".");
    const annotator = app.game.tags.filter(([name]) => name === "Annotator");
    app.game.tags = [["Event", t("title")], ["Site", "?"], ["Date", date], ["Round", "-"],
      ["White", t(you === "white" ? "you" : "opponent")], ["Black", t(you === "black" ? "you" : "opponent")], ["Result", "*"],
      ...(elo === undefined ? [] : [[`${engine}Elo`, String(elo)] as [string, string]]),
      ...(clock ? [["TimeControl", `${Math.max(clock.left.white, clock.left.black) / SECOND}+${clock.increment / SECOND}`] as [string, string]] : []), ...annotator];
    app.orientation = you;
    app.begin({ you, elo, clock, begin: app.game.current.ply,
      isArmageddon: settings.isArmageddon && settings.clock !== "" });
  }

  private again(): void {
    setUp(this.app, new Game(this.app.rules, this.app.game.start));
  }
}
