#!/usr/bin/env python3
"""Fits the win-draw-loss model of src/search/wdl.rs to games, or the scale of chess sites to Stockfish.

    scripts/fit_wdl.py GAMES.pgn [...] [--player NAME]
    scripts/fit_wdl.py GAMES.pgn [...] --site ENROQUE STOCKFISH

Reads the results, and the scores that a match runner puts in comments ({+0.35/12 ...}), of both players or of NAME alone.
NAME may have played another program; we then fit the difference in strength, too. The programs must have normalised their
scores with the constants that wdl.rs has now, because we undo that before the fit.

Prints the constants for wdl.rs, and how well they and the present ones explain the results (mean -log probability, lower is
better). We get the standard errors by fitting random halves of the games.

With --site, both programs search the positions of the games: ours with 125,000 nodes, Stockfish 15.1, whose scale chess sites
use, to depth 16. Prints the SITE constants for crates/study/src/judgement.rs, and by how many points of win percentage (by
lichess's formula) our scores differ from Stockfish's, by the size of its score and by material.
Needs the packages `chess`, `numpy` and `scipy`.
"""

import argparse
import pathlib
import re

import chess
import chess.engine
import chess.pgn
import numpy
from scipy.optimize import minimize

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src/search/wdl.rs"
SITE_SOURCE = ROOT / "crates/study/src/judgement.rs"
SITE_NODES, SITE_DEPTH = 125_000, 16
# Lichess's formula, and the bounds between which it takes scores.
WIN_SLOPE, MAX_CENTIPAWNS = 0.00368208, 1000.0
MATERIAL = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
MATERIAL_RANGE = (17, 78)
TYPICAL_MATERIAL = 58.0
SCORE = re.compile(r"^([+-]?\d+\.\d+)/\d+")
# In centipawns. With larger scores the game is decided, so we ignore them.
LIMIT = 2000.0
HALVINGS = 10


def present_constants():
    """Returns LOCATION and SCALE of wdl.rs as one list of five numbers."""
    text = SOURCE.read_text(encoding="utf-8")
    found = [re.search(rf"^const {name}: .* = \[(.*)\];", text, re.MULTILINE)[1] for name in ("LOCATION", "SCALE")]
    return [float(number) for numbers in found for number in numbers.split(",")]


def share_of(board):
    material = sum(MATERIAL[piece.piece_type] for piece in board.piece_map().values())
    return min(max(material, MATERIAL_RANGE[0]), MATERIAL_RANGE[1]) / TYPICAL_MATERIAL


def location(model, share):
    return model[0] + model[1] * share + model[2] * share**2


def scale(model, share):
    return numpy.maximum(model[3] + model[4] * share, 5.0)


def samples(path, player, present):
    """Yields a list for each game in a file. For each move it has the score of the search in centipawns, the share of
    material, and the result (1, 0, -1), for the side to move."""
    with open(path, encoding="utf-8") as games:
        while (game := chess.pgn.read_game(games)) is not None:
            result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(game.headers["Result"])
            if result is None:
                continue
            found, board = [], game.board()
            for node in game.mainline():
                white = board.turn == chess.WHITE
                match = SCORE.match(node.comment)
                name = game.headers["White" if white else "Black"]
                if match is not None and player in (None, name):
                    share = share_of(board)
                    score = float(match[1]) * location(present, share)
                    if abs(score) < LIMIT:
                        found.append((score, share, result if white else -result))
                board.push(node.move)
            if found:
                yield found


def loss(model, data):
    """Returns the mean -log probability of the results. The sixth number of the model says how much stronger NAME is, in
    centipawns."""
    score, share, result = data
    a, b, edge = location(model, share), scale(model, share), model[5]
    chance = lambda s: 1 / (1 + numpy.exp(numpy.clip((a - s) / b, -50, 50)))
    win, lose = chance(score + edge), chance(-score - edge)
    draw = numpy.maximum(1 - win - lose, 1e-9)
    return -numpy.log(numpy.where(result > 0, win, numpy.where(result < 0, lose, draw)) + 1e-12).mean()


def fit(data, begin, free):
    """Starts with the model `begin` and fits those of its numbers whose indices are in `free`."""
    if not free:
        return begin

    def with_free(numbers):
        model = numpy.array(begin)
        model[free] = numbers
        return model

    first = numpy.array(begin)[free]
    options = {"maxiter": 40_000, "maxfev": 40_000, "adaptive": True, "xatol": 0.01, "fatol": 1e-9}
    found = minimize(lambda numbers: loss(with_free(numbers), data), first, method="Nelder-Mead", options=options)
    return with_free(found.x)


def site_samples(path, programs, present):
    """Yields a list for each game in a file. For each position it has the score of our search in centipawns, the share of
    material, and Stockfish's score, for the side to move. Leaves out mates."""
    limits = [chess.engine.Limit(nodes=SITE_NODES), chess.engine.Limit(depth=SITE_DEPTH)]
    with open(path, encoding="utf-8") as games:
        while (game := chess.pgn.read_game(games)) is not None:
            found = []
            for node in game.mainline():
                board = node.board()
                if board.is_game_over():
                    continue
                scores = [program.analyse(board, limit, game=object())["score"].relative.score()
                          for program, limit in zip(programs, limits)]
                if None not in scores:
                    share = share_of(board)
                    found.append((scores[0] * location(present, share) / 100, share, scores[1]))
            yield found


