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

/** Inputs of the network that share a king bucket. */
const BOARD_INPUTS = 768;

/** Returns the module, compressed, and where its rearranged network is. */
async function packModule() {
  const module = await readFile(file("dist/enroque.wasm"));
  // The weights of one king bucket are close to those of the bucket before, so we store the differences. These 16-bit
  // numbers compress best if the sign becomes the lowest bit (zigzag) and all low bytes come before all high bytes.
  // `engine/load.ts` undoes all of it.
  const network = await readFile(process.env.EVALFILE || file("../nets/enroque.nnue"));
  const stride = BOARD_INPUTS * network.readUInt32LE(8);
  const at = Math.max(module.indexOf(network), 0);
  const count = module.includes(network) ? network.length >> 1 : 0;
  for (let index = 0; index < count; index++) {
    const base = index < stride ? 0 : network.readInt16LE(2 * (index - stride));
    const difference = ((network.readInt16LE(2 * index) - base) << 16) >> 16;
    const zigzag = (difference << 1) ^ (difference >> 15);
    module[at + index] = zigzag & 0xff;
    module[at + count + index] = (zigzag >> 8) & 0xff;
  }
  return { text: await pack(module), facts: { at, count, stride } };
}

/** The 91 visible ASCII characters that need no escape in HTML or in a JavaScript string. */
const LETTERS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter((letter) => !'"<\\'.includes(letter));

/** Compresses to gzip and writes the bytes in basE91: 13 bits become two letters, which is 8 % shorter than base64. */
async function pack(bytes) {
  let [text, held, count] = ["", 0, 0];
  const write = (number) => (text += LETTERS[number % 91] + LETTERS[Math.floor(number / 91)]);
  for (const byte of await gzipAsync(bytes, {})) {
    held |= byte << count;
    count += 8;
    if (count < 13) continue;
    write(held & 0x1fff);
    held >>= 13;
    count -= 13;
  }
  if (count > 6) write(held);
  else if (count > 0) text += LETTERS[held];
  return text;
}

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
    export const { at, count, stride } = JSON.parse(element.dataset.facts);`;
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
  const { text, facts } = packed;
  const element = (id, facts, content) => `<script type="application/octet-stream" id="${id}"${facts}>${content}</script>`;
  const parts = {
    "<!--STYLE-->": `<style>${style}</style>`,
    "<!--WASM-->": element("engine", ` data-facts='${JSON.stringify(facts)}'`, text),
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
    export const { at, count, stride } = ${JSON.stringify(packed.facts)};`)];
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
