// The package's suite in Chromium, with and without JavaScript Promise Integration.
//
//   web/build.sh && node --test web/package/test/chromium.test.mjs
//
// CHROMIUM is the browser (default: /usr/bin/chromium), ENROQUE_PACKAGE the package's folder (default: web/dist/package).

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import test, { after, before, describe } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { heldBytes, remoteCalls } from "./memory.mjs";
import { tests } from "./suite.mjs";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const folder = process.env.ENROQUE_PACKAGE ?? fileURLToPath(new URL("../../dist/package", import.meta.url));

/** Removes Promise Integration, which this browser can't be started without, from a page or a worker and from its workers. */
function removeIntegration() {
  delete WebAssembly.Suspending;
  delete WebAssembly.promising;
  const Original = Blob;
  globalThis.Blob = class extends Original {
    constructor(parts, options) {
      super(options?.type === "text/javascript" ? [`(${removeIntegration})();`, ...parts] : parts, options);
    }
  };
}
const OLD = "old.js";
const STRICT = "strict.html";

const server = createServer((request, response) => {
  const name = request.url.slice(1);
  if (name === OLD) {
    return response.setHeader("content-type", "text/javascript").end(`(${removeIntegration})();importScripts("/worker.js");`);
  }
  if (name === STRICT) response.setHeader("content-security-policy", "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'");
  if (name === "" || name === STRICT) return response.setHeader("content-type", "text/html").end("<!doctype html>");
  const path = name === "suite.mjs" ? fileURLToPath(new URL(name, import.meta.url)) : `${folder}/${name}`;
  if (!existsSync(path)) return response.writeHead(404).end();
  response.setHeader("content-type", "text/javascript").end(readFileSync(path));
});
before(() => new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
after(() => server.close());

/** Prepares the page: `runTest(name)` runs a test of the suite. */
async function prepare(address) {
  const [lib, { Lines, tests: all }] = await Promise.all([import("/index.js"), import("/suite.mjs")]);
  const open = async () => {
    const worker = new Worker(address);
    const lines = new Lines();
    worker.onmessage = ({ data }) => lines.add(data);
    return Object.assign(lines, {
      send: (line) => worker.postMessage(line),
      close: () => worker.terminate(),
      // A browser doesn't tell when a worker has closed itself. A closed worker doesn't answer.
      isClosed: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        worker.postMessage("isready");
        const answer = lines.next(/^readyok$/).then(() => false);
        return Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 1000, true))]);
      },
    });
  };
  globalThis.runTest = (name) => all[name]({ lib, open, memory: globalThis.usedMemory });
  return "Suspending" in WebAssembly;
}

for (const suspends of [true, false]) {
  const title = suspends ? "with Promise Integration" : "without Promise Integration";
  describe(title, { skip: !existsSync(executablePath) && `no ${executablePath}` }, () => {
    let browser, page;
    before(async () => {
      browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
      const session = await browser.newBrowserCDPSession();
      page = await browser.newPage();
      await page.exposeFunction("usedMemory", () => usedMemory(session));
      if (!suspends) await page.addInitScript(removeIntegration);
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      assert.equal(await page.evaluate(prepare, suspends ? "/worker.js" : `/${OLD}`), suspends);
    });
    after(() => browser?.close());

    for (const name of Object.keys(tests)) {
      test(name, { timeout: 300_000 }, async (t) => {
        const note = await page.evaluate((wanted) => globalThis.runTest(wanted), name);
        if (note) t.diagnostic(note);
      });
    }

    test("a strict content security policy allows the worker", { timeout: 300_000 }, async () => {
      const strict = await browser.newPage();
      await strict.goto(`http://127.0.0.1:${server.address().port}/${STRICT}`);
      const [error, move] = await strict.evaluate(async () => {
        const { Engine } = await import("/index.js");
        const refused = await Engine.load().catch(({ message }) => message);
        const missing = await Engine.load({ worker: new Worker("/missing.js") }).catch(({ message }) => message);
        const engine = await Engine.load({ worker: new Worker("/worker.js") });
        return [[refused, missing], (await engine.go({ depth: 3 }).best).move];
      });
      assert.deepEqual(error.map((text) => /the worker can't start/.test(text)), [true, true], error);
      assert.match(move, /^[a-h][1-8]/);
    });
  });
}

/** Returns how many bytes the pages and workers of a browser hold. */
async function usedMemory(session) {
  const { targetInfos } = await session.send("Target.getTargets", { filter: [{ type: "page" }, { type: "worker" }] });
  const sizes = await Promise.all(targetInfos.map(({ targetId }) => usedByTarget(session, targetId)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function usedByTarget(session, targetId) {
  const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
  const [call, receive] = remoteCalls((message) => session.send("Target.sendMessageToTarget", { sessionId, message }));
  const listener = (event) => event.sessionId === sessionId && receive(event.message);
  session.on("Target.receivedMessageFromTarget", listener);
  const size = await heldBytes(call);
  session.off("Target.receivedMessageFromTarget", listener);
  await session.send("Target.detachFromTarget", { sessionId });
  return size;
}
