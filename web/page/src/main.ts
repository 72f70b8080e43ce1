// The page: starts the engine, puts the parts together, and keeps the game in this browser.

import { Color, PgnGame } from "../../engine/answers";
import { Engine } from "../../engine/engine";
import { Rules } from "../../engine/rules";
import { AnalysisPanel } from "./analysis";
import { App, Tab } from "./app";
import { BoardView } from "./board";
import { byId, expire, iconButton, make, setAbout, toast } from "./dom";
import { Game, GameSummary } from "./game";
import { GamePanel, gameOfHash } from "./gamepanel";
import { ICONS } from "./icons";
import { LearnPanel } from "./learn";
import { MatchRecord, opposite } from "./match";
import { MoveList } from "./moves";
import { Players } from "./players";
import { PlayPanel } from "./playpanel";
import { Searcher } from "./searcher";
import { ofToday, setUp, StartPanel, startName } from "./startpanel";
import { load, save } from "./storage";
import { Language, language, LANGUAGES, setLanguage, t, TextKey } from "./texts";

/** The game as we store it in the browser. */
interface Stored { pgn: PgnGame; place: number[]; match?: MatchRecord; orientation: Color; tab: Tab; summary?: GameSummary }

const TABS: [Tab, TextKey][] = [["start", "tabStart"], ["play", "tabPlay"], ["analyse", "tabAnalyse"], ["learn", "tabLearn"], ["game", "tabGame"]];
/** We store the game after this many milliseconds without a change, so not at each report of a running search. */
const SAVE_DELAY = 300;

function restore(app: App, stored: Stored): void {
  const game = Game.fromPgn(app.rules, stored.pgn);
  app.game = game;
  app.orientation = stored.orientation;
  game.summary = stored.summary;
  // An older version of the page may have stored a tab that no longer exists.
  if (TABS.some(([tab]) => tab === stored.tab)) app.tab = stored.tab;
  if (stored.match) app.begin(stored.match);
  game.goTo(stored.place);
}

function setUpTabs(app: App, panels: Record<Tab, { element: HTMLElement }>): () => void {
  const list = byId("tabs");
  list.setAttribute("aria-label", t("title"));
  const tabs = TABS.map(([name, text]) => {
    const tab = make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, click: () => app.show(name) });
    tab.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
    tab.append(make("span", {}, t(text)));
    const { element } = panels[name];
    element.id = `panel-${name}`;
    element.setAttribute("role", "tabpanel");
    element.setAttribute("aria-labelledby", `tab-${name}`);
    byId("panels").append(element);
    return tab;
  });
  list.append(...tabs);
  list.addEventListener("keydown", event => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const at = (tabs.indexOf(document.activeElement as HTMLButtonElement) + step + tabs.length) % tabs.length;
    event.stopPropagation();
    app.show(TABS[at]![0]);
    tabs[at]!.focus();
  });
  return () => {
    // A part begins at its top. The board stays where it is.
    const top = byId("stage").getBoundingClientRect().top;
    if (document.body.dataset.tab !== app.tab) scrollTo(0, top > 0 ? 0 : byId("stage").offsetTop);
    document.body.dataset.tab = app.tab;
    TABS.forEach(([name], at) => {
      tabs[at]!.setAttribute("aria-selected", String(name === app.tab));
      tabs[at]!.tabIndex = name === app.tab ? 0 : -1;
      panels[name].element.hidden = name !== app.tab;
    });
  };
}

/** Adds the choice of the language. */
function setUpLanguages(): void {
  const select = make("select", { "aria-label": t("language"), change: () => setLanguage(select.value as Language) },
    ...Object.entries(LANGUAGES).map(([tag, name]) => make("option", { value: tag, lang: tag, selected: tag === language }, name)));
  byId("title").after(select);
}

