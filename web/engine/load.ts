/** Unpacks and compiles the WebAssembly module. */

import { at, count, stride, text } from "built:module";

import { unpack } from "./unpack.js";

/** Restores the network's numbers, which `build.mjs` has made differences and rearranged. */
function restoreNetwork(bytes: Uint8Array): void {
  const packed = bytes.slice();
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let index = 0; index < count; index++) {
    const zigzag = ((packed[count + index] ?? 0) << 8) | (packed[index] ?? 0);
    const base = index < stride ? 0 : numbers.getInt16(2 * (index - stride), true);
    numbers.setInt16(2 * index, base + ((zigzag >> 1) ^ -(zigzag & 1)), true);
  }
}

async function compile(): Promise<WebAssembly.Module> {
  const bytes = new Uint8Array(await unpack(text()).arrayBuffer());
  restoreNetwork(bytes.subarray(at, at + 2 * count));
  return WebAssembly.compile(bytes);
}

let loaded: Promise<WebAssembly.Module> | undefined;

/** Returns the module, which we compile only once. */
export const loadModule = (): Promise<WebAssembly.Module> => (loaded ??= compile());
