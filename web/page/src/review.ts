// Reviews a game: judges all moves, goes from mistake to mistake, and lets the user try each mistake again.

import { Color, Reviewed, ReviewedMove, ReviewSearch, ReviewTask, Summary } from "../../engine/answers";
import { SearchLine } from "../../engine/info";
import { App, Exercise } from "./app";
import { numbered } from "./castling";
import { announce, button, iconButton, make, moveForm, radios } from "./dom";
import { ENGINE, Game, GameNode } from "./game";
import { mistakeClass } from "./graph";
import { ICONS } from "./icons";
import { ofWhite, Searcher } from "./searcher";
import { moveText, t, translated } from "./texts";

/** The most nodes that a position may cost when we judge a game. */
const JUDGED_NODES = 500_000;
/** The most searches that judge a game at the same time. */
const MAX_SEARCHERS = 4;
/** While we judge, we draw at most once in this many milliseconds, because drawing takes time from the searches. */
const SHOW_INTERVAL = 1_000;
/** How many nodes we search to check a move that the user tries in place of a mistake. */
const TRIED_NODES = 150_000;
/** The most moves of a better line, as in `enroque-tools analyse`. */
const BETTER_MOVES = 10;
const MARKS: Record<number, "inaccuracy" | "mistake" | "blunder"> = { 6: "inaccuracy", 2: "mistake", 4: "blunder" };
/** We take the user to the first move that gets one of these glyphs, ? or ??. */
const FIRST_SHOWN = 2, WORST = 4;
/** We assume that the first look at all positions is this share of the work. */
const FIRST_LOOK_SHARE = 0.3;
/** We assume that the searches to do after the first look are this share of all that is left. */
const NEXT_SHARE = 0.8;
/** The last glyph that judges a move. The glyphs from 1 to 6 mean ! ? !! ?? !? ?!, the next means the only move. */
const LAST_GLYPH = 6, ONLY_MOVE = 7;
const PHASES = ["opening", "middlegame", "ending"] as const;

/** Starts a searcher for each processor except the one that runs the page's own searcher. */
function moreSearchers(): Promise<Searcher | undefined>[] {
  const count = Math.min(navigator.hardwareConcurrency, MAX_SEARCHERS) - 1;
  // Where memory is short, fewer searchers do the same work.
  return Array.from({ length: count }, () => Searcher.load().catch(() => undefined));
}

const isMistake = (node: GameNode): boolean => mistakeClass(node) !== undefined;

/** Returns what the end of the game means for a position without moves. */
function ended({ position }: GameNode): GameNode["evaluation"] {
  const winner = position.outcome?.winner;
  if (!winner) return { score: { cp: 0 }, depth: 0, chances: [0, 100, 0] };
  return { score: { mate: winner === "white" ? 1 : -1 }, depth: 0, chances: winner === "white" ? [100, 0, 0] : [0, 0, 100] };
}

/** Returns `true` if nobody has annotated a line. */
function isBare(line: GameNode): boolean {
  for (let node: GameNode | undefined = line; node; node = node.children[0]) {
    if (node.comment || node.before || node.after || node.evaluation || node.nags.length > 0 || node.commands.length > 0 || node.children.length > 1) return false;
  }
  return true;
}

/** Removes the sentence and the lines that an earlier analysis, ours or a site's, added. Returns how many. */
function removeEarlier(node: GameNode): number {
  const { advice, remark } = node, others = node.parent!.children.filter(other => other !== node);
  const own = others.filter(other => other.before === ENGINE);
  const lines = own.length > 0 || !advice ? own : others.filter(other => other.san === advice.best && isBare(other));
  if (remark) {
    node.comment = node.comment.replace(remark.text, "").trim();
    node.nags = node.nags.filter(nag => nag !== ONLY_MOVE);
  }
  if (advice) {
    node.comment = node.comment.replace(advice.text, "").trim();
    node.nags = node.nags.filter(nag => !(nag in MARKS));
  }
  lines.forEach(line => node.game.remove(line));
  return lines.length + (advice || remark ? 1 : 0);
}

