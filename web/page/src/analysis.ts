// Analysis: lines, chances, arrows, threat, the graph of the game and the judgement of its moves.

import { App, Arrow } from "./app";
import { button, byId, iconButton, make } from "./dom";
import { GameNode } from "./game";
import { Graph } from "./graph";
import { ICONS } from "./icons";
import { Color, Summary } from "./rules";
import { scoreText, scoreWords } from "./score";
import { Report } from "./searcher";
import { t } from "./texts";

const MAX_LINES = 5;
/** Moves of a variation that are shown. */
const SHOWN_MOVES = 14;
const REFRESH = 120;
const THREAT_TIME = 500;
/** Nodes for the judgement of a position. */
const JUDGED_NODES = 150_000;
const MARKS = [6, 2, 4];

export class AnalysisPanel {
  readonly element = make("div", { class: "analysis" });
  private waiting = make("p", { class: "pale" }, t("analysisWaits"));
  private parts: HTMLElement;
  private toggle = make("input", { type: "checkbox", role: "switch", id: "engine-on", change: () => this.app.set({ isAnalysing: this.toggle.checked }) });
  private facts = make("span", { class: "facts pale" });
  private count = make("output", {});
  private lines = make("div", { class: "lines", role: "group", "aria-label": t("linesLabel") });
  private threatButton = button(t("threat"), () => { this.isThreat = !this.isThreat; this.app.changed(); }, { class: "small" });
  private judgeButton = button(t("judge"), () => void this.judge(), { class: "small" });
  private graph: Graph;
  private summary = make("table", { class: "facts summary" });
  private isThreat = false;
  private judging?: { isStopped: boolean };
  private searched = "";
  private reports: Report[] = [];
  private threat?: Arrow;
  private refreshing = 0;

  constructor(private app: App, private draw: () => void) {
    this.graph = new Graph(app);
    this.parts = make("div", { class: "parts" },
      make("div", { class: "row bar" },
        make("label", { class: "switch", for: "engine-on" }, this.toggle, make("span", {}, t("engine"))), this.facts),
      this.lines,
      make("div", { class: "row" },
        make("div", { class: "stepper" }, iconButton(ICONS.minus, t("fewer"), () => this.setLines(-1)), this.count,
          iconButton(ICONS.plus, t("more"), () => this.setLines(1))),
        this.threatButton, this.judgeButton),
      this.graph.element, this.summary);
    this.element.append(this.waiting, this.parts);
    document.addEventListener("visibilitychange", () => this.app.changed());
  }

  private setLines(step: number): void {
    this.app.set({ lines: Math.min(MAX_LINES, Math.max(1, this.app.settings.lines + step)) });
  }

  /** Shows the settings and starts or stops the search as they demand. */
  render(): void {
    const { app } = this, { isAnalysing, lines } = app.settings;
    const node = app.game.current, isPlaying = app.match !== undefined && !app.match.ending;
    this.waiting.hidden = !isPlaying;
    this.parts.hidden = isPlaying;
    this.toggle.checked = isAnalysing;
    this.count.textContent = lines === 1 ? t("line") : t("lines", { n: lines });
    this.threatButton.setAttribute("aria-pressed", String(this.isThreat));
    this.threatButton.title = t("threatHint", { side: t(node.position.turn === "white" ? "black" : "white") });
    this.threatButton.hidden = !isAnalysing;
    this.judgeButton.hidden = app.game.root.children.length === 0;
    this.graph.render();
    this.showSummary();
    // A match comes first. Its search ends that of the judgement.
    if (this.judging && isPlaying) this.judging.isStopped = true;
    if (!this.judging) this.follow(node, isPlaying);
    this.show();
  }

  /** Starts or stops the search of the current position as the settings demand. */
  private follow(node: GameNode, isPlaying: boolean): void {
    const { app } = this, { isAnalysing, lines } = app.settings;
    const isWanted = isAnalysing && app.tab === "analyse" && !document.hidden && !isPlaying && node.position.moves.length > 0;
    const wanted = isWanted ? `${node.words}|${lines}|${this.isThreat}` : "";
    if (wanted !== this.searched) {
      const wasSearching = this.searched !== "";
      this.searched = wanted;
      this.reports = [];
      this.threat = undefined;
      if (isWanted) void this.search(node);
      // A search of the match has already taken the place of this one.
      else if (wasSearching && !app.match?.isThinking) app.searcher.stop();
    }
  }

