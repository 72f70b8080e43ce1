// Builds from the module dist/enroque.wasm and the sources in engine/:
//
//   node build.mjs [page] [package]
//
// `page` is the page in one HTML file, dist/enroque.html, and dist/app, the same page with the files that a web server
// needs to offer it for installation. `package` is the npm package in dist/package.

import { execFileSync } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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
  const { text, at, count } = packed;
  const element = (id, facts, content) => `<script type="application/octet-stream" id="${id}"${facts}>${content}</script>`;
  const parts = {
    "<!--STYLE-->": `<style>${style}</style>`,
    "<!--WASM-->": element("engine", ` data-at="${at}" data-count="${count}"`, text),
    "<!--SCRIPT-->": element("script", "", await pack(bundled("main.js"))) + `<script>${bundled("begin.js")}</script>`,
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

async function buildPackage() {
  const folder = file("dist/package/");
  await rm(folder, { recursive: true, force: true });
  const plugins = [plugin(`export const text = () => ${JSON.stringify(packed.text)};
    export const at = ${packed.at}, count = ${packed.count};`)];
  const options = { ...shared, write: true, outdir: folder, plugins };
  await build({ ...options, entryPoints: [file("engine/index.ts")], format: "esm" });
  // A script that also runs as a module, because nobody says which of them a worker is.
  await build({ ...options, entryPoints: [file("engine/worker.ts")], format: "iife" });
  execFileSync(process.execPath, [file("node_modules/typescript/bin/tsc"), "--project", file("package")], { stdio: "inherit" });

  // Types that no public type uses are of no use to anybody.
  const types = new Set(["index"]);
  for (const name of types) {
    const text = await readFile(`${folder}types/${name}.d.ts`, "utf8");
    for (const [, used] of text.matchAll(/ from "\.\/(\w+)\.js"/g)) types.add(used);
  }
  for (const name of await readdir(`${folder}types`)) {
    if (!types.has(name.split(".")[0])) await rm(`${folder}types/${name}`);
  }

  const [, version] = /^version = "(.*)"$/m.exec(await readFile(file("../Cargo.toml"), "utf8"));
  const manifest = JSON.parse(await readFile(file("package/package.json"), "utf8"));
  await writeFile(`${folder}package.json`, JSON.stringify({ ...manifest, version }, null, 2) + "\n");
  for (const name of ["README.md", "cli.js"]) await cp(file(`package/${name}`), `${folder}${name}`);
  await cp(file("../LICENSE"), `${folder}LICENSE`);
}

const builds = { page: buildPage, package: buildPackage };
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in builds));
if (unknown !== undefined || wanted.length === 0) {
  console.error(`usage: node build.mjs [${Object.keys(builds).join("] [")}]`);
  process.exit(2);
}
const packed = await packModule();
for (const name of wanted) await builds[name]();
