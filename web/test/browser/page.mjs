// What all tests of the page in Chromium share: a browser, a fresh tab for each test, and what a user does in it.
//
// ENROQUE_PAGE is the address of the page (default: web/dist/enroque.html), CHROMIUM the browser's program, ENROQUE the native
// program (default: target/release/enroque-tools).

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, afterEach, before, beforeEach } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const address = process.env.ENROQUE_PAGE ?? new URL("../../dist/enroque.html", import.meta.url).href;
export const program = process.env.ENROQUE ?? fileURLToPath(new URL("../../../target/release/enroque-tools", import.meta.url));
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** The option of a test that runs the native program. */
export const NATIVE = { skip: !existsSync(program) && `no ${program}` };

export const PHONE = { width: 390, height: 844 };
/** How long a slow machine may take to judge a few moves, in ms. */
export const SLOW = 240_000;
export const TWO_ROOKS = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

export let page;
let browser, context, messages, requests;

before(async () => {
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
});
after(() => browser?.close());

/** Opens a tab in a browser without history, in place of the tab before. `script` runs in it before each document. */
export async function newTab(options = {}, script = undefined) {
  await context?.close();
  context = await browser.newContext({ viewport: PHONE, ...options });
  if (script) await context.addInitScript(script);
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
}

/** Opens the page in a new tab, and counts its messages and requests from then on. */
export async function open(hash = "", options = {}, script = undefined) {
  await newTab(options, script);
  messages = [];
  requests = [];
  page.on("console", message => messages.push(message.text()));
  page.on("pageerror", error => messages.push(error.message));
  // We don't count data and blob addresses, because they are parts of the page itself.
  page.on("request", request => { if (!/^(data|blob):/.test(request.url())) requests.push(request.url()); });
  await page.goto(address + hash);
  await page.waitForSelector("#board piece", { state: "attached" });
}

/** Forgets the requests for a page that a test has opened itself. */
export const forgetRequests = opened => { requests = requests.filter(url => url !== opened); };

export const openFen = async fen => {
  await open(`#fen=${fen.replaceAll(" ", "_")}`);
  await page.click("#tab-analyse");
};

/** Returns the middle of a square, with White at the bottom of the board. */
export async function middle(square) {
  const { x, y, width } = await page.locator("cg-board").boundingBox();
  const side = width / 8;
  return [x + (square.charCodeAt(0) - 97 + 0.5) * side, y + (8 - Number(square[1]) + 0.5) * side];
}

export async function drag(from, to) {
  await page.evaluate(() => scrollTo(0, 0));
  const start = await middle(from), end = await middle(to);
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2);
  await page.mouse.move(...end);
  await page.mouse.up();
}

export async function click(...squares) {
  await page.evaluate(() => scrollTo(0, 0));
  for (const square of squares) await page.mouse.click(...await middle(square));
}

export async function type(...moves) {
  for (const move of moves) {
    await page.fill("#move", move);
    await page.press("#move", "Enter");
    await page.waitForFunction(() => document.querySelector("#move").value === "");
  }
}

export const moves = () => page.locator(".move").allTextContents();
export const waitForMoves = count => page.waitForFunction(n => document.querySelectorAll(".move").length >= n, count);
export const toast = () => page.locator("#toast").textContent();
export const undo = () => page.click("#toast >> text=Undo");
export const tab = () => page.evaluate(() => document.body.dataset.tab);
export const waitForToast = part => page.waitForFunction(text => document.querySelector("#toast").textContent.includes(text), part);
export const waitForCurrent = san => page.waitForFunction(text => document.querySelector("[aria-current]")?.textContent === text, san);

/** A game with four moves. */
export const MATE = "1. f3 e5 2. g4 Qh4# 0-1";

/** Pastes a text into what has the focus. */
export const paste = text => page.evaluate(pasted => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", pasted);
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}, text);

/** A game that ends with a mistake: 12... Be7 traps the queen. */
export const TRAPPED_QUEEN = '[SetUp "1"]\n[FEN "bnqbr1kn/6pp/p2p4/1p3p2/2P2P2/Q2P2NP/P1P3P1/BN1B1RK1 w - - 0 12"]\n\n12. Qxd6 *\n';

/** A game that takes a while to judge. */
export const LONG = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 *";

/** A game with clocks, scores, a comment and a variation. */
export const CLOCKED = `[White "Ann"]
[Black "Bob"]
[WhiteElo "1834"]
[BlackElo "1902"]
[TimeControl "180+2"]
[Result "0-1"]

1. f3 { [%eval 0.1] [%clk 0:02:59] } e5 { [%eval 0.5] [%clk 0:02:31] } 2. g4 $4 { [%clk 0:01:05] (0.5 → #-1) Checkmate is now unavoidable. Nc3 was best. odd [%csl Gd4] }
(2. Nc3 d5) 2... Qh4# { [%clk 0:02:30] } 0-1`;

/** Begins a match with the white pieces. */
export const beginMatch = async () => {
  await page.click("#tab-play");
  await page.check("[name=color][value=white]");
  await page.click("#panel-play >> text=/^Play (this start|from this position)/");
  await page.waitForSelector("text=Your move.");
};

beforeEach(() => { messages = []; requests = []; });
afterEach(() => {
  assert.deepEqual(messages, [], "messages in the console");
  assert.deepEqual(requests.filter(url => !url.startsWith(address)), [], "requests");
});
