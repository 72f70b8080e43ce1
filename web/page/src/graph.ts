// The graph of the game, White's chance to win after each move of the main line, and the time for each move.

import { App } from "./app";
import { make, svg } from "./dom";
import { Evaluation, GameNode } from "./game";
import { t } from "./texts";

const HEIGHT = 72, TIMES_HEIGHT = 48;
/** Half of the picture of times, without a margin. */
const LONGEST_BAR = TIMES_HEIGHT / 2 - 1;
/** The classes of the glyphs ?, ?? and ?!. */
const CLASSES: Record<number, string> = { 2: "mistake", 4: "blunder", 6: "inaccuracy" };

/** Returns the class of a mistake; nothing if the move is none. */
export function mistakeClass(node: GameNode): string | undefined {
  return node.nags.map(nag => CLASSES[nag]).find(Boolean) ?? (node.remark?.best ? "missed" : undefined);
}

/** Returns White's chance in percent, which the engine finds out once for each score. */
function chance(node: GameNode, evaluation: Evaluation): number {
  const { score, site } = evaluation;
  return evaluation.chance ??= node.game.rules.judge(`fen ${node.position.fen}`, [{ score, site }]).win_percent[0]!;
}

export class Graph {
  readonly element = make("div", { class: "graph" });
  private nodes: GameNode[] = [];
  private drawn = "";
  private curve = make("div", { class: "curves" });
  private times = make("div", { class: "times" });

  constructor(private app: App) {
    this.element.append(this.curve, this.times);
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
    const key = `${width}|${paths.join("M")}|${marker}|${this.nodes.map(node => [...node.nags, node.spent]).join(";")}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const dots = known.map(point => ({ ...point, kind: mistakeClass(point.node) })).filter(({ kind }) => kind)
      .map(point => svg("circle", { cx: point.x, cy: point.y, r: 3.5, class: point.kind! }));
    const areas = runs.flatMap((run, at) => {
      const first = run[0]!.x, last = run[run.length - 1]!.x;
      return [svg("rect", { x: first, width: last - first, height: HEIGHT, class: "ground" }),
        svg("path", { d: `M${first} ${HEIGHT}L${paths[at]}L${last} ${HEIGHT}z`, class: "area" })];
    });
    this.curve.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t("graph") },
      ...areas,
      svg("path", { d: `M0 ${HEIGHT / 2}H${width}`, class: "middle" }),
      ...paths.map(path => svg("path", { d: `M${path}`, class: "curve" })),
      ...dots,
      ...(marker >= 0 ? [svg("path", { d: `M${x(marker)} 0V${HEIGHT}`, class: "marker" })] : [])));
    this.showTimes(width, marker);
  }

  /** Shows the time for each move. White's bars go up, Black's down, and grow like the square root of the time. */
  private showTimes(width: number, marker: number): void {
    const spent = this.nodes.map(node => node.spent), longest = Math.max(1, ...spent.map(time => time ?? 0));
    this.times.hidden = !spent.some(time => time !== undefined);
    if (this.times.hidden) return;
    const step = width / (this.nodes.length - 1), middle = TIMES_HEIGHT / 2;
    const bars = this.nodes.flatMap((node, at) => {
      const time = spent[at], isWhite = node.parent && node.mover === "white";
      if (time === undefined) return [];
      const height = LONGEST_BAR * Math.sqrt(time / longest);
      return [svg("rect", { x: (at - .9) * step, width: .8 * step, y: isWhite ? middle - height : middle, height,
        class: mistakeClass(node) ?? (isWhite ? "area" : "other") })];
    });
    this.times.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${TIMES_HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t("times") },
      svg("rect", { x: 0, width, height: TIMES_HEIGHT, class: "ground" }), ...bars, svg("path", { d: `M0 ${middle}H${width}`, class: "middle" }),
      ...(marker >= 0 ? [svg("path", { d: `M${marker * step} 0V${TIMES_HEIGHT}`, class: "marker" })] : [])));
  }
}
