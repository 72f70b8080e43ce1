// The module in node: the bench signature, a UCI session, the vector kernels, the questions.
//
//   web/build.sh --module && node --test web/test/engine.test.mjs

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

import { open } from "./module.mjs";

const execute = await open();
const ask = (question) => {
  const lines = execute(`web ${question}`);
  assert.equal(lines.length, 1);
  return JSON.parse(lines[0]);
};

/** Returns the `Bench:` number of the newest commit that has one. */
function signature() {
  const message = execFileSync("git", ["log", "-1", "--grep=^Bench: [0-9]", "--format=%B"], { encoding: "utf8" });
  return message.match(/^Bench: (\d+)$/m)[1];
}

test("vector kernels equal scalar", () => {
  assert.deepEqual(ask("kernels"), { equal: "simd128" });
});

test("bench has the native signature", () => {
  const [nodes] = execute("bench").at(-1).split(" ");
  assert.equal(nodes, signature());
});

test("the engine tells its name and its pieces", () => {
  const { name, pieces } = ask("about");
  assert.match(name, /^Enroque \d/);
  assert.equal(new Set(pieces).size, 6);
});

test("session plays and reports", () => {
  assert.equal(execute("uci").at(-1), "uciok");
  assert.deepEqual(execute("isready"), ["readyok"]);
  execute("setoption name UCI_Chess960 value true");
  execute("position sp 334");
  const lines = execute("go nodes 5000");
  assert.match(lines.at(-1), /^bestmove [a-h][1-8][a-h][1-8]/);
  assert.match(lines.at(-2), /^info depth \d+ .* pv /);
  // White mates by castling: the king takes its own rook.
  execute("position fen 3k4/8/4Q3/1N6/8/8/P7/RK6 w A - 0 1");
  assert.equal(execute("go depth 4").at(-1).split(" ")[1], "b1a1");
  assert.match(execute("go movetime 50").at(-1), /^bestmove /);
  // Here no `stop` can arrive, so `go infinite` prints `bestmove` as soon as the search ends by itself.
  assert.match(execute("go infinite depth 3").at(-1), /^bestmove /);
  assert.match(execute("setoption name Threads value 2")[0], /cannot start 2 search threads/);
  assert.match(execute("setoption name SyzygyPath value /tables")[0], /cannot read tablebases/);
  assert.equal(execute("go perft 3").find((line) => line.startsWith("Nodes"))?.length > 0, true);
});

test("levels differ from full strength", () => {
  execute("setoption name UCI_LimitStrength value true");
  execute("setoption name UCI_Elo value 400");
  execute("position startpos");
  const moves = new Set(Array.from({ length: 12 }, () => execute("go depth 6").at(-1).split(" ")[1]));
  execute("setoption name UCI_LimitStrength value false");
  assert.ok(moves.size > 1, "random numbers differ");
});

test("position lists legal moves", () => {
  const start = ask("position sp 334");
  assert.equal(start.fen, "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w KQkq - 0 1");
  assert.equal(start.start, "Chess960 334");
  assert.deepEqual([start.turn, start.check, start.outcome], ["white", null, null]);
  assert.equal(start.moves.length, 18);
  const castling = ask("position fen 3k4/8/4Q3/1N6/8/8/P7/RK6 w A - 0 1").moves.find(({ castling }) => castling);
  assert.deepEqual(castling, {
    uci: "b1a1",
    from: "b1",
    to: "a1",
    san: "O-O-O#",
    castling: { king: "c1", rook: "d1" },
  });
  const promotions = ask("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1").moves.filter(({ promotion }) => promotion);
  assert.deepEqual(promotions.map(({ san }) => san).sort(), ["a8=B", "a8=N", "a8=Q", "a8=R"]);
  const mate = ask("position startpos moves f2f3 e7e5 g2g4 d8h4");
  assert.deepEqual(mate.outcome, { winner: "black", text: "black wins by checkmate", result: "0-1" });
  assert.equal(mate.check, "e1");
  assert.match(ask("position fen 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1").warnings[0], /claims 'Q'/);
  assert.match(ask("position fen 8/8 w").error, /position/);
});

test("lines become algebraic notation", () => {
  const line = ask("line e7e5 g1f3 b8c6 a1a5 position startpos moves e2e4");
  assert.equal(line.text, "1... e5 2. Nf3 Nc6");
  assert.deepEqual(line.moves.at(-1), { uci: "b8c6", san: "Nc6" });
  assert.equal(line.fens.length, 3);
  assert.deepEqual(ask("find Nf3 position startpos"), { uci: "g1f3", san: "Nf3" });
  assert.match(ask("find Nf6 position startpos").error, /Nf6/);
});

