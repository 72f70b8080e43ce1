#!/usr/bin/env python3
"""Tunes search parameters by SPSA: many small matches between two sets of values, a step to either side.

    cargo build --release --features tune
    python3 scripts/spsa.py target/release/enroque run.json --games 20000 --parameters rfp_slope,rfp_improving
    python3 scripts/spsa.py target/release/enroque run.json      # resumes a run

The matches are `enroque match` at fixed nodes or on clocks that count nodes, one process for each core. So the load of
the machine has no effect. The state is written after each match, and a stopped run resumes there.

Steps, ranges and rates are those of `enroque tune`. Schedule and names are those of the tuners of Stockfish and
OpenBench: Spall's alpha 0.602 and gamma 0.101, A a tenth of the iterations.

The last line printed is a match of the new values against the old with fresh openings. If they win, the values go into
the sources by hand.
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

# Settings of a new run, kept in its file: type, default, help.
SETTINGS = {
    "games": (int, 20000, "total number of games"),
    "pairs": (int, 8, "pairs of games per match"),
    "nodes": (int, 20000, "nodes per move"),
    "clock": (str, "", "clocks that count nodes in place of --nodes, such as 2+0.02: for time management"),
    "rate": (float, 1.0, "factor for all learning rates"),
    "parameters": (str, "", "comma-separated names; all by default"),
}


def tunable(engine):
    """Returns the tunable parameters of the engine: name to (value, min, max, c_end, r_end)."""
    listed = subprocess.run([engine, "tune"], capture_output=True, text=True, check=False)
    if listed.returncode != 0 or not listed.stdout:
        sys.exit(f"expected parameters of {engine}, found none; build it with --features tune")
    rows = [line.split(", ") for line in listed.stdout.splitlines()]
    return {name: tuple(map(float, numbers)) for name, _, *numbers in rows}


def select(available, names):
    """Returns the parameters with these names, or all if `names` is empty."""
    unknown = [name for name in names if name not in available]
    if unknown:
        sys.exit(f"unknown parameters: {', '.join(unknown)}; `enroque tune` lists them")
    return {name: available[name] for name in names or available}


class Run:
    """Tuning run with its file."""

    def __init__(self, path, state):
        self.path, self.state = path, state
        self.lock = threading.Lock()

    @property
    def iterations(self):
        return self.state["games"] // (2 * self.state["pairs"])

    def save(self):
        """Writes the state atomically: a kill leaves the old or the new file."""
        with open(self.path + ".new", "w") as file:
            json.dump(self.state, file, indent=1)
            file.write("\n")
        os.replace(self.path + ".new", self.path)

    def propose(self, iteration, rng):
        """Returns the two sets of values of an iteration, and the signed step of each parameter."""
        plus, minus, steps = {}, {}, {}
        for name, parameter in self.state["parameters"].items():
            c_k = parameter["c_end"] * (self.iterations / iteration) ** GAMMA
            step = c_k * rng.choice((-1, 1))
            for values, sign in ((plus, 1), (minus, -1)):
                # Stochastic rounding keeps steps below 1 effective.
                value = int((parameter["value"] + sign * step + rng.random()) // 1)
                values[name] = min(max(value, int(parameter["min"])), int(parameter["max"]))
            steps[name] = step
        return plus, minus, steps

    def update(self, iteration, steps, difference):
        """Updates each value by the difference of won and lost games of the first set, and saves."""
        big_a = A_RATIO * self.iterations
        with self.lock:
            for name, parameter in self.state["parameters"].items():
                a = parameter["r_end"] * parameter["c_end"] ** 2 * (big_a + self.iterations) ** ALPHA
                value = parameter["value"] + a / (big_a + iteration) ** ALPHA * difference / steps[name]
                parameter["value"] = min(max(value, parameter["min"]), parameter["max"])
            self.state["done"] += 1
            self.save()

    def show(self):
        """Prints the values and a command for a confirming match."""
        print(f"{self.state['done']} of {self.iterations} matches of {2 * self.state['pairs']} games")
        for name, parameter in self.state["parameters"].items():
            steps = (parameter["value"] - parameter["start"]) / parameter["c_end"]
            print(f"{name:26}{parameter['start']:8.0f} -> {parameter['value']:8.1f}  {steps:+6.2f} steps")
        values = ",".join(f"{name}={parameter['value']:.0f}" for name, parameter in self.state["parameters"].items())
        limit = " ".join(self.limit())
        print(f"confirm: enroque match --threads 1 --games 8000 {limit} --seed 7000 --with {values}")

    def limit(self):
        """Returns the limit of a move as arguments of `enroque match`."""
        clock = self.state.get("clock")
        return ["--clock", clock] if clock else ["--nodes", str(self.state["nodes"])]


def play(engine, run, iteration, stop):
    """Plays one match and updates the run."""
    if stop.is_set():
        return
    rng = random.Random()
    with run.lock:
        plus, minus, steps = run.propose(iteration, rng)
    assignments = lambda values: ",".join(f"{name}={value}" for name, value in values.items())
    command = [engine, "match", "--threads", "1", "--games", str(2 * run.state["pairs"])]
    command += [*run.limit(), "--seed", str(rng.getrandbits(40)), "--double", "70"]
    command += ["--with", assignments(plus), "--against", assignments(minus)]
    # An own session: an interrupt reaches only the tuner, and started matches finish.
    match = subprocess.run(command, capture_output=True, text=True, start_new_session=True)
    pairs = re.search(r"pairs by points.*\[(.*)\]", match.stdout)
    if pairs is None:
        stop.set()
        sys.exit(f"a match failed:\n{match.stdout}{match.stderr}")
    counts = [int(count) for count in pairs[1].split(",")]
    run.update(iteration, steps, sum(count * points for count, points in zip(counts, (-2, -1, 0, 1, 2))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="a build with --features tune")
    parser.add_argument("state", help="file of the run, created if missing")
    group = parser.add_argument_group("settings of a new run, kept in its file")
    for name, (kind, default, text) in SETTINGS.items():
        group.add_argument(f"--{name}", type=kind, help=f"{text} [{default}]" if default else text)
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="matches at once [%(default)s]")
    parser.add_argument("--show", action="store_true", help="print the values without playing")
    given = parser.parse_args()

    changed = {name: vars(given)[name] for name in SETTINGS if vars(given)[name] is not None}
    if os.path.exists(given.state):
        if changed:
            sys.exit(f"{given.state} has its own settings; resume it without --{next(iter(changed))}")
        with open(given.state) as file:
            run = Run(given.state, json.load(file))
    elif given.show:
        sys.exit(f"{given.state}: no such file")
    else:
        settings = {name: default for name, (_, default, _) in SETTINGS.items()} | changed
        names = [name for name in settings.pop("parameters").split(",") if name]
        rate = settings.pop("rate")
        parameters = {
            name: {"start": value, "value": value, "min": least, "max": greatest, "c_end": c, "r_end": r * rate}
            for name, (value, least, greatest, c, r) in select(tunable(given.engine), names).items()
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
            print("\nstarted matches finish; interrupt again to exit at once", file=sys.stderr)
            pool.shutdown(cancel_futures=True)
    print(file=sys.stderr)
    run.show()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        os._exit(130)  # the state is saved; threads waiting for a match would delay a normal exit
