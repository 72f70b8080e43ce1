// The tests of the package, which run in Node and in browsers. Each gets what its runner provides:
//
//   lib           the package
//   open()        starts the package's worker; returns { send(line), lines, next(pattern), close(), isClosed() }
//   memory()      how many bytes the engine's workers hold once garbage is collected

/** How many searches the test of memory runs in a round, and in how many rounds. */
const SEARCHES = 2000;
const ROUNDS = 6;
/** A leak makes memory grow by more than this in a round, in bytes: by more than 16 bytes a search. */
const GROWTH = 32 << 10;

const MATE_BY_CASTLING = "3k4/8/4Q3/1N6/8/8/P7/RK6 w A - 0 1";

function check(condition, text) {
  if (!condition) throw new Error(text);
}
function equal(found, expected) {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  check(a === b, `found ${a}, expected ${b}`);
}

/** Collects lines, and returns the next one, from those not yet asked for, that matches a pattern. */
export class Lines {
  lines = [];
  #at = 0;
  #wake = () => undefined;
  add(line) {
    this.lines.push(line);
    this.#wake();
  }
  forget() {
    this.lines = [];
    this.#at = 0;
  }
  async next(pattern) {
    for (;;) {
      while (this.#at < this.lines.length) {
        const line = this.lines[this.#at++];
        if (pattern.test(line)) return line;
      }
      await new Promise((resolve) => (this.#wake = resolve));
    }
  }
}

async function ready(worker) {
  worker.send("isready");
  await worker.next(/^readyok$/);
}

export const tests = {
  async "a worker tells its name and options"({ open }) {
    const worker = await open();
    worker.send("uci");
    check(/^id name Enroque \d/.test(await worker.next(/^id name/)), "name");
    await worker.next(/^option name Hash type spin/);
    await worker.next(/^uciok$/);
    worker.close();
  },

  async "a worker searches and castles as in Chess960"({ open }) {
    const worker = await open();
    worker.send("setoption name UCI_Chess960 value true");
    worker.send(` position fen ${MATE_BY_CASTLING} `);
    worker.send("go depth 4");
    check((await worker.next(/^bestmove/)).startsWith("bestmove b1a1"), worker.lines.join("\n"));
    worker.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    worker.send("go depth 4");
    equal(await worker.next(/^bestmove/), "bestmove (none)");
    worker.close();
  },

  async "stop reaches a running search"({ open }) {
    const worker = await open();
    worker.send("position startpos");
    worker.send("go infinite");
    await worker.next(/^info depth \d+ .* pv /);
    await ready(worker);
    check(!worker.lines.some((line) => line.startsWith("bestmove")), "no move before stop");
    worker.send("stop");
    await worker.next(/^bestmove [a-h][1-8]/);
    // It goes on where it was.
    worker.send("go nodes 1000");
    await worker.next(/^bestmove [a-h][1-8]/);
    worker.send("stop");
    await ready(worker);
    equal(worker.lines.filter((line) => line.startsWith("bestmove")).length, 2);
    worker.close();
  },

  async "an endless search that has ended holds its move back"({ open }) {
    const worker = await open();
    worker.send("position startpos");
    worker.send("go infinite depth 2");
    await worker.next(/^info depth 2 .* pv /);
    // A move that isn't held back comes in this time.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await ready(worker);
    check(!worker.lines.some((line) => line.startsWith("bestmove")), "no move before stop");
    worker.send("stop");
    await worker.next(/^bestmove/);
    worker.close();
  },

  async "ponderhit lets the clock run"({ open }) {
    const worker = await open();
    worker.send("position startpos moves e2e4");
    worker.send("go ponder wtime 300 btime 300");
    await worker.next(/^info depth \d+ .* pv /);
    await ready(worker);
    check(!worker.lines.some((line) => line.startsWith("bestmove")), "no move before ponderhit");
    worker.send("ponderhit");
    await worker.next(/^bestmove [a-h][1-8]/);
    worker.close();
  },

  async "another search ends the one before"({ open }) {
    const worker = await open();
    worker.send("position startpos");
    worker.send("go infinite");
    worker.send(`position fen ${MATE_BY_CASTLING}`);
    worker.send("go depth 3");
    await worker.next(/^bestmove [a-h]2|^bestmove [bg]1/);
    check(/ b1[ac]1/.test(await worker.next(/^bestmove/)), worker.lines.join("\n"));
    worker.close();
  },

  async "options hold, also after stop"({ open }) {
    const worker = await open();
    worker.send("setoption name MultiPV value 3");
    worker.send("setoption name UCI_Chess960 value true");
    worker.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    worker.send("go infinite");
    await worker.next(/^info depth \d+ .* multipv 3 /);
    worker.send("stop");
    await worker.next(/^bestmove/);
    worker.send("go depth 1 searchmoves e1h1");
    check((await worker.next(/^bestmove/)).startsWith("bestmove e1h1"), "king takes rook");
    worker.send("setoption name UCI_Chess960 value false");
    worker.send("setoption name MultiPV value 1");
    worker.send("go depth 1 searchmoves e1g1");
    check((await worker.next(/^bestmove/)).startsWith("bestmove e1g1"), "king moves two squares");
    check(!worker.lines.slice(-2).some((line) => line.includes("multipv 2")), "one line");
    worker.send("setoption name Threads value 2");
    await worker.next(/^info string .*threads/);
    worker.close();
  },

  async "two workers search at once"({ open }) {
    const both = [await open(), await open()];
    for (const worker of both) {
      worker.send("position startpos");
      worker.send("go infinite");
    }
    await Promise.all(both.map((worker) => worker.next(/^info depth [4-9] .* pv /)));
    both[0].send("stop");
    await both[0].next(/^bestmove/);
    await ready(both[1]);
    check(!both[1].lines.some((line) => line.startsWith("bestmove")), "the other goes on");
    both[1].send("stop");
    await both[1].next(/^bestmove/);
    both.forEach((worker) => worker.close());
  },

  async "quit ends a worker"({ open }) {
    const worker = await open();
    worker.send("go infinite");
    await worker.next(/^info depth/);
    worker.send("quit");
    check(await worker.isClosed(), "the worker runs");
  },

  async "ten thousand searches leave no memory behind"({ open, memory }) {
    const worker = await open();
    // A system gives memory to the hash table only when the engine first writes to it.
    worker.send("setoption name Hash value 1");
    const moves = ["e2e4", "d2d4", "g1f3", "c2c4"];
    const used = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let at = 0; at < SEARCHES; at++) {
        worker.send(`position startpos moves ${moves[at % moves.length]}`);
        worker.send("go nodes 50");
        await worker.next(/^bestmove [a-h]/);
        worker.forget();
      }
      used.push(await memory());
    }
    check(Math.min(...used) > 0, `measures ${used} bytes`);
    const growth = used.slice(1).map((bytes, at) => bytes - used[at]);
    const median = growth.toSorted((a, b) => a - b)[growth.length >> 1];
    check(median < GROWTH, `grows by ${growth} bytes in ${SEARCHES} searches`);
    worker.close();
    return `memory changed by ${growth} bytes`;
  },

  async "an engine yields lines and a move"({ lib: { Engine } }) {
    const engine = await Engine.load();
    engine.setOption("UCI_ShowWDL", true);
    engine.position("startpos moves e2e4");
    const search = engine.go({ depth: 6 });
    const found = [];
    for await (const line of search) found.push(line);
    const last = found.at(-1);
    equal([last.depth, last.multipv, last.wdl.reduce((sum, part) => sum + part)], [6, 1, 1000]);
    check(Number.isInteger(last.score.cp) && last.nodes > 0 && last.bound === undefined, JSON.stringify(last));
    const { move, ponder } = await search.best;
    equal([move, ponder], last.pv.slice(0, 2));
    equal(engine.search, undefined);
    equal(await engine.stop(), undefined);
    engine.quit();
  },

  async "who leaves the loop stops the search"({ lib: { Engine } }) {
    const engine = await Engine.load();
    const search = engine.go();
    for await (const { depth } of search) if (depth >= 3) break;
    check(/^[a-h][1-8][a-h][1-8]$/.test((await search.best).move), "a move");
    // The search that follows is not stopped by the end of the one before.
    const [first, second] = [engine.go(), engine.go({ nodes: 50_000 })];
    void first.stop();
    for await (const line of first) void line;
    let searched = 0;
    for await (const { nodes } of second) searched = nodes;
    equal(searched, 50_000);
    engine.quit();
  },

  async "an engine stops, ponders and plays by the rules"({ lib: { Engine, Rules } }) {
    const [engine, rules] = await Promise.all([Engine.load(), Rules.load()]);
    const played = [];
    for (let ply = 0; ply < 12; ply++) {
      const position = `sp 334${played.length > 0 ? ` moves ${played.join(" ")}` : ""}`;
      engine.position(position);
      const { move } = await engine.go({ nodes: 300 }).best;
      played.push(rules.find(move, position).uci);
    }
    equal(rules.line(played, "sp 334").moves.length, 12);
    engine.newGame();
    engine.position("startpos");
    const search = engine.go({ ponder: true, movetime: 20 });
    engine.ponderHit();
    check((await search.best).move !== undefined, "a move after ponderHit");
    void engine.go();
    check((await engine.stop()).move !== undefined, "a move after stop");
    const waiting = engine.go();
    engine.quit();
    equal(await waiting.best, {});
  },

  async "an engine without Chess960 moves the king"({ lib: { Engine } }) {
    const engine = await Engine.load({ chess960: false });
    engine.position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    equal((await engine.go({ depth: 2, searchmoves: ["e1g1"] }).best).move, "e1g1");
    engine.quit();
  },

  async "rules answer about positions"({ lib: { Rules, RulesError } }) {
    const rules = await Rules.load();
    const fen = "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w KQkq - 0 1";
    for (const name of [fen, `fen ${fen}`, "sp 334", `${fen}\n`]) equal(rules.moves(name).length, 18);
    const { start, turn, outcome, shredder } = rules.position("sp 334");
    equal([start, turn, outcome], ["Chess960 334", "white", null]);
    equal(shredder, "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w EBeb - 0 1");
    equal(rules.position("startpos moves f2f3 e7e5 g2g4 d8h4").outcome.result, "0-1");
    const mate = rules.moves(MATE_BY_CASTLING).find(({ castling }) => castling);
    equal([mate.san, mate.uci, mate.castling], ["O-O-O#", "b1a1", { king: "c1", rook: "d1" }]);
    equal(rules.find("Nf3", "startpos"), { san: "Nf3", uci: "g1f3" });
    equal(rules.line(["e2e4", "e7e5", "a1a5"], "startpos").text, "1. e4 e5");
    equal(rules.explain("4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1").map(({ right }) => right).filter(Boolean).length, 1);
    equal(rules.start("sp:518").number, { black: 518, white: 518 });
    for (const wrong of [() => rules.moves("8/8 w"), () => rules.find("Nf6", "startpos"), () => rules.start("KRRBBNNQ")]) {
      let error;
      try { wrong(); } catch (caught) { error = caught; }
      check(error instanceof RulesError, `${error}`);
    }
  },

  async "rules read, write and judge games"({ lib: { Rules } }) {
    const rules = await Rules.load();
    const [game, unread] = rules.readPgn('[White "Ann"]\n\n1. e4 {best\nby test} (1. d4 d5) e5 $1 *\n\n[FEN "none"]\n\n1. e4 *');
    equal(game.line.moves[0].notes[0], { comment: "best by test" });
    equal([unread.line, unread.errors.length], [undefined, 1]);
    equal(rules.readPgn(rules.writePgn(game))[0].line, game.line);
    const at = (cp, best) => ({ score: { cp }, best });
    const mates = { score: { mate: -1 }, best: "d8h4" };
    const { moves, win_percent, white } = rules.judge("startpos moves f2f3 e7e5 g2g4 d8h4", [at(10), at(-20), at(-5), mates, mates]);
    equal(moves.map(({ mark }) => mark), [null, null, "??", null]);
    equal([win_percent.length, white.blunders], [5, 1]);
    equal(rules.judge("startpos moves e2e4", [at(300, "e2e4"), at(0)]).moves[0].loss, 0);
    check(rules.judge("startpos moves e2e4", [at(300, "d2d4"), at(0)]).moves[0].loss > 10, "a loss");
    equal(rules.quiz({ seed: 7, count: 5 }).length, 5);
    equal(rules.quiz().length, 50);
  },
};
