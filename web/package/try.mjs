// Tries the packed npm package as a stranger would: in empty projects outside of this repository, with other people's
// programs from the registry.
//
//   node web/package/try.mjs dist/enroque-VERSION.tgz
//
// CHROMIUM is the browser (default: /usr/bin/chromium); without one, the trials of pages are skipped.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [archive] = process.argv.slice(2);
if (!archive || !existsSync(archive)) {
  console.error(archive ? `try.mjs: no file ${archive}; 'make npm' writes it` : "usage: node web/package/try.mjs ARCHIVE.tgz");
  process.exit(2);
}
const tarball = resolve(archive);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const web = fileURLToPath(new URL("../", import.meta.url));
/** Other people's programs, in the versions with which we tried ours. */
const OTHERS = { uci: "node-uci@1.3.4", vite: "vite@7", board: "@lichess-org/chessground@10" };
const MEGABYTE = 1e6;
const PATIENCE = 60_000;

const work = mkdtempSync(join(tmpdir(), "try-enroque-"));
const children = [];
process.on("exit", () => {
  for (const child of children) child.kill();
  rmSync(work, { recursive: true, force: true });
});

function report(text, begin) {
  const seconds = begin === undefined ? "" : `${((performance.now() - begin) / 1000).toFixed(1)} s`.padStart(8);
  console.log(`${text.padEnd(60)} ${seconds}`);
}

/** Runs a trial and prints how long it took. */
async function attempt(text, trial) {
  const begin = performance.now();
  await trial();
  report(text, begin);
}

/** Makes an empty npm project and installs packages there. */
function project(name, ...packages) {
  const folder = join(work, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
  run(folder, "npm", "install", "--no-audit", "--no-fund", "--silent", ...packages);
  return folder;
}

const run = (cwd, program, ...args) => execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] });

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

const megabytes = (bytes) => `${(bytes / MEGABYTE).toFixed(2)} MB`;

// The package alone.
let folder;
await attempt("npm install enroque", () => (folder = project("alone", tarball)));
const installed = join(folder, "node_modules/enroque");
report(`size: ${megabytes(statSync(tarball).size)} packed, ${megabytes(sizeOf(installed))} unpacked`);

await attempt("the example of the manual", () => {
  const [, example] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(installed, "README.md"), "utf8"));
  writeFileSync(join(folder, "example.js"), example);
  const output = run(folder, process.execPath, "example.js");
  assert.match(output, /^12 \{ cp: .*\bbest: \S+\n$/ms);
  assert.match(output, /white O-O-O/);
});

await attempt("npx enroque", () => {
  const output = execFileSync("npx", ["enroque"], { cwd: folder, encoding: "utf8", input: "uci\nposition sp 334\ngo depth 8\nquit\n" });
  assert.match(output, /^uciok$/m);
  assert.match(output, /^bestmove /m);
});

