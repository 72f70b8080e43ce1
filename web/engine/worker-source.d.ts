/** A worker's bundled source text; `build.mjs` supplies it. */
declare module "worker:*" {
  const source: string;
  export default source;
}
