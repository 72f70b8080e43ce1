#!/usr/bin/env python3
"""Fits the win-draw-loss model of src/search/wdl.rs to games.

    scripts/fit_wdl.py GAMES.pgn [...]

Reads the results and the scores of both players from the comments of a match runner ({+0.35/12 ...}). Prints the two
constants A and B. The comments must hold unnormalized scores, from a build whose A is [100.0, 0.0, 0.0].
Needs the packages `chess`, `numpy` and `scipy`.
"""

import re
import sys

import chess
import chess.pgn
import numpy
from scipy.optimize import minimize

MATERIAL = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
SCORE = re.compile(r"^([+-]?\d+\.\d+)/\d+")
RANGE = (17, 78)
TYPICAL = 58.0


def samples(paths):
    """Yields score in centipawns, share of material and result (1, 0, -1), for the side to move."""
    for path in paths:
        with open(path, encoding="utf-8") as games:
            while (game := chess.pgn.read_game(games)) is not None:
                result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(game.headers["Result"])
                if result is None:
                    continue
                for node in game.mainline():
                    match = SCORE.match(node.comment)
                    if match is None:
                        continue
                    board = node.parent.board()
                    material = sum(MATERIAL[piece.piece_type] for piece in board.piece_map().values())
                    share = min(max(material, RANGE[0]), RANGE[1]) / TYPICAL
                    sign = 1 if board.turn == chess.WHITE else -1
                    score = float(match[1]) * 100
                    if abs(score) < 2000:
                        yield score, share, result * sign


def fit(data):
    """Returns the maximum likelihood fit: three coefficients of a and two of b, in powers of the material share."""
    score, share, result = numpy.array(data).T

    def loss(model):
        a = model[0] + model[1] * share + model[2] * share**2
        b = numpy.maximum(model[3] + model[4] * share, 5.0)
        win_rate = lambda s: 1 / (1 + numpy.exp(numpy.clip((a - s) / b, -50, 50)))
        win, loss_rate = win_rate(score), win_rate(-score)
        draw = numpy.maximum(1 - win - loss_rate, 1e-9)
        return -numpy.log(numpy.where(result > 0, win, numpy.where(result < 0, loss_rate, draw)) + 1e-12).mean()

    begin = [400.0, -500.0, 200.0, 80.0, 10.0]
    options = {"maxiter": 40_000, "maxfev": 40_000, "adaptive": True, "xatol": 0.01, "fatol": 1e-9}
    return minimize(loss, begin, method="Nelder-Mead", options=options).x


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    data = list(samples(sys.argv[1:]))
    if not data:
        sys.exit("no scored moves in these games")
    a0, a1, a2, b0, b1 = fit(data)
    print(f"{len(data)} positions")
    print(f"const A: [f64; 3] = [{a0:.1f}, {a1:.1f}, {a2:.1f}];")
    print(f"const B: [f64; 2] = [{b0:.1f}, {b1:.1f}];")


main()
