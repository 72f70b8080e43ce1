// A game against the engine.

import { Color } from "../../engine/answers";
import { toast } from "./dom";
import { Game, GameNode } from "./game";
import { Searcher } from "./searcher";
import { moveText, t, translated } from "./texts";

const TICK = 100;
/** The engine replies no sooner than this, in ms, so that the user can follow the moves. */
const MIN_DELAY = 350;
const MOVE_TIME = 1000;
const HINT_TIME = 700;

/** Elo of the strongest limited level. Above it the engine plays at full strength. */
export const MAX_ELO = 2000;
export const MIN_ELO = 400;

export interface Clock { increment: number; left: Record<Color, number> }
/** A match as we store it in the browser. */
export interface MatchRecord { you: Color; elo?: number; clock?: Clock; ending?: string; begin: number; isArmageddon?: boolean }

export const opposite = (color: Color): Color => color === "white" ? "black" : "white";

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
  readonly you: Color;
  readonly elo?: number;
  readonly clock?: Clock;
  private readonly isArmageddon?: boolean;
  ending?: string;
  isThinking = false;
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
    this.tip = app.game.current;
  }

  /** How many plies the game had when the match began. */
  private begin: number;

  get record(): MatchRecord {
    return { you: this.you, elo: this.elo, clock: this.clock && { ...this.clock, left: this.remaining() }, ending: this.ending, begin: this.begin,
      isArmageddon: this.isArmageddon };
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

  isYourMove(node: GameNode): boolean {
    return !this.ending && node === this.tip && node.position.turn === this.you;
  }

  /** Returns the time left, in ms. */
  remaining(): Record<Color, number> {
    const left = { ...this.clock!.left };
    if (this.isRunning) left[this.tip.position.turn] -= performance.now() - this.since;
    return left;
  }

  /** Whether the clocks run. They start with the first move of the match. */
  private get isRunning(): boolean {
    return !this.ending && this.tip.ply > this.begin;
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
    const { outcome } = node.position;
    if (outcome) this.endBy(outcome.winner, translated(outcome.text), outcome.result);
    else void this.think();
  }

  private async think(): Promise<void> {
    const node = this.tip, { turn } = node.position;
    if (turn === this.you) return;
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
      if (node.position.turn === this.you) return node;
    }
    return undefined;
  }

  /** Takes back your last move and the reply to it. */
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
    const best = await this.app.searcher.search({ position: node.words, turn: this.you, limits: { movetime: HINT_TIME } });
    const move = node.position.moves.find(legal => legal.uci === best);
    if (!move || this.app.match !== this || this.app.game.current !== node) return;
    this.app.arrows = [{ from: move.from, to: move.castling?.king ?? move.to, brush: "hint" }];
    toast(t("hintIs", { move: moveText(move.san) }));
    this.app.changed();
  }

  resign(): void {
    this.endBy(opposite(this.you), t("resigned"), this.you === "white" ? "0-1" : "1-0");
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
    this.ending = t(winner === null ? "drawn" : winner === this.you ? "won" : "lost", { how });
    toast(this.ending);
    this.app.changed();
  }

  private tick(): void {
    const { turn, fen } = this.tip.position;
    if (this.remaining()[turn] <= 0) {
      this.clock!.left[turn] = 0;
      this.since = performance.now();
      const pieces = fen.split(" ")[0]!.match(turn === "white" ? /[a-z]/g : /[A-Z]/g)!;
      if (pieces.length === 1) this.endBy(null, t("outOfTimeBare"), "1/2-1/2");
      else this.endBy(opposite(turn), t("outOfTime"), turn === "white" ? "0-1" : "1-0");
    }
    this.app.showClock();
  }
}

/** Returns the Elo limit for a value of the slider; nothing means full strength. */
export const limitOf = (elo: number): number | undefined => elo > MAX_ELO ? undefined : elo;
