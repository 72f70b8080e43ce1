// A game against the engine, or of two people at one board.

import { Color } from "../../engine/answers";
import { choose, toast } from "./dom";
import { Game, GameNode } from "./game";
import { Report, Searcher } from "./searcher";
import { sound } from "./sound";
import { moveText, t, translated } from "./texts";

const TICK = 100;
/** The engine replies no sooner than this, in ms, so that the user can follow the moves. */
const MIN_DELAY = 350;
const MOVE_TIME = 1000;
const HINT_TIME = 700;
/** How long the engine thinks about an offer of a draw, in ms. */
const OFFER_TIME = 400;
/** The engine accepts a draw if it is worse by this, in centipawns; in a long game, if it is at most so much better. */
const WORSE = -100, BETTER = 10;
/** From this ply on a game is long. */
const LONG_GAME = 60;

/** Elo of the strongest limited level. Above it the engine plays at full strength. */
export const MAX_ELO = 2000;
export const MIN_ELO = 400;

export interface Clock { increment: number; left: Record<Color, number> }
/** A match as we store it in the browser. */
export interface MatchRecord {
  /** Which side a person plays. */
  you: Color | "both";
  elo?: number; clock?: Clock; ending?: string; begin: number; isArmageddon?: boolean; isPaused?: boolean;
}

export const opposite = (color: Color): Color => color === "white" ? "black" : "white";

/** Whether some series of legal moves lets a side give mate. */
function canMate(fen: string, color: Color): boolean {
  const [board] = fen.split(" ") as [string], squares = board.replace(/\d/g, digit => " ".repeat(Number(digit))).replaceAll("/", " ");
  const own = color === "white" ? squares : squares.replace(/[a-z]/gi, letter => letter > "Z" ? letter.toUpperCase() : letter.toLowerCase());
  if (/[PRQ]/.test(own)) return true;
  const knights = own.split("N").length - 1;
  // With a knight alone, or with bishops on light squares alone or on dark ones, a man must stand in the other king's way.
  if (knights > 0) return knights > 1 || /B/.test(own) || /[prbn]/.test(own);
  const shades = new Set([...own].flatMap((letter, at) => /b/i.test(letter) ? [at % 2] : []));
  return /B/.test(own) && (shades.size > 1 || /[pn]/.test(own));
}

/** What a match needs from the page that shows it. */
export interface Host {
  readonly game: Game;
  readonly searcher: Searcher;
  readonly match?: Match;
  arrows: { from: string; to: string; brush: string }[];
  readonly showClock: () => void;
  changed(): void;
  goTo(node: GameNode | undefined): void;
  play(uci: string): void;
}

export class Match {
  readonly you: Color | "both";
  readonly elo?: number;
  readonly clock?: Clock;
  private readonly isArmageddon?: boolean;
  ending?: string;
  isThinking = false;
  isPaused: boolean;
  /** Where a draw was offered last. */
  private offered?: GameNode;
  private tip: GameNode;
  private since = performance.now();
  private ticking = 0;

  constructor(private app: Host, record: MatchRecord) {
    this.you = record.you;
    this.elo = record.elo;
    this.clock = record.clock;
    this.ending = record.ending;
    this.isArmageddon = record.isArmageddon;
    this.begin = record.begin;
    this.isPaused = record.isPaused ?? false;
    this.tip = app.game.current;
  }

  /** How many plies the game had when the match began. */
  private begin: number;

  get record(): MatchRecord {
    return { you: this.you, elo: this.elo, clock: this.clock && { ...this.clock, left: this.remaining() }, ending: this.ending, begin: this.begin,
      isArmageddon: this.isArmageddon, isPaused: this.isPaused };
  }

  /** Begins or resumes the match. */
  run(): void {
    if (this.ending) return;
    this.since = performance.now();
    if (this.clock) this.ticking = window.setInterval(() => this.tick(), TICK);
    const { outcome } = this.tip.position;
    if (outcome) this.endBy(outcome.winner, translated(outcome.text), outcome.result);
    else void this.think();
  }

  isPerson(color: Color): boolean {
    return this.you === "both" || this.you === color;
  }

  isYourMove(node: GameNode): boolean {
    return this.isMove(node) && this.isPerson(node.position.turn);
  }

  /** Whether the engine is to move, so that a move can be made in advance. */
  isPremove(node: GameNode): boolean {
    return this.isMove(node) && !this.isPerson(node.position.turn);
  }

  private isMove(node: GameNode): boolean {
    return !this.ending && !this.isPaused && node === this.tip;
  }

  /** Returns the time left, in ms. */
  remaining(): Record<Color, number> {
    const left = { ...this.clock!.left };
    if (this.isRunning) left[this.tip.position.turn] -= performance.now() - this.since;
    return left;
  }

  /** Whether the clocks run. They start with the first move of the match. */
  private get isRunning(): boolean {
    return !this.ending && !this.isPaused && this.tip.ply > this.begin;
  }

  /** Stops the clocks, or lets them run again. */
  pause(): void {
    if (!this.isPaused) this.clock!.left = this.remaining();
    this.isPaused = !this.isPaused;
    this.since = performance.now();
    this.app.changed();
  }

