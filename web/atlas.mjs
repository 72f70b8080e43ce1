// Writes page/atlas.txt, figures of the atlas (docs/atlas.md) for the page:
//
//   gzip -dc crates/tools/src/sweep/atlas.csv.gz | node web/atlas.mjs
//
// A line for each figure, with one character for each start: the figure in its unit, added to the code 40; `#` if the start
// has none.

import { readFileSync, writeFileSync } from "node:fs";

/** Columns of the atlas with their units. */
const FIGURES = [["score", 0.01], ["score_error", 0.01], ["good", 0.1], ["white_castles", 1], ["black_castles", 1]];

// The first line is the origin of the figures.
const [, header, ...rows] = readFileSync(0, "utf8").trim().split("\n").map((line) => line.split(","));
const lines = FIGURES.map(([name, unit]) => {
  const figures = rows.map((cells) => cells[header.indexOf(name)]);
  return figures.map((text) => text === "" ? "#" : String.fromCharCode(40 + Math.round(Number(text) / unit))).join("");
});
writeFileSync(new URL("page/atlas.txt", import.meta.url), lines.join("\n") + "\n");
