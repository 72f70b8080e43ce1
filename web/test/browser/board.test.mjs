// The board: moves, castling, keys, analysis and the editor.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  click, drag, LONG, MATE, middle, moves, open, openFen, page, paste, toast, TWO_ROOKS, type, waitForCurrent,
  waitForMoves, waitForToast,
} from "./page.mjs";

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

test("moves may be typed in many ways", async () => {
  const castling = "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  await openFen(start);
  for (const [fen, typed, played] of [
    [start, "E4", "e4"], [start, "E2E4", "e4"], [start, "nf3", "Nf3"], [start, "1. e4", "e4"], [start, "1.Nf3", "Nf3"], [start, "♘f3", "Nf3"],
    [start, "Sf3", "Nf3"], [start, "Cf3", "Nf3"], [start, "e2-e4!?", "e4"], [castling, "OO", "O-O"], [castling, "o-o-o", "O-O-O"], [castling, "000", "O-O-O"],
    [castling, "ra6", "Ra6"], [castling, "a8q", "a8=Q+"],
  ]) {
    await page.evaluate(hash => { location.hash = hash; }, `#fen=${fen.replaceAll(" ", "_")}`);
    await page.waitForFunction(() => document.querySelectorAll(".move").length === 0);
    await page.click("#tab-analyse");
    await type(typed);
    assert.deepEqual(await moves(), [played], typed);
  }
  // We don't guess a bishop from a small b, French for a king from R, or more than one move.
  await openFen("4k3/8/8/8/8/1p6/2P5/2B1K3 w - - 0 1");
  for (const typed of ["bb2", "Rf1", "1. Kd2 Kd7", "e4", "."]) {
    await page.fill("#move", typed);
    await page.press("#move", "Enter");
    await waitForToast(`${typed} is not a legal move`);
    assert.deepEqual(await moves(), []);
  }
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
