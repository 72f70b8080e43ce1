// Writes page/atlas.txt, the figures of the atlas (docs/atlas.md) that the page shows:
//
//   gzip -dc crates/study/src/atlas.csv.gz | node web/atlas.mjs
//
// Each kind of figure takes one line, with one character for each start: its code is 40 plus the figure, counted in its
// unit. `#` means that the start has no such figure.

import { readFileSync, writeFileSync } from "node:fs";

/** Columns of the atlas with their units. */
const FIGURES = [["score", 0.01], ["score_error", 0.01], ["good", 0.1], ["white_castles", 1], ["black_castles", 1]];

// The first line says where the figures come from, so we skip it.
const [, header, ...rows] = readFileSync(0, "utf8").trim().split("\n").map((line) => line.split(","));
const lines = FIGURES.map(([name, unit]) => {
  const figures = rows.map((cells) => cells[header.indexOf(name)]);
  return figures.map((text) => text === "" ? "#" : String.fromCharCode(40 + Math.round(Number(text) / unit))).join("");
});
writeFileSync(new URL("page/atlas.txt", import.meta.url), lines.join("\n") + "\n");