export class Review {
  readonly element = make("div", { class: "review" });
  /** Accuracy and mistakes of both players. */
  readonly figures = make("div", { class: "review" });
  private judgeButton = button(t("judge"), () => void this.judge(), { class: "small" });
  private summary = make("table", { class: "facts summary" });
  private phases = make("table", { class: "facts summary" });
  private own = make("div", { class: "own" });
  private notice = make("p", { class: "pale" });
  private count = make("output", {});
  private previous = iconButton(ICONS.previous, t("previousMistake"), () => this.walk(-1));
  private next = iconButton(ICONS.next, t("nextMistake"), () => this.walk(1));
  private retryButton = button("", () => this.begin(), { class: "small" });
  private steps = make("div", { class: "row" }, make("div", { class: "stepper" }, this.previous, this.count, this.next), this.judgeButton, this.retryButton);
  private card = make("article", { class: "card" });
  private judging?: { isStopped: boolean };

  /** The mistakes that the user tries again; `at` is the index of the one on the board. */
  private tries: GameNode[] = [];
  private at = 0;
  private exercise?: Exercise;
  private ask = make("p", { class: "ask" });
  private result = make("p", {});
  private form = moveForm("retry-move", text => this.enter(text));
  private nextButton = button("", () => this.open(this.at + 1));
  private solutionButton = button(t("puzzleSolution"), () => this.solve(undefined));
  private trial = make("section", { class: "quiz" }, this.ask, this.result,
    make("div", { class: "row" }, this.nextButton, this.solutionButton, button(t("retryEnd"), () => this.end(), { class: "quiet" })), this.form);

  /** We call `refresh` to show each score that we found. */
  constructor(private app: App, private refresh: () => void) {
    this.element.append(this.steps, this.card, this.trial);
    this.figures.append(this.summary, this.phases, this.notice, this.own);
  }

  get isJudging(): boolean {
    return this.judging !== undefined;
  }

  /** Whether the statistics belong to the game as it is now. */
  private get isJudged(): boolean {
    const { game } = this.app;
    return this.judging === undefined && game.summary?.line === game.root.last.words;
  }

  render(): void {
    const { app } = this, { game } = app, node = game.current, isTrying = app.retry !== undefined;
    // A match takes precedence: its search stops ours.
    if (this.judging && app.isPlaying) this.judging.isStopped = true;
    this.trial.hidden = !isTrying;
    this.readScores(game);
    const mistakes = game.mainLine().filter(isMistake), tries = this.mistakesOf(app.orientation);
    this.element.hidden = app.isPlaying || game.root.children.length === 0;
    this.steps.hidden = isTrying;
    this.judgeButton.hidden = this.isJudged && !game.summary!.isRead;
    this.previous.parentElement!.hidden = mistakes.length === 0;
    const place = mistakes.indexOf(node);
    this.count.textContent = place >= 0 ? t("mistakeOf", { at: place + 1, of: mistakes.length })
      : t("mistakesAll", { of: mistakes.length });
    this.previous.disabled = !mistakes.some(other => other.ply < node.ply);
    this.next.disabled = !mistakes.some(other => other.ply > node.ply);
    this.retryButton.textContent = (app.match?.you ?? game.sideOf(app.me)) === app.orientation ? t("retryMine") : t("retry", { side: t(app.orientation) });
    this.retryButton.hidden = tries.length === 0 || this.judging !== undefined;
    this.showCard(node);
    this.figures.hidden = this.element.hidden || isTrying || !this.isJudged;
    this.showSummary();
    this.showTrial();
  }

  private mistakesOf(color: Color): GameNode[] {
    return this.app.game.mainLine().filter(node => isMistake(node) && node.mover === color && node.better);
  }

  private walk(step: number): void {
    const { game } = this.app, { ply } = game.current, mistakes = game.mainLine().filter(isMistake);
    this.app.goTo(step > 0 ? mistakes.find(node => node.ply > ply) : mistakes.reverse().find(node => node.ply < ply));
  }

  /** Shows the better line of a mistake. */
  private showCard(node: GameNode): void {
    const { better, remark } = node, mark = node.nags.map(nag => MARKS[nag]).find(Boolean);
    const isOnly = !mark && remark !== undefined && !remark.best, kind = mark ?? (isOnly ? "onlyMove" : "missedMate");
    this.card.hidden = this.app.retry !== undefined || !(isOnly || better && (mark || remark));
    if (this.card.hidden) return;
    const head = make("h2", {}, make("span", {}, numbered(node)), make("span", { class: `chip ${kind}` }, t(kind)));
    if (!better) return this.card.replaceChildren(head, make("p", {}, translated(remark!.text)));
    this.card.replaceChildren(
      head,
      ...(!mark ? [make("p", {}, translated(remark!.text))] : []),
      ...(node.advice?.reason ? [make("p", {}, translated(node.advice.reason))] : []),
      make("button", { type: "button", class: "best", click: () => this.app.goTo(better) }, make("span", {}, t("bestWas")), ` ${lineText(this.app, better)}`));
  }

