#!/usr/bin/env python3
"""Screens parameters of the search at the nodes of a real game: all of them changed in every trial, no game played.

    cargo build --release --features tune
    target/release/enroque data export games.zst all.epd
    cut -d'|' -f1 all.epd | shuf -n 2000 > positions.txt
    python3 scripts/screen.py target/release/enroque run.json --positions positions.txt --judge nets/other.nnue
    python3 scripts/screen.py target/release/enroque run.json      # shows, or goes on with, what was begun

A trial counts the positions in which a search of `--nodes` chooses the move that one of `--judge-nodes` with *another*
network has chosen (with the same network the short search is the beginning of the long one, and what stands looks
best). In a trial each parameter stands a step above or below its value, by the design of Plackett and Burman (1946), here
from Paley's construction: every two parameters meet in all four ways equally often, so that each effect is measured by all
trials at once. The second half of the trials is the mirror image of the first, which takes out what pairs of parameters
do. The state is written after each trial. What it finds is a direction: a match proves it.
"""

import argparse
import concurrent.futures
import json
import math
import os
import subprocess
import sys

from spsa import chosen, tunable

# What a new run is told and keeps: type, default, help.
SETTINGS = {
    "positions": (str, "", "file of positions, one FEN a line"),
    "judge": (str, "", "network of the judge, which must not be the engine's own"),
    "nodes": (int, 50000, "nodes of a trial's searches"),
    "judge-nodes": (int, 400000, "nodes of the judge's"),
    "step": (float, 2.0, "steps of `enroque tune` to either side"),
    "parameters": (str, "", "names with commas between; all but those of time when left out"),
}


def order(parameters):
    """The order of the design: the least prime that is not below the number of parameters, and 3 modulo 4."""
    order = max(3, parameters)
    while order % 4 != 3 or any(order % divisor == 0 for divisor in range(2, order)):
        order += 1
    return order


def designs(parameters):
    """The signs of all parameters for each trial of a run."""
    q = order(parameters)
    squares = {x * x % q for x in range(1, q)}
    half = [[1 if (column - row) % q in squares else -1 for column in range(parameters)] for row in range(q)]
    half.append([-1] * parameters)
    return half + [[-sign for sign in signs] for signs in half]


class Engine:
    """A process that is told options and searches one position after the other."""

    def __init__(self, path, options):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.tell("setoption name UCI_Chess960 value true")
        for name, value in options.items():
            self.tell(f"setoption name {name} value {value}")
        self.tell("isready")
        answer = self.until("readyok")
        if any("error" in line.lower() for line in answer):
            sys.exit("\n".join(answer))

    def tell(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def until(self, word):
        lines = []
        while not lines or not lines[-1].startswith(word):
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the engine has ended:\n" + "\n".join(lines[-3:]))
            lines.append(line.strip())
        return lines

    def choose(self, fen, nodes):
        """The move for a position, with nothing remembered of another."""
        self.tell(f"ucinewgame\nposition fen {fen}\ngo nodes {nodes}")
        return self.until("bestmove")[-1].split()[1]


def choices(path, options, positions, nodes, processes, label):
    """The moves that an engine with those options chooses."""
    def share(part):
        engine = Engine(path, options)
        moves = [engine.choose(fen, nodes) for fen in positions[part::processes]]
        engine.tell("quit")
        return moves

    print(f"\r{label} ", end="", file=sys.stderr, flush=True)
    moves = [""] * len(positions)
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        for part, chosen_moves in enumerate(pool.map(share, range(processes))):
            moves[part::processes] = chosen_moves
    return moves


def save(path, state):
    """Writes the state so that a kill leaves the old one or the new one."""
    with open(path + ".new", "w") as file:
        json.dump(state, file)
        file.write("\n")
    os.replace(path + ".new", path)


def show(state):
    """A table of what a step upward does to the agreement, and a match that would prove what it found."""
    parameters, trials = state["parameters"], state["agreed"]
    table = designs(len(parameters))
    if not trials:
        print(f"no trial of {len(table)} yet")
        return
    share = 100 / len(state["positions"])
    mean = sum(trials) / len(trials)
    # As if each position were a coin: what differs from trial to trial is little beside.
    error = math.sqrt(mean * (1 - mean * share / 100) / len(trials))
    print(f"{len(trials)} of {len(table)} trials, {mean * share:.2f} % agreed; error of an effect {error * share:.2f} %")
    effects = {
        name: sum(signs[column] * (agreed - mean) for signs, agreed in zip(table, trials)) / len(trials)
        for column, name in enumerate(parameters)
    }
    moved = []
    for name, effect in sorted(effects.items(), key=lambda row: -abs(row[1])):
        value, step = parameters[name]
        print(f"{name:26}{value:8} ± {step:<6}{effect * share:+7.2f} % for a step upward")
        if abs(effect) > error:
            moved.append(f"{name}={value + math.copysign(step, effect):.0f}")
    if moved:
        match = f"match --threads 1 --games 2000 --nodes {state['nodes']} --seed 7000"
        print(f"try it: enroque {match} --with {','.join(moved)}")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("engine", help="a build with --features tune")
    words.add_argument("state", help="the run's file; made when it is not there")
    group = words.add_argument_group("settings of a new run, which it keeps")
    for name, (kind, default, text) in SETTINGS.items():
        group.add_argument(f"--{name}", type=kind, help=f"{text} [{default}]" if default else text)
    words.add_argument("--processes", type=int, default=os.cpu_count(), help="searches at once [%(default)s]")
    words.add_argument("--show", action="store_true", help="print the effects and search nothing")
    given = words.parse_args()

    names = {name: name.replace("-", "_") for name in SETTINGS}
    told = {name: vars(given)[name] for name in names.values() if vars(given)[name] is not None}
    if os.path.exists(given.state):
        if told:
            sys.exit(f"{given.state} was begun with settings of its own; without --{next(iter(told))} it goes on")
        with open(given.state) as file:
            state = json.load(file)
    elif given.show:
        sys.exit(f"{given.state}: no such run")
    else:
        state = {names[name]: default for name, (_, default, _) in SETTINGS.items()} | told
        if not state["positions"] or not state["judge"]:
            sys.exit("a new run needs --positions and --judge")
        with open(state["positions"]) as file:
            state["positions"] = [line.strip() for line in file if line.strip()]
        wanted = [name for name in state["parameters"].split(",") if name]
        offered = chosen(tunable(given.engine), wanted)
        state["parameters"] = {
            name: (int(value), int(min(max(1, round(state["step"] * c)), value - least, greatest - value)))
            for name, (value, least, greatest, c, _) in offered.items()
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
        print("\nthe trials that were done are kept", file=sys.stderr)
        os._exit(130)
