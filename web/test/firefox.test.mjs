// The page in Firefox, opened from disk, by WebDriver BiDi. Playwright's own Firefox is a changed one.
//
//   node --test web/test/firefox.test.mjs
//
// FIREFOX is the program (default: /usr/bin/firefox-esr), ENROQUE_PAGE the address of the page (default: web/dist/enroque.html).

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const address = process.env.ENROQUE_PAGE ?? new URL("../dist/enroque.html", import.meta.url).href;
const program = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
// Node has WebSocket from version 22 on.
const WebSocket = globalThis.WebSocket ?? createRequire(import.meta.url)("playwright-core/lib/utilsBundle").ws;

const START_TIME = 60_000, POLL = 100;

/** Starts Firefox and opens the page. */
async function open() {
  const profile = mkdtempSync(join(tmpdir(), "enroque-"));
  const firefox = spawn(program, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], { env: { ...process.env, HOME: profile } });
  const ended = new Promise(resolve => firefox.once("close", resolve));
  const close = async () => {
    firefox.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true });
  };
  try {
    const url = await new Promise((resolve, reject) => {
      let output = "";
      firefox.stderr.on("data", data => {
        output += data;
        const found = /WebDriver BiDi listening on (ws:\S+)/.exec(output);
        if (found) resolve(found[1]);
      });
      firefox.once("error", reject);
      void ended.then(() => reject(new Error(`Firefox ended: ${output}`)));
    });
    const events = [], waiting = new Map();
    const socket = new WebSocket(`${url}/session`);
    await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
    socket.onmessage = ({ data }) => {
      const { id, method, params, result, error, message } = JSON.parse(data);
      if (method) return events.push({ method, params });
      const { resolve, reject } = waiting.get(id);
      if (error) reject(new Error(`${error}: ${message}`));
      else resolve(result);
    };
    const send = (method, params = {}) => new Promise((resolve, reject) => {
      const id = waiting.size + 1;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
    await send("session.new", { capabilities: {} });
    await send("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
    const [{ context }] = (await send("browsingContext.getTree")).contexts;
    await send("browsingContext.setViewport", { context, viewport: { width: 390, height: 844 } });
    await send("browsingContext.navigate", { context, url: address, wait: "complete" });
    return { page: new Page(send, context), events, close };
  } catch (error) {
    await close();
    throw error;
  }
}

class Page {
  constructor(send, context) {
    Object.assign(this, { send, context });
  }

  /** Evaluates an expression in the page. Returns its text or number. */
  async evaluate(expression) {
    const answer = await this.send("script.evaluate", { expression, target: { context: this.context }, awaitPromise: true });
    assert.equal(answer.type, "success", `${expression}: ${answer.exceptionDetails?.text}`);
    return answer.result.value;
  }

  /** Waits until an expression is true. */
  async until(expression) {
    const end = Date.now() + START_TIME;
    while (!await this.evaluate(`Boolean(${expression})`)) {
      assert.ok(Date.now() < end, expression);
      await new Promise(resolve => setTimeout(resolve, POLL));
    }
  }

  /** Presses the mouse button at the first point and releases it at the last. */
  async mouse(...points) {
    const move = ([x, y]) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y) });
    const [first, ...others] = points.map(move);
    const actions = [first, { type: "pointerDown", button: 0 }, ...others, { type: "pointerUp", button: 0 }];
    await this.send("input.performActions", { context: this.context, actions: [{ type: "pointer", id: "mouse", actions }] });
  }

  async box(selector) {
    return JSON.parse(await this.evaluate(`JSON.stringify(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`));
  }

  async click(selector) {
    const { x, y, width, height } = await this.box(selector);
    await this.mouse([x + width / 2, y + height / 2]);
  }

  async type(text) {
    const actions = [...text].flatMap(value => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    await this.send("input.performActions", { context: this.context, actions: [{ type: "key", id: "keys", actions }] });
  }

  /** Drags a piece, with White at the bottom of the board. */
  async drag(from, to) {
    const { x, y, width } = await this.box("cg-board"), side = width / 8;
    const middle = square => [x + (square.charCodeAt(0) - 97 + 0.5) * side, y + (8 - Number(square[1]) + 0.5) * side];
    const [start, end] = [middle(from), middle(to)];
    await this.mouse(start, [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2], end);
  }
}

const ENTER = "\uE007";
const MOVES = "[...document.querySelectorAll('.move')].map(move => move.textContent).join(' ')";
/** A game in which the first move allows mate. */
const BLUNDER = '[SetUp "1"]\n[FEN "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"]\n\n2. g4 d6 3. e3 *';
const ANALYSES = "/depth \\d/.test(document.querySelector('#panel-analyse').textContent)";

test("the page works in Firefox", { skip: !existsSync(program) && `no ${program}`, timeout: 5 * START_TIME }, async () => {
  const { page, events, close } = await open();
  try {
    await page.until("document.querySelector('#board piece')");
    // Start 334 to a best move.
    await page.click("#start-text");
    await page.type(`334${ENTER}`);
    await page.until("document.querySelector('#title').textContent.includes('334')");
    await page.click("#tab-analyse");
    await page.click("#engine-on");
    await page.until(ANALYSES);
    await page.click(".line");
    await page.until("document.querySelectorAll('.move').length === 1");
    // The running search stops.
    await page.until(ANALYSES);
    await page.click("#engine-on");
    await page.until("document.querySelector('.lines').hidden");
    // We castle by dragging the king onto the rook.
    await page.evaluate("location.hash = '#fen=4k3/8/8/8/8/8/8/R3K2R_w_KQ_-_0_1'");
    await page.until("document.querySelectorAll('.move').length === 0");
    await page.drag("e1", "a1");
    await page.until(`${MOVES} === 'O-O-O'`);
    // The page judges a game and shows its first mistake with the best move.
    await page.click("#tab-game");
    await page.evaluate(`document.querySelector("#pgn").value = ${JSON.stringify(BLUNDER)}`);
    await page.evaluate("document.querySelector('.game button.main').scrollIntoView({ block: 'center' })");
    await page.click(".game button.main");
    await page.until(`${MOVES} === 'g4 d6 e3'`);
    await page.click(".review .row > button");
    await page.until("/2. g4Blunder/.test(document.querySelector('.card:not([hidden])')?.textContent)");
    await page.until("document.querySelector('.summary')?.textContent.includes('??')");
    // The page shows the solution of a puzzle.
    await page.click("#tab-learn");
    await page.evaluate("document.querySelector('[name=lesson][value=puzzles]').click()");
    await page.until("/Only one move wins/.test(document.querySelector('#panel-learn .ask').textContent)");
    await page.evaluate("[...document.querySelectorAll('#panel-learn button')].find(({ textContent }) => textContent === 'Solution').click()");
    await page.until("/Solution: \\d/.test(document.querySelector('#panel-learn').textContent)");
    const requests = events.filter(({ method }) => method === "network.beforeRequestSent").map(({ params }) => params.request.url);
    assert.deepEqual(requests.filter(url => !/^(data|blob):/.test(url) && !url.startsWith(address)), [], "requests");
    assert.deepEqual(events.filter(({ method }) => method === "log.entryAdded").map(({ params }) => params.text), [], "messages in the console");
  } finally {
    await close();
  }
});
