#!/usr/bin/env python3
"""Tests many small changes of the search at once, in a factorial design.

    cargo build --release --features tune
    scripts/factorial.py run FACTORS.json LOG.jsonl --games 2000      # resumes where the log ends
    scripts/factorial.py show FACTORS.json LOG.jsonl

For each pair of games we toss a coin for every change, which decides the side that plays with it; the next pair swaps the
sides. So every game tells us something about every change, and a regression separates them. With n games the standard
error of one change is about 280 / sqrt(n) Elo, whether there are five changes or sixty. To test one change at a time, we
would need that many games for each.

FACTORS.json names the engine, an opening book in EPD, and the changes as UCI options of a tune build:

    {"engine": "target/release/enroque", "book": "DFRC_openings.epd",
     "factors": {"wider rfp": {"on": {"rfp_slope": 45}, "off": {"rfp_slope": 25}},
                 "no razoring": {"on": {"razor_base": 10000}}}}

Without "off" the other side plays with the default. Two values around the current one show in which direction to go.

A fixed number of nodes hides what a change costs. So the log also holds how long both sides took for a move, and we show
how much time each change adds: ten per cent cost some thirty Elo, because in self-play twice the nodes are worth 228
(docs/experiments). Other programs that run on the machine blur the times.

We shrink the estimates towards zero, because most changes do little; --prior is the standard deviation that we expect.
Take the changes that win by more than a standard error, and confirm the whole set in fresh games, because the best of many
is always overrated. Needs fastchess on the PATH, and numpy to show the estimates.
"""

import argparse
import json
import math
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Near an even score, one point more in a game is worth 1600 / ln 10 Elo. A pair has two games, so there it is half.
ELO = 1600 / math.log(10) / 2


def options(factors, on):
    """Returns arguments for fastchess that set the options of a side: the changes in `on`, and "off" for the others."""
    values = {}
    for name, factor in factors.items():
        values.update(factor["on"] if name in on else factor.get("off", {}))
    return [f"option.{option}={value}" for option, value in values.items()]


def play_pair(spec, on, nodes, seed):
    """Plays an opening twice with colours reversed.

    Returns how often the side with `on` won, drew and lost, and the seconds per move of both sides.
    """
    factors, engine = spec["factors"], Path(spec["engine"]).resolve()
    sides = {"on": on, "off": set(factors) - on}
    engines = [word for side, names in sides.items()
               for word in ("-engine", f"name={side}", f"cmd={engine}", *options(factors, names))]
    with tempfile.TemporaryDirectory() as folder:
        command = ["fastchess", *engines, "-each", "proto=uci", f"nodes={nodes}", "tc=inf", "option.Hash=16",
                   "-variant", "fischerandom", "-games", "2", "-repeat", "-rounds", "1", "-concurrency", "1",
                   "-openings", f"file={Path(spec['book']).resolve()}", "format=epd", "order=random", "-srand", str(seed),
                   "-resign", "movecount=3", "score=600", "twosided=true",
                   "-draw", "movenumber=34", "movecount=8", "score=12", "-pgnout", "file=games.pgn"]
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
        pgn = Path(folder, "games.pgn")
        seconds = seconds_per_move(pgn.read_text() if pgn.exists() else "")
    games = re.findall(r"Finished game \d+ \((\w+) vs \w+\): (1-0|0-1|1/2-1/2)", said)
    if len(games) != 2:
        sys.exit(f"expected two games, found {len(games)}; fastchess said:\n{said[-1000:]}")
    draws = sum(result == "1/2-1/2" for _, result in games)
    wins = sum(result == ("1-0" if white == "on" else "0-1") for white, result in games)
    return wins, draws, 2 - wins - draws, seconds


def seconds_per_move(pgn):
    """Returns how long `on` and `off` took for a move, in seconds, in a PGN file that fastchess wrote."""
    spent = {"on": [], "off": []}
    for game in pgn.split("[Event ")[1:]:
        sides = [re.search(rf'\[{color} "(\w+)"', game)[1] for color in ("White", "Black")]
        black_begins = re.search(r'\[FEN "\S+ b ', game) is not None
        for ply, seconds in enumerate(re.findall(r"\{[^}]*? ([\d.]+)s[,}]", game), black_begins):
            spent[sides[ply % 2]].append(float(seconds))
    return [sum(times) / max(len(times), 1) for times in spent.values()]


