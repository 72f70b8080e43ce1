// Prints how large page and module are, how fast the engine searches, and how soon a search stops.
//
//   node web/measure.mjs [COMMAND]...
//
// Each COMMAND starts a UCI engine. Default: the npm package, built by web/build.sh, and target/release/enroque. Each
// engine searches every second position of `bench` for 400 ms, and the engines take turns. CHROMIUM is the browser
// (default: /usr/bin/chromium). Nothing else may run on the machine.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { chromium } from "playwright-core";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const SEARCH_MS = 400;
const STOPS = 15;

for (const name of ["dist/enroque.html", "dist/enroque.wasm"]) {
  const bytes = readFileSync(file(name));
  console.log(`web/${name}: ${(bytes.length / 1e6).toFixed(2)} MB, ${(gzipSync(bytes, { level: 9 }).length / 1e6).toFixed(2)} MB with gzip`);
}

class Uci {
  constructor(command) {
    this.command = command;
    this.process = spawn(command, { shell: true, stdio: ["pipe", "pipe", "inherit"] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.nodes = this.ms = 0;
  }

  send(...lines) {
    this.process.stdin.write(lines.map((line) => `${line}\n`).join(""));
  }

  /** Returns the last line before the one that begins with `end`. */
  async until(end) {
    for (let last = ""; ;) {
      const { value, done } = await this.lines.next();
      if (done) throw new Error(`${this.command} ended before ${end}`);
      if (value.startsWith(end)) return last;
      if (/^info .* nodes /.test(value)) last = value;
    }
  }

  async search(fen) {
    this.send("ucinewgame", `position fen ${fen}`, "isready");
    await this.until("readyok");
    const start = performance.now();
    this.send(`go movetime ${SEARCH_MS}`);
    const [, nodes] = / nodes (\d+)/.exec(await this.until("bestmove"));
    this.ms += performance.now() - start;
    this.nodes += Number(nodes);
  }
}

const commands = process.argv.slice(2);
const engines = (commands.length > 0 ? commands : [`node ${file("dist/package/cli.js")}`, file("../target/release/enroque")])
  .map((command) => new Uci(command));
const fens = [...readFileSync(file("../src/commands/bench.rs"), "utf8").matchAll(/^\s+"(\S+\/\S+ [wb] .*)",$/gm)].map(([, fen]) => fen);
for (const engine of engines) {
  engine.send("uci");
  await engine.until("uciok");
  engine.send("setoption name UCI_Chess960 value true", "setoption name Threads value 1");
}
for (const fen of fens.filter((_, at) => at % 2 === 0)) for (const engine of engines) await engine.search(fen);
for (const engine of engines) {
  console.log(`${engine.command}: ${(engine.nodes / engine.ms / 1000).toFixed(2)} million nodes a second`);
  engine.send("quit");
}

const server = createServer(({ url }, response) => {
  const script = { "/index.js": "dist/package/index.js" }[url];
  response.setHeader("content-type", script ? "text/javascript" : "text/html").end(script ? readFileSync(file(script)) : "<!doctype html>");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
for (const integration of [true, false]) {
  const page = await browser.newPage();
  // The engine's worker is a script in a blob.
  if (!integration) {
    await page.addInitScript(() => {
      delete WebAssembly.Suspending;
      const Original = Blob;
      globalThis.Blob = class extends Original {
        constructor(parts, options) { super(options?.type === "text/javascript" ? ["delete WebAssembly.Suspending;", ...parts] : parts, options); }
      };
    });
  }
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const delays = await page.evaluate(async (stops) => {
    const { Engine } = await import("/index.js");
    const engine = await Engine.load();
    const delays = [];
    for (let at = 0; at < stops; at++) {
      engine.position("startpos");
      const search = engine.go({ infinite: true });
      await new Promise((done) => setTimeout(done, 200 + 7 * at));
      const start = performance.now();
      await search.stop();
      delays.push(performance.now() - start);
      await engine.ready();
    }
    return delays.sort((a, b) => a - b);
  }, STOPS);
  const how = integration ? "with Promise Integration" : "by ending the worker";
  console.log(`Chromium ${browser.version().split(".")[0]} stops a search ${how} in ${delays[STOPS >> 1].toFixed(0)} ms (at most ${delays.at(-1).toFixed(0)} ms)`);
}
await browser.close();
server.close();
