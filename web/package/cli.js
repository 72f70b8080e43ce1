#!/usr/bin/env node
// The program `enroque`: speaks UCI on standard input and output.

import { createInterface } from "node:readline";

import { Engine, Rules } from "./index.js";

const HELP = `usage: enroque [LINE]...

A chess engine for chess and Chess960. Without arguments it reads lines of UCI
from standard input, until 'quit'. Arguments are lines, too: enroque bench, or
enroque 'position sp 334' 'go depth 12'. 'enroque help' lists the commands.

This is the portable engine in WebAssembly, with one thread. The native program
is about twice as fast.
`;
/** How long we wait at the end of the input for a `go mate`: there may be no mate. In milliseconds. */
const MATE_PATIENCE = 5000;

const isQuit = (line) => /^\s*(quit|exit)\s*$/.test(line);
/** Whether a search with these limits ends by itself. One that looks for a mate may not. */
const isLimited = (go) => /\b(depth|nodes|movetime|wtime|btime)\b/.test(go) && !/\b(infinite|ponder)\b/.test(go);

async function run(given) {
  const engine = await Engine.load({ chess960: false });
  engine.onLine = (line) => process.stdout.write(`${line}\n`);
  // Nobody reads our output any more.
  process.stdout.on("error", () => process.exit(1));
  let go = "";
  const obey = (line) => {
    if (/^\s*go\b/.test(line)) go = line;
    engine.send(line);
  };
  for (const line of given) {
    if (isQuit(line)) break;
    obey(line);
    if (isLimited(go)) await engine.search?.best;
  }
  if (given.length === 0) {
    const input = createInterface({ input: process.stdin });
    for await (const line of input) {
      if (isQuit(line)) {
        process.stdin.destroy();
        engine.send("quit");
        return;
      }
      obey(line);
    }
  }
  // At the end of the input, a search with a limit may finish.
  if (engine.search && !isLimited(go)) setTimeout(() => engine.send("stop"), /\bmate\b/.test(go) ? MATE_PATIENCE : 0).unref();
  await engine.search?.best;
  engine.send("quit");
}

const given = process.argv.slice(2);
if (given[0] === "--help" || given[0] === "-h") process.stdout.write(HELP);
else if (given[0] === "--version" || given[0] === "-V") process.stdout.write(`${(await Rules.load()).about.name}\n`);
// A single line needs no quotation marks.
else await run(given.some((argument) => /\s/.test(argument)) || given.length === 0 ? given : [given.join(" ")]);