  /** Takes note of a move that was played on the board. */
  moved(node: GameNode): void {
    if (this.ending || node.parent !== this.tip) return;
    if (this.clock) {
      const mover = this.tip.position.turn;
      if (this.isRunning) this.clock.left[mover] = this.remaining()[mover] + this.clock.increment;
      node.clock = this.clock.left[mover];
    }
    this.tip = node;
    this.since = performance.now();
    sound(node.san.includes("x") ? "capture" : "move");
    const { outcome } = node.position;
    if (outcome) this.endBy(outcome.winner, translated(outcome.text), outcome.result);
    else void this.think();
  }

  private async think(): Promise<void> {
    const node = this.tip, { turn } = node.position;
    if (this.isPerson(turn)) return;
    this.isThinking = true;
    this.app.changed();
    const left = this.clock && this.remaining();
    const time = (color: Color) => Math.max(1, Math.round(left![color])), { increment } = this.clock ?? { increment: 0 };
    const limits = left ? { wtime: time("white"), btime: time("black"), winc: increment, binc: increment } : { movetime: MOVE_TIME };
    const delay = new Promise(done => setTimeout(done, MIN_DELAY));
    const best = await this.app.searcher.search({ position: node.words, turn, elo: this.elo, limits });
    await delay;
    if (this.app.match !== this || this.tip !== node || this.ending) return;
    this.isThinking = false;
    if (!best) return this.app.changed();
    this.app.game.current = node;
    this.app.play(best);
  }

  get canTakeBack(): boolean {
    return this.backNode() !== undefined;
  }

  /** Returns the position before your last move. */
  private backNode(): GameNode | undefined {
    for (let node = this.tip.parent; node && node.ply >= this.begin; node = node.parent) {
      if (this.isPerson(node.position.turn)) return node;
    }
    return undefined;
  }

  /** Takes back a person's last move and the engine's reply to it. */
  takeBack(): void {
    const node = this.backNode();
    if (!node) return;
    this.app.searcher.stop();
    this.isThinking = false;
    this.app.game.current = node;
    this.app.game.remove(this.tip.path()[node.ply]!);
    this.tip = node;
    this.since = performance.now();
    this.app.goTo(node);
  }

  /** Shows a good move. */
  async hint(): Promise<void> {
    const node = this.tip;
    const best = await this.app.searcher.search({ position: node.words, turn: node.position.turn, limits: { movetime: HINT_TIME } });
    const move = node.position.moves.find(legal => legal.uci === best);
    if (!move || this.app.match !== this || this.app.game.current !== node) return;
    this.app.arrows = [{ from: move.from, to: move.castling?.king ?? move.to, brush: "hint" }];
    toast(t("hintIs", { move: moveText(move.san) }));
    this.app.changed();
  }

  /** Lets a person resign: the side to move of two people. */
  resign(): void {
    this.lose(this.you === "both" ? this.tip.position.turn : this.you, t("resigned"));
  }

  get canOffer(): boolean {
    return !this.isArmageddon && this.isYourMove(this.app.game.current) && this.offered !== this.tip;
  }

  /** Offers a draw to the other person, or to the engine, which accepts it if it stands worse or the game is long and even. */
  async offerDraw(): Promise<void> {
    const node = this.offered = this.tip, { turn } = node.position, other = opposite(turn);
    this.app.changed();
    let isAgreed: boolean, last: Report | undefined;
    if (this.you === "both") {
      isAgreed = await choose(t("drawAsk", { side: t(other) }), [t("drawAccept"), t("playOn")]) === 0;
    } else {
      await this.app.searcher.search({ position: node.words, turn, limits: { movetime: OFFER_TIME }, report: report => { last = report; } });
      const { cp = 0, mate } = last?.score ?? {}, sign = other === "white" ? 1 : -1;
      isAgreed = mate === undefined ? last !== undefined && sign * cp <= (node.ply >= LONG_GAME ? BETTER : WORSE) : sign * mate < 0;
    }
    if (this.app.match !== this || this.tip !== node || this.ending) return;
    if (isAgreed) this.endBy(null, t("drawAgreed"), "1/2-1/2");
    else if (this.you !== "both") toast(t("drawDeclined"));
  }

  private lose(color: Color, how: string): void {
    this.endBy(opposite(color), how, color === "white" ? "0-1" : "1-0");
  }

  /** Ends the match without a result, because another game is on the board. */
  abandon(): void {
    clearInterval(this.ticking);
    if (this.isThinking) this.app.searcher.stop();
    this.ending ??= "";
  }

  private endBy(winner: Color | null, how: string, result: string): void {
    if (winner === null && this.isArmageddon) return this.endBy("black", t("armageddonDraw", { how }), "0-1");
    if (this.clock) this.clock.left = this.remaining();
    clearInterval(this.ticking);
    if (this.isThinking) this.app.searcher.stop();
    this.isThinking = false;
    this.app.game.result = result;
    this.ending = winner === null ? t("drawn", { how }) : this.you === "both" ? t("sideWins", { side: t(winner), how })
      : t(winner === this.you ? "won" : "lost", { how });
    sound("end");
    toast(this.ending);
    this.app.changed();
  }

  private tick(): void {
    const { turn, fen } = this.tip.position;
    if (this.remaining()[turn] <= 0) {
      this.clock!.left[turn] = 0;
      this.since = performance.now();
      if (canMate(fen, opposite(turn))) this.lose(turn, t("outOfTime"));
      else this.endBy(null, t("outOfTimeBare"), "1/2-1/2");
    }
    this.app.showClock();
  }
}

/** Returns the Elo limit for a value of the slider; nothing means full strength. */
export const limitOf = (elo: number): number | undefined => elo > MAX_ELO ? undefined : elo;
