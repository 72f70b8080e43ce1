// Analysis: lines, chances, arrows, threat and the graph of the game.

import { App, Arrow } from "./app";
import { button, byId, iconButton, make } from "./dom";
import { GameNode } from "./game";
import { Graph } from "./graph";
import { ICONS } from "./icons";
import { Review } from "./review";
import { scoreText } from "./score";
import { Report } from "./searcher";
import { moveText, t } from "./texts";

const MAX_LINES = 5;
/** How many moves of a line we show, and how many if the user expands it. */
const SHOWN_MOVES = 14, EXPANDED_MOVES = 40;
const REFRESH = 120;
const THREAT_TIME = 500;
/** Colours that the PGN commands `%cal` and `%csl` use for arrows and squares. */
const BRUSHES: Record<string, string> = { G: "green", R: "red", Y: "yellow", B: "blue" };

export class AnalysisPanel {
  readonly element = make("div", { class: "analysis" });
  private waiting = make("p", { class: "pale" }, t("analysisWaits"));
  private parts: HTMLElement;
  private settings!: HTMLElement;
  private toggle = make("input", { type: "checkbox", role: "switch", id: "engine-on", change: () => this.app.set({ isAnalysing: this.toggle.checked }) });
  private facts = make("span", { class: "facts pale" });
  private count = make("output", {});
  private lines = make("div", { class: "lines", role: "group", "aria-label": t("linesLabel") });
  private threatButton = button(t("threat"), () => { this.isThreat = !this.isThreat; this.app.changed(); }, { class: "small" });
  readonly review: Review;
  private graph: Graph;
  private isThreat = false;
  private expanded = new Set<number>();
  private searched = "";
  private reports: Report[] = [];
  private threat?: Arrow;
  private refreshing = 0;

  constructor(private app: App, private draw: () => void) {
    this.graph = new Graph(app);
    this.review = new Review(app, () => {
      this.searched = "";
      this.reports = [];
      this.refresh();
    });
    this.parts = make("div", { class: "parts" },
      make("div", { class: "row bar" },
        make("label", { class: "switch", for: "engine-on" }, this.toggle, make("span", {}, t("engine"))), this.facts),
      this.lines,
      this.settings = make("div", { class: "row" },
        make("div", { class: "stepper" }, iconButton(ICONS.minus, t("fewer"), () => this.setLines(-1)), this.count,
          iconButton(ICONS.plus, t("more"), () => this.setLines(1))),
        this.threatButton));
    this.element.append(this.waiting, this.graph.element, this.review.element, this.parts, this.review.figures);
    document.addEventListener("visibilitychange", () => this.app.changed());
  }

  private setLines(step: number): void {
    this.app.set({ lines: Math.min(MAX_LINES, Math.max(1, this.app.settings.lines + step)) });
  }

  /** Shows the settings and starts or stops the search as they demand. */
  render(): void {
    const { app } = this, { isAnalysing, lines } = app.settings;
    const node = app.game.current;
    this.waiting.hidden = !app.isPlaying;
    this.parts.hidden = app.isPlaying || app.retry !== undefined;
    this.toggle.checked = isAnalysing;
    this.count.textContent = t("lines", { n: lines });
    this.threatButton.setAttribute("aria-pressed", String(this.isThreat));
    this.threatButton.title = t("threatHint", { side: t(node.position.turn === "white" ? "black" : "white") });
    this.settings.hidden = !isAnalysing;
    this.graph.render();
    this.review.render();
    if (!this.review.isJudging) this.follow(node);
    this.show();
  }

  /** Starts or stops the search of the current position as the settings demand. */
  private follow(node: GameNode): void {
    const { app } = this, { isAnalysing, lines } = app.settings;
    const isWanted = isAnalysing && app.tab === "analyse" && !document.hidden && !app.isPlaying && !app.retry && node.position.moves.length > 0;
    const wanted = isWanted ? `${node.words}|${lines}|${this.isThreat}` : "";
    if (wanted !== this.searched) {
      const wasSearching = this.searched !== "";
      this.searched = wanted;
      this.reports = [];
      this.threat = undefined;
      if (isWanted) void this.search(node);
      // A search for the match or for a retried mistake would already have replaced ours.
      else if (wasSearching && !app.match?.isThinking && !app.retry) app.searcher.stop();
    }
  }

  private async search(node: GameNode): Promise<void> {
    const { app } = this, wanted = this.searched;
    if (this.isThreat) await this.findThreat(node);
    if (this.searched !== wanted) return;
    await app.searcher.search({
      position: node.words, turn: node.position.turn, limits: { infinite: true }, lines: app.settings.lines,
      report: report => {
        if (this.searched !== wanted) return;
        this.reports[report.multipv - 1] = report;
        // A score that moves were judged by stays, so that scores and marks agree.
        const isJudged = app.game.summary !== undefined && node.isMain && node.evaluation !== undefined;
        if (!isJudged && report.multipv === 1 && report.depth >= (node.evaluation?.depth ?? 0)) node.evaluation = report;
        if (!this.refreshing) this.refreshing = window.setTimeout(() => this.refresh(), REFRESH);
      },
    });
  }

