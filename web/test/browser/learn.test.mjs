// The lot, the quiz and the puzzles.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { drag, moves, NATIVE, open, page, program, TRAPPED_QUEEN, waitForToast } from "./page.mjs";

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
const PUZZLES = readFileSync(new URL("../../page/puzzles.txt", import.meta.url), "utf8").trim().split("\n").map(line => line.split(";"));
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

test("a set of the native program is loaded", NATIVE, async () => {
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
