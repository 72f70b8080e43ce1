// Bundles the page with the engine's module into one HTML file, dist/enroque.html, and writes dist/app, the same page with
// the files that a web server needs to offer it for installation.
//
//   node build.mjs

import { cp, readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

import { gzipAsync } from "@gfx/zopfli";
import { build } from "esbuild";

const shared = { bundle: true, minify: true, write: false, target: "es2022", legalComments: "none", charset: "utf8" };

/** Resolves `worker:./file.ts` to the bundled text of that worker. */
const workers = {
  name: "workers",
  setup(build_) {
    build_.onResolve({ filter: /^worker:/ }, ({ path, resolveDir }) => ({
      path: new URL(path.slice("worker:".length), `file://${resolveDir}/`).pathname,
      namespace: "worker",
    }));
    build_.onLoad({ filter: /.*/, namespace: "worker" }, async ({ path }) => {
      const { outputFiles } = await build({ ...shared, entryPoints: [path], format: "iife" });
      return { contents: outputFiles[0].text, loader: "text" };
    });
  },
};

const page = new URL("page/", import.meta.url).pathname;
const { outputFiles } = await build({
  ...shared,
  entryPoints: [`${page}src/main.ts`, `${page}src/begin.ts`, `${page}style.css`],
  outdir: "dist",
  format: "iife",
  loader: { ".svg": "dataurl", ".txt": "text", ".png": "dataurl" },
  plugins: [workers],
});
const bundled = (name) => outputFiles.find(({ path }) => path.endsWith(`/${name}`)).text;
// We embed the pieces' pictures as text, a quarter smaller than base64, and easier to compress.
const style = bundled("style.css").replace(/url\(["']?data:image\/svg\+xml;base64,([\w+/=]+)["']?\)/g, (_, code) => {
  const picture = Buffer.from(code, "base64").toString().replaceAll('"', "'").replaceAll("#", "%23");
  return `url("data:image/svg+xml,${picture}")`;
});

const module = await readFile(new URL("dist/enroque.wasm", import.meta.url));
// The network's 16-bit numbers compress a quarter better if the sign becomes the lowest bit (zigzag) and all
// low bytes come before all high bytes. `engine/index.ts` undoes both.
const network = await readFile(process.env.EVALFILE || new URL("../nets/enroque.nnue", import.meta.url));
const at = Math.max(module.indexOf(network), 0);
const count = module.includes(network) ? network.length >> 1 : 0;
for (let index = 0; index < count; index++) {
  const number = network.readInt16LE(2 * index);
  const zigzag = (number << 1) ^ (number >> 15);
  module[at + index] = zigzag & 0xff;
  module[at + count + index] = (zigzag >> 8) & 0xff;
}
const pack = async (bytes) => Buffer.from(await gzipAsync(bytes, {})).toString("base64");
const packed = (id, facts, content) => `<script type="application/octet-stream" id="${id}"${facts}>${content}</script>`;
const parts = {
  "<!--STYLE-->": `<style>${style}</style>`,
  "<!--WASM-->": packed("engine", ` data-at="${at}" data-count="${count}"`, await pack(module)),
  "<!--SCRIPT-->": packed("script", "", await pack(bundled("main.js"))) + `<script>${bundled("begin.js")}</script>`,
};
let html = await readFile(`${page}index.html`, "utf8");
for (const [marker, part] of Object.entries(parts)) {
  if (!html.includes(marker)) throw new Error(`page/index.html: no ${marker}`);
  html = html.replace(marker, () => part);
}
const APP = "<!--APP-->";
await writeFile(new URL("dist/enroque.html", import.meta.url), html.replace(APP, ""));
const app = new URL("dist/app/", import.meta.url);
await cp(new URL("page/app/", import.meta.url), app, { recursive: true });
await writeFile(new URL("index.html", app), html.replace(APP, '<link rel="manifest" href="manifest.webmanifest">'));
console.log(`web/dist/enroque.html: ${Buffer.byteLength(html)} bytes, ${gzipSync(html, { level: 9 }).length} compressed`);
