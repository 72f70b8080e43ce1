// Pages as a whole: layout, accessibility, languages, the served page and the pages of the command line.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import {
  address, beginMatch, CLOCKED, drag, forgetRequests, moves, NATIVE, newTab, open, page, paste, PHONE, program, SLOW,
  toast, TRAPPED_QUEEN, TWO_ROOKS, type, undo, waitForCurrent, waitForMoves, waitForToast,
} from "./page.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test("pages of the command line link here", NATIVE, async () => {
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
      forgetRequests(tool);
      rmSync(join(folder, "tool.html"));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("pages of the command line obey keys", NATIVE, async () => {
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
    forgetRequests(address);
  } finally {
    rmSync(folder, { recursive: true });
  }
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

test("the pieces are those of the generated pages", async () => {
  await open("#sp=518");
  const source = readFileSync(new URL("../../../crates/study/src/board.rs", import.meta.url), "utf8");
  const outlines = [.../OUTLINES: .*?\[([^]*?)\];/.exec(source)[1].matchAll(/"([^"]*)"/g)].map(([, outline]) => outline.replace(/\\\s+/g, ""));
  const roles = ["pawn", "knight", "bishop", "rook", "queen", "king"];
  for (const [at, role] of roles.entries()) {
    const image = await page.locator(`cg-board piece.${role}.white`).first().evaluate(piece => getComputedStyle(piece).backgroundImage);
    assert.ok(image.includes(outlines[at]), role);
  }
});

const served = new URL("../../dist/app/", import.meta.url);
test("the served page works offline", { skip: !existsSync(served) }, async () => {
  const types = { html: "text/html", js: "text/javascript", svg: "image/svg+xml", webmanifest: "application/manifest+json" };
  const server = createServer(({ url }, response) => {
    const name = url === "/" ? "index.html" : url.slice(1);
    if (!existsSync(new URL(name, served))) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[name.split(".").pop()] }).end(readFileSync(new URL(name, served)));
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  try {
    await newTab();
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

test("no accessibility fault in the pages of the command line", NATIVE, async () => {
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
        forgetRequests(file);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a page of games fits a phone, and goes from mistake to mistake", NATIVE, async () => {
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
    forgetRequests(file);
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
