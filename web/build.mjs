// Bundles the page with the engine's module into one HTML file: dist/enroque.html.
//
//   node build.mjs

import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

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
  entryPoints: [`${page}src/main.ts`, `${page}style.css`],
  outdir: "dist",
  format: "iife",
  loader: { ".svg": "dataurl", ".txt": "text", ".png": "dataurl" },
  plugins: [workers],
});
const bundled = (ending) =>
  outputFiles.filter(({ path }) => path.endsWith(ending)).map(({ text }) => text).join("\n");

const module = await readFile(new URL("dist/enroque.wasm", import.meta.url));
const packed = gzipSync(module, { level: 9 }).toString("base64");
// A closing tag within a string would end the script.
const script = bundled(".js").replaceAll("</script", "<\\/script");
const parts = {
  "<!--STYLE-->": `<style>${bundled(".css")}</style>`,
  "<!--WASM-->": `<script type="application/octet-stream" id="engine">${packed}</script>`,
  "<!--SCRIPT-->": `<script>${script}</script>`,
};
let html = await readFile(`${page}index.html`, "utf8");
for (const [marker, part] of Object.entries(parts)) {
  if (!html.includes(marker)) throw new Error(`page/index.html: no ${marker}`);
  html = html.replace(marker, () => part);
}
await writeFile(new URL("dist/enroque.html", import.meta.url), html);
console.log(`web/dist/enroque.html: ${Buffer.byteLength(html)} bytes, ${gzipSync(html, { level: 9 }).length} compressed`);
