#!/usr/bin/env python3
"""Screens search parameters at the node counts of real games, without playing: each trial changes all of them.

    cargo build --release --features tune
    target/release/enroque data export games.zst all.epd
    cut -d'|' -f1 all.epd | shuf -n 2000 > positions.txt
    python3 scripts/screen.py target/release/enroque run.json --positions positions.txt --judge nets/other.nnue
    python3 scripts/screen.py target/release/enroque run.json      # resumes a run

A trial counts the positions in which a search of `--nodes` finds the move of a search of `--judge-nodes` with *another*
network. With the same network the short search would be the start of the long one, which favours the current values.

In a trial each parameter is a step above or below its value, by a Plackett-Burman design (1946) from Paley's
construction: any two parameters take all four combinations equally often, so that all trials measure each effect. The
second half of the trials mirrors the first, which cancels the interactions of pairs.

The state is written after each trial. The result is a direction, to be confirmed by a match.
"""

import argparse
import concurrent.futures
import json
import math
import os
import subprocess
import sys

from spsa import select, tunable

# Settings of a new run, kept in its file: type, default, help.
SETTINGS = {
    "positions": (str, "", "file of positions, one FEN per line"),
    "judge": (str, "", "network of the judge, other than that of the engine"),
    "nodes": (int, 50000, "nodes per search of a trial"),
    "judge-nodes": (int, 400000, "nodes per search of the judge"),
    "step": (float, 2.0, "distance to either side in steps of `enroque tune`"),
    "parameters": (str, "", "comma-separated names; all except time management by default"),
}


def order(parameters):
    """Returns the order of the design: the smallest prime that is 3 modulo 4 and not below the number of parameters."""
    order = max(3, parameters)
    while order % 4 != 3 or any(order % divisor == 0 for divisor in range(2, order)):
        order += 1
    return order


def designs(parameters):
    """Returns the signs of all parameters for each trial."""
    q = order(parameters)
    squares = {x * x % q for x in range(1, q)}
    half = [[1 if (column - row) % q in squares else -1 for column in range(parameters)] for row in range(q)]
    half.append([-1] * parameters)
    return half + [[-sign for sign in signs] for signs in half]


class Engine:
    """Engine process with set options."""

    def __init__(self, path, options):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("setoption name UCI_Chess960 value true")
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        self.send("isready")
        answer = self.until("readyok")
        if any("error" in line.lower() for line in answer):
            sys.exit("\n".join(answer))

    def send(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def until(self, word):
        lines = []
        while not lines or not lines[-1].startswith(word):
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the engine exited:\n" + "\n".join(lines[-3:]))
            lines.append(line.strip())
        return lines

    def choose(self, fen, nodes):
        """Returns the move for a position, independent of earlier ones."""
        self.send(f"ucinewgame\nposition fen {fen}\ngo nodes {nodes}")
        return self.until("bestmove")[-1].split()[1]


def choices(path, options, positions, nodes, processes, label):
    """Returns the moves that an engine with these options chooses."""
    def share(part):
        engine = Engine(path, options)
        moves = [engine.choose(fen, nodes) for fen in positions[part::processes]]
        engine.send("quit")
        return moves

    print(f"\r{label} ", end="", file=sys.stderr, flush=True)
    moves = [""] * len(positions)
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        for part, chosen_moves in enumerate(pool.map(share, range(processes))):
            moves[part::processes] = chosen_moves
    return moves


def save(path, state):
    """Writes the state atomically: a kill leaves the old or the new file."""
    with open(path + ".new", "w") as file:
        json.dump(state, file)
        file.write("\n")
    os.replace(path + ".new", path)


def show(state):
    """Prints the effect of each upward step on the agreement, and a command for a confirming match."""
    parameters, trials = state["parameters"], state["agreed"]
    table = designs(len(parameters))
    if not trials:
        print(f"0 of {len(table)} trials")
        return
    share = 100 / len(state["positions"])
    mean = sum(trials) / len(trials)
    # Binomial error: the variation between trials is small in comparison.
    error = math.sqrt(mean * (1 - mean * share / 100) / len(trials))
    print(f"{len(trials)} of {len(table)} trials, {mean * share:.2f} % agreed; error of an effect {error * share:.2f} %")
    effects = {
        name: sum(signs[column] * (agreed - mean) for signs, agreed in zip(table, trials)) / len(trials)
        for column, name in enumerate(parameters)
    }
    moved = []
    for name, effect in sorted(effects.items(), key=lambda row: -abs(row[1])):
        value, step = parameters[name]
        print(f"{name:26}{value:8} ± {step:<6}{effect * share:+7.2f} % per upward step")
        if abs(effect) > error:
            moved.append(f"{name}={value + math.copysign(step, effect):.0f}")
    if moved:
        match = f"match --threads 1 --games 2000 --nodes {state['nodes']} --seed 7000"
        print(f"confirm: enroque {match} --with {','.join(moved)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="a build with --features tune")
    parser.add_argument("state", help="file of the run, created if missing")
    group = parser.add_argument_group("settings of a new run, kept in its file")
    for name, (kind, default, text) in SETTINGS.items():
        group.add_argument(f"--{name}", type=kind, help=f"{text} [{default}]" if default else text)
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="searches at once [%(default)s]")
    parser.add_argument("--show", action="store_true", help="print the effects without searching")
    given = parser.parse_args()

    names = {name: name.replace("-", "_") for name in SETTINGS}
    changed = {name: vars(given)[name] for name in names.values() if vars(given)[name] is not None}
    if os.path.exists(given.state):
        if changed:
            sys.exit(f"{given.state} has its own settings; resume it without --{next(iter(changed))}")
        with open(given.state) as file:
            state = json.load(file)
    elif given.show:
        sys.exit(f"{given.state}: no such file")
    else:
        state = {names[name]: default for name, (_, default, _) in SETTINGS.items()} | changed
        if not state["positions"] or not state["judge"]:
            sys.exit("a new run needs --positions and --judge")
        with open(state["positions"]) as file:
            state["positions"] = [line.strip() for line in file if line.strip()]
        wanted = [name for name in state["parameters"].split(",") if name]
        available = select(tunable(given.engine), wanted)
        state["parameters"] = {
            name: (int(value), int(min(max(1, round(state["step"] * c)), value - least, greatest - value)))
            for name, (value, least, greatest, c, _) in available.items()
            if wanted or not name.startswith("time_")
        }
        judge = {"EvalFile": os.path.abspath(state["judge"])}
        state["moves"] = choices(
            given.engine, judge, state["positions"], state["judge_nodes"], given.processes, "the judge searches"
        )
        state["agreed"] = []
        save(given.state, state)
    if not given.show:
        table = designs(len(state["parameters"]))
        for signs in table[len(state["agreed"]) :]:
            options = {n: value + sign * step for sign, (n, (value, step)) in zip(signs, state["parameters"].items())}
            label = f"trial {len(state['agreed']) + 1} of {len(table)}"
            moves = choices(given.engine, options, state["positions"], state["nodes"], given.processes, label)
            state["agreed"].append(sum(move == judged for move, judged in zip(moves, state["moves"])))
            save(given.state, state)
        print(file=sys.stderr)
    show(state)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("\nfinished trials are kept", file=sys.stderr)
        os._exit(130)