test("castlings are explained", () => {
  const { castlings } = ask("explain fen 4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1");
  assert.equal(castlings.length, 4);
  const long = castlings.find(({ color, side }) => color === "white" && side === "O-O-O");
  assert.deepEqual([long.right, long.can, long.uci, long.king, long.rook], [true, false, "e1b1", ["e1", "c1"], ["b1", "d1"]]);
  assert.match(long.obstacles[0].text, /With the rook gone from b1, the rook on a1 would give check/);
  assert.deepEqual(long.obstacles[0].squares, ["a1"]);
  assert.equal(castlings.filter(({ right }) => right).length, 1);
});

test("starts have facts", () => {
  const start = ask("start sp:518");
  assert.deepEqual([start.name, start.number.white, start.white["o-o"].moves], ["Chess960 518, the orthodox start", 518, 3]);
  assert.deepEqual(start.rows.white[0], ["Undefended pawns", "none"]);
  assert.equal(start.rows.black, undefined);
  assert.equal(ask("start NRQKRBBN:RNBQKBNR").number.black, 518);
  // Starts of other sets, and positions that are not starts, though some have the pieces of one.
  for (const other of ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "KRRBBNNQ", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "chess480:334"]) {
    assert.match(ask(`start ${other}`).error, /start position of Chess960/, other);
  }
});

