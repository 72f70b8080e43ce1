// Games: PGN, variations, comments and faulty texts.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  MATE, moves, open, openFen, page, paste, tab, toast, TWO_ROOKS, type, waitForCurrent, waitForMoves, waitForToast,
} from "./page.mjs";

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

const FALSE_RIGHT = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1";
const NO_START = '[Variant "Chess960"]\n\n1. e4 *\n\n';

test("faults of a text are told", async () => {
  await open("#sp=518");
  for (const [text, message, played] of [
    ["1. d5 *", /'d5' is not a legal move here/, []],
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

test("positions of engines and test suites are read", async () => {
  await open("#sp=518");
  const castling = "4k3/8/8/8/8/8/8/R3K2R w KQ - 3 9", epd = "4k3/8/8/8/8/8/8/R3K2R w KQ -";
  for (const [text, message, start, played] of [
    [`${epd} bm O-O; id "castling";`, /^Position loaded/, TWO_ROOKS, []],
    [`${castling} moves e1h1 e8d7`, /^Game loaded: 2 moves/, castling, ["O-O", "Kd7"]],
    [`position fen ${castling} moves e1g1`, /^Game loaded: 1 move/, castling, ["O-O"]],
    ["position startpos moves e2e4 e7e5", /^Game loaded: 2 moves/, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ["e4", "e5"]],
    [`${castling} moves e1e3`, /^Position loaded\. Not read in full: .*'e1e3' is not a legal move/, castling, []],
    [`${epd} bm O-O;\n${epd} bm O-O-O;`, /^Position loaded\. Not read in full: .*'bm' is not a legal move/, TWO_ROOKS, []],
    ["position fen 4k3/8/8/8 w - - 0 1", /^Not understood/, TWO_ROOKS, []],
    ["4k3/8/8/8/8/8/8/8 w - - 0 1", /^Not understood: .*king/, TWO_ROOKS, []],
  ]) {
    await page.evaluate(() => document.querySelector("#toast").replaceChildren());
    await paste(text);
    await page.waitForSelector("#toast span");
    assert.match(await toast(), message);
    assert.deepEqual(await moves(), played, text);
    await page.press("body", "Home");
    await page.click("#tab-game");
    assert.equal(await page.inputValue("#fen"), start);
    await page.click("#tab-analyse");
  }
});

test("an edited text stays until it is loaded, dropped or deleted", async () => {
  await open("#sp=518");
  await page.click("#tab-game");
  const field = () => page.inputValue("#pgn"), drop = page.locator("text=Show the game's text again");
  const shown = await field();
  assert.ok(await drop.isHidden());
  const start = async number => {
    await page.evaluate(to => { location.hash = `#sp=${to}`; }, number);
    await page.waitForFunction(to => document.querySelector("#title").textContent.includes(to), `${number}`);
  };
  await page.fill("#pgn", "1. d5");
  await page.click("text=Load this text");
  await waitForToast("'d5' is not a legal move");
  await start(0);
  await page.click("#tab-analyse");
  await page.click("#tab-game");
  assert.equal(await field(), "1. d5");
  await drop.click();
  assert.match(await field(), /FEN "bbqnnrkr/);
  assert.ok(await drop.isHidden());
  // The game's own text doesn't change under the hands of somebody who is in the field.
  await page.focus("#pgn");
  await page.evaluate(() => document.querySelector("#pgn").select());
  await start(959);
  const selected = () => page.evaluate(() => getSelection().toString());
  assert.match(await selected(), /FEN "bbqnnrkr/);
  await page.fill("#pgn", "");
  await start(518);
  assert.equal(await field(), "", "somebody may be about to type");
  await page.locator("#pgn").blur();
  assert.equal(await field(), shown);
  await page.fill("#pgn", "1. d4");
  await page.click("text=Load this text");
  await waitForMoves(1);
  await page.click("#tab-game");
  assert.match(await field(), /Event.*1\. d4 \*/s);
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