  /** Takes the scores of a game that was judged before, if its text has them after all moves. */
  private readScores(game: Game): void {
    if (game.summary || this.judging) return;
    const [start, ...nodes] = game.mainLine(), evaluations = nodes.map(node => node.evaluation ?? (node.position.outcome ? ended(node) : undefined));
    // A game of one move has no statistics worth showing. An analysis of one position has no score of the text.
    if (nodes.length < 2 || !evaluations.every(evaluation => evaluation && (evaluation.site || evaluation.depth === 0))) return;
    const first = start!.evaluation ?? evaluations[0]!, line = nodes[nodes.length - 1]!.words;
    const { white, black } = this.app.rules.judge(line, [first, ...evaluations].map(evaluation => ({ score: evaluation!.score, site: evaluation!.site })));
    const figures = (color: Color, found: Summary): Summary => {
      // What the text says counts: the analysis that wrote it may have compared moves, and not only scores.
      const accuracy = Number.parseFloat(game.tag(`${color}Accuracy`) ?? ""), loss = Number.parseFloat(game.tag(`${color}AverageLoss`) ?? "");
      const own = nodes.filter(node => node.mover === color), count = (glyph: number) => own.filter(({ nags }) => nags.includes(glyph)).length;
      const counts = nodes.some(isMistake) ? { inaccuracies: count(6), mistakes: count(2), blunders: count(4) } : {};
      return { ...found, ...counts, ...(accuracy >= 0 ? { accuracy } : {}), ...(loss >= 0 ? { average_loss: loss } : {}) };
    };
    game.summary = { line, white: figures("white", white), black: figures("black", black), isRead: true };
  }

  /** Lets the user say which player they are. Their side is then at the bottom, in this game and in others. */
  private showOwn(): void {
    const { app } = this, { game } = app, white = game.tag("White"), black = game.tag("Black");
    this.own.hidden = app.match !== undefined || white === undefined || black === undefined || white === black;
    if (this.own.hidden) return;
    const choose = (color: string) => {
      app.me = color === "" ? undefined : game.tag(color);
      if (color !== "") app.orientation = color as Color;
      app.changed();
    };
    const key = [white, black, game.sideOf(app.me)].join("|");
    if (this.own.dataset.key === key) return;
    this.own.dataset.key = key;
    this.own.replaceChildren(radios("me", t("iAm"), [["white", white!], ["black", black!], ["", t("neither")]], game.sideOf(app.me) ?? "", choose));
  }

  /** Shows accuracy, average loss and marks of both players. */
  private showSummary(): void {
    const { game } = this.app, { summary } = game;
    if (!summary || this.figures.hidden) return;
    this.showOwn();
    const percent = (value: number | null | undefined) => value === undefined || value === null ? "–" : `${value.toFixed(1)} %`;
    const known = PHASES.filter(phase => [summary.white, summary.black].some(({ phases }) => typeof phases?.[phase] === "number"));
    this.phases.hidden = known.length < 2;
    this.phases.replaceChildren(
      make("thead", {}, make("tr", {}, make("td", {}), ...known.map(phase => make("th", { scope: "col" }, t(phase))))),
      make("tbody", {}, ...(["white", "black"] as const).map(color => make("tr", {},
        make("th", { scope: "row" }, make("span", { class: `dot ${color}` }), game.tag(color) ?? t(color)),
        ...known.map(phase => make("td", {}, percent(summary[color].phases?.[phase])))))));
    this.notice.textContent = [summary.isRead ? t("judgedBefore") : t("judgedBy", { name: this.app.rules.about.name }), summary.replaced ? t("replaced", { count: summary.replaced }) : ""].join(" ").trim();
    const head = (text: string, hint?: string) => make("th", { scope: "col", title: hint, "aria-label": hint }, text);
    const row = (color: Color, { accuracy, average_loss, inaccuracies, mistakes, blunders }: Summary) =>
      make("tr", {}, make("th", { scope: "row" }, make("span", { class: `dot ${color}` }), game.tag(color) ?? t(color)),
        ...[percent(accuracy), average_loss === undefined ? "–" : average_loss.toFixed(0), inaccuracies, mistakes, blunders]
          .map(value => make("td", {}, String(value))));
    this.summary.replaceChildren(
      make("thead", {}, make("tr", {}, make("td", {}), head(t("accuracy")), head(t("averageLoss"), t("averageLossHint")), head("?!", t("inaccuracies")),
        head("?", t("mistakes")), head("??", t("blunders")))),
      make("tbody", {}, row("white", summary.white), row("black", summary.black)));
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
    const helpers = moreSearchers();
    try {
      this.judgeButton.textContent = t("judging", { percent: 0 });
      await this.judgeGame(job, helpers);
    } finally {
      for (const helper of helpers) void helper.then(searcher => searcher?.quit());
      const hasFocus = document.activeElement === this.judgeButton;
      this.judging = undefined;
      this.judgeButton.textContent = t("judge");
      app.changed();
      // Once all moves have been judged, the button is gone, so we move the focus.
      if (hasFocus) queueMicrotask(() => (this.next.disabled ? this.previous : this.next).focus());
    }
  }

