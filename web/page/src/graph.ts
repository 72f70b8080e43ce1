// The graph of the game: White's chance to win after each move of the main line.

import { App } from "./app";
import { make, svg } from "./dom";
import { Evaluation, GameNode } from "./game";
import { t } from "./texts";

const HEIGHT = 72;

/** Returns White's chance in percent, which the engine finds out once for each score. */
function chance(node: GameNode, evaluation: Evaluation): number {
  const { score } = evaluation;
  return evaluation.chance ??= node.game.rules.judge(`fen ${node.position.fen}`, [{ score }]).win_percent[0]!;
}

export class Graph {
  readonly element = make("div", { class: "graph" });
  private nodes: GameNode[] = [];
  private drawn = "";

  constructor(private app: App) {
    this.element.addEventListener("click", event => {
      const { left, width } = this.element.getBoundingClientRect();
      const at = Math.round((event.clientX - left) / width * (this.nodes.length - 1));
      this.app.goTo(this.nodes[at]);
    });
  }

  render(): void {
    const { app } = this;
    this.nodes = app.game.mainLine();
    this.element.hidden = app.isPlaying || app.retry !== undefined || this.nodes.filter(node => node.evaluation).length < 3;
    if (this.element.hidden) return;
    const width = this.element.clientWidth;
    const x = (at: number) => at / (this.nodes.length - 1) * width;
    const y = (value: number) => HEIGHT - value / 100 * HEIGHT;
    const points = this.nodes.map((node, at) => node.evaluation && { at, node, x: x(at), y: y(chance(node, node.evaluation)) });
    const known = points.filter(point => point !== undefined);
    // A move without a score leaves a gap in the curve.
    const runs: (typeof known)[] = [];
    points.forEach((point, at) => {
      if (!point) return;
      if (at > 0 && points[at - 1]) runs[runs.length - 1]!.push(point);
      else runs.push([point]);
    });
    const paths = runs.map(run => run.map(point => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("L"));
    const marker = this.nodes.indexOf(app.game.current);
    const key = `${width}|${paths.join("M")}|${marker}|${known.map(({ node }) => node.nags.join()).join(";")}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const dots = known.filter(({ node }) => node.nags.some(nag => nag === 2 || nag === 4))
      .map(point => svg("circle", { cx: point.x, cy: point.y, r: 3.5, class: point.node.nags.includes(4) ? "blunder" : "mistake" }));
    const areas = runs.flatMap((run, at) => {
      const first = run[0]!.x, last = run[run.length - 1]!.x;
      return [svg("rect", { x: first, width: last - first, height: HEIGHT, class: "ground" }),
        svg("path", { d: `M${first} ${HEIGHT}L${paths[at]}L${last} ${HEIGHT}z`, class: "area" })];
    });
    this.element.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t("graph") },
      ...areas,
      svg("path", { d: `M0 ${HEIGHT / 2}H${width}`, class: "middle" }),
      ...paths.map(path => svg("path", { d: `M${path}`, class: "curve" })),
      ...dots,
      ...(marker >= 0 ? [svg("path", { d: `M${x(marker)} 0V${HEIGHT}`, class: "marker" })] : [])));
  }
}
