// The package in Node: its suite, and the program `enroque`.
//
//   web/build.sh && node --test web/package/test/node.test.mjs
//
// ENROQUE_PACKAGE is the package's folder (default: web/dist/package).

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { Session } from "node:inspector/promises";
import test, { afterEach } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import { heldBytes, remoteCalls } from "./memory.mjs";
import { Lines, tests } from "./suite.mjs";

const folder = process.env.ENROQUE_PACKAGE ? pathToFileURL(`${process.env.ENROQUE_PACKAGE}/`) : new URL("../../dist/package/", import.meta.url);
const lib = await import(new URL("index.js", folder));
const cli = fileURLToPath(new URL("cli.js", folder));

function open() {
  const worker = new Worker(new URL("worker.js", folder));
  const lines = new Lines();
  const closed = new Promise((resolve) => worker.on("exit", () => resolve(true)));
  worker.on("message", (line) => lines.add(line));
  opened.push(worker);
  return Object.assign(lines, {
    send: (line) => worker.postMessage(line),
    close: () => worker.terminate(),
    isClosed: () => closed,
  });
}
/** A worker that a failed test has left running would keep this process alive. */
const opened = [];
afterEach(() => Promise.all(opened.splice(0).map((worker) => worker.terminate())));

/** Returns how many bytes the workers hold. */
async function memory() {
  const session = new Session();
  session.connect();
  const attached = [];
  session.on("NodeWorker.attachedToWorker", ({ params: { sessionId } }) => {
    const [call, receive] = remoteCalls((message) => session.post("NodeWorker.sendMessageToWorker", { sessionId, message }));
    session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => params.sessionId === sessionId && receive(params.message));
    attached.push(call);
  });
  await session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  const sizes = await Promise.all(attached.map(heldBytes));
  session.disconnect();
  return sizes.reduce((sum, size) => sum + size, 0);
}

for (const [name, run] of Object.entries(tests)) {
  test(name, { timeout: 300_000 }, async (t) => {
    const note = await run({ lib, open, memory });
    if (note) t.diagnostic(note);
  });
}

const execute = (args, input = "") => spawnSync(process.execPath, [cli, ...args], { input, encoding: "utf8", timeout: 120_000 });

test("the program obeys stop and quit", { timeout: 120_000 }, async () => {
  const child = spawn(process.execPath, [cli]);
  const lines = new Lines();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop();
    parts.forEach((line) => lines.add(line));
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.stdin.write("uci\n");
  await lines.next(/^uciok$/);
  child.stdin.write("position startpos\ngo infinite\n");
  await lines.next(/^info depth \d+ .* pv /);
  child.stdin.write("stop\n");
  await lines.next(/^bestmove [a-h]/);
  child.stdin.write("go infinite\n");
  await lines.next(/^info depth \d+ .* pv /);
  child.stdin.write("quit\n");
  assert.equal(await ended, 0);
});

test("the program ends with its input", () => {
  const limited = execute([], "position startpos\r\ngo depth 5\r\n");
  assert.match(limited.stdout, /^info depth 5 .*\nbestmove [a-h]\S+( ponder \S+)?\n$/m);
  assert.match(execute([], "go infinite\n").stdout, /^bestmove /m);
  assert.match(execute([], "isready\n").stdout, /^readyok\n$/);
  assert.equal(execute([], "").status, 0);
});

test("the program's arguments are lines", () => {
  const lines = execute(["position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "go depth 3", "go perft 1"]).stdout;
  assert.match(lines, /^bestmove [\s\S]*^e1g1: 1$/m);
  assert.match(execute(["go", "nodes", "100"]).stdout, /^bestmove /m);
  assert.match(execute(["--version"]).stdout, /^Enroque \d+\.\d+\.\d+\n$/);
  assert.match(execute(["--help"]).stdout, /^usage: enroque/);
});