await attempt("types, as TypeScript reads them in Node and for bundlers", () => {
  writeFileSync(join(folder, "typed.ts"), `import { Engine, Rules, type Judgement, type LegalMove, type SearchLine } from "enroque";
const rules = await Rules.load();
const moves: LegalMove[] = rules.moves("sp 518");
const engine = await Engine.load({ chess960: true });
const lines: SearchLine[] = [];
for await (const line of engine.go({ depth: 3, searchmoves: moves.map(({ uci }) => uci) })) lines.push(line);
const judgement: Judgement = rules.judge("startpos moves e2e4", [{ score: { cp: 20 }, best: "e2e4" }, { score: { mate: 3 } }]);
const [castling] = rules.explain("startpos");
if (castling?.right) castling.obstacles.map(({ text }) => text.length + judgement.moves.length);
// @ts-expect-error There is no such limit.
engine.go({ plies: 3 });
`);
  const tsc = join(web, "node_modules/typescript/bin/tsc");
  for (const [module, resolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
    run(folder, process.execPath, tsc, "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--types", "", "--module", module,
      "--moduleResolution", resolution, "typed.ts");
  }
});

// Other people's programs.
await attempt(`a game by ${OTHERS.uci} through npx enroque`, async () => {
  const cwd = project("uci", tarball, OTHERS.uci);
  const program = join(cwd, "engine.sh");
  writeFileSync(program, `#!/bin/sh\ncd '${cwd}' && exec npx enroque\n`, { mode: 0o755 });
  const { default: { Engine } } = await import(pathToFileURL(join(cwd, "node_modules/node-uci/lib/index.js")));
  const { Rules } = await import(pathToFileURL(join(cwd, "node_modules/enroque/index.js")));
  const rules = await Rules.load();
  const engine = new Engine(program);
  await engine.init();
  assert.match(engine.id.name, /^Enroque \d/);
  await engine.setoption("UCI_Chess960", "true");
  await engine.ucinewgame();
  const { fen } = rules.position("sp 334");
  const played = [];
  for (let position = rules.position(`fen ${fen}`); !position.outcome && played.length < 60;) {
    await engine.position(fen, played);
    const { bestmove, info } = await engine.go({ nodes: 400 });
    assert.ok(info.length > 0);
    assert.ok(position.moves.some(({ uci }) => uci === bestmove), bestmove);
    played.push(bestmove);
    position = rules.position(`fen ${fen} moves ${played.join(" ")}`);
  }
  await engine.position("3k4/8/4Q3/1N6/8/8/P7/RK6 w A - 0 1");
  assert.equal((await engine.go({ depth: 4 })).bestmove, "b1a1", "mate by castling");
  await engine.quit();
});

// Pages: you castle on the board by moving the king onto the rook, the engine answers; then the engine castles.
const MAIN = `import { Chessground } from "@lichess-org/chessground";
import { Engine, Rules } from "enroque";

const worker = new Worker(WORKER);
const rules = await Rules.load();
let position = "fen 5k1r/8/8/8/8/8/8/1R1K4 w Bh - 0 1 moves";
const board = Chessground(document.getElementById("board"), { movable: { free: false, events: { after: (from, to) => play(from + to) } } });

function show() {
  const { fen, turn, moves } = rules.position(position.replace(/ moves$/, ""));
  const dests = new Map();
  for (const { from, to } of moves) dests.set(from, [...(dests.get(from) ?? []), to]);
  board.set({ fen, turnColor: turn, movable: { color: turn, dests } });
  document.title = fen;
}
function play(uci) {
  position += " " + uci;
  show();
}
worker.onmessage = ({ data }) => {
  const [word, move] = data.split(" ");
  if (word === "bestmove") play(move);
};
globalThis.answer = (searchmoves) => {
  worker.postMessage("setoption name UCI_Chess960 value true");
  worker.postMessage("position " + position);
  worker.postMessage("go nodes 2000 " + searchmoves);
};
show();
// The typed interface starts a worker of its own.
const engine = await Engine.load();
engine.position(position.replace(/ moves$/, ""));
for await (const { depth } of engine.go()) if (depth >= 5) break;
document.body.dataset.ready = "yes";
`;
const PAGE = `<!doctype html><title></title><link rel="icon" href="data:,">HEAD<div id="board" style="width:320px;height:320px"></div><script type="module" src="/main.js"></script>`;
const CSS = ["base", "brown", "cburnett"].map((name) => `import "@lichess-org/chessground/assets/chessground.${name}.css";\n`).join("");

async function tryPage(browser, address) {
  const page = await browser.newPage();
  const messages = [];
  page.on("console", (message) => { if (message.type() !== "debug") messages.push(message.text()); });
  page.on("pageerror", (error) => messages.push(error.message));
  try {
    await page.goto(address);
    await page.waitForFunction(() => document.body.dataset.ready === "yes", undefined, { timeout: PATIENCE });
    const { x, y, width } = await page.locator("cg-board").boundingBox();
    const click = (square) => page.mouse.click(x + (square.charCodeAt(0) - 96.5) * width / 8, y + (8.5 - Number(square[1])) * width / 8);
    await click("d1");
    await click("b1");
    await page.waitForFunction(() => document.title.startsWith("5k1r/8/8/8/8/8/8/2KR4 b"), undefined, { timeout: PATIENCE });
    await page.evaluate(() => globalThis.answer("searchmoves f8h8"));
    await page.waitForFunction(() => document.title.startsWith("5rk1/8/8/8/8/8/8/2KR4 w"), undefined, { timeout: PATIENCE });
    const squares = await page.evaluate(() => [...document.querySelectorAll("piece:not(.ghost)")].map((piece) => `${piece.cgPiece} ${piece.cgKey}`).sort());
    assert.deepEqual(squares, ["black king g8", "black rook f8", "white king c1", "white rook d1"]);
  } catch (error) {
    throw new Error(`${address}: ${messages.join("; ") || "no message in the console"}`, { cause: error });
  } finally {
    await page.close();
  }
  assert.deepEqual(messages, [], "messages in the console");
}

/** Serves a folder. */
async function serve(root) {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
  const server = createServer((request, response) => {
    const path = join(root, decodeURIComponent(new URL(request.url, "http://localhost").pathname).replace(/\/$/, "/index.html"));
    if (!existsSync(path)) return response.writeHead(404).end();
    response.setHeader("content-type", types[extname(path)] ?? "application/octet-stream").end(readFileSync(path));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

if (existsSync(executablePath)) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  let cwd;
  await attempt(`npm install enroque ${OTHERS.vite} ${OTHERS.board}`, () => {
    cwd = project("page", tarball, OTHERS.vite, OTHERS.board);
    writeFileSync(join(cwd, "index.html"), PAGE.replace("HEAD", ""));
    writeFileSync(join(cwd, "main.js"), CSS + MAIN.replace("WORKER", 'new URL("enroque/worker", import.meta.url)'));
  });
  const vite = join(cwd, "node_modules/vite/bin/vite.js");
  await attempt("a page in Vite's development server castles", async () => {
    const child = spawn(process.execPath, [vite, "--port", "0", "--host", "127.0.0.1"], { cwd, env: { ...process.env, NO_COLOR: "1" } });
    children.push(child);
    const address = await new Promise((done) => child.stdout.on("data", (text) => {
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(text);
      if (found) done(found[0]);
    }));
    await tryPage(browser, address);
    child.kill();
  });
  await attempt("a page that Vite has built castles", async () => {
    run(cwd, process.execPath, vite, "build", "--logLevel", "error");
    const { address, close } = await serve(join(cwd, "dist"));
    await tryPage(browser, address);
    close();
  });
  await attempt("a page without a bundler castles", async () => {
    const map = { imports: { enroque: "/node_modules/enroque/index.js", "@lichess-org/chessground": "/node_modules/@lichess-org/chessground/dist/chessground.js" } };
    const styles = ["base", "brown", "cburnett"].map((name) => `<link rel="stylesheet" href="/node_modules/@lichess-org/chessground/assets/chessground.${name}.css">`);
    writeFileSync(join(cwd, "index.html"), PAGE.replace("HEAD", `<script type="importmap">${JSON.stringify(map)}</script>${styles.join("")}`));
    writeFileSync(join(cwd, "main.js"), MAIN.replace("WORKER", '"/node_modules/enroque/worker.js"'));
    const { address, close } = await serve(cwd);
    await tryPage(browser, address);
    close();
  });
  await browser.close();
} else {
  report(`pages not tried: no ${executablePath}`);
}
