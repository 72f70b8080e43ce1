// The page in a real browser, opened from disk.
//
//   node --test web/test/browser.test.mjs
//
// ENROQUE_PAGE is the address of the page (default: web/dist/enroque.html), CHROMIUM the browser's program, ENROQUE the native
// program (default: target/release/enroque-tools).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

import { open as openModule } from "./module.mjs";

const address = process.env.ENROQUE_PAGE ?? new URL("../dist/enroque.html", import.meta.url).href;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const program = process.env.ENROQUE ?? fileURLToPath(new URL("../../target/release/enroque-tools", import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const PHONE = { width: 390, height: 844 };
/** How long a slow machine may take to judge a few moves, in ms. */
const SLOW = 120_000;
const TWO_ROOKS = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

let browser, context, page, messages, requests;

before(async () => {
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
});
after(() => browser?.close());

async function open(hash = "", options = {}, script = undefined) {
  await context?.close();
  context = await browser.newContext({ viewport: PHONE, ...options });
  if (script) await context.addInitScript(script);
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  messages = [];
  requests = [];
  page.on("console", message => messages.push(message.text()));
  page.on("pageerror", error => messages.push(error.message));
  // We don't count data and blob addresses, because they are parts of the page itself.
  page.on("request", request => { if (!/^(data|blob):/.test(request.url())) requests.push(request.url()); });
  await page.goto(address + hash);
  await page.waitForSelector("#board piece", { state: "attached" });
}

const openFen = async fen => {
  await open(`#fen=${fen.replaceAll(" ", "_")}`);
  await page.click("#tab-analyse");
};

/** Returns the middle of a square, with White at the bottom of the board. */
async function middle(square) {
  const { x, y, width } = await page.locator("cg-board").boundingBox();
  const side = width / 8;
  return [x + (square.charCodeAt(0) - 97 + 0.5) * side, y + (8 - Number(square[1]) + 0.5) * side];
}

async function drag(from, to) {
  await page.evaluate(() => scrollTo(0, 0));
  const start = await middle(from), end = await middle(to);
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2);
  await page.mouse.move(...end);
  await page.mouse.up();
}

async function click(...squares) {
  await page.evaluate(() => scrollTo(0, 0));
  for (const square of squares) await page.mouse.click(...await middle(square));
}

async function type(...moves) {
  for (const move of moves) {
    await page.fill("#move", move);
    await page.press("#move", "Enter");
    await page.waitForFunction(() => document.querySelector("#move").value === "");
  }
}

const moves = () => page.locator(".move").allTextContents();
const waitForMoves = count => page.waitForFunction(n => document.querySelectorAll(".move").length >= n, count);
const toast = () => page.locator("#toast").textContent();
const undo = () => page.click("#toast >> text=Undo");
const tab = () => page.evaluate(() => document.body.dataset.tab);
const waitForToast = part => page.waitForFunction(text => document.querySelector("#toast").textContent.includes(text), part);
const waitForCurrent = san => page.waitForFunction(text => document.querySelector("[aria-current]")?.textContent === text, san);

beforeEach(() => { messages = []; requests = []; });
afterEach(() => {
  assert.deepEqual(messages, [], "messages in the console");
  assert.deepEqual(requests.filter(url => !url.startsWith(address)), [], "requests");
});

test("start 334 gets a best move", async () => {
  await open();
  await page.fill("#start-text", "334");
  await page.press("#start-text", "Enter");
  await page.waitForFunction(() => document.querySelector("#title").textContent.includes("334"));
  await page.click("#tab-analyse");
  await page.click("#engine-on");
  await page.waitForFunction(() => /depth \d/.test(document.querySelector("#panel-analyse").textContent));
  await page.waitForSelector(".cg-shapes line", { state: "attached" });
  await page.waitForFunction(() => document.querySelector("#chances").getAttribute("aria-label")?.includes("White wins"));
  await page.click(".line");
  await waitForMoves(1);
  assert.equal((await moves()).length, 1);
});

test("analysis shows five lines and stops", async () => {
  await open("#sp=0");
  await page.click("#tab-analyse");
  await page.click("#engine-on");
  for (let lines = 1; lines < 5; lines++) await page.click("[aria-label='More lines']");
  await page.waitForFunction(() => document.querySelectorAll(".line:enabled").length === 5);
  await page.click("#engine-on");
  await page.waitForSelector(".lines", { state: "hidden" });
});

test("a search stops without promise integration", async () => {
  await open("#sp=0", {}, () => { delete WebAssembly.Suspending; delete WebAssembly.promising; });
  await page.click("#tab-analyse");
  await page.click("#engine-on");
  for (const move of ["e4", "e5", "d4"]) {
    await page.waitForFunction(() => /depth \d/.test(document.querySelector("#panel-analyse").textContent));
    await type(move);
  }
  await page.waitForFunction(() => /depth \d/.test(document.querySelector("#panel-analyse").textContent));
});

test("a link sets up a position", async () => {
  await open(`#fen=${TWO_ROOKS.replaceAll(" ", "_")}`);
  await page.click("#tab-game");
  assert.equal(await page.inputValue("#fen"), TWO_ROOKS);
  await page.click("text=Copy link");
  await page.evaluate(() => { location.hash = "#sp=518"; });
  await page.waitForFunction(() => document.querySelector("#title").textContent.includes("518"));
});

/** A game that ends with a mistake: 12... Be7 traps the queen. */
const TRAPPED_QUEEN = '[SetUp "1"]\n[FEN "bnqbr1kn/6pp/p2p4/1p3p2/2P2P2/Q2P2NP/P1P3P1/BN1B1RK1 w - - 0 12"]\n\n12. Qxd6 *\n';

test("pages of the command line link here", { skip: !existsSync(program) && `no ${program}` }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "enroque-"));
  try {
    writeFileSync(join(folder, "game.pgn"), `[FEN "${TWO_ROOKS}"]\n\n1. O-O-O Ke7 *\n`);
    const castled = "4k3/8/8/8/8/8/8/2KR3R b - - 1 1";
    const commands = [
      [["sweep", "all.csv", "--range", "334..334"], () => {}, title => title.includes("334")],
      [["analyse", "game.pgn"], () => page.press("body", "ArrowRight"), () => page.inputValue("#fen").then(fen => fen === castled)],
    ];
    for (const [command, prepare, check] of commands) {
      const options = ["--nodes", "1000", "--page", "tool.html", "--board", address];
      execFileSync(program, [...command, ...options], { cwd: folder, stdio: "ignore" });
      const tool = pathToFileURL(join(folder, "tool.html")).href;
      await open();
      await page.goto(tool);
      await prepare();
      await page.click("a:text-is('Board')");
      await page.waitForSelector("#board piece", { state: "attached" });
      await page.click("#tab-game");
      assert.ok(await check(await page.locator("#title").textContent()), command[0]);
      requests = requests.filter(url => url !== tool);
      rmSync(join(folder, "tool.html"));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("pages of the command line obey keys", { skip: !existsSync(program) && `no ${program}` }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "enroque-"));
  const run = (...words) => execFileSync(program, words, { cwd: folder, stdio: "ignore" });
  const address = pathToFileURL(join(folder, "page.html")).href;
  try {
    writeFileSync(join(folder, "game.pgn"), TRAPPED_QUEEN);
    run("puzzles", "set.jsonl", "game.pgn", "--nodes", "20000", "--hash", "1", "--page", "page.html");
    await open();
    await page.goto(address);
    const { solution } = JSON.parse(readFileSync(join(folder, "set.jsonl"), "utf8")).puzzle;
    const own = solution.filter((_, at) => at % 2 === 0);
    for (const [typed, verdict] of [[["h5"], "Wrong."], [own, "Correct."]]) {
      for (const move of typed) {
        await page.fill("#choices input", move);
        await page.press("#choices input", "Enter");
      }
      assert.equal(await page.textContent("#verdict"), verdict);
      await page.press("#next", "Enter");
      assert.ok(await page.isVisible("#result"));
      await page.click("#again");
    }
    rmSync(join(folder, "page.html"));

    run("draw", "init", "event.draw", "--event", "Open", "--rounds", "1");
    run("draw", "round", "event.draw", "1", "--random");
    run("draw", "hall", "event.draw", "page.html", "--minutes", "7");
    await page.goto(address);
    for (const button of ["Reset", "Full screen"]) {
      await page.click(`text=${button}`);
      await page.keyboard.press("Space");
      assert.equal(await page.textContent("#state"), "until the clocks start", button);
      await page.click("text=Reset");
    }
    requests = requests.filter(url => url !== address);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the clock runs down", async () => {
  await open("#sp=518");
  await page.click("#tab-play");
  await page.check("[name=clock][value='3+2']");
  await page.click("#panel-play >> text=Play this start");
  await page.waitForSelector("text=Your move.");
  // The clock starts with the first move.
  await page.waitForTimeout(1200);
  assert.equal(await page.textContent("#below .clock"), "3:00");
  await type("e4");
  await waitForMoves(2);
  await page.waitForFunction(() => /2:5\d/.test(document.querySelector("#below .clock").textContent));
  // The time after each move is in the list and in the PGN.
  assert.equal(await page.locator(".table time").first().textContent(), "3:00");
  await page.click("#tab-game");
  assert.match((await page.inputValue("#pgn")).replace(/\s+/g, " "), /\[BlackElo "\d+"\].*\[TimeControl "180\+2"\].* 1\. e4 \{ \[%clk 0:03:00\] \} 1\.\.\. /);
  assert.match(await page.inputValue("#pgn"), /\[White "You"\]\n\[Black "Enroque"\]\n\[Result "\*"\]/);
  await page.click("#tab-play");
  await page.click("text=Resign");
  await page.waitForSelector("text=You lose: resignation");
});

for (const [name, from, to, san] of [
  ["king onto the h-side rook", "e1", "h1", "O-O"],
  ["king to its h-side destination", "e1", "g1", "O-O"],
  ["king onto the a-side rook", "e1", "a1", "O-O-O"],
  ["king to its a-side destination", "e1", "c1", "O-O-O"],
]) {
  test(`castles by dragging the ${name}`, async () => {
    await openFen(TWO_ROOKS);
    await drag(from, to);
    await waitForMoves(1);
    assert.deepEqual(await moves(), [san]);
  });
}

