#!/usr/bin/env python3
"""Tunes parameters of the search by SPSA: many small matches between two sets of values, each a step to either side.

    cargo build --release --features tune
    python3 scripts/spsa.py target/release/enroque run.json --games 20000 --parameters rfp_slope,rfp_improving
    python3 scripts/spsa.py target/release/enroque run.json      # shows, or goes on with, what was begun

The matches are `enroque match` at fixed nodes, or on clocks that count nodes, one process a core, so other work on
the machine changes nothing. The state is written after each match: a run that was stopped goes on where it was.
Steps, ranges and rates are those that `enroque tune` prints; the schedule is that of Stockfish's and OpenBench's
tuners (Spall's alpha 0.602 and gamma 0.101, A a tenth of the iterations), with the names they use. At the end the
values are put into the sources by hand, after a match of the new values against the old with fresh openings, which
the last line printed begins.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import threading

ALPHA, GAMMA, A_RATIO = 0.602, 0.101, 0.1

# What a new run is told and keeps: type, default, help.
SETTINGS = {
    "games": (int, 20000, "all games of the run"),
    "pairs": (int, 8, "pairs of games a match"),
    "nodes": (int, 5000, "nodes a move"),
    "clock": (str, "", "in place of them clocks that count nodes, such as 2+0.02: for the parameters of time"),
    "rate": (float, 1.0, "factor of all learning rates"),
    "parameters": (str, "", "names with commas between; all when left out"),
}


def tunable(engine):
    """What the engine offers: name to (value, least, greatest, c_end, r_end)."""
    listed = subprocess.run([engine, "tune"], capture_output=True, text=True, check=False)
    if listed.returncode != 0 or not listed.stdout:
        sys.exit(f"{engine} lists no parameters; build it with --features tune")
    rows = [line.split(", ") for line in listed.stdout.splitlines()]
    return {name: tuple(map(float, numbers)) for name, _, *numbers in rows}


def chosen(offered, names):
    """The parameters of those names, all without names."""
    unknown = [name for name in names if name not in offered]
    if unknown:
        sys.exit(f"no such parameter: {', '.join(unknown)}; `enroque tune` lists them")
    return {name: offered[name] for name in names or offered}


class Run:
    """A tuning run and the file that holds it."""

    def __init__(self, path, state):
        self.path, self.state = path, state
        self.lock = threading.Lock()

    @property
    def iterations(self):
        return self.state["games"] // (2 * self.state["pairs"])

    def save(self):
        """Writes the state so that a kill leaves the old one or the new one."""
        with open(self.path + ".new", "w") as file:
            json.dump(self.state, file, indent=1)
            file.write("\n")
        os.replace(self.path + ".new", self.path)

    def propose(self, iteration, rng):
        """The two sets of an iteration, and each parameter's signed step."""
        plus, minus, steps = {}, {}, {}
        for name, parameter in self.state["parameters"].items():
            c_k = parameter["c_end"] * (self.iterations / iteration) ** GAMMA
            step = c_k * rng.choice((-1, 1))
            for values, sign in ((plus, 1), (minus, -1)):
                # Rounded by chance, so that steps below 1 are seen, too.
                value = int((parameter["value"] + sign * step + rng.random()) // 1)
                values[name] = min(max(value, int(parameter["min"])), int(parameter["max"]))
            steps[name] = step
        return plus, minus, steps

    def learn(self, iteration, steps, difference):
        """Moves each value by the won less the lost games of the first set, and saves."""
        big_a = A_RATIO * self.iterations
        with self.lock:
            for name, parameter in self.state["parameters"].items():
                a = parameter["r_end"] * parameter["c_end"] ** 2 * (big_a + self.iterations) ** ALPHA
                value = parameter["value"] + a / (big_a + iteration) ** ALPHA * difference / steps[name]
                parameter["value"] = min(max(value, parameter["min"]), parameter["max"])
            self.state["done"] += 1
            self.save()

    def show(self):
        """A table of the values, and the match that would prove them."""
        print(f"{self.state['done']} of {self.iterations} matches of {2 * self.state['pairs']} games")
        for name, parameter in self.state["parameters"].items():
            steps = (parameter["value"] - parameter["start"]) / parameter["c_end"]
            print(f"{name:26}{parameter['start']:8.0f} -> {parameter['value']:8.1f}  {steps:+6.2f} steps")
        values = ",".join(f"{name}={parameter['value']:.0f}" for name, parameter in self.state["parameters"].items())
        limit = " ".join(self.limit())
        print(f"prove it: enroque match --threads 1 --games 8000 {limit} --seed 7000 --with {values}")

    def limit(self):
        """What a move may take, as `enroque match` is told."""
        clock = self.state.get("clock")
        return ["--clock", clock] if clock else ["--nodes", str(self.state["nodes"])]


def play(engine, run, iteration, stop):
    """One match; the difference of the first set's won and lost pairs of games, in games."""
    if stop.is_set():
        return
    rng = random.Random()
    with run.lock:
        plus, minus, steps = run.propose(iteration, rng)
    words = lambda values: ",".join(f"{name}={value}" for name, value in values.items())
    command = [engine, "match", "--threads", "1", "--games", str(2 * run.state["pairs"])]
    command += [*run.limit(), "--seed", str(rng.getrandbits(40)), "--double", "70"]
    command += ["--with", words(plus), "--against", words(minus)]
    # In a session of its own: an interrupt is for the tuner alone, and what was begun is played to its end.
    match = subprocess.run(command, capture_output=True, text=True, start_new_session=True)
    pairs = re.search(r"pairs by points.*\[(.*)\]", match.stdout)
    if pairs is None:
        stop.set()
        sys.exit(f"a match failed:\n{match.stdout}{match.stderr}")
    counts = [int(count) for count in pairs[1].split(",")]
    run.learn(iteration, steps, sum(count * points for count, points in zip(counts, (-2, -1, 0, 1, 2))))


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("engine", help="a build with --features tune")
    words.add_argument("state", help="the run's file; made when it is not there")
    group = words.add_argument_group("settings of a new run, which it keeps")
    for name, (kind, default, text) in SETTINGS.items():
        group.add_argument(f"--{name}", type=kind, help=f"{text} [{default}]" if default else text)
    words.add_argument("--processes", type=int, default=os.cpu_count(), help="matches at once [%(default)s]")
    words.add_argument("--show", action="store_true", help="print the values and play nothing")
    given = words.parse_args()

    told = {name: vars(given)[name] for name in SETTINGS if vars(given)[name] is not None}
    if os.path.exists(given.state):
        if told:
            sys.exit(f"{given.state} was begun with settings of its own; without --{next(iter(told))} it goes on")
        with open(given.state) as file:
            run = Run(given.state, json.load(file))
    elif given.show:
        sys.exit(f"{given.state}: no such run")
    else:
        settings = {name: default for name, (_, default, _) in SETTINGS.items()} | told
        names = [name for name in settings.pop("parameters").split(",") if name]
        rate = settings.pop("rate")
        parameters = {
            name: {"start": value, "value": value, "min": least, "max": greatest, "c_end": c, "r_end": r * rate}
            for name, (value, least, greatest, c, r) in chosen(tunable(given.engine), names).items()
        }
        run = Run(given.state, {**settings, "done": 0, "parameters": parameters})
        run.save()
    if given.show:
        run.show()
        return

    stop = threading.Event()
    left = range(run.state["done"] + 1, run.iterations + 1)
    with concurrent.futures.ThreadPoolExecutor(given.processes) as pool:
        futures = [pool.submit(play, given.engine, run, iteration, stop) for iteration in left]
        try:
            for count, future in enumerate(concurrent.futures.as_completed(futures)):
                future.result()
                if sys.stderr.isatty() or count % 50 == 0:
                    print(f"\r{run.state['done']} of {run.iterations} matches", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            stop.set()
            print("\nthe matches that were begun are played to their end; once more ends at once", file=sys.stderr)
            pool.shutdown(cancel_futures=True)
    print(file=sys.stderr)
    run.show()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        os._exit(130)  # the state is whole; threads that wait for a match would hold up an ordinary exit