test("games survive reading and writing", () => {
  const text = `[Event "A \\"b\\""]
[Result "*"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w KQkq - 0 1"]

{ first } 1. f3 $1 { good } f6 ( 1... b6 2. b3 ( 2. a3 ) 2... a6 ) 2. Bf2 *

[Event "Two"]

1. e4 e5 1-0
`;
  const { games } = ask(`pgn ${JSON.stringify(text)}`);
  assert.equal(games.length, 2);
  const [game] = games;
  assert.deepEqual(game.errors, []);
  assert.deepEqual(game.tags[0], ["Event", 'A "b"']);
  assert.deepEqual(game.line.before, [{ comment: "first" }]);
  const [first, reply] = game.line.moves;
  assert.deepEqual(first, { uci: "f2f3", san: "f3", notes: [{ nag: 1 }, { comment: "good" }] });
  assert.equal(reply.notes[0].variation.moves[0].san, "b6");
  const { pgn } = ask(`write ${JSON.stringify(game)}`);
  assert.deepEqual(ask(`pgn ${JSON.stringify(pgn)}`).games[0], game);
  assert.match(ask(`write ${JSON.stringify({ ...game, tags: [] })}`).pgn, /\[Variant "Chess960"\]\n\[SetUp "1"\]\n\[FEN /);
  // The Result tag comes after the players and agrees with the result after the moves.
  for (const tags of [[["White", "A"], ["Black", "B"]], [["White", "A"], ["Black", "B"], ["Result", "*"]]]) {
    assert.match(ask(`write ${JSON.stringify({ ...game, tags, result: "1-0" })}`).pgn, /\[Black "B"\]\n\[Result "1-0"\]\n/);
  }
  const other = '[Variant "Chess480"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n\n1. e4 *';
  assert.match(ask(`pgn ${JSON.stringify(other)}`).games[0].errors[0], /chess and Chess960 only/);
  const claim = ask(`pgn ${JSON.stringify('[FEN "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"]\n\n1. O-O *')}`).games[0];
  assert.match(claim.warnings[0], /claims 'Q'/);
  assert.match(ask('pgn "1. e4 e6 2. Qxa8 *"').games[0].errors[0], /move 2\./);
});

test("moves are judged by chances", () => {
  const mate = "position startpos moves f2f3 e7e5 g2g4 d8h4";
  const { moves, white, black } = ask(`judge cp 10 other cp -20 other cp -5 other mate -1 best mate -1 ${mate}`);
  assert.deepEqual(moves.map(({ mark }) => mark), [null, null, "??", null]);
  assert.deepEqual([moves[2].name, moves[2].nag, moves[3].loss], ["Blunder", 4, 0]);
  assert.deepEqual([white.blunders, black.blunders, black.inaccuracies], [1, 0, 0]);
  assert.ok(white.accuracy < black.accuracy && white.average_loss > 400, JSON.stringify({ white, black }));
  // A score of the engine means more centipawns of chess sites in an endgame than at the start.
  const loss = (position) => ask(`judge cp 100 other cp 0 ${position}`).moves[0].loss;
  assert.ok(loss("position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 moves a1a2") > loss("position startpos moves e2e4"));
  // The win percentages are those from which the losses come, so a graph of them agrees with the marks.
  const ending = "fen 4k3/pp1n4/8/8/8/8/PPP1N3/4K3 w - - 0 1 moves e1f2";
  const { win_percent: [before, after], moves: [kf2] } = ask(`judge cp 121 other cp 77 position ${ending}`);
  assert.ok(kf2.loss > 0 && Math.abs(before - after - kf2.loss) < 0.11, `${before} ${after} ${kf2.loss}`);
  assert.deepEqual(ask("judge cp 0 position startpos").win_percent, [50]);
  // The best move loses nothing, whatever the scores say.
  assert.equal(ask("judge cp 100 best cp 0 position startpos moves e2e4").white.average_loss, 0);
  for (const wrong of ["cp", "cp 10 other", "cp 10 nice cp 5", "cp 10 best cp 5 best cp 0", "cp 10 best"]) {
    assert.match(ask(`judge ${wrong} position startpos moves e2e4`).error, /judge/, wrong);
  }
});

/** Searches as the page does for a review. Returns the lines that were last complete at the same depth, best first. */
function reviewLines(position, { moves, lines, nodes }) {
  execute("ucinewgame");
  execute(`setoption name MultiPV value ${lines}`);
  execute(`position ${position}`);
  let begun = [], last = [];
  for (const line of execute(`go nodes ${nodes}${moves.length > 0 ? ` searchmoves ${moves.join(" ")}` : ""}`)) {
    const [, depth, rank, kind, value, pv] = /^info depth (\d+) .*?multipv (\d+) score (cp|mate) (-?\d+) (?!lower|upper).*? pv (.*)$/.exec(line) ?? [];
    if (!depth) continue;
    if (rank === "1") begun = [];
    begun.push({ depth: Number(depth), score: { [kind]: Number(value) }, pv: pv.split(" ") });
    if (begun.length === lines && begun.every(each => each.depth === begun[0].depth)) last = begun;
  }
  return last;
}

/** Plays a game in which every third move is drawn at random. */
function playGame(start, seed, plies) {
  const moves = [];
  const position = () => `${start}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
  for (let state = seed; moves.length < plies;) {
    const legal = ask(`position ${position()}`).moves;
    if (legal.length === 0) break;
    state = (state * 1103515245 + 12345) % 2147483648;
    execute(`position ${position()}`);
    moves.push(moves.length % 3 === 2 ? legal[state % legal.length].uci : execute("go nodes 300").at(-1).split(" ")[1]);
  }
  return position();
}

const tools = fileURLToPath(new URL("../../target/release/enroque-tools", import.meta.url));

test("the page marks moves as the command line does", { skip: !existsSync(tools) && `no ${tools}` }, () => {
  const budget = 16_000, folder = mkdtempSync(join(tmpdir(), "enroque-"));
  execute("setoption name UCI_AnalyseMode value true");
  execute("setoption name UCI_Chess960 value true");
  let marks = 0, spent = 0, positions = 0;
  try {
    for (let game = 0; game < 10; game++) {
      const position = playGame(game % 2 === 0 ? "startpos" : `sp ${97 * game}`, game + 1, 24);
      const [start, moves] = position.split(" moves "), played = moves.split(" ");
      const searches = [];
      let review;
      const plan = () => ask(`review ${JSON.stringify({ position, result: "*", nodes: budget, searches })}`);
      while ((review = plan()).tasks.length > 0) {
        for (const task of review.tasks) {
          const words = `${start}${task.at > 0 ? ` moves ${played.slice(0, task.at).join(" ")}` : ""}`;
          searches.push({ task, lines: reviewLines(words, task) });
          spent += task.nodes;
        }
      }
      const { fen } = ask(`position ${start}`);
      const { moves: san } = ask(`line ${moves} position ${start}`);
      const pgn = ask(`write ${JSON.stringify({ tags: [], start: fen, result: "*", line: { before: [], moves: san.map(move => ({ ...move, notes: [] })) } })}`).pgn;
      writeFileSync(join(folder, "game.pgn"), pgn);
      const text = execFileSync(tools, ["analyse", "game.pgn", "--json", "--nodes", String(budget), "--threads", "1"], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
      const judged = JSON.parse(text);
      const facts = ({ mark, loss, reason, remark }) => [mark ?? null, loss, reason ?? null, remark?.text ?? remark ?? null];
      assert.deepEqual(review.moves.map(facts), judged.moves.map(facts), pgn);
      assert.deepEqual([review.white, review.black], judged.players);
      marks += judged.moves.filter(({ mark }) => mark).length;
      positions += played.length + 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
    execute("setoption name UCI_AnalyseMode value false");
    execute("setoption name UCI_Chess960 value false");
    execute("setoption name MultiPV value 1");
  }
  assert.ok(marks > 30, `${marks} marks`);
  // Most positions cost much less than they may.
  assert.ok(spent < positions * budget / 2, `${spent} of ${positions * budget} nodes`);
});

test("quiz asks explained questions", () => {
  const { questions } = ask("quiz 7 5");
  assert.equal(questions.length, 5);
  assert.deepEqual(questions, ask("quiz 7 5").questions);
  assert.ok(questions.every(({ why, needs, can }) => why.length > 0 && needs.length >= 0 && typeof can === "boolean"));
  assert.equal(ask("quiz graded").questions.length, 50);
  assert.match(ask("nonsense").error, /unknown question/);
});