def site_scores(model, score, share):
    scaled = score * (model[0] + model[1] * share)
    return model[2] * numpy.arcsinh(scaled / model[2])


def win_percent(centipawns):
    return 100 / (1 + numpy.exp(-WIN_SLOPE * numpy.clip(centipawns, -MAX_CENTIPAWNS, MAX_CENTIPAWNS)))


def fit_site(games):
    """Fits the three SITE constants, and prints them."""
    text = SITE_SOURCE.read_text(encoding="utf-8")
    names = ("SITE_BASE", "SITE_MATERIAL", "SITE_BEND")
    present = [float(re.search(rf"^const {name}: f64 = (.*);", text, re.MULTILINE)[1]) for name in names]
    gather = lambda chosen: numpy.array([sample for index in chosen for sample in games[index]]).T
    differences = lambda model, data: win_percent(site_scores(model, *data[:2])) - win_percent(data[2])
    error = lambda model, data: numpy.abs(differences(model, data)).mean()

    def fitted(data):
        start = numpy.array(present)
        found = minimize(lambda numbers: error(numbers, data), start, method="Nelder-Mead",
                         options={"initial_simplex": [start, *(start * (1 + 0.3 * unit) for unit in numpy.eye(3))]})
        return found.x

    data = gather(range(len(games)))
    model = fitted(data)
    generator = numpy.random.default_rng(1)
    halves = [fitted(gather(half)) for _ in range(HALVINGS)
              for half in numpy.array_split(generator.permutation(len(games)), 2)]
    print(f"{len(games)} games, {data.shape[1]} positions")
    for index, name in enumerate(names):
        print(f"const {name}: f64 = {model[index]:.3g}; ± {numpy.std([half[index] for half in halves]):.2g}")
    print(f"mean error {error(model, data):.2f} points, with the present constants {error(present, data):.2f}")
    print("by Stockfish's score and by material: positions, error, and how much too far from 50 % we are")
    size, share = numpy.abs(data[2]), data[1] * TYPICAL_MATERIAL
    groups = [(f"{low}-{high} cp", (size >= low) & (size < high)) for low, high in
              ((0, 50), (50, 100), (100, 200), (200, 300), (300, 450), (450, 700), (700, 10_000))]
    groups += [(f"material {low}-{high - 1}", (share >= low) & (share < high)) for low, high in
               ((17, 30), (30, 45), (45, 60), (60, 79))]
    print("                      n   present  fitted    present  fitted")
    for name, chosen in groups:
        part = data[:, chosen]
        if part.shape[1] == 0:
            continue
        outward = lambda of: (differences(of, part) * numpy.sign(part[2])).mean()
        print(f"{name:16} {part.shape[1]:6} {error(present, part):9.1f} {error(model, part):7.1f} "
              f"{outward(present):+10.1f} {outward(model):+7.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", metavar="GAMES.pgn")
    parser.add_argument("--player", metavar="NAME", help="take only the scores of this player")
    parser.add_argument("--site", nargs=2, metavar=("ENROQUE", "STOCKFISH"), help="fit the scale of chess sites instead")
    arguments = parser.parse_args()
    present = present_constants()
    if arguments.site:
        programs = [chess.engine.SimpleEngine.popen_uci(program) for program in arguments.site]
        try:
            fit_site([game for path in arguments.games for game in site_samples(path, programs, present) if game])
        finally:
            for program in programs:
                program.quit()
        return
    games = [game for path in arguments.games for game in samples(path, arguments.player, present)]
    if len(games) < 2:
        parser.error("fewer than two games with scores" + (f" of {arguments.player}" if arguments.player else ""))
    gather = lambda chosen: numpy.array([sample for index in chosen for sample in games[index]]).T
    data = gather(range(len(games)))
    constants, edge = [0, 1, 2, 3, 4], [5] if arguments.player else []
    unfitted = fit(data, present + [1.0 if edge else 0.0], edge)
    model = fit(data, unfitted, constants + edge)
    generator = numpy.random.default_rng(1)
    orders = [generator.permutation(len(games)) for _ in range(HALVINGS)]
    halves = [fit(gather(half), model, constants + edge) for order in orders for half in numpy.array_split(order, 2)]

    print(f"{len(games)} games, {data.shape[1]} positions")
    print(f"const LOCATION: [f64; 3] = [{model[0]:.1f}, {model[1]:.1f}, {model[2]:.1f}];")
    print(f"const SCALE: [f64; 2] = [{model[3]:.1f}, {model[4]:.1f}];")
    if edge:
        print(f"advantage of {arguments.player}: {model[5]:.1f} centipawns")
    print(f"loss {loss(model, data):.5f}, with the present constants {loss(unfitted, data):.5f}")
    print("score with an even chance to win, and its scale, in centipawns, by material:")
    print("  material   present    fitted     ±    scale     ±")
    for material in (17, 30, 40, 50, 58, 70, 78):
        share = material / TYPICAL_MATERIAL
        # A random half differs from all games about as much as all games differ from the truth.
        deviation = lambda of: numpy.std([of(half, share) for half in halves])
        print(f"  {material:8} {location(present, share):9.0f} {location(model, share):9.0f} {deviation(location):5.0f} "
              f"{scale(model, share):8.0f} {deviation(scale):5.0f}")


if __name__ == "__main__":
    main()
