// Builds from the module dist/enroque.wasm and the sources in engine/:
//
//   node build.mjs page       the page in one HTML file, dist/enroque.html, and dist/app, the same page with the files that
//                             a web server needs to offer it for installation
//   node build.mjs package    the npm package in dist/package

import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { gzipAsync } from "@gfx/zopfli";
import { build } from "esbuild";

const shared = { bundle: true, minify: true, write: false, target: "es2022", legalComments: "none", charset: "utf8" };
const here = new URL("./", import.meta.url);
const file = (name) => fileURLToPath(new URL(name, here));

/** Returns the module, compressed, and where its rearranged network is. */
async function packModule() {
  const module = await readFile(file("dist/enroque.wasm"));
  // The network's 16-bit numbers compress a quarter better if the sign becomes the lowest bit (zigzag) and all
  // low bytes come before all high bytes. `engine/load.ts` undoes both.
  const network = await readFile(process.env.EVALFILE || file("../nets/enroque.nnue"));
  const at = Math.max(module.indexOf(network), 0);
  const count = module.includes(network) ? network.length >> 1 : 0;
  for (let index = 0; index < count; index++) {
    const number = network.readInt16LE(2 * index);
    const zigzag = (number << 1) ^ (number >> 15);
    module[at + index] = zigzag & 0xff;
    module[at + count + index] = (zigzag >> 8) & 0xff;
  }
  return { text: await pack(module), at, count };
}

const pack = async (bytes) => Buffer.from(await gzipAsync(bytes, {})).toString("base64");

/** Resolves `worker:./file.ts` to the bundled text of that worker, and `built:module` to the text of a script. */
const plugin = (moduleScript) => ({
  name: "enroque",
  setup(build_) {
    build_.onResolve({ filter: /^worker:/ }, ({ path, resolveDir }) => ({
      path: fileURLToPath(new URL(path.slice("worker:".length), `file://${resolveDir}/`)),
      namespace: "worker",
    }));
    build_.onLoad({ filter: /.*/, namespace: "worker" }, async ({ path }) => {
      const { outputFiles } = await build({ ...shared, entryPoints: [path], format: "iife" });
      return { contents: outputFiles[0].text, loader: "text" };
    });
    build_.onResolve({ filter: /^built:module$/ }, ({ path }) => ({ path, namespace: "built" }));
    build_.onLoad({ filter: /.*/, namespace: "built" }, () => ({ contents: moduleScript, loader: "js" }));
  },
});

async function buildPage() {
  const page = file("page/");
  const moduleScript = `const element = document.getElementById("engine");
    export const text = () => element.textContent;
    export const at = Number(element.dataset.at), count = Number(element.dataset.count);`;
  const { outputFiles } = await build({
    ...shared,
    entryPoints: [`${page}src/main.ts`, `${page}src/begin.ts`, `${page}style.css`],
    outdir: "dist",
    format: "iife",
    loader: { ".svg": "dataurl", ".txt": "text", ".png": "dataurl" },
    plugins: [plugin(moduleScript)],
  });
  const bundled = (name) => outputFiles.find(({ path }) => path.endsWith(`/${name}`)).text;
  // We embed the pieces' pictures as text, a quarter smaller than base64, and easier to compress.
  const style = bundled("style.css").replace(/url\(["']?data:image\/svg\+xml;base64,([\w+/=]+)["']?\)/g, (_, code) => {
    const picture = Buffer.from(code, "base64").toString().replaceAll('"', "'").replaceAll("#", "%23");
    return `url("data:image/svg+xml,${picture}")`;
  });
  const { text, at, count } = await packModule();
  const packed = (id, facts, content) => `<script type="application/octet-stream" id="${id}"${facts}>${content}</script>`;
  const parts = {
    "<!--STYLE-->": `<style>${style}</style>`,
    "<!--WASM-->": packed("engine", ` data-at="${at}" data-count="${count}"`, text),
    "<!--SCRIPT-->": packed("script", "", await pack(bundled("main.js"))) + `<script>${bundled("begin.js")}</script>`,
  };
  let html = await readFile(`${page}index.html`, "utf8");
  for (const [marker, part] of Object.entries(parts)) {
    if (!html.includes(marker)) throw new Error(`page/index.html: no ${marker}`);
    html = html.replace(marker, () => part);
  }
  const APP = "<!--APP-->";
  await writeFile(file("dist/enroque.html"), html.replace(APP, ""));
  await cp(`${page}app/`, file("dist/app/"), { recursive: true });
  await writeFile(file("dist/app/index.html"), html.replace(APP, '<link rel="manifest" href="manifest.webmanifest">'));
  console.log(`web/dist/enroque.html: ${Buffer.byteLength(html)} bytes, ${gzipSync(html, { level: 9 }).length} compressed`);
}

const builds = { page: buildPage };
const [what] = process.argv.slice(2);
if (!(what in builds)) {
  console.error(`usage: node build.mjs ${Object.keys(builds).join("|")}`);
  process.exit(2);
}
await builds[what]();