  /** Finds the move that the opponent would play if the side to move passed. */
  private async findThreat(node: GameNode): Promise<void> {
    const { app } = this, wanted = this.searched, other = node.position.turn === "white" ? "black" : "white";
    const fields = node.position.fen.split(" ");
    fields[1] = other.charAt(0);
    fields[3] = "-";
    const position = `fen ${fields.join(" ")}`;
    try {
      const { moves } = app.rules.position(position);
      const best = await app.searcher.search({ position, turn: other, limits: { movetime: THREAT_TIME } });
      const move = moves.find(legal => legal.uci === best);
      if (move && this.searched === wanted) this.threat = { from: move.from, to: move.castling?.king ?? move.to, brush: "threat" };
    } catch {
      // The engine refuses the position if the side to move is in check: there is no threat to show.
    }
  }

  private refresh(): void {
    this.refreshing = 0;
    this.show();
    this.graph.render();
  }

  /** Shows what the search reports or, without a search, the stored score. */
  private show(): void {
    const { app } = this, node = app.game.current, { lines, isAnalysing } = app.settings;
    const best = this.reports[0];
    const speed = !best ? "" : best.nps >= 1e6 ? `${(best.nps / 1e6).toFixed(1)} M` : `${Math.round(best.nps / 1000)} k`;
    this.facts.textContent = best ? `${t("depth", { depth: best.depth })} · ${t("speed", { speed })}` : "";
    this.lines.hidden = !isAnalysing;
    this.showLines(node, lines);
    showChances(app, best);
    if (app.tab !== "analyse" || app.retry) return;
    const arrows: Arrow[] = [];
    for (const report of this.reports) {
      const move = report && node.position.moves.find(legal => legal.uci === report.pv[0]);
      if (move) arrows.push({ from: move.from, to: move.castling?.king ?? move.to, brush: report === best ? "best" : "other" });
    }
    // Later arrows are drawn over earlier ones, and the best move's arrow should be on top.
    arrows.reverse();
    if (this.threat) arrows.push(this.threat);
    const { better } = node, missed = better && node.parent!.position.moves.find(legal => legal.uci === better.uci);
    if (missed) arrows.push({ from: missed.from, to: missed.castling?.king ?? missed.to, brush: "hint" });
    for (const [, brush, from, to] of [node.command("cal"), node.command("csl")].join().matchAll(/([GRYB])([a-h][1-8])([a-h][1-8])?/g)) {
      arrows.push({ from: from!, to: to ?? from!, brush: BRUSHES[brush!]! });
    }
    app.arrows = arrows;
    this.draw();
  }

  private showLines(node: GameNode, count: number): void {
    while (this.lines.children.length > count) this.lines.lastElementChild!.remove();
    while (this.lines.children.length < count) {
      const rank = this.lines.children.length;
      this.lines.append(make("div", {},
        make("button", { type: "button", class: "line", click: () => this.playLine(rank) }, make("b", { class: "score" }), make("span", {})),
        iconButton(ICONS.down, t("expand"), () => {
          if (!this.expanded.delete(rank)) this.expanded.add(rank);
          this.show();
        })));
    }
    for (let rank = 0; rank < count; rank++) {
      const report = this.reports[rank], isExpanded = this.expanded.has(rank), row = this.lines.children[rank]!;
      const [line, more] = row.children as unknown as [HTMLButtonElement, HTMLButtonElement];
      const [score, text] = [line.children[0]!, line.children[1]!];
      line.disabled = !report;
      row.classList.toggle("expanded", isExpanded);
      more.ariaExpanded = String(isExpanded);
      const value = report ? scoreText(report.score) : "";
      score.textContent = value || "…";
      score.classList.toggle("black", value.startsWith("−"));
      text.textContent = report ? sanLine(this.app, node, report.pv.slice(0, isExpanded ? EXPANDED_MOVES : SHOWN_MOVES)) : "";
    }
  }

  private playLine(rank: number): void {
    const move = this.reports[rank]?.pv[0];
    if (move) this.app.play(move);
  }
}

/** Returns a variation with move numbers. */
function sanLine(app: App, node: GameNode, pv: string[]): string {
  const { text, moves } = app.rules.line(pv, node.words);
  return moveText(text || moves.map(move => move.san).join(" "));
}

/** Shows the chances of a win, a draw and a loss below the board. */
export function showChances(app: App, report?: Report): void {
  const place = byId("chances"), { evaluation } = app.game.current;
  const chances = report?.chances ?? evaluation?.chances;
  place.hidden = app.tab !== "analyse" || app.isPlaying || app.retry !== undefined || (!chances && !app.settings.isAnalysing);
  place.classList.toggle("empty", !chances);
  if (!chances) return place.replaceChildren();
  const [white, draw, black] = chances.map(Math.round) as [number, number, number];
  const part = (name: string, value: number) => {
    const made = make("span", { class: name }, value >= 9 ? `${value} %` : "");
    made.style.flexGrow = String(value);
    return made;
  };
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", t("chances", { white, draw, black }));
  const parts = [part("win", white), part("draw", draw), part("loss", black)];
  place.replaceChildren(...parts);
}