  /**
   * Does the searches that the review asks for. Meanwhile we show what is known, so that the user sees the first mistakes
   * soon, and longer searches refine the marks.
   */
  private async judgeGame(job: { isStopped: boolean }, helpers: Promise<Searcher | undefined>[]): Promise<void> {
    const { app } = this, game = app.game, nodes = game.mainLine(), begin = game.current, line = nodes[nodes.length - 1]!.words;
    const result = game.toPgn().result, searches: ReviewSearch[] = [], shown: (string | undefined)[] = [];
    const known = () => app.rules.review(line, result, JUDGED_NODES, searches);
    let review = known(), done = 0, replaced = 0, isFound = false, shownAt = 0;
    const isCurrent = () => !job.isStopped && app.game === game;
    while (review.tasks.length > 0 && isCurrent()) {
      const { tasks } = review;
      // The searches don't depend on each other, and the review doesn't depend on the order of their results.
      const waiting = tasks.values(), first = tasks[0]!.is_first ? 0 : Math.max(FIRST_LOOK_SHARE, done);
      const share = tasks[0]!.is_first ? FIRST_LOOK_SHARE : (1 - first) * NEXT_SHARE;
      let finished = 0;
      const work = async (searcher: Searcher | undefined): Promise<void> => {
        if (!searcher || !isCurrent()) return;
        for (const task of waiting) {
          const lines = await this.search(searcher, nodes[task.at]!, task);
          if (!lines || !isCurrent()) {
            job.isStopped = true;
            for (const helper of helpers) void helper.then(other => other?.stop());
            return;
          }
          searches.push({ task, lines });
          finished += 1;
          const now = performance.now();
          if (now - shownAt < SHOW_INTERVAL) continue;
          shownAt = now;
          review = known();
          replaced += this.show(nodes, review, shown);
          if (!isFound) {
            const at = review.moves.findIndex(({ nag }) => nag === FIRST_SHOWN || nag === WORST);
            isFound = at >= 0;
            // We show the first mistake, unless the user has gone to another move.
            if (isFound && app.tab === "analyse" && game.current === begin) app.goTo(nodes[at + 1]);
          }
          this.judgeButton.textContent = t("judging", { percent: Math.floor(100 * (first + share * finished / tasks.length)) });
          this.refresh();
          app.changed();
        }
      };
      // The page's own searcher begins while the others still start.
      await Promise.all([work(app.searcher), ...helpers.map(helper => helper.then(work))]);
      review = known();
      done = first + share;
    }
    if (!isCurrent()) return;
    replaced += this.show(nodes, review, shown);
    this.sign(game);
    game.summary = { line, white: review.white, black: review.black, replaced };
    this.tag(game, review.white, review.black);
    if (!isFound && app.tab === "analyse" && game.current === begin) app.goTo(nodes.find(isMistake));
    this.refresh();
    app.changed();
  }