function setUpTools(app: App): () => void {
  const first = iconButton(ICONS.first, t("first"), () => app.goTo(app.view.root));
  const previous = iconButton(ICONS.previous, t("previous"), () => app.goTo(app.view.current.parent));
  const next = iconButton(ICONS.next, t("next"), () => app.goTo(app.view.current.children[0]));
  const last = iconButton(ICONS.last, t("last"), () => app.goTo(app.view.current.last));
  const flip = iconButton(ICONS.flip, t("flip"), () => {
    const shown = app.exercise ?? app;
    shown.orientation = opposite(shown.orientation);
    app.changed();
  });
  byId("tools").setAttribute("aria-label", t("navigation"));
  byId("tools").append(first, previous, next, last, flip);
  document.addEventListener("keydown", event => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("textarea, select, input:not([type=checkbox])") || target.closest("dialog")) return;
    // With Caps Lock, the key of a letter is a capital.
    const key = event.key.toLowerCase();
    const tool = { arrowleft: previous, arrowup: previous, arrowright: next, arrowdown: next, home: first, end: last, f: flip }[key];
    if (tool) tool.click();
    // A control with visible keyboard focus handles the space bar itself.
    else if (key === " " && !app.retry && !target.matches(":focus-visible:not(body, .move)")) {
      app.set({ isAnalysing: app.tab !== "analyse" || !app.settings.isAnalysing });
      if (!app.isTimed) app.show("analyse");
    }
    else if (key === "a") app.set({ isAnalysing: !app.settings.isAnalysing });
    else return;
    event.preventDefault();
  });
  return () => {
    const node = app.view.current, isFixed = app.question !== undefined || app.editing !== undefined || app.exercise?.isDone === false;
    first.disabled = previous.disabled = !node.parent || isFixed;
    next.disabled = last.disabled = node.children.length === 0 || isFixed;
  };
}

async function main(): Promise<void> {
  byId("title").textContent = t("loading");
  setUpLanguages();
  const [rules, engine] = await Promise.all([Rules.load(), Engine.load()]);
  const app = new App(rules, new Searcher(engine));
  const board = new BoardView(app);
  const moves = new MoveList(app);
  const analysis = new AnalysisPanel(app, () => board.draw());
  const play = new PlayPanel(app, () => {
    app.show("analyse");
    void analysis.review.judge();
  });
  const players = new Players(app);
  const panels = { start: new StartPanel(app, tab => app.show(tab)), play, analyse: analysis, learn: new LearnPanel(app), game: new GamePanel(app) };
  const showTabs = setUpTabs(app, panels), showTools = setUpTools(app);
  byId("side").append(moves.element);

  // We number games and positions to tell them apart.
  const ids = new WeakMap<object, number>();
  let count = 0;
  const id = (thing: object) => {
    if (!ids.has(thing)) ids.set(thing, ++count);
    return ids.get(thing)!;
  };
  setAbout(scope => scope === "game" ? `${id(app.game)}` : [app.tab, app.settings.lesson, id(app.view.current), app.match?.ending, app.question?.fen, app.editing !== undefined].join("|"));
  let saving = 0;
  const store = () => {
    clearTimeout(saving);
    saving = 0;
    const stored: Stored = { pgn: app.game.toPgn(), place: app.game.place(), match: app.match?.record, orientation: app.orientation, tab: app.tab,
      summary: app.game.summary };
    save("game", stored);
  };
  app.listen(() => {
    showTabs();
    byId("title").textContent = app.question ? "" : app.exercise?.title ?? startName(app);
    Object.values(panels).forEach(panel => { if (!panel.element.hidden || panel === play) panel.render(); });
    if (app.tab !== "analyse") analysis.render();
    moves.render();
    showTools();
    players.render();
    board.render();
    expire();
    clearTimeout(saving);
    saving = window.setTimeout(store, SAVE_DELAY);
  });
  // We store only if something changed, because another tab may have stored a later game. Running clocks always change.
  addEventListener("pagehide", () => { if (saving || app.isPlaying) store(); });

  const open = (hash: string): boolean => {
    try {
      const game = gameOfHash(app, hash);
      if (!game) return false;
      setUp(app, game);
      // We remove the position from the address; otherwise a reload would replace the game played from it.
      history.replaceState(null, "", location.href.split("#")[0]);
      return true;
    } catch (error) {
      toast(t("notUnderstood", { reason: (error as Error).message }));
      return false;
    }
  };
  addEventListener("hashchange", () => open(location.hash));
  const stored = load<Stored>("game");
  try {
    if (stored) restore(app, stored);
    else app.replace(gameOfHash(app, `#sp=${ofToday()}`)!);
  } catch {
    // We may be unable to read a game that an older version of the page stored.
    save("game", undefined);
    app.replace(gameOfHash(app, `#sp=${ofToday()}`)!);
  }
  // The stored game comes first, so that Undo brings it back after a link.
  if (open(location.hash)) {
    app.tab = "start";
    app.orientation = "white";
  }
  app.changed();
  // Only the page in dist/app has a manifest: the single file makes no request at all.
  if (document.querySelector("link[rel=manifest]")) void navigator.serviceWorker?.register("sw.js");
}

main().catch(error => { byId("title").textContent = t("failed", { reason: (error as Error).message }); });
