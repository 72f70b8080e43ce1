// Writes page/puzzles.txt, the puzzles of the page, from a set of `enroque-tools puzzles`:
//
//   enroque-tools puzzles set.jsonl --epd set.epd && node web/puzzles.mjs set.jsonl set.epd
//
// We need the module, dist/enroque.wasm, to find the puzzles of the set among the results of the games. Each line that
// we write has, between semicolons, grade, start number, goal, motif, score, the position before the opponent's last
// move, that move, the solution, and what follows it until its point is on the board.

import { readFileSync, writeFileSync } from "node:fs";

import { open } from "./test/module.mjs";

const [results, set] = process.argv.slice(2).map((path) => readFileSync(path, "utf8").trim().split("\n"));
const execute = await open();
/** Returns the first four fields of a FEN or an EPD line: board, side to move, castling, en passant. */
const fields = (text) => text.split(" ").slice(0, 4).join(" ");

const found = new Map();
for (const line of results) {
  const { puzzle } = JSON.parse(line);
  if (puzzle === null) continue;
  const { fens } = JSON.parse(execute(`web line ${puzzle.last} position fen ${puzzle.before}`)[0]);
  found.set(fields(fens[0]), puzzle);
}
const lines = set.map((line) => {
  const { before, last, solution, continuation, goal, motif, score, source } = found.get(fields(line));
  const [, grade] = /"grade (\d)"/.exec(line);
  const [, start] = /Chess960 (\d+)$/.exec(source);
  return [grade, start, goal, motif.replace("-", " "), score, before, last, solution.join(" "), continuation.join(" ")].join(";");
});
writeFileSync(new URL("page/puzzles.txt", import.meta.url), lines.join("\n") + "\n");