  /** Puts scores and marks into the game, where they have changed. Returns how much of an earlier analysis that replaced. */
  private show(nodes: GameNode[], { positions, moves }: Reviewed, shown: (string | undefined)[]): number {
    let replaced = 0;
    positions.forEach((position, at) => {
      const node = nodes[at]!, move = moves[at - 1];
      node.evaluation = position ?? ended(node);
      if (!move) return;
      // The best line before the move is the better one if the move is bad. If the move before it was bad, the line
      // refutes that, and we show it unless the game followed it.
      const best = positions[at - 1]?.pv ?? [], refutes = moves[at - 2]?.mark && best[0] !== node.uci;
      const isMissed = move.remark?.kind === "MissedMate";
      const key = move.mark || move.remark || refutes ? JSON.stringify([move.nag, move.reason, move.remark, best]) : "";
      if (key === shown[at]) return;
      const removed = removeEarlier(node);
      if (shown[at] === undefined) replaced += removed;
      shown[at] = key;
      if (key === "" || best.length === 0) return;
      const line = this.app.rules.line(best.slice(0, BETTER_MOVES), node.parent!.words).moves;
      if (move.mark) this.mark(node, move, line[0]!.san);
      else if (move.remark) this.remark(node, move.remark);
      if (move.mark || isMissed || refutes) node.game.addLine(node.parent!, line, ENGINE);
    });
    return replaced;
  }

  /** Searches a position. Returns the lines that were last complete at the same depth, or nothing if the search was interrupted. */
  private async search(searcher: Searcher, node: GameNode, { moves, lines, nodes }: Pick<ReviewTask, "moves" | "lines" | "nodes">): Promise<ReviewSearch["lines"] | undefined> {
    let begun: SearchLine[] = [], last: SearchLine[] = [];
    const best = await searcher.search({
      position: node.words, turn: "white", limits: { nodes, ...(moves.length > 0 ? { searchmoves: moves } : {}) }, lines, isFresh: true,
      report: line => {
        if (line.multipv === 1) begun = [];
        begun.push(line);
        if (begun.length === lines && begun.every(({ depth }) => depth === line.depth)) last = begun;
      },
    });
    return best === undefined ? undefined : last.map(({ depth, score, pv }) => ({ depth, score, pv }));
  }

  /** Marks a bad move with a glyph and a sentence. If it has a glyph already, that one stays. */
  private mark(node: GameNode, { nag, name, reason }: ReviewedMove, best: string): void {
    if (!node.nags.some(old => old <= LAST_GLYPH)) node.nags.unshift(nag!);
    node.comment = `${name}. ${reason ? `${reason} ` : ""}${best} was best. ${node.comment}`.trim();
  }

  /** Adds a remark and, if the move has no glyph yet, the glyph that goes with it. */
  private remark(node: GameNode, { nag, text }: NonNullable<ReviewedMove["remark"]>): void {
    if (nag !== null && !node.nags.some(old => old <= ONLY_MOVE)) node.nags.unshift(nag);
    node.comment = `${text} ${node.comment}`.trim();
  }

  /** Names the engine as annotator, after those who annotated the game before. */
  private sign(game: Game): void {
    const { name } = this.app.rules.about, annotator = game.tag("Annotator");
    if (!annotator?.includes(name)) game.setTag("Annotator", annotator ? `${annotator}, ${name}` : name);
  }

  /** Adds the statistics of both players to the tags, as `enroque-tools analyse` does. */
  private tag(game: Game, white: Summary, black: Summary): void {
    for (const [color, { accuracy, average_loss, inaccuracies, mistakes, blunders }] of [["White", white], ["Black", black]] as [string, Summary][]) {
      if (accuracy === undefined || average_loss === undefined) continue;
      const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
      game.setTag(`${color}Accuracy`, accuracy.toFixed(1));
      game.setTag(`${color}AverageLoss`, average_loss.toFixed(0));
      game.setTag(`${color}Mistakes`, [counted(inaccuracies, "inaccuracy", "inaccuracies"), counted(mistakes, "mistake", "mistakes"),
        counted(blunders, "blunder", "blunders")].join(", "));
    }
  }

  /** Lets the user try again the mistakes of the player at the bottom of the board. */
  private begin(): void {
    this.tries = this.mistakesOf(this.app.orientation);
    this.open(0);
  }

