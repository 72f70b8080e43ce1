// The languages of the page: the same texts in all, and nothing that the engine says in ordinary use stays English.
//
//   web/build.sh --module && node --test web/test/texts.test.mjs

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

import { open } from "./module.mjs";

const execute = await open();
const ask = (question) => JSON.parse(execute(`web ${question}`)[0]);
const source = (name) => fileURLToPath(new URL(`../page/src/${name}`, import.meta.url));

/** Loads a module of the page as a browser with this language would. */
async function load(name, language) {
  const { outputFiles } = await build({ entryPoints: [source(name)], bundle: true, write: false, format: "esm", target: "es2022" });
  globalThis.document = { documentElement: {} };
  Object.defineProperty(globalThis, "navigator", { value: { languages: [`${language}-XX`, "en"] }, configurable: true });
  const text = `${outputFiles[0].text}\n// ${language}`;
  return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}

const { english, sentences, words } = await load("texts/en.ts", "en");
const LANGUAGES = [["es", (await load("texts/es.ts", "es")).spanish, 2], ["pl", (await load("texts/pl.ts", "pl")).polish, 3]];
/** Words that no sentence in another language has. */
const ENGLISH = /(?<!\p{L})(the|which|with|after|kings?|queens?|rooks?|bishops?|knights?|pawns?|must|wins?|loses|misses|leaves|allows|best|by|or|and|castle|in the way|only|moves?|next|mistake|blunder|castling|white|black)(?!\p{L})/iu;

const gaps = (text) => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).sort();

test("all languages have the same texts with the same gaps", () => {
  for (const [language, translation, forms] of LANGUAGES) {
    const pairs = [...Object.entries(english).map(([key, text]) => [key, text, translation.texts[key]]),
      ...sentences.map(text => [text, text, translation.sentences[text]]), ...words.map(text => [text, text, translation.words[text]])];
    assert.equal(pairs.length, Object.values(translation).slice(1).flatMap(Object.keys).length, `${language}: as many texts`);
    for (const [key, text, translated] of pairs) {
      assert.ok(translated, `${language} ${key}: missing`);
      const ofNumber = text.includes("|") || key === "{n} pawns";
      if (text.includes("|")) assert.equal(translated.split("|").length, forms, `${language} ${key}: plural forms`);
      for (const form of translated.split("|")) assert.deepEqual(gaps(form), gaps(text.split("|").at(-1)), `${language} ${key}`);
      assert.ok(ofNumber || !translated.includes("|"), `${language} ${key}: plural forms`);
      assert.equal(/[.…?]$/.exec(translated)?.[0], /[.…?]$/.exec(text)?.[0], `${language} ${key}: end`);
    }
  }
});

/** Returns everything that the engine says about starts, castling, endings and bad moves. */
async function engineTexts() {
  const texts = [];
  for (let number = 0; number < 960; number++) texts.push(...ask(`start sp:${number}`).rows.white.flat());
  for (const { ask: question, why } of [...ask("quiz graded").questions, ...ask("quiz 1 200").questions]) texts.push(question, why);
  for (const fen of ["R3k3/8/4K3/8/8/8/8/8 b - - 0 1", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", "8/8/8/8/8/4k3/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/3R4/4K3 w - - 100 90", "4K3/8/8/8/8/8/r3k3/8 w - - 0 1", "8/8/8/8/8/4k3/8/r3K3 w - - 0 1"]) {
    texts.push(ask(`position fen ${fen}`).outcome?.text ?? "draw by stalemate");
  }
  texts.push(ask("position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8").outcome.text);
  texts.push(...ask("explain startpos moves e2e4").castlings.flatMap(({ obstacles, hand }) => [...obstacles.map(({ text }) => text), ...hand]));
  const reasons = await readFile(new URL("../../crates/study/src/reason.rs", import.meta.url), "utf8");
  const values = { moves: "3", tactic: "fork", name: "rook", what: "the exchange and two pawns", cause: "a draw", "words(difference)?": "5 pawns for a knight" };
  for (const [, text] of reasons.matchAll(/"((?:Allows|Misses|Loses|Leaves|Gives up) [^"]*\.)"/g)) {
    for (const how of text.includes("{how}") ? ["without its defender", "in danger"] : [""]) {
      const reason = text.replace("{how}", how).replace(/in \{moves\} with \{\}/, "in 3 with Nxe4+").replace("on {}", "on e8").replace("Loses {} after {}", "Loses a pawn after Nxe4")
        .replace(/\{(\w*)\}/g, (_, name) => values[name] ?? (name === "square" ? "e4" : "Nxe4+"));
      texts.push(...["Mistake", "Inaccuracy", "Blunder"].map(name => `${name}. ${reason} Qd2 was best.`), reason);
    }
  }
  texts.push("Only move. Nf3 was next best, and a mistake.", "Only move. Nf3 was next best, and a blunder.", "Missed mate. Nf3 mates in 3.");
  return [...new Set(texts)];
}

test("nothing that the engine says stays English", async () => {
  const texts = await engineTexts();
  assert.ok(texts.length > 2000 && texts.some(text => text.startsWith("Mistake. Misses")));
  for (const [language] of LANGUAGES) {
    const { translated } = await load("texts.ts", language);
    for (const text of texts) assert.doesNotMatch(translated(text), ENGLISH, `${language}: ${text}`);
    assert.equal(translated("no such sentence"), "no such sentence");
  }
});

test("moves have the letters of the language, and are understood with them", async () => {
  const line = "1. Nf3 e5 2. Bb5+ Qxd2+ 3. Raxd2 O-O-O 4. exd8=Q# Kb1", boards = ["startpos", "fen r3k2r/1P3p2/8/3q4/1N1B1N2/8/8/R3K2R w KQkq - 0 1"];
  for (const [language, expected] of [["en", line], ["es", "1. Cf3 e5 2. Ab5+ Dxd2+ 3. Taxd2 O-O-O 4. exd8=D# Rb1"], ["pl", "1. Sf3 e5 2. Gb5+ Hxd2+ 3. Waxd2 O-O-O 4. exd8=H# Kb1"]]) {
    const { moveText, typedMove, isRank } = await load("texts.ts", language);
    assert.equal(moveText(line), expected);
    for (const { san } of boards.flatMap(board => ask(`position ${board}`).moves)) assert.equal(typedMove(moveText(san)), san);
    assert.ok(isRank("rnbqkbnr") && !isRank("rnbqkbnx"));
  }
  assert.equal(ask("start CTDRTAAC").number.white, 334);
  assert.equal(ask("start swhkwggs").number.white, 334);
});

test("numbers choose the plural, and colours are capitalised only at the beginning", async () => {
  const { t } = await load("texts.ts", "pl");
  assert.deepEqual([1, 3, 12, 22, 25].map(n => t("lines", { n })), ["1 wariant", "3 warianty", "12 wariantów", "22 warianty", "25 wariantów"]);
  assert.equal(t("puzzleTurn", { side: t("white") }), "Grają białe.");
  const spanish = await load("texts.ts", "es");
  assert.deepEqual([1, 2].map(n => spanish.t("lines", { n })), ["1 línea", "2 líneas"]);
  assert.equal(spanish.t("castlesNot", { side: spanish.t("black") }), "Negras: sin enroque");
});
