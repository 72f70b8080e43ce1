// The engine's module in node: lines in, lines out.

import { readFile } from "node:fs/promises";

/** Returns a function that executes a line and returns the lines of its output. */
export async function open() {
  const bytes = await readFile(new URL("../dist/enroque.wasm", import.meta.url));
  let output = [];
  const host = {
    print: (address, length) => {
      output.push(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, address, length)));
    },
    now: () => performance.now(),
    random: () => Math.random(),
    // No command arrives during a search, and a search without a limit ends at its greatest depth.
    poll: (wait) => (wait ? 1 : 0),
  };
  const { instance } = await WebAssembly.instantiate(bytes, { host });
  const { exports } = instance;
  return (line) => {
    const text = new TextEncoder().encode(line);
    const address = exports.buffer(text.length);
    new Uint8Array(exports.memory.buffer, address, text.length).set(text);
    exports.handle();
    const lines = output.join("\n").split("\n");
    output = [];
    return lines;
  };
}