test("castles by two clicks", async () => {
  await openFen(TWO_ROOKS);
  await click("e1", "h1");
  await waitForMoves(1);
  assert.deepEqual(await moves(), ["O-O"]);
});

test("asks for castling or king move", async () => {
  await openFen("4k3/8/8/8/8/8/8/5K1R w K - 0 1");
  await drag("f1", "g1");
  await page.click("dialog button:has-text('O-O')");
  await waitForMoves(1);
  assert.deepEqual(await moves(), ["O-O"]);
});

test("asks for the promotion", async () => {
  await openFen("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
  await drag("e7", "e8");
  await page.click("dialog button:has([aria-label='knight'])");
  await waitForMoves(1);
  assert.deepEqual(await moves(), ["e8=N+"]);
});

test("explains an impossible castling", async () => {
  await open("#sp=334");
  await page.click("#tab-analyse");
  await drag("d1", "e1");
  await page.waitForSelector("#toast button");
  assert.match(await toast(), /O-O: .*bishop on f1 is in the way/);
  await page.click("#toast button");
  assert.match(await page.locator("#panel-learn .card").first().textContent(), /bishop on g1 is in the way/);
});

test("names the move that lost the right", async () => {
  await openFen(TWO_ROOKS);
  await type("Rh2", "Kd7", "Rh1", "Ke7");
  await drag("e1", "h1");
  await page.waitForSelector("#toast button");
  assert.match(await toast(), /lost with 1\. Rh2/);
});

test("PGN with variations round trips", async () => {
  const text = "1. e4 {the most popular} (1. d4 d5 (1... Nf6 2. c4) 2. c4) e5 2. Nf3 Nc6 $6 3. Bb5 *";
  await open();
  await page.click("#tab-game");
  await page.fill("#pgn", text);
  await page.click("text=Load this text");
  await waitForMoves(9);
  await page.click("#tab-game");
  const first = await page.inputValue("#pgn");
  assert.match(first, /^\[Event "\?"\]\n\[Site "\?"\]\n\[Date "\?{4}\.\?\?\.\?\?"\]\n\[Round "\?"\]\n\[White "\?"\]\n\[Black "\?"\]\n\[Result "\*"\]\n\n/);
  assert.match(first.replace(/\s+/g, " "), /1\. e4 \{\s?the most popular\s?\} \(\s?1\. d4 d5 \(\s?1\.\.\. Nf6 2\. c4\s?\) 2\. c4\s?\) 1\.\.\. e5 2\. Nf3 Nc6 \$6 3\. Bb5/);
  await page.fill("#pgn", first);
  await page.click("text=Load this text");
  await page.waitForFunction(() => document.body.dataset.tab === "analyse");
  await page.click("#tab-game");
  assert.equal(await page.inputValue("#pgn"), first);
});

test("keys move through the game", async () => {
  await openFen(TWO_ROOKS);
  await type("O-O", "Kd7");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector("[aria-current]").textContent === "O-O");
  assert.match(await page.locator("#live").textContent(), /White: castles h-side/);
  await page.keyboard.press("Home");
  await page.waitForFunction(() => !document.querySelector("[aria-current]"));
  // The arrow keys go through the moves even if the engine's switch has the focus.
  await page.click("#tab-analyse");
  await page.click("#engine-on");
  await page.keyboard.press("ArrowRight");
  await waitForCurrent("O-O");
  // With Caps Lock, F turns the board just as f does.
  await page.keyboard.press("F");
  await page.waitForSelector(".orientation-black");
});

test("reload keeps the game", async () => {
  await open("#sp=334");
  await page.click("#tab-analyse");
  await type("g3", "g6", "f4");
  await page.waitForTimeout(500);
  await page.reload();
  await waitForMoves(3);
  assert.deepEqual(await moves(), ["g3", "g6", "f4"]);
  assert.match(await page.locator("#title").textContent(), /334/);
});

test("a whole game at the lowest level", { timeout: 300_000 }, async () => {
  await open("#sp=334");
  await page.click("#tab-play");
  await page.locator("#level").fill("400");
  await page.click("#panel-play >> text=Play this start");
  await type("g3");
  await waitForMoves(2);
  await page.click("text=Take back");
  await page.waitForFunction(() => document.querySelectorAll(".move").length === 0);
  await page.reload();
  await page.waitForSelector("text=Your move.");
  // We play the moves that the hints suggest, so the game ends soon.
  while (!await page.locator("text=Analyse the game").isVisible()) {
    const before = (await moves()).length;
    await page.click("#panel-play >> text=Hint");
    const hint = await page.waitForFunction(() => /Hint: (\S+)/.exec(document.querySelector("#toast").textContent)?.[1]);
    const move = await hint.jsonValue();
    await page.evaluate(() => document.querySelector("#toast").replaceChildren());
    await type(move);
    await page.waitForFunction(n => document.querySelectorAll(".move").length >= n + 2
      || !document.querySelector("#panel-play .buttons.two").hidden, before);
  }
  assert.match(await page.locator(".status").textContent(), /You win|Draw/);
  await page.click("text=Analyse the game");
  await page.waitForSelector(".graph svg", { timeout: SLOW });
});

test("a draw of the lot stays in range", async () => {
  await open();
  await page.check("#double");
  await page.click("text=Random");
  await page.waitForFunction(() => /Double Chess960 \d+ : \d+|Start position \d+/.test(document.querySelector("#title").textContent));
});

test("the quiz asks and explains", async () => {
  await open();
  await page.click("#tab-learn");
  await page.check("[name=lesson][value=quiz]");
  await page.click("text=Start the quiz");
  await page.click(".quiz >> text=Yes");
  await page.waitForSelector("text=/Right\\.|Wrong\\./");
  await page.click("text=End the quiz");
  await page.waitForSelector("text=/\\d of 1 right/");
});

const GRADES = "#panel-learn [name=grade] + span";
const PUZZLES = readFileSync(new URL("../page/puzzles.txt", import.meta.url), "utf8").trim().split("\n").map(line => line.split(";"));
const openPuzzles = async grade => {
  await page.click("#tab-learn");
  await page.check("[name=lesson][value=puzzles]");
  await page.check(`[name=grade][value='${grade}']`);
};
/** The counts that the page shows for each grade if `right` of each are solved. */
const counts = right => ["Easy", "Medium", "Hard"].map((name, at) => `${name} ${right}/${PUZZLES.filter(([grade]) => grade === String(at + 1)).length}`);
/** A set of one easy puzzle: 6. Na7 is the only winning answer to 5... axb4. */
const FORK = '{"game":0,"puzzle":{"before":"qnrbkrbn/2ppp1pp/5p2/pN6/1PP5/5P2/P2PP1PP/Q1RBKRBN b KQkq - 0 5","last":"a5b4","solution":["b5a7","b8a6","a7c8"],'
  + '"continuation":["a8c8"],"goal":"win","motif":"fork","phase":"opening","score":"+3.20","chances":[76.0,50.0],"nodes":90,"source":"self-play, Chess960 301"},"dropped":[]}\n';
const loadSet = (name, text) => page.setInputFiles("#panel-learn input[type=file]", { name, mimeType: "text/plain", buffer: Buffer.from(text) });
const openFork = async () => {
  await open("#sp=518");
  await openPuzzles(1);
  await loadSet("fork.jsonl", FORK);
  await page.waitForSelector("text=1 puzzle of your file");
};
const typeAnswer = async move => {
  await page.fill("#puzzle-move", move);
  await page.press("#puzzle-move", "Enter");
};

test("a puzzle is answered on the board", async () => {
  await openFork();
  assert.match(await page.locator("#panel-learn .ask").textContent(), /White to move after 5… axb4/);
  await drag("b5", "c3");
  await page.waitForSelector("text=Wrong. Nc3 does not win");
  assert.match(await page.locator("#board").getAttribute("aria-label"), /White: .*knight (b5 h1|h1 b5)/);
  await drag("b5", "a7");
  await page.waitForSelector("text=Right. Na7 is answered by 6… Na6. Go on.");
  await drag("a7", "c8");
  await page.waitForSelector("text=/Right. Solution: 6. Na7 Na6 7. Nxc8. It wins .\\+3.20.: a fork. Then 7(\\.\\.\\.|…) ?Qxc8./");
  assert.match(await page.locator("#live").textContent(), /Right\. Solution: 6\. Na7 Na6 7\. Nxc8\. It wins/);
  // After a wrong answer the puzzle does not count as solved.
  assert.deepEqual(await page.locator(GRADES).allTextContents(), ["Easy 0/1", "Medium 0/0", "Hard 0/0"]);
  await page.click("#panel-learn >> text=Analyse");
  assert.deepEqual(await moves(), ["axb4", "Na7", "Na6", "Nxc8", "Qxc8"]);
  await page.click("#tab-learn");
  await page.waitForSelector("text=/Black to move|White to move/");
});

test("a long puzzle is answered by typing", async () => {
  await open("#sp=518");
  for (const grade of [1, 2, 3]) {
    await openPuzzles(grade);
    const solutions = PUZZLES.filter(fields => fields[0] === String(grade)).map(fields => fields[7].split(" "));
    const at = solutions.findIndex(({ length }) => length === 3), [first, , second] = solutions[at];
    for (let skipped = 0; skipped < at; skipped++) await page.click("text=Skip");
    await typeAnswer(first);
    await page.waitForSelector("text=/Right\\. .*Go on/");
    await typeAnswer(second);
    await page.waitForSelector("text=Right. Solution:");
  }
  const right = counts(1);
  assert.deepEqual(await page.locator(GRADES).allTextContents(), right);
  await page.reload();
  await page.waitForFunction(texts => [...document.querySelectorAll("#panel-learn [name=grade] + span")]
    .map(({ textContent }) => textContent).join() === texts, right.join());
});

test("a puzzle shows its solution", async () => {
  await openFork();
  await page.click("#panel-learn >> button:text-is('Solution')");
  await page.waitForSelector("text=Solution: 6. Na7");
  assert.equal(await page.locator(GRADES).first().textContent(), "Easy 0/1");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector("#board").getAttribute("aria-label").includes("a7"));
  // The puzzle has not changed the game of the page.
  await page.click("#tab-analyse");
  assert.deepEqual(await moves(), []);
});