  private async search(node: GameNode): Promise<void> {
    const { app } = this, wanted = this.searched;
    if (this.isThreat) await this.findThreat(node);
    if (this.searched !== wanted) return;
    await app.searcher.search({
      position: node.words, turn: node.position.turn, limits: "infinite", lines: app.settings.lines,
      report: report => {
        if (this.searched !== wanted) return;
        this.reports[report.rank - 1] = report;
        if (report.rank === 1 && report.depth >= (node.evaluation?.depth ?? 0)) node.evaluation = report;
        if (!this.refreshing) this.refreshing = window.setTimeout(() => this.refresh(), REFRESH);
      },
    });
  }

  /** Finds the move that the other side would play. */
  private async findThreat(node: GameNode): Promise<void> {
    const { app } = this, wanted = this.searched, other = node.position.turn === "white" ? "black" : "white";
    const fields = node.position.fen.split(" ");
    fields[1] = other.charAt(0);
    fields[3] = "-";
    const position = `fen ${fields.join(" ")}`;
    try {
      const { moves } = app.rules.position(position);
      const best = await app.searcher.search({ position, turn: other, limits: `movetime ${THREAT_TIME}` });
      const move = moves.find(legal => legal.uci === best);
      if (move && this.searched === wanted) this.threat = { from: move.from, to: move.castling?.king ?? move.to, brush: "threat" };
    } catch {
      // In check there is no threat.
    }
  }

  private refresh(): void {
    this.refreshing = 0;
    this.show();
    this.graph.render();
  }

  /** Shows the reports of the search, or the stored score. */
  private show(): void {
    const { app } = this, node = app.game.current, { lines, isAnalysing } = app.settings;
    const best = this.reports[0];
    const speed = !best ? "" : best.speed >= 1e6 ? `${(best.speed / 1e6).toFixed(1)} M` : `${Math.round(best.speed / 1000)} k`;
    this.facts.textContent = best ? `${t("depth", { depth: best.depth })} · ${t("speed", { speed })}` : "";
    this.lines.hidden = !isAnalysing;
    this.showLines(node, lines);
    showChances(app);
    if (app.tab !== "analyse") return;
    const arrows: Arrow[] = [];
    for (const report of this.reports) {
      const move = report && node.position.moves.find(legal => legal.uci === report.pv[0]);
      if (move) arrows.push({ from: move.from, to: move.castling?.king ?? move.to, brush: report === best ? "best" : "other" });
    }
    // The best move's arrow lies on top.
    arrows.reverse();
    if (this.threat) arrows.push(this.threat);
    app.arrows = arrows;
    this.draw();
  }

  private showLines(node: GameNode, count: number): void {
    while (this.lines.children.length > count) this.lines.lastElementChild!.remove();
    while (this.lines.children.length < count) {
      const rank = this.lines.children.length;
      this.lines.append(make("button", { type: "button", class: "line", click: () => this.playLine(rank) },
        make("b", { class: "score" }), make("span", {})));
    }
    for (let rank = 0; rank < count; rank++) {
      const report = this.reports[rank], row = this.lines.children[rank] as HTMLButtonElement;
      const [score, text] = [row.children[0]!, row.children[1]!];
      row.disabled = !report;
      const value = report ? scoreText(report.score) : "";
      score.textContent = value || "…";
      score.classList.toggle("black", value.startsWith("−"));
      text.textContent = report ? sanLine(this.app, node, report.pv) : "";
    }
  }

  private playLine(rank: number): void {
    const move = this.reports[rank]?.pv[0];
    if (move) this.app.play(move);
  }