def check(spec):
    """Ends the program if no games can be played, or if the engine refuses an option: that change would change nothing."""
    if not shutil.which("fastchess"):
        sys.exit("factorial.py: no fastchess on the PATH")
    sides = [side for factor in spec["factors"].values() for side in (factor["on"], factor.get("off", {}))]
    lines = [f"setoption name {option} value {value}" for side in sides for option, value in side.items()]
    try:
        tried = subprocess.run([Path(spec["engine"]).resolve(), *lines], capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit(f"factorial.py: {error.filename}: {error.strerror}")
    if tried.returncode != 0:
        sys.exit(f"factorial.py: {spec['engine']} refuses options; was it built with --features tune?\n{tried.stdout}")


def run(spec, log, arguments):
    check(spec)
    done = len(log.read_text().splitlines()) if log.exists() else 0
    factors = spec["factors"]

    def play(number):
        coins = random.Random(number // 2)
        on = {name for name in factors if coins.random() < 0.5}
        if number % 2:
            on = set(factors) - on
        wins, draws, losses, seconds = play_pair(spec, on, arguments.nodes, number)
        return {"on": sorted(on), "wins": wins, "draws": draws, "losses": losses, "nodes": arguments.nodes,
                "seconds": seconds}

    numbers = range(done, arguments.games // 2)
    with ThreadPoolExecutor(arguments.workers) as pool:
        try:
            # In order, so that a run that resumes plays exactly the pairs that are missing.
            for number, row in zip(numbers, pool.map(play, numbers)):
                with log.open("a") as out:
                    out.write(json.dumps(row) + "\n")
                if number % 20 == 0:
                    print(f"{2 * number} of {arguments.games} games", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(cancel_futures=True)


def show(spec, log, arguments):
    import numpy

    names = list(spec["factors"])
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    if not rows:
        sys.exit(f"{log}: no games yet")
    signs = numpy.array([[1.0 if name in row["on"] else -1.0 for name in names] for row in rows])
    points = numpy.array([(row["wins"] - row["losses"]) / 2 for row in rows])
    games = sum(row["wins"] + row["draws"] + row["losses"] for row in rows)
    draws = sum(row["draws"] for row in rows) / games
    variance = 2 * (1 - draws) / 4  # of the points from a pair
    precision = signs.T @ signs / variance + numpy.eye(len(names)) * (ELO / arguments.prior) ** 2
    covariance = numpy.linalg.inv(precision)
    estimates = covariance @ (signs.T @ points) / variance * ELO
    errors = numpy.sqrt(numpy.diag(covariance)) * ELO
    ratios = numpy.array([math.log(row["seconds"][0] / row["seconds"][1]) for row in rows])
    times = numpy.linalg.solve(signs.T @ signs + numpy.eye(len(names)), signs.T @ ratios) * 100
    print(f"{games} games, {draws:.0%} draws; Elo that each change gains, its standard error, and the time it adds")
    for index in numpy.argsort(-estimates):
        print(f"{names[index]:30} {estimates[index]:+6.1f} ± {errors[index]:4.1f} {times[index]:+6.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["run", "show"])
    parser.add_argument("factors", type=Path)
    parser.add_argument("log", type=Path)
    parser.add_argument("--nodes", type=int, default=60000, help="nodes a move (default: %(default)s)")
    parser.add_argument("--games", type=int, default=2000, help="games in all (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="pairs played at once (default: %(default)s)")
    parser.add_argument("--prior", type=float, default=15, help="expected size of an effect, Elo (default: %(default)s)")
    arguments = parser.parse_args()
    spec = json.loads(arguments.factors.read_text())
    (run if arguments.verb == "run" else show)(spec, arguments.log, arguments)


if __name__ == "__main__":
    main()
