// Reviews: marks, accuracies, mistakes and the graph.

import assert from "node:assert/strict";
import { test } from "node:test";

import { open as openModule } from "../module.mjs";
import { CLOCKED, LONG, moves, open, page, paste, SLOW, waitForCurrent, waitForMoves } from "./page.mjs";

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