const MATE = "1. f3 e5 2. g4 Qh4# 0-1";
const paste = text => page.evaluate(pasted => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", pasted);
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}, text);

test("a judged game has accuracies", { timeout: SLOW }, async () => {
  await open();
  // Black's only move mates, so the marks depend on no network.
  const fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
  await paste(`[White "Ann"]\n[Black "Bob"]\n[SetUp "1"]\n[FEN "${fen}"]\n\n2. g4 Qh4# 0-1`);
  await waitForMoves(2);
  await page.click("text=Judge all moves");
  await page.waitForSelector(".summary:visible", { timeout: SLOW });
  const rows = () => page.locator(".summary >> nth=0").locator("tbody tr").evaluateAll(all => all.map(row => [...row.children].map(cell => cell.textContent)));
  const [white, black] = await rows();
  assert.deepEqual([white[0], black[0]], ["Ann", "Bob"]);
  assert.equal(white[5], "1");
  assert.deepEqual(black.slice(1), ["100.0 %", "0", "0", "0", "0"]);
  assert.ok(parseFloat(white[1]) < 60 && Number(white[2]) > 400, white.join());
  assert.ok((await moves()).includes("g4??"));
  await page.waitForTimeout(500);
  await page.reload();
  await page.waitForSelector(".summary:visible");
  assert.deepEqual(await rows(), [white, black]);
  // Another game has no statistics.
  await page.click("#tab-start");
  await page.click("text=Orthodox");
  await page.click("#tab-analyse");
  await page.waitForSelector(".summary", { state: "hidden" });
});

test("the board has its size on paper before the page is laid out", async () => {
  await open();
  const width = event => page.evaluate(type => {
    dispatchEvent(new Event(type));
    return document.querySelector("cg-container").getBoundingClientRect().width;
  }, event);
  const onScreen = await width("afterprint");
  assert.equal(await width("beforeprint"), 376);
  assert.equal(await width("afterprint"), onScreen);
});

test("a draw that nobody claimed is no blunder", { timeout: SLOW }, async () => {
  await open();
  // White has a queen more and brings the same position a third time. Black cannot repeat another one so often.
  const fen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
  await paste(`[SetUp "1"]\n[FEN "${fen}"]\n\n1... Nf6 2. Nf3 Ng8 3. Ng1 Nc6 4. Nc3 Nb8 5. Nb1 e6 *`);
  await waitForMoves(9);
  await page.click("text=Judge all moves");
  await page.waitForSelector(".summary:visible", { timeout: SLOW });
  assert.deepEqual((await moves()).filter(move => move.includes("?")), []);
});

test("a file in Windows-1252 is read", async () => {
  await open();
  await page.click("#tab-game");
  const buffer = Buffer.from('[White "Gr\xfcnfeld"]\n\n1. d4 *', "latin1");
  await page.setInputFiles("#panel-game input[type=file]", { name: "game.pgn", mimeType: "text/plain", buffer });
  await waitForMoves(1);
  await page.click("#tab-game");
  assert.match(await page.inputValue("#pgn"), /\[White "Grünfeld"\]/);
});

test("a comment after a variation goes before it", async () => {
  await open();
  await paste("{first} 1. e4 {good} (1. d4 {old}) {Black to move} 1... e5 {[%clk 0:01:00] last} *");
  await waitForMoves(3);
  await page.click("#tab-game");
  assert.match((await page.inputValue("#pgn")).replace(/\s+/g, " "),
    / \{ first \} 1\. e4 \{ good Black to move \} \(1\. d4 \{ old \}\) 1\.\.\. e5 \{ \[%clk 0:01:00\] last \} \*/);
  await page.evaluate(() => document.activeElement.blur());
  await paste("1. e4 e5 2. Nf3 ({quiet} 2. Bc4) Nc6 *");
  await waitForMoves(5);
  assert.deepEqual(await page.locator(".variation > *").allTextContents(), ["quiet", "2.Bc4"]);
  await waitForMoves(5);
  await page.click("#tab-game");
  assert.match((await page.inputValue("#pgn")).replace(/\s+/g, " "), /1\. e4 e5 2\. Nf3 \(\{ quiet \} 2\. Bc4\) 2\.\.\. Nc6/);
});

test("a pasted text is loaded", async () => {
  await open("#sp=518");
  await page.click("#tab-game");
  await page.focus("#pgn");
  await paste(MATE);
  await waitForMoves(4);
  await page.click("#tab-start");
  await page.evaluate(() => document.activeElement.blur());
  await paste(TWO_ROOKS);
  await page.waitForFunction(() => document.querySelectorAll(".move").length === 0);
  await page.click("#tab-game");
  assert.equal(await page.inputValue("#fen"), TWO_ROOKS);
  // An edited text is the user's own.
  await page.fill("#pgn", "1. O-O");
  await page.focus("#pgn");
  await paste(MATE);
  assert.equal(await tab(), "game");
});

/** Begins a match with the white pieces. */
const beginMatch = async () => {
  await page.click("#tab-play");
  await page.check("[name=color][value=white]");
  await page.click("#panel-play >> text=/^Play (this start|from this position)/");
  await page.waitForSelector("text=Your move.");
};

test("Undo goes on with the match", async () => {
  await open("#sp=518");
  await beginMatch();
  await type("e4");
  await waitForMoves(2);
  const played = await moves();
  const replacements = [
    async () => {
      await page.click("#tab-start");
      await page.click("text=Orthodox");
    },
    async () => {
      await page.click("#tab-game");
      await page.fill("#pgn", MATE);
      await page.click("text=Load this text");
    },
    () => page.evaluate(() => { location.hash = "#sp=0"; }),
    async () => {
      await page.waitForTimeout(500);
      await page.goto("about:blank");
      await page.goto(`${address}#sp=0`);
    },
  ];
  for (const replace of replacements) {
    await replace();
    await undo();
    await page.waitForSelector("text=Your move.");
    assert.deepEqual([await tab(), await moves()], ["play", played]);
  }
  await type("a3");
  await waitForMoves(4);
  await page.click("text=Resign");
  await page.click("text=Play again");
  await undo();
  await waitForMoves(4);
});

test("Undo goes on while the engine thinks", async () => {
  await open("#sp=518");
  await page.click("#tab-analyse");
  await page.click("#engine-on");
  await page.click("#tab-play");
  await page.check("[name=clock][value='30+20']");
  await beginMatch();
  await type("e4");
  await page.click("#tab-game");
  await page.fill("#pgn", MATE);
  await page.click("text=Load this text");
  await page.click("dialog >> text=End the game");
  await undo();
  await waitForMoves(2);
  await page.waitForSelector("text=Your move.");
  // A text that the user is typing stays when the game changes.
  await page.click("#tab-game");
  await page.fill("#pgn", "1. d4");
  await page.evaluate(() => { location.hash = "#sp=0"; });
  await waitForToast("New game");
  assert.equal(await page.inputValue("#pgn"), "1. d4");
});

test("a match overwrites no other game", async () => {
  // We choose a time zone in which the date is not that of UTC.
  const timezoneId = new Date().getUTCHours() < 10 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";
  await open("", { timezoneId });
  for (const text of ['[White "Ann"]\n\n1. e4 e5 *', "1. e4 c5 (1... e5) *", "1. e4 e5 1-0", "1. e4 e5 2. d4 *"]) {
    await page.evaluate(() => document.activeElement.blur());
    await paste(text);
    await waitForToast("Game loaded");
    const loaded = await moves();
    await page.click(".move:text-is('e5')");
    await beginMatch();
    assert.deepEqual(await moves(), [], text);
    await page.click("#tab-game");
    const date = await page.evaluate(() => new Date().toLocaleDateString("sv").replaceAll("-", "."));
    assert.ok((await page.inputValue("#pgn")).includes(`[Date "${date}"]`), date);
    await undo();
    await waitForMoves(loaded.length);
    assert.deepEqual(await moves(), loaded);
  }
  await paste("1. e4 e5 *");
  await page.click(".move:text-is('e5')");
  await beginMatch();
  assert.deepEqual(await moves(), ["e4", "e5"]);
});

const FALSE_RIGHT = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1";
const NO_START = '[Variant "Chess960"]\n\n1. e4 *\n\n';

