/** Modules that `build.mjs` writes. */

/** The bundled source text of a worker. */
declare module "worker:*" {
  const source: string;
  export default source;
}

/** The compressed WebAssembly module: inside the page it's in an element, in the package it's a string. */
declare module "built:module" {
  /** Returns the module in gzip and basE91. */
  export function text(): string;
  /** Where the rearranged network begins in the module, in bytes, and how many numbers it has. */
  export const at: number;
  export const count: number;
  /** From this index on, each number is a difference to the number as many places before. */
  export const stride: number;
}
