#!/usr/bin/env python3
"""Compares the speed of builds, even on a busy machine.

    scripts/compare_speed.py ROUNDS NODES ENGINE ENGINE [...]
    scripts/compare_speed.py 15 40000 ./old ./new

All engines take turns to search NODES nodes at each position of `bench`, from a cleared hash table. They may be any
engines that speak UCI and play Chess960. Prints how many nodes per second each engine searches, and how that compares
with the first engine, computed in four ways: the median of the rounds, the median of the ratios in each round, and sums
over the positions, which take the median or the shortest time of each. On a machine whose speed varies, the four differ
by a few per cent.
"""

import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

BENCH = Path(__file__).parent.parent / "src" / "commands" / "bench.rs"


class Engine:
    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("uci")
        self.until("uciok")
        self.send("setoption name UCI_Chess960 value true")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        """Reads lines until one begins with `word`, and returns them all."""
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(word):
                return lines
        sys.exit(f"compare_speed.py: {self.command} ended")

    def search(self, fen, nodes):
        """Returns how many nodes the engine searched, and how many seconds it took."""
        for line in ("ucinewgame", f"position fen {fen}", "isready"):
            self.send(line)
        self.until("readyok")
        start = time.perf_counter()
        self.send(f"go nodes {nodes}")
        lines = self.until("bestmove")
        seconds = time.perf_counter() - start
        counts = [line.split(" nodes ")[1] for line in lines if " nodes " in line]
        return int(counts[-1].split()[0]), seconds


def positions():
    """Returns the FENs that `bench` searches. Its output shows only where the pieces are."""
    return re.findall(r'^ +"(\S+/\S+ [wb] .+)",$', BENCH.read_text(encoding="utf-8"), re.MULTILINE)


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    rounds, nodes = int(sys.argv[1]), int(sys.argv[2])
    engines = [Engine(command) for command in sys.argv[3:]]
    fens = positions()
    if not fens:
        sys.exit(f"compare_speed.py: no positions in {BENCH}")
    # For each engine and position, the nodes and seconds of every round.
    results = [[[] for _ in fens] for _ in engines]
    for turn in range(rounds):
        for index, fen in enumerate(fens):
            order = list(zip(engines, results))
            for engine, result in order if (turn + index) % 2 == 0 else reversed(order):
                result[index].append(engine.search(fen, nodes))

    def total(result, choose):
        searched = sum(choose([count for count, _ in position]) for position in result)
        return searched / sum(choose([seconds for _, seconds in position]) for position in result)

    def by_round(result):
        columns = zip(*result)
        return [sum(count for count, _ in column) / sum(seconds for _, seconds in column) for column in columns]

    first = by_round(results[0])
    print("nodes/s  rounds  paired  medians   least")
    for engine, result in zip(engines, results):
        speeds = by_round(result)
        figures = [
            median(speeds) / median(first),
            median(speed / other for speed, other in zip(speeds, first)),
            total(result, median) / total(results[0], median),
            total(result, min) / total(results[0], min),
        ]
        print(f"{median(speeds):7.0f}  " + "   ".join(f"{figure:.3f}" for figure in figures) + f"  {engine.command}")


if __name__ == "__main__":
    main()