  /** Shows the position before a mistake, or ends after the last one. */
  private open(at: number): void {
    const { app } = this, node = this.tries[at];
    if (!node) return this.end();
    this.at = at;
    const game = new Game(app.rules, app.game.start);
    node.parent!.path().forEach(({ uci }) => game.play(uci));
    this.exercise = app.retry = { game, title: t("mistakeOf", { at: at + 1, of: this.tries.length }), orientation: node.mover, isDone: false };
    this.exercise.answer = uci => void this.answer(node, uci);
    app.arrows = [];
    this.say("");
    announce(t("retryAsk", { move: numbered(node) }));
    app.changed();
  }

  private end(): void {
    const { app } = this;
    app.retry = undefined;
    app.searcher.stop();
    app.goTo(this.tries[Math.min(this.at, this.tries.length - 1)]);
  }

  private showTrial(): void {
    const { retry } = this.app, node = this.tries[this.at];
    if (!retry || !node) return;
    this.ask.textContent = t("retryAsk", { move: numbered(node) });
    this.form.hidden = this.solutionButton.hidden = retry.isDone;
    const isLast = this.at === this.tries.length - 1;
    this.nextButton.textContent = t(!retry.isDone ? "puzzleSkip" : isLast ? "retryEnd" : "nextMistake");
    this.nextButton.classList.toggle("main", retry.isDone);
  }

  private enter(text: string): boolean {
    const uci = this.app.mayMove() ? this.app.find(text) : undefined;
    if (uci) this.app.enter(uci);
    return uci !== undefined;
  }

  /** Judges a move that was tried in place of a mistake. */
  private async answer(node: GameNode, uci: string): Promise<void> {
    const { app } = this, exercise = this.exercise!, { game } = exercise;
    const tried = game.play(uci)!, san = moveText(tried.san);
    if (uci === node.better!.uci) return this.solve("right");
    const expect = exercise.answer;
    exercise.answer = undefined;
    this.say(t("retryChecks", { move: san }));
    app.changed();
    const isGood = uci !== node.uci && await this.isGood(node, tried);
    if (app.retry !== exercise || exercise.isDone) return;
    if (isGood) return this.solve("good", san);
    game.remove(tried);
    exercise.answer = expect;
    this.say(t(uci === node.uci ? "retrySame" : "retryWrong", { move: san }), "wrong");
    app.changed();
  }

  /** Returns `true` if the tried move keeps the chances that the player had before the mistake. */
  private async isGood(node: GameNode, tried: GameNode): Promise<boolean> {
    const { app } = this, { outcome } = tried.position;
    const score = async (at: GameNode) => {
      const [line] = await this.search(this.app.searcher, at, { moves: [], lines: 1, nodes: TRIED_NODES }) ?? [];
      return line && { score: ofWhite(line.score, at.position.turn) };
    };
    const before = node.parent!.evaluation ?? await score(node.parent!);
    const after = outcome ? { score: outcome.winner === null ? { cp: 0 } : { mate: outcome.winner === "white" ? 1 : -1 } } : await score(tried);
    if (!before || !after) return false;
    const words = `fen ${node.parent!.position.fen} moves ${tried.uci}`;
    return app.rules.judge(words, [{ score: before.score }, { score: after.score }]).moves[0]!.nag === null;
  }

  /** Shows the best move. `verdict` is missing if the user did not find one. */
  private solve(verdict: "right" | "good" | undefined, san = ""): void {
    const { app } = this, exercise = this.exercise!, node = this.tries[this.at]!, better = node.better!;
    exercise.isDone = true;
    exercise.answer = undefined;
    if (!verdict) exercise.game.play(better.uci);
    const line = lineText(app, better);
    this.say(verdict === "good" ? t("retryGood", { move: san, line }) : t("retryBest", { line }), verdict && "right");
    app.changed();
    this.nextButton.focus();
  }

  private say(text: string, verdict?: "right" | "wrong"): void {
    this.result.replaceChildren(verdict ? make("b", { class: verdict === "right" ? "good" : "bad" }, t(verdict)) : "", ` ${text}`);
    if (text) announce(this.result.textContent!);
  }
}

/** Returns a line of the game with move numbers. */
function lineText(app: App, first: GameNode): string {
  const moves: string[] = [];
  for (let node: GameNode | undefined = first; node; node = node.children[0]) moves.push(node.uci);
  return moveText(app.rules.line(moves, first.parent!.words).text);
}