  /** Searches all positions of the game and marks inaccuracies, mistakes and blunders. */
  async judge(): Promise<void> {
    const { app } = this;
    if (this.judging) {
      this.judging.isStopped = true;
      app.searcher.stop();
      return;
    }
    const job = this.judging = { isStopped: false };
    try {
      await this.judgeGame(job);
    } finally {
      this.judging = undefined;
      this.judgeButton.textContent = t("judge");
      app.changed();
    }
  }

  private async judgeGame(job: { isStopped: boolean }): Promise<void> {
    const { app } = this;
    const game = app.game, nodes = game.mainLine();
    const scores: string[] = [];
    let best: string | undefined;
    this.searched = "";
    this.reports = [];
    for (let at = 0; at < nodes.length && !job.isStopped && app.game === game; at++) {
      const node = nodes[at]!;
      this.judgeButton.textContent = `${t("judging", { at, of: nodes.length - 1 })} – ${t("stop")}`;
      // A draw that could have been claimed ends the game only where the game ends.
      const { outcome: found, moves: legal } = node.position, isEnd = at === nodes.length - 1 || legal.length === 0;
      const outcome = isEnd ? found : null, isBest = best !== undefined && best === node.uci;
      if (outcome) {
        if (outcome.winner === null) node.evaluation = { score: { cp: 0 }, depth: 0, chances: [0, 100, 0] };
        else node.evaluation = { score: { mate: outcome.winner === "white" ? 1 : -1 }, depth: 0, chances: outcome.winner === "white" ? [100, 0, 0] : [0, 0, 100] };
      } else {
        let last: Report | undefined;
        best = await app.searcher.search({
          position: node.words, turn: node.position.turn, limits: `nodes ${JUDGED_NODES}`, report: report => { last = report; },
        });
        if (job.isStopped || best === undefined || !last) return;
        node.evaluation = last;
      }
      scores.push(at === 0 ? "" : isBest ? "best" : "other", scoreWords(node.evaluation.score));
      const { moves, white, black } = app.rules.judge(scores.join(" "), node.words), nag = moves[at - 1]?.nag;
      node.nags = [...node.nags.filter(old => !MARKS.includes(old)), ...(nag ? [nag] : [])];
      if (at > 0 && at === nodes.length - 1) game.summary = { line: node.words, white, black };
      this.refresh();
    }
  }

  /** Shows accuracy, average loss and marks of both players. */
  private showSummary(): void {
    const { game } = this.app, { summary } = game;
    this.summary.hidden = summary === undefined || summary.line !== game.root.last.words;
    if (!summary || this.summary.hidden) return;
    const head = (text: string, hint?: string) => make("th", { scope: "col", title: hint, "aria-label": hint }, text);
    const row = (color: Color, { accuracy, average_loss, inaccuracies, mistakes, blunders }: Summary) => {
      const name = game.tags.find(([tag]) => tag.toLowerCase() === color)?.[1] ?? "?";
      return make("tr", {}, make("th", { scope: "row" }, make("span", { class: `dot ${color}` }), name === "?" ? t(color) : name),
        ...[accuracy === undefined ? "–" : `${accuracy.toFixed(1)} %`, average_loss === undefined ? "–" : average_loss.toFixed(0), inaccuracies, mistakes, blunders]
          .map(value => make("td", {}, String(value))));
    };
    this.summary.replaceChildren(
      make("thead", {}, make("tr", {}, make("td", {}), head(t("accuracy")), head(t("averageLoss"), t("averageLossHint")), head("?!", t("inaccuracies")),
        head("?", t("mistakes")), head("??", t("blunders")))),
      make("tbody", {}, row("white", summary.white), row("black", summary.black)));
  }
}

/** Returns a variation with move numbers. */
function sanLine(app: App, node: GameNode, pv: string[]): string {
  const { text, moves } = app.rules.line(pv.slice(0, SHOWN_MOVES), node.words);
  return text || moves.map(move => move.san).join(" ");
}

/** Shows the chances of the current position below the board. */
export function showChances(app: App): void {
  const place = byId("chances"), { evaluation } = app.game.current;
  const isShown = app.tab === "analyse" && (!app.match || app.match.ending !== undefined);
  place.hidden = !isShown;
  const chances = evaluation?.chances;
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


