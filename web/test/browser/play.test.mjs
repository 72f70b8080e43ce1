// Matches against the engine or another person, with clocks.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  address, beginMatch, CLOCKED, drag, MATE, moves, open, page, paste, SLOW, tab, type, undo, waitForCurrent,
  waitForMoves, waitForToast,
} from "./page.mjs";

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