test("faults of a text are told", async () => {
  await open("#sp=518");
  for (const [text, message, played] of [
    [`${NO_START}[White "Ann"]\n\n1. d4 d5 *`, /^Game loaded: 2 moves\. Games left out: 1 \(line 1: the variant is Chess960/, ["d4", "d5"]],
    ["1. e4 e5 2. Qxx5 *", /^Game loaded: 2 moves\. Not read in full: .*Qxx5/, ["e4", "e5"]],
    ["1. c4 -- 2. d4 *", /^Game loaded: 1 move\. A line ends at its null move/, ["c4"]],
    [FALSE_RIGHT, /^Position loaded\. The FEN claims 'Q'/, []],
    [`[FEN "${FALSE_RIGHT}"]\n\n1. O-O *`, /^Game loaded: 1 move\. The FEN claims 'Q'/, ["O-O"]],
  ]) {
    await page.evaluate(() => document.querySelector("#toast").replaceChildren());
    await paste(text);
    await page.waitForSelector("#toast span");
    assert.match(await toast(), message);
    assert.deepEqual(await moves(), played);
  }
  await page.click("#tab-start");
  await page.fill("#start-text", FALSE_RIGHT);
  await page.press("#start-text", "Enter");
  await waitForToast("The FEN claims 'Q'");
  await open(`#fen=${FALSE_RIGHT.replaceAll(" ", "_")}`);
  await waitForToast("The FEN claims 'Q'");
});

test("the dialog tells of more games", async () => {
  await open();
  await paste('[White "Ann"]\n\n1. e4 *\n\n'.repeat(101));
  await page.getByRole("dialog", { name: "Choose a game: the first 100 of 101" }).waitFor();
  assert.equal(await page.locator("dialog button").count(), 100);
});

test("a variation may repeat the move", async () => {
  await open();
  await paste("1. e4 (1. e4 c5) 1... e5 2. Nf3 1-0");
  await waitForMoves(4);
  await page.keyboard.press("End");
  await waitForCurrent("Nf3");
});

const LONG = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 *";

test("engines that share a judgement give the same marks", { timeout: SLOW }, async () => {
  const judged = [];
  for (const processors of [1, 3]) {
    await open("", {}, `Object.defineProperty(navigator, "hardwareConcurrency", { value: ${processors} })`);
    await paste(`${LONG.slice(0, -1)} 11. Nxe5 dxe5 12. Qh5 Nxh5 1/2-1/2`);
    await waitForMoves(24);
    const alone = page.workers().length;
    let most = alone;
    page.on("worker", () => { most = Math.max(most, page.workers().length); });
    await page.click("text=Judge all moves");
    await page.waitForSelector(".summary:visible", { timeout: SLOW });
    assert.equal(most - alone, processors - 1);
    assert.equal(page.workers().length, alone);
    judged.push([await moves(), await page.locator(".summary >> nth=0").innerText()]);
  }
  assert.deepEqual(judged[1], judged[0]);
  assert.ok(judged[0][0].some(move => move.endsWith("??")), judged[0][0].join(" "));
});

test("the page judges alone if no other engine starts", { timeout: SLOW }, async () => {
  await open("", {}, `Object.defineProperty(navigator, "hardwareConcurrency", { value: 3 });
    let workers = 0;
    window.Worker = class extends Worker { constructor(...source) { if (workers++ > 0) throw new Error("no memory"); super(...source); } };`);
  await paste("1. f3 e5 2. g4 Qh4# 0-1");
  await waitForMoves(4);
  await page.click("text=Judge all moves");
  await page.waitForSelector(".summary:visible", { timeout: SLOW });
  assert.ok((await moves()).some(move => move.endsWith("??")));
});

test("a match stops the judgement", async () => {
  await open();
  await paste(LONG);
  await waitForMoves(20);
  await page.keyboard.press("End");
  await page.click("text=Judge all moves");
  await page.waitForSelector("text=/Stop \\([1-9]/");
  await page.click("#tab-play");
  await page.check("[name=color][value=black]");
  await page.click("text=Play from this position");
  await waitForMoves(21);
  await page.click("text=Resign");
  await page.click("#tab-analyse");
  await page.waitForSelector("text=Judge all moves");
});

test("lines belong to the position shown", async () => {
  await open();
  await paste(LONG);
  await waitForMoves(20);
  await page.click("#engine-on");
  await page.waitForSelector(".line:enabled");
  await page.click("text=Judge all moves");
  await page.keyboard.press("End");
  await page.waitForSelector(".line:disabled");
  assert.equal(await page.locator("#chances.empty").count(), 1);
  await page.waitForSelector("text=/Stop \\([0-9]/");
});

test("a comment stays with its move", async () => {
  await openFen(TWO_ROOKS);
  await type("O-O", "Kd7", "Kh1");
  const comment = page.locator(".edit input");
  await comment.pressSequentially("to the corner");
  await page.click(".move:text-is('Kd7')");
  await waitForCurrent("Kd7");
  assert.equal(await page.locator(".numbered:has-text('Kh1') ~ .notes .comment").textContent(), "to the corner");
  assert.equal(await comment.inputValue(), "");
  // The move changes while the field has the focus.
  await comment.pressSequentially("to the centre");
  await page.evaluate(() => document.querySelector("[aria-label='One move back']").click());
  await waitForCurrent("O-O");
  assert.equal(await comment.inputValue(), "");
  await page.evaluate(() => document.activeElement.blur());
  await page.click("#tab-game");
  assert.match((await page.inputValue("#pgn")).replace(/\s+/g, " "), / 1\. O-O Kd7 \{\s?to the centre\s?\} 2\. Kh1 \{\s?to the corner/);
});

test("opened steps of castling stay open", async () => {
  await openFen("r3k2r/7p/8/8/8/8/7P/R3K2R w KQkq - 0 1");
  await type("h3", "h6");
  await page.click("#tab-learn");
  const opened = page.locator("#panel-learn details[open]"), pressed = page.locator("#panel-learn [aria-pressed=true]");
  await page.click("text=On a real board >> nth=0");
  await page.click("text=Show on the board >> nth=0");
  await pressed.waitFor();
  assert.equal(await opened.count(), 1);
  await page.click("[aria-label='One move back']");
  await waitForCurrent("h3");
  assert.deepEqual([await pressed.count(), await opened.count()], [0, 1]);
});

test("the keyboard keeps its focus", async () => {
  const focused = () => page.evaluate(() => document.querySelector(":focus")?.textContent);
  await openFen(TWO_ROOKS);
  await type("O-O", "Kd7");
  await page.focus(".move");
  await page.keyboard.press("Enter");
  await waitForCurrent("O-O");
  assert.equal(await focused(), "O-O");
  await page.click("#tab-learn");
  await page.check("[name=lesson][value=quiz]");
  for (const [pressed, next] of [["Start the quiz", "Yes"], ["No", "Next question"], ["Next question", "Yes"], ["End the quiz", "Start the quiz"]]) {
    await page.locator(".quiz button", { hasText: pressed }).press("Enter");
    await page.waitForSelector(`.quiz >> text=${next}`);
    assert.equal(await focused(), next);
  }
});

test("the FEN is copied, not its field", async () => {
  await open(`#fen=${TWO_ROOKS.replaceAll(" ", "_")}`, {}, () => { Object.defineProperty(navigator, "clipboard", { value: undefined }); });
  await page.click("#tab-game");
  await page.click("text=Copy link");
  assert.match(await page.inputValue("#fen"), /#fen=/);
  await page.click("text=Copy FEN");
  assert.equal(await page.inputValue("#fen"), TWO_ROOKS);
});

test("time runs out during a choice", async () => {
  await open("", {}, () => {
    const moves = [{ uci: "g6g7", san: "Kg7", notes: [] }];
    const pgn = { tags: [], start: "8/4P3/6k1/8/8/8/8/4K3 b - - 0 1", result: "*", line: { before: [], moves } };
    const match = { you: "white", begin: 0, clock: { increment: 0, left: { white: 8000, black: 8000 } } };
    localStorage.setItem("enroque.game", JSON.stringify({ pgn, place: [0], match, orientation: "white", tab: "play" }));
  });
  await drag("e7", "e8");
  await page.waitForSelector("dialog[open]");
  await waitForToast("Draw: time is up, but the other side cannot win");
  await page.click("dialog button:has([aria-label='knight'])");
  await page.waitForSelector("dialog[open]", { state: "hidden" });
  assert.deepEqual(await moves(), ["Kg7"]);
});

/** Opens the page in a stored match, with the tab for playing. `game` has the FEN of the start. */
const openMatch = (match, start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", moves = []) => open("", {}, {
  content: `localStorage.setItem("enroque.game", ${JSON.stringify(JSON.stringify({
    pgn: { tags: [], start, result: "*", line: { before: [], moves } }, place: moves.map(() => 0), match, orientation: "white", tab: "play" }))});`,
});

test("two people play at one board with a clock of their own", async () => {
  await open("#sp=518");
  await page.click("#tab-play");
  await page.check("[name=rival][value=person]");
  assert.equal(await page.isVisible("#level"), false);
  await page.check("[name=clock][value=own]");
  await page.fill("#own-0", "2.5");
  await page.fill("#own-1", "7");
  await page.click("#panel-play >> text=Play this start");
  await page.waitForSelector(".status:text-is('White to move.')");
  assert.deepEqual(await page.locator(".clock").allTextContents(), ["2:30", "2:30"]);
  await type("e4");
  await page.waitForSelector(".status:text-is('Black to move.')");
  await page.waitForFunction(() => document.querySelector("#above .clock.running").textContent < "2:30");
  // While the clocks stand still, nobody moves.
  await page.click("text=Pause");
  await page.waitForSelector("text=The clocks stand still.");
  const stopped = await page.textContent("#above .clock");
  await page.waitForTimeout(1300);
  assert.equal(await page.textContent("#above .clock"), stopped);
  await page.fill("#move", "e5");
  await page.press("#move", "Enter");
  assert.equal((await moves()).length, 1);
  await page.click("#panel-play >> text=Play on");
  await page.fill("#move", "");
  await type("e5");
  // A move more is taken back, not two.
  await page.click("text=Take back");
  await waitForCurrent("e4");
  assert.equal((await moves()).length, 1);
  await type("d5");
  // The other player answers the offer of a draw.
  await page.click("text=Offer a draw");
  await page.waitForSelector("dialog >> text=Black: do you accept a draw?");
  await page.click("dialog >> text=Play on");
  assert.equal(await page.isEnabled("text=Offer a draw"), false);
  await type("exd5");
  await page.click("text=Offer a draw");
  await page.click("dialog >> button:text-is('Accept')");
  await page.waitForSelector(".status:text-is('Draw: by agreement')");
  await page.click("#tab-game");
  assert.match(await page.inputValue("#pgn"), /\[White "\?"\]\n\[Black "\?"\]\n\[Result "1\/2-1\/2"\][^]*\[TimeControl "150\+7"\]/);
});

test("who resigns or runs out of time loses, if the other side can mate", async () => {
  const clock = () => ({ increment: 0, left: { white: 400, black: 60_000 } });
  const e4 = [{ uci: "e2e4", san: "e4", notes: [] }];
  await openMatch({ you: "both", begin: 0 }, undefined, e4);
  await page.click("text=Resign");
  await page.waitForSelector(".status:text-is('White wins: resignation')");
  // White runs out of time. What Black has left decides: shakmaty's `has_insufficient_material` says the same.
  for (const [black, white, canMate] of [["2p5", "Q7", true], ["8", "QP6", false], ["2n5", "Q7", false], ["2n5", "P7", true], ["2n5", "R7", true],
    ["2b5", "Q7", false], ["2b5", "R7", false], ["2b5", "B7", true], ["2b5", "N7", true], ["2bb4", "Q7", true], ["2nn4", "8", true], ["1rnb4", "8", true]]) {
    await openMatch({ you: "both", begin: 0, clock: clock() }, `7k/8/${black}/8/8/${white}/8/K7 b - - 0 1`, [{ uci: "h8g8", san: "Kg8", notes: [] }]);
    const ending = canMate ? "Black wins: time is up" : "Draw: time is up, but the other side cannot win";
    await page.waitForSelector(`.status:text-is('${ending}')`);
  }
});

test("the engine accepts a draw only if it stands worse, or in a long even game", async () => {
  const accepted = "Draw: by agreement";
  for (const [fen, isAccepted] of [["4k3/8/8/8/8/8/3QPPPP/4K3 w - - 0 1", true], ["3qk3/3ppppp/8/8/8/8/4PPPP/4K3 w - - 0 1", false], [undefined, false]]) {
    await openMatch({ you: "white", begin: 0 }, fen);
    await page.click("text=Offer a draw");
    if (isAccepted) await page.waitForSelector(`.status:text-is('${accepted}')`);
    else await waitForToast("Enroque declines the draw.");
    assert.equal(await page.isVisible("text=Offer a draw"), !isAccepted);
  }
  // After thirty moves that lead nowhere the engine agrees.
  const cycle = ["a1a2", "a8a7", "a2a1", "a7a8"], names = ["Ra2", "Ra7", "Ra1", "Ra8"];
  const long = Array.from({ length: 62 }, (_, at) => ({ uci: at < 60 ? cycle[at % 4] : ["e1e2", "e8e7"][at - 60], san: at < 60 ? names[at % 4] : ["Ke2", "Ke7"][at - 60], notes: [] }));
  await openMatch({ you: "white", begin: 62 }, "r3k3/5ppp/8/8/8/8/5PPP/R3K3 w - - 0 1", long);
  if (await page.isVisible("text=Offer a draw")) await page.click("text=Offer a draw");
  await page.waitForSelector("text=/^Draw: /");
});

test("a move made in advance is played after the engine's move", async () => {
  await open("#sp=518", {}, () => {
    // The engine's answer waits until the test lets it go.
    const later = window.setTimeout;
    window.setTimeout = (run, ms, ...rest) => ms === 350 ? (window.reply = run, 0) : later(run, ms, ...rest);
  });
  await beginMatch();
  await type("e4");
  await page.waitForFunction(() => window.reply);
  await drag("d2", "d4");
  await page.waitForSelector("cg-board square.current-premove");
  await page.evaluate(() => { const run = window.reply; window.reply = undefined; run(); });
  await waitForMoves(3);
  assert.equal((await moves())[2], "d4");
  // A move that has become illegal is dropped: there is nothing to capture.
  await page.waitForFunction(() => window.reply);
  await drag("h2", "g3");
  await page.waitForSelector("cg-board square.current-premove");
  await page.evaluate(() => { const run = window.reply; window.reply = undefined; run(); });
  await page.waitForSelector("text=Your move.");
  await page.waitForSelector("cg-board square.current-premove", { state: "hidden" });
  assert.equal((await moves()).length, 4);
});

test("moves and the end of a match have sounds, which can be switched off", async () => {
  await open("#sp=518", {}, () => {
    window.tones = [];
    const parameter = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    const node = () => ({ gain: parameter, connect: target => target, start() { window.tones.push(this.frequency.value); }, stop() {}, frequency: {} });
    window.AudioContext = class { currentTime = 0; createGain = node; createOscillator = node; };
  });
  const tones = () => page.evaluate(() => window.tones.splice(0));
  await page.click("#tab-play");
  await page.check("[name=rival][value=person]");
  await page.click("#panel-play >> text=Play this start");
  await type("e4");
  assert.equal((await tones()).length, 1);
  await type("d5", "exd5");
  assert.equal((await tones()).length, 3);
  await page.uncheck("#sounds");
  await type("Qxd5");
  assert.deepEqual(await tones(), []);
  await page.check("#sounds");
  await page.click("text=Resign");
  assert.equal((await tones()).length, 3);
  // Who wants a page without motion gets it without sounds, too.
  await open("#sp=518", { reducedMotion: "reduce" });
  await page.click("#tab-play");
  assert.equal(await page.isChecked("#sounds"), false);
});

test("a game from a random start begins", async () => {
  await open("#sp=518");
  await page.click("#tab-play");
  await page.check("[name=color][value=white]");
  await page.click("text=Play a random start");
  await page.waitForSelector("text=Your move.");
});

test("a start has the score of the atlas", async () => {
  // docs/atlas.md
  await open("#sp=272");
  await page.waitForSelector("text=/\\+0\\.37 ± 0\\.\\d\\d for White; the average start has \\+0\\.28/");
});

const CLOCKED = `[White "Ann"]
[Black "Bob"]
[WhiteElo "1834"]
[BlackElo "1902"]
[TimeControl "180+2"]
[Result "0-1"]

1. f3 { [%eval 0.1] [%clk 0:02:59] } e5 { [%eval 0.5] [%clk 0:02:31] } 2. g4 $4 { [%clk 0:01:05] (0.5 → #-1) Checkmate is now unavoidable. Nc3 was best. odd [%csl Gd4] }
(2. Nc3 d5) 2... Qh4# { [%clk 0:02:30] } 0-1`;

test("clocks, names, ratings and captured pieces stand next to the board", async () => {
  await open("#sp=518");
  assert.deepEqual([await page.textContent("#above .name"), await page.textContent("#below .name")], ["Black", "White"]);
  await paste(CLOCKED);
  await waitForMoves(4);
  const strip = id => page.locator(`#${id} > *`).evaluateAll(all => all.map(({ textContent }) => textContent).filter(Boolean));
  assert.deepEqual([await strip("above"), await strip("below")], [["Bob", "1902", "3:00"], ["Ann", "1834", "3:00"]]);
  for (const [key, above, below] of [["ArrowRight", "3:00", "2:59"], ["ArrowRight", "2:31", "2:59"], ["ArrowRight", "2:31", "1:05"]]) {
    await page.keyboard.press(key);
    await page.waitForFunction(times => [...document.querySelectorAll(".strip .clock")].map(({ textContent }) => textContent).join() === times, `${above},${below}`);
  }
  assert.deepEqual(await page.locator(".table time").allTextContents(), ["2:59", "2:31", "1:05", "2:30"]);
  assert.deepEqual(await page.locator(".table .value").allTextContents(), ["+0.10", "+0.50"]);
  assert.doesNotMatch(await page.textContent("body > main"), /\[?%(clk|csl|eval)/);
  await page.waitForSelector(".cg-shapes circle", { state: "attached" });
  await page.click("#tab-game");
  assert.match((await page.inputValue("#pgn")).replace(/\s+/g, " "), /1\. f3 \{ \[%eval 0\.10\] \[%clk 0:02:59\] \}/);
  await paste("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxd2+ *");
  await waitForMoves(6);
  await page.keyboard.press("End");
  await page.waitForSelector("#above [aria-label='Captured: pawn, pawn']");
  await page.waitForSelector("#below [aria-label='Captured: pawn']");
  assert.deepEqual(await strip("above"), ["Black", "+1"]);
});

test("a review shows what was best", { timeout: SLOW }, async () => {
  await open();
  await paste(CLOCKED);
  await waitForMoves(6);
  // The analysis of a site is shown as it is.
  await page.click("[aria-label='Next mistake']");
  await waitForCurrent("g4??");
  await page.waitForSelector(".card:has-text('2. Nc3 d5'):visible");
  const arrow = () => page.locator(".cg-shapes g line, .cg-shapes line").count();
  assert.equal(await arrow(), 1);
  await page.click("text=Judge all moves");
  await page.waitForSelector(".summary:visible", { timeout: SLOW });
  await page.waitForSelector("text=/Judged by Enroque [\\d.]+\\. It replaced 2 sentences and lines/");
  await page.waitForSelector(".notes:has-text('Blunder.')");
  assert.doesNotMatch(await page.textContent(".moves"), /unavoidable/);
  assert.match(await page.locator(".notes .comment", { hasText: "odd" }).textContent(), /^Blunder\. Allows mate in 1 with Qh4#\. \S+ was best\. odd$/);
  assert.match(await page.locator(".variation").last().textContent(), /^Enroque2\./);
  assert.equal(await arrow(), 1);
  await page.click("#tab-game");
  const pgn = (await page.inputValue("#pgn")).replace(/\s+/g, " ");
  assert.match(pgn, /2\. g4 \$4 \{ \[%eval #-1\] \[%clk 0:01:05\] \[%csl Gd4\] Blunder\. Allows mate in 1 with Qh4#\. (\S+) was best\. odd \} \(\{ Enroque \} 2\. \1 /);
  assert.match(pgn, /\[Annotator "Enroque [\d.]+"\]/);
  assert.match(pgn, /\[WhiteMistakes "1 inaccuracy, 0 mistakes, 1 blunder"\]/);
  // What has been judged isn't judged again, and a second judgement of the saved game adds nothing.
  const lines = await page.locator(".variation").count();
  await page.click("#tab-analyse");
  assert.ok(await page.isHidden("text=Judge all moves"));
  await paste(pgn);
  await waitForMoves(6);
  await page.click("text=Judge all moves");
  await page.waitForSelector(".summary:visible", { timeout: SLOW });
  assert.equal(await page.locator(".variation").count(), lines);
});

test("the first mistake is shown while others are looked for", { timeout: SLOW }, async () => {
  await open();
  // The first move allows mate, so it is the first mistake with any network.
  const game = '[SetUp "1"]\n[FEN "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"]\n\n'
    + "2. g4 d6 3. e3 Nf6 4. d3 Nc6 5. c3 Be7 6. Be2 O-O 7. Kf1 a6 8. Kg2 b6 9. h3 Bb7 10. a3 Qd7 *";
  for (const moved of [false, true]) {
    await page.evaluate(() => document.activeElement.blur());
    await paste(game);
    await page.waitForFunction(() => document.querySelectorAll(".move").length === 18);
    await page.click("text=Judge all moves");
    // If the user looks at another move, the page does not jump to the first mistake.
    if (moved) await page.keyboard.press("End");
    await page.waitForFunction(() => /^Stop \(([2-9]|1.)/.test(document.querySelector(".review button.small").textContent));
    assert.equal(await page.textContent("[aria-current]"), moved ? "Qd7" : "g4??");
    assert.equal(await page.isVisible(".card:has-text('Best was')"), !moved);
    await page.click("text=/^Stop/");
    await page.waitForSelector("text=Judge all moves");
  }
});

/** A game that was judged before, with marks and with clocks. */
const JUDGED = `[White "Ann"]
[Black "Bob"]
[TimeControl "180+2"]
[Result "0-1"]

1. f3 { [%eval -0.5] [%clk 0:02:59] } e5 { [%eval -0.6] [%clk 0:02:31] } 2. a3 $6 { [%eval -1.3] [%clk 0:01:05] Inaccuracy. d3 was best. } (2. d3)
2... Nc6 { [%eval -1.3] [%clk 0:02:30] } 3. g4 $4 { [%eval #-1] [%clk 0:01:04] Blunder. Allows mate in 1 with Qh4#. d3 was best. } (3. d3)
3... Qh4# { [%clk 0:02:29] } 0-1`;

test("a judged game that is pasted shows what its text knows", { timeout: SLOW }, async () => {
  await open();
  await paste(JUDGED);
  await page.waitForSelector(".summary:visible");
  await page.waitForSelector("text=By the scores in the text of the game.");
  const rows = await page.locator(".summary tbody tr").evaluateAll(all => all.map(row => [...row.children].map(cell => cell.textContent)));
  assert.deepEqual([rows[0][0], ...rows[0].slice(3)], ["Ann", "1", "0", "1"]);
  assert.deepEqual(rows[1].slice(1), ["100.0 %", "0", "0", "0", "0"]);
  // The graph, the picture of times and the walk have the same mistakes.
  assert.equal(await page.locator(".curves circle").count(), 2);
  assert.deepEqual(await page.locator(".times .inaccuracy, .times .blunder").evaluateAll(all => all.map(bar => bar.getAttribute("class"))), ["inaccuracy", "blunder"]);
  assert.equal(await page.locator(".times rect:not(.ground)").count(), 6);
  await page.waitForSelector("text=2 mistakes");
  await page.click("[aria-label='Next mistake']");
  await waitForCurrent("a3?!");
  // The user says who they are: their side is at the bottom, and their mistakes are theirs.
  const below = name => page.waitForFunction(name => document.querySelector("#below .name").textContent === name, name);
  await page.check("[name=me][value=black]");
  await below("Bob");
  assert.ok(await page.isHidden("text=/^Retry/"));
  await page.check("[name=me][value=white]");
  await below("Ann");
  await page.waitForSelector("text=Retry my mistakes");
  await page.evaluate(() => document.activeElement.blur());
  await paste('[White "Cid"]\n[Black "Ann"]\n\n1. e4 *');
  await below("Ann");
  // Deeper scores don't replace those that the marks rest on.
  await page.evaluate(() => document.activeElement.blur());
  await paste(JUDGED);
  await page.waitForSelector(".summary:visible");
  await page.click("[aria-label='Next mistake']");
  const values = () => page.locator(".table .value").allTextContents();
  const before = await values();
  await page.click("#engine-on");
  await page.waitForFunction(() => /depth \d\d/.test(document.querySelector("#panel-analyse").textContent));
  await page.click("[aria-label='Next mistake']");
  await page.waitForFunction(() => /depth \d\d/.test(document.querySelector("#panel-analyse").textContent));
  assert.deepEqual(await values(), before);
});

test("mistakes are tried again", { timeout: SLOW }, async () => {
  await open();
  await paste(CLOCKED);
  await waitForMoves(6);
  await page.click("text=Retry as White");
  await page.waitForSelector("text=Find a better move than 2. g4.");
  assert.equal(await page.locator(".moves:visible").count(), 0);
  const answer = async move => {
    await page.fill("#retry-move", move);
    await page.press("#retry-move", "Enter");
  };
  await answer("g4");
  await page.waitForSelector("text=Wrong. g4 is the move of the game");
  // It allows mate in two.
  await answer("h3");
  await page.waitForSelector("text=/Wrong. h3 loses|Right. h3 is good/");
  if (await page.isVisible("#retry-move")) await answer("Nc3");
  await page.waitForSelector("text=/Best was 2. Nc3 d5/");
  assert.match(await page.textContent("#board + *, #live"), /Right\./);
  await page.click(".review .main:has-text('Back to the game')");
  await waitForCurrent("g4??");
});

test("a Chess960 game without its start position asks for it", async () => {
  await open("#sp=334");
  for (const [choice, text, number, played] of [
    ["The position on the board", '[White "Ann"]\n[Variant "Chess960"]\n[Round "1"]\n\n1. e3 e6 *', /334/, ["e3", "e6"]],
    ["518, the orthodox start", '[Variant "Chess960"]\n\n1. Nf3 *\n\n[Variant "fischerandom"]\n\n1. e4 *\n', /518/, ["Nf3"]],
  ]) {
    await page.evaluate(() => document.activeElement.blur());
    await paste(text);
    await page.click(`dialog >> text=${choice}`);
    if (text.includes("fischer")) await page.click("dialog .choices button >> nth=0");
    await waitForToast("Game loaded");
    assert.match(await page.textContent("#title"), number);
    assert.deepEqual(await moves(), played);
  }
  // Escape leaves the game as it is, and the page says what is missing.
  await paste(NO_START);
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await waitForToast("Not understood: line 1: the variant is Chess960");
  assert.deepEqual(await moves(), ["Nf3"]);
});

test("a refused move leaves the field with its game", async () => {
  await open("#sp=518");
  await page.click("#tab-analyse");
  await page.fill("#move", "Qh9");
  await page.press("#move", "Enter");
  await waitForToast("Qh9 is not a legal move here.");
  assert.equal(await page.inputValue("#move"), "Qh9");
  await page.evaluate(() => document.activeElement.blur());
  await paste(TWO_ROOKS);
  await waitForToast("Position loaded.");
  assert.equal(await page.inputValue("#move"), "");
});

test("a game pasted during a match is answered", async () => {
  await open("#sp=518");
  await page.click("#tab-play");
  await page.check("[name=clock][value='3+2']");
  await beginMatch();
  await page.evaluate(() => document.activeElement.blur());
  await paste(MATE);
  await page.click("dialog >> text=Play on");
  await page.waitForSelector("text=Your move.");
  await paste(MATE);
  await page.click("dialog >> text=End the game");
  await waitForMoves(4);
});

test("a worker that dies is started again", async () => {
  await open("#sp=518", {}, () => {
    const { Worker } = window;
    window.workers = [];
    window.Worker = class extends Worker {
      constructor(...words) {
        super(...words);
        window.workers.push(this);
      }
    };
  });
  await page.click("#tab-analyse");
  await page.click("#engine-on");
  await page.waitForFunction(() => /depth \d/.test(document.querySelector("#panel-analyse").textContent));
  await page.evaluate(() => {
    const [worker] = window.workers;
    worker.terminate();
    worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
  });
  await waitForToast("The engine had stopped. It was started again.");
  await type("e4");
  await page.waitForFunction(() => /depth \d/.test(document.querySelector("#panel-analyse").textContent));
  assert.equal(await page.evaluate(() => window.workers.length), 2);
});

test("the editor sets up a position", async () => {
  await open("#sp=518");
  await page.click("text=Edit the board");
  const text = () => page.locator(".start .parts:visible").textContent();
  await page.click(".parts:visible >> text=Clear");
  await page.waitForSelector(".start .bad:text-is('White has no king.')");
  assert.ok(await page.isDisabled("text=Use this position"));
  const spare = name => page.locator(`[aria-label='${name}']`);
  for (const [name, square] of [["White king", "b1"], ["White rook", "a1"], ["White pawn", "e5"], ["Black king", "e8"]]) {
    await spare(name).click();
    await click(square);
  }
  // We drag a pawn onto the board, then a king to another square.
  await page.evaluate(() => scrollTo(0, 0));
  const box = await spare("Black pawn").boundingBox(), end = await middle("d5");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(...end, { steps: 4 });
  await page.mouse.up();
  await page.click("[aria-label='Move pieces']");
  await drag("e8", "f8");
  await page.waitForFunction(() => document.querySelector(".start").textContent.includes("5k2/8/8/3pP3/8/8/8/RK6 w - - 0 1"));
  assert.match(await text(), /White O-O-O \(a1\)/);
  assert.doesNotMatch(await text(), /White O-O |Black O-O/);
  await page.check("text=White O-O-O (a1)");
  assert.deepEqual(await page.locator("#passant option").allTextContents(), ["none", "d6"]);
  await page.selectOption("#passant", "d6");
  await page.click("text=Use this position");
  await page.click("#tab-game");
  assert.equal(await page.inputValue("#fen"), "5k2/8/8/3pP3/8/8/8/RK6 w Q d6 0 1");
  // Without its rook, a castling right is gone.
  await page.click("#tab-start");
  await page.click("text=Edit the board");
  await page.click("[aria-label='Take pieces away']");
  await click("a1");
  await page.waitForSelector("text=No king stands on its first rank with a rook.");
  await page.click("text=Cancel");
  await page.waitForFunction(() => document.querySelector("#board").getAttribute("aria-label").includes("rook a1"));
});

test("the editor obeys fingers", async () => {
  await open("#fen=4k3/8/8/8/8/8/8/4K3_w", { hasTouch: true, isMobile: true });
  await page.tap("text=Edit the board");
  await page.tap("[aria-label='White rook']");
  await page.waitForSelector("[aria-label='White rook'][aria-pressed=true]");
  await page.evaluate(() => scrollTo(0, 0));
  await page.touchscreen.tap(...await middle("h1"));
  await page.waitForFunction(() => document.querySelector(".start").textContent.includes("4k3/8/8/8/8/8/8/4K2R w"));
  await page.tap("[aria-label='White rook']");
  await page.waitForSelector("[aria-label='Move pieces'][aria-pressed=true]");
});

test("the start field explains what it does not understand", async () => {
  await open("#sp=518");
  for (const [text, message] of [["960", "960: expected a number from 0 to 959"], ["-1", "-1: expected a number"], ["12:960", "12:960: expected"],
    ["NRQKRBBB", "the king between the rooks"], ["abc", "expected a FEN, startpos, a number"], ["8/8/8/8/8/8/8/8 w - - 0 1", "expected one white king"]]) {
    await page.fill("#start-text", text);
    await page.press("#start-text", "Enter");
    await waitForToast(message);
    assert.match(await page.textContent("#title"), /518/);
  }
  await page.fill("#start-text", "12:345");
  await page.press("#start-text", "Enter");
  await page.waitForFunction(() => document.querySelector("#title").textContent.includes("12 : 345"));
  await page.click("text=By dice");
  for (const [sides, value] of [[6, 3], [8, 2], [20, 15]]) await page.getByLabel(`${sides} sides`).fill(String(value));
  await page.click("text=Set up the roll");
  await page.waitForFunction(() => document.querySelector("#title").textContent.includes("Start position 354"));
});

test("wheel, arrows and space bar work", async () => {
  await open("#sp=518");
  await paste(MATE);
  await waitForMoves(4);
  await page.mouse.move(...await middle("e4"));
  await page.mouse.wheel(0, 100);
  await waitForCurrent("f3");
  await page.keyboard.press("ArrowDown");
  await waitForCurrent("e5");
  await page.keyboard.press("ArrowUp");
  await waitForCurrent("f3");
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => !document.querySelector("[aria-current]"));
  await page.click(".move:text-is('e5')");
  await page.keyboard.press("Space");
  await page.waitForSelector(".line:enabled");
  await waitForCurrent("e5");
  // The user can expand a long line.
  const height = () => page.locator(".line").evaluate(line => line.offsetHeight);
  await page.waitForFunction(() => { const span = document.querySelector(".line span"); return span.scrollWidth > span.clientWidth; });
  const before = await height();
  await page.click("[aria-label='Whole line']");
  assert.ok(await height() > before + 10);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Space");
  await page.waitForSelector(".lines", { state: "hidden" });
  // The evaluation stays in the list.
  assert.equal(await page.locator(".table .value").count(), 1);
});

test("Shredder-FEN is copied", async () => {
  await open("#sp=334", {}, () => { Object.defineProperty(navigator, "clipboard", { value: undefined }); });
  await page.click("#tab-game");
  await page.click("text=Shredder-FEN");
  assert.equal(await page.inputValue("#fen"), "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w EBeb - 0 1");
});

test("a running game with a clock is not ended unasked", async () => {
  await open("#sp=518");
  await page.click("#tab-play");
  await page.check("[name=clock][value='30+20']");
  await beginMatch();
  await page.click("#tab-start");
  const refused = async () => {
    await page.click("dialog >> text=Play on");
    await page.waitForSelector("dialog", { state: "hidden" });
    assert.match(await page.textContent("#title"), /518/);
  };
  for (const name of ["Random", "Today"]) {
    await page.click(`#panel-start >> text=${name}`);
    await refused();
  }
  await page.click("text=Edit the board");
  await page.click("text=Use this position");
  await refused();
  await page.click("text=Cancel");
  await page.fill("#start-text", "0");
  await page.press("#start-text", "Enter");
  await refused();
  await page.click("#panel-start >> text=Mirror");
  await page.click("dialog >> text=End the game");
  await page.waitForSelector("text=New game.");
});

test("messages leave when they no longer apply and cover nothing", async () => {
  for (const viewport of [PHONE, { width: 820, height: 1180 }, { width: 1400, height: 900 }]) {
    await open(`#fen=${TWO_ROOKS.replaceAll(" ", "_")}`, { viewport });
    await page.click("#tab-analyse");
    await page.fill("#move", "Qa1");
    await page.press("#move", "Enter");
    await waitForToast("Qa1 is not a legal move");
    const covered = () => page.evaluate(() => {
      const { left, right, top, bottom } = document.querySelector("#toast").getBoundingClientRect();
      return [...document.querySelectorAll("button, input, textarea, cg-board")].filter(control => {
        const box = control.getBoundingClientRect();
        return !control.closest("#toast") && box.width > 0 && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
      }).map(({ outerHTML }) => outerHTML);
    });
    assert.deepEqual(await covered(), []);
    await type("O-O");
    assert.equal(await toast(), "");
    await drag("e8", "c8");
    await page.click("#tab-start");
    await page.fill("#start-text", "960");
    await page.press("#start-text", "Enter");
    await waitForToast("960: expected");
    await page.click("#tab-learn");
    await page.waitForFunction(() => document.querySelector("#toast").textContent === "");
    // A message of three lines moves nothing, even over a page that has been scrolled.
    await page.click("#tab-start");
    await page.fill("#start-text", "NRQKRBBB");
    await page.evaluate(() => scrollTo(0, 900));
    const boxes = () => page.evaluate(() => ["#above", "cg-board", "#tools", "#start-text"].map(name => document.querySelector(name).getBoundingClientRect().top));
    const before = await boxes();
    await page.evaluate(() => document.querySelector("#start-text").form.requestSubmit());
    await waitForToast("the king between the rooks");
    assert.deepEqual(await boxes(), before);
    const { top, bottom } = await page.evaluate(() => document.querySelector("#toast").getBoundingClientRect());
    assert.ok(top >= 0 && bottom > top, `${top} and ${bottom}`);
    assert.deepEqual(await covered(), []);
    await page.click("#tab-play");
    await page.waitForFunction(() => document.querySelector("#toast").textContent === "");
  }
  // The Undo button survives moves and changes of the tab.
  await page.click("#tab-start");
  await page.click("text=Orthodox");
  await page.click("#tab-analyse");
  await type("e4");
  await undo();
  await waitForCurrent("O-O");
});

test("the graph has gaps, and there is no empty bar", async () => {
  await open("#sp=518");
  await paste("1. e4 {[%eval 0.2]} e5 {[%eval 0.2]} 2. Nf3 Nc6 {[%eval 0.3]} 3. Bb5 {[%eval 0.2]} a6 *");
  await waitForMoves(6);
  assert.equal(await page.locator(".graph .curve").count(), 2);
  const right = (await page.locator(".graph .area").evaluateAll(all => all.map(area => area.getBBox()).map(({ x, width }) => ({ x, width }))))
    .reduce((most, { x, width }) => Math.max(most, x + width), 0);
  const width = await page.locator(".graph").evaluate(graph => graph.clientWidth);
  assert.ok(Math.abs(right - width * 5 / 6) < 2, `${right} of ${width}`);
  assert.equal(await page.isVisible("#chances"), false);
  await page.click("#engine-on");
  await page.waitForSelector("#chances .win");
  await page.click("#engine-on");
  await page.keyboard.press("End");
  await page.waitForSelector("#chances", { state: "hidden" });
});

test("the graph shows the chances by which moves are judged", async () => {
  const fens = ["4k3/pp1n4/8/8/8/8/PPP1N3/4K3 w - - 0 1", "4k3/pp1n4/8/8/8/8/PPP1NK2/8 b - - 1 1", "8/pp1nk3/8/8/8/8/PPP1NK2/8 w - - 2 2"];
  const execute = await openModule();
  const wins = [["fen " + fens[0], "site 121"], ["fen " + fens[1], "site 77"], ["fen " + fens[2], "mate -5"]]
    .map(([position, score]) => JSON.parse(execute(`web judge ${score} position ${position}`)[0]).win_percent[0]);
  await open();
  await paste(`[SetUp "1"]\n[FEN "${fens[0]}"]\n\n{[%eval 1.21]} 1. Kf2 {[%eval 0.77]} Ke7 {[%eval #-5]} *`);
  await waitForMoves(2);
  const curve = await page.locator(".graph .curve").getAttribute("d");
  const height = Number((await page.locator(".graph svg").getAttribute("viewBox")).split(" ")[3]);
  const drawn = [...curve.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => 100 * (1 - Number(y) / height));
  assert.equal(drawn.length, 3);
  drawn.forEach((win, at) => assert.ok(Math.abs(win - wins[at]) < 0.2, `${drawn} instead of ${wins}`));
});

test("the pieces are those of the generated pages", async () => {
  await open("#sp=518");
  const source = readFileSync(new URL("../../crates/study/src/board.rs", import.meta.url), "utf8");
  const outlines = [.../OUTLINES: .*?\[([^]*?)\];/.exec(source)[1].matchAll(/"([^"]*)"/g)].map(([, outline]) => outline.replace(/\\\s+/g, ""));
  const roles = ["pawn", "knight", "bishop", "rook", "queen", "king"];
  for (const [at, role] of roles.entries()) {
    const image = await page.locator(`cg-board piece.${role}.white`).first().evaluate(piece => getComputedStyle(piece).backgroundImage);
    assert.ok(image.includes(outlines[at]), role);
  }
});

/** A puzzle in the three forms of a set: White mates by castling. */
const SETS = {
  jsonl: '{"game":0,"puzzle":null}\n{"game":1,"puzzle":{"before":"4k3/8/4Q3/1N6/8/8/P7/RK6 b A - 0 1","last":"e8d8","solution":["b1a1"],"continuation":[],'
    + '"goal":"win","motif":"mate","phase":"ending","score":"#1",'
    + '"chances":[100.0,50.0],"nodes":290,"source":"Ann - Bob, Chess960 334"}}\n',
  epd: '3k4/8/4Q3/1N6/8/8/P7/RK6 w Q - hmvc 1; fmvn 2; bm O-O-O#; pv O-O-O#; acn 290; id "Enroque puzzle 1"; c1 "grade 2"; c2 "wins; mate; ending; #1";\n',
  pgn: '[Event "Enroque puzzles"]\n[Round "1"]\n[White "Puzzle 1"]\n[Black "Grade 2"]\n[Result "*"]\n[Variant "Chess960"]\n[SetUp "1"]\n'
    + '[FEN "3k4/8/4Q3/1N6/8/8/P7/RK6 w Q - 1 2"]\n\n{ White to move after 1... Kd8. 290 nodes. From Ann - Bob, Chess960 334. } 2. O-O-O# { It wins (#1): mate. } *\n',
};

for (const [form, text] of Object.entries(SETS)) {
  test(`a set of puzzles is loaded from ${form}`, async () => {
    await open("#sp=518");
    await openPuzzles(1);
    await loadSet("other.jsonl", "1. e4 *");
    await waitForToast("other.jsonl has no puzzles");
    await loadSet(`set.${form}`, text);
    await page.waitForSelector("text=1 puzzle of your file");
    assert.deepEqual(await page.locator(GRADES).allTextContents(), ["Easy 0/0", "Medium 0/1", "Hard 0/0"]);
    await typeAnswer("O-O-O");
    await page.waitForSelector("text=Right. Solution: 2. O-O-O#. It wins (#1): checkmate.");
    await page.waitForSelector("text=Medium 1/1");
  });
}

test("a set of the native program is loaded", { skip: !existsSync(program) && `no ${program}` }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "enroque-"));
  try {
    writeFileSync(join(folder, "game.pgn"), TRAPPED_QUEEN);
    execFileSync(program, ["puzzles", "set.jsonl", "game.pgn", "--nodes", "20000", "--hash", "1", "--epd", "set.epd", "--pgn", "set.pgn"], { cwd: folder, stdio: "ignore" });
    for (const name of ["set.jsonl", "set.epd", "set.pgn"]) {
      await open("#sp=518");
      await openPuzzles(1);
      await loadSet(name, readFileSync(join(folder, name), "utf8"));
      await page.waitForSelector("text=1 puzzle of your file");
      await page.click("#panel-learn >> button:text-is('Solution')");
      await page.waitForSelector("text=/Solution: 12[.…]+ Be7.*It wins .*: a discovered attack. Then 13. Qe5 Bc5/");
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const served = new URL("../dist/app/", import.meta.url);
test("the served page works offline", { skip: !existsSync(served) }, async () => {
  const types = { html: "text/html", js: "text/javascript", svg: "image/svg+xml", webmanifest: "application/manifest+json" };
  const server = createServer(({ url }, response) => {
    const name = url === "/" ? "index.html" : url.slice(1);
    if (!existsSync(new URL(name, served))) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[name.split(".").pop()] }).end(readFileSync(new URL(name, served)));
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  try {
    await context?.close();
    context = await browser.newContext({ viewport: PHONE });
    page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForSelector("#board piece", { state: "attached" });
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      while (!await caches.match("./")) await new Promise(resolve => setTimeout(resolve, 50));
    });
  } finally {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
  await page.reload();
  await page.waitForSelector("#board piece", { state: "attached" });
});

/** Returns the accessibility faults that axe finds on the page. */
const faults = async () => (await page.evaluate(() => axe.run())).violations.map(({ id, nodes }) => `${id} ${nodes.map(node => node.html).join(" ")}`);

test("no accessibility fault in the pages of the command line", { skip: !existsSync(program) && `no ${program}` }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "enroque-"));
  const run = (...words) => execFileSync(program, words, { cwd: folder, stdio: "ignore" });
  try {
    writeFileSync(join(folder, "game.pgn"), "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. d3 *\n");
    writeFileSync(join(folder, "set.pgn"), `${TRAPPED_QUEEN}\n`);
    run("analyse", "game.pgn", "--nodes", "1000", "--page", "analyse.html");
    run("sweep", "all.csv", "--range", "334..335", "--nodes", "1000", "--page", "sweep.html");
    run("sweep", "hard.csv", "--difficulty", "--range", "334..335", "--nodes", "1000", "--page", "difficulty.html");
    run("puzzles", "set.jsonl", "set.pgn", "--nodes", "20000", "--hash", "1", "--page", "puzzles.html");
    run("quiz", "quiz.html", "--count", "2");
    run("prep", "334", "12:345", "--nodes", "1000", "--page", "prep.html");
    run("draw", "init", "event.draw", "--event", "Open", "--rounds", "1");
    run("draw", "round", "event.draw", "1", "--random");
    run("draw", "hall", "event.draw", "hall.html");
    run("draw", "sheet", "event.draw", "sheet.html");
    // Two states of a course: a question that has been answered, and the result.
    const answer = { quiz: () => page.keyboard.press("y"), puzzles: () => page.click("text=Show solution") };
    for (const colorScheme of ["light", "dark"]) {
      await open("", { colorScheme });
      for (const name of ["analyse", "sweep", "difficulty", "puzzles", "quiz", "prep", "hall", "sheet"]) {
        const file = pathToFileURL(join(folder, `${name}.html`)).href;
        await page.goto(file);
        await page.evaluate(axe);
        assert.deepEqual(await faults(), [], name);
        if (answer[name]) {
          await answer[name]();
          assert.deepEqual(await faults(), [], `${name}, answered`);
          while (await page.isHidden("#result")) {
            await page.click("#next");
            if (await page.isHidden("#result")) await answer[name]();
          }
          assert.deepEqual(await faults(), [], `${name}, result`);
        }
        requests = requests.filter(url => url !== file);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a page of games fits a phone, and goes from mistake to mistake", { skip: !existsSync(program) && `no ${program}` }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "enroque-")), file = pathToFileURL(join(folder, "games.html")).href;
  const game = (white, moves) => `[White "${white}"]\n[Black "Meyer-Schulzenberg, Maximilian Alexander"]\n[TimeControl "180+2"]\n\n{The rain had stopped.} ${moves} 0-1\n\n`;
  const clocks = "1. f3 {[%clk 0:02:59]} e5 {[%clk 0:02:31]} 2. g4 {[%clk 0:01:05]} Qh4# {[%clk 0:02:30]}";
  writeFileSync(join(folder, "games.pgn"), game("Wolfeschlegelsteinhausen, Hubert", clocks) + game("Short", "1. e4 e5 2. Qh5 Ke7 3. Qxe5#"));
  try {
    execFileSync(program, ["analyse", "games.pgn", "--nodes", "20000", "--page", "games.html", "--me", "Wolf"], { cwd: folder, stdio: "ignore" });
    await open("", { viewport: { width: 390, height: 844 } });
    await page.goto(file);
    assert.equal(await page.textContent("#verdict p >> nth=1"), "The rain had stopped.");
    await page.click("#errors summary");
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(await width() <= 390, `${await width()} pixels wide`);
    assert.equal(await page.locator("#times rect").count(), 4);
    assert.match(await page.textContent("#longest"), /The longest move took 1:56\./);
    while (await page.isEnabled("#later")) await page.keyboard.press("n");
    assert.equal(await page.textContent("#moves [aria-current=true]"), "g4??");
    // The list has the user's own mistakes, or everybody's.
    const listed = () => page.locator("#errors td button").allTextContents();
    assert.ok((await listed()).every(move => /^\d\. /.test(move)), `${await listed()}`);
    assert.equal((await listed()).at(-1), "2. g4??");
    await page.selectOption("#errors select", "both players");
    await page.click("#errors button:has-text('2... Ke7??')");
    assert.equal(await page.inputValue("#games"), "1");
    assert.equal(await page.textContent("#moves [aria-current=true]"), "Ke7??");
    assert.ok(await page.isHidden("#thought"), "the second game has no clocks");
    requests = requests.filter(url => url !== file);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

for (const colorScheme of ["light", "dark"]) {
  test(`no accessibility fault, ${colorScheme}`, async () => {
    await open("#sp=334", { colorScheme });
    await page.evaluate(axe);
    for (const tab of ["start", "editor", "play", "analyse", "learn", "quiz", "puzzles", "game", "review", "retry", "match"]) {
      if (["quiz", "puzzles"].includes(tab)) await page.check(`[name=lesson][value=${tab}]`);
      else if (tab === "editor") await page.click("text=Edit the board");
      else if (tab === "retry") await page.click("text=Retry as White");
      else if (tab === "match") {
        await page.click("#tab-start");
        await page.click("text=Orthodox");
        await page.click("#tab-play");
        await page.check("[name=clock][value='5+3']");
        await beginMatch();
      }
      else if (tab === "review") {
        await page.evaluate(() => document.activeElement.blur());
        await paste(CLOCKED);
        await waitForMoves(6);
        await page.click("[aria-label='Next mistake']");
      }
      else await page.click(`#tab-${tab}`);
      if (tab === "analyse") {
        await page.click("#engine-on");
        await type("g3");
        await page.waitForSelector(".line:enabled");
      }
      assert.deepEqual(await faults(), [], tab);
    }
  });
}

test("in each language everything fits on a phone", async () => {
  const cut = () => [...document.querySelectorAll("button, label, legend, summary, th, td, p, h1, h2, h3, dt, dd, li, .choice span, .chip, select")]
    .filter(element => element.checkVisibility() && !element.matches(".unseen") && (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
      && getComputedStyle(element).display !== "inline" || element.getBoundingClientRect().right > innerWidth))
    .map(element => element.textContent.trim())
    .concat([...document.querySelectorAll("input[placeholder]")].filter(field => {
      const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(field);
      pen.font = style.font;
      return field.checkVisibility() && pen.measureText(field.placeholder).width > field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    }).map(({ placeholder }) => placeholder));
  for (const [locale, letters] of [["en-GB", "Nf3"], ["es-ES", "Cf3"], ["pl-PL", "Sf3"]]) {
    await open("#sp=334", { locale });
    assert.equal(await page.getAttribute("html", "lang"), locale.slice(0, 2));
    const look = async name => {
      assert.deepEqual(await page.evaluate(cut), [], `${locale} ${name}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width, `${locale} ${name}`);
      if (process.env.ENROQUE_PICTURES) await page.screenshot({ path: `${process.env.ENROQUE_PICTURES}/${locale}-${name}.png`, fullPage: true });
    };
    await page.evaluate(() => document.querySelectorAll("details").forEach(details => { details.open = true; }));
    await look("start");
    await page.click("button.wide");
    await look("editor");
    await page.click("#panel-start .buttons.two >> nth=-1 >> button >> nth=-1");
    await page.fill("#start-text", "518");
    await page.press("#start-text", "Enter");
    await page.click("#tab-play");
    await look("play");
    await page.click("#tab-analyse");
    await type("e4", "e5", letters, "f6");
    assert.equal((await moves())[2], letters);
    await look("analyse");
    await page.click(".review button.small:visible >> nth=0");
    await page.waitForSelector(".summary td", { timeout: SLOW });
    await look("review");
    await page.click("#tab-learn");
    await page.evaluate(() => document.querySelectorAll("details").forEach(details => { details.open = true; }));
    await look("castling");
    for (const lesson of ["quiz", "puzzles"]) {
      await page.check(`[name=lesson][value=${lesson}]`);
      if (lesson === "quiz") {
        await page.click(".quiz .main:visible >> nth=0");
        await page.click(".quiz .main:visible >> nth=0");
        await page.waitForSelector(".why");
      }
      await look(lesson);
    }
    await page.click("#tab-game");
    await look("game");
    await page.click("#tab-play");
    await page.click("#panel-play .buttons:visible button.main");
    await look("match");
  }
  // The choice of a language stays.
  await page.selectOption("header select", "en");
  await page.waitForSelector("#tab-start >> text=Start");
  await page.reload();
  assert.equal(await page.getAttribute("html", "lang"), "en");
});
