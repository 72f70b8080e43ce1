#!/usr/bin/env python3
"""Fits the model of src/search/wdl.rs to games.

    scripts/fit_wdl.py GAMES.pgn [...]

Reads the scores that a match runner writes into its comments ({+0.35/12 ...}), of both players, and the results;
prints the two constants A and B. Needs the package `chess` (pip install chess).
"""

import math
import re
import sys

import chess
import chess.pgn

MATERIAL = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
SCORE = re.compile(r"^([+-]?\d+\.\d+)/\d+")
RANGE = (17, 78)
TYPICAL = 58.0


def samples(paths):
    """Score of the side to move in centipawns, share of material, result for that side (1, 0, -1)."""
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


def fit(data, rounds=400):
    """Maximum likelihood by gradient ascent with a step per parameter that adapts (Rprop)."""
    model = [120.0, 40.0, 70.0, 20.0]
    steps = [8.0] * 4
    last = [0.0] * 4
    for _ in range(rounds):
        gradient = [0.0] * 4
        for score, share, result in data:
            a, b = model[0] + model[1] * share, max(model[2] + model[3] * share, 5.0)
            win = 1 / (1 + math.exp((a - score) / b))
            loss = 1 / (1 + math.exp((a + score) / b))
            draw = max(1 - win - loss, 1e-9)
            # Slopes of win and loss by a and b.
            dw, dl = win * (1 - win), loss * (1 - loss)
            wa, la = -dw / b, -dl / b
            wb, lb = dw * (a - score) / b**2, dl * (a + score) / b**2
            if result > 0:
                da, db = wa / max(win, 1e-9), wb / max(win, 1e-9)
            elif result < 0:
                da, db = la / max(loss, 1e-9), lb / max(loss, 1e-9)
            else:
                da, db = -(wa + la) / draw, -(wb + lb) / draw
            for i, g in enumerate((da, da * share, db, db * share)):
                gradient[i] += g
        for i in range(4):
            steps[i] *= 1.2 if gradient[i] * last[i] > 0 else 0.5
            steps[i] = min(steps[i], 20.0)
            model[i] += math.copysign(steps[i], gradient[i])
            last[i] = gradient[i]
        if max(steps) < 0.01:
            break
    return model


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    data = list(samples(sys.argv[1:]))
    if not data:
        sys.exit("no scored moves in these games")
    data = data[:: max(1, len(data) // 20_000)]
    a0, a1, b0, b1 = fit(data)
    print(f"{len(data)} positions")
    print(f"const A: (f64, f64) = ({a0:.1f}, {a1:.1f});")
    print(f"const B: (f64, f64) = ({b0:.1f}, {b1:.1f});")


main()
