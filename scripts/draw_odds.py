#!/usr/bin/env python3
"""Lets the engine play itself with and without draw odds for Black, and counts the results. Needs python-chess.

    scripts/draw_odds.py ENGINE [GAMES [NODES]]

Ten starts of Chess960, GAMES (200) games under each setting, NODES (1,000) nodes a move. Both settings play the same
openings of four random plies.
"""

import random
import sys
from collections import Counter

import chess
import chess.engine

STARTS = [0, 96, 193, 288, 385, 480, 518, 671, 768, 959]
RANDOM_PLIES = 4
BAD_OPENING = 150  # centipawns: openings in which a side blundered are drawn again


def opening(engine, start, seed):
    """Returns a board after random plies, in which neither side is far ahead."""
    generator = random.Random(seed)
    while True:
        board = chess.Board.from_chess960_pos(start)
        for _ in range(RANDOM_PLIES):
            board.push(generator.choice(list(board.legal_moves)))
        info = engine.analyse(board, chess.engine.Limit(nodes=1000), game=object())
        if abs(info["score"].white().score(mate_score=10_000)) < BAD_OPENING:
            return board


def play(engine, board, nodes):
    game = object()
    while not board.is_game_over(claim_draw=True):
        board.push(engine.play(board, chess.engine.Limit(nodes=nodes), game=game).move)
    return board.result(claim_draw=True), board.ply()


def main(path, games=200, nodes=1000):
    results = {"none": Counter(), "black": Counter()}
    plies = Counter()
    with chess.engine.SimpleEngine.popen_uci(path) as engine:
        for index in range(games):
            engine.configure({"DrawOdds": "none"})
            begun = opening(engine, STARTS[index % len(STARTS)], index)
            for odds, counter in results.items():
                engine.configure({"DrawOdds": odds})
                result, length = play(engine, begun.copy(), nodes)
                counter[result] += 1
                plies[odds] += length
    for odds, counter in results.items():
        print(f"odds {odds:5}  White wins {counter['1-0']:3}  draws {counter['1/2-1/2']:3}"
              f"  Black wins {counter['0-1']:3}  plies a game {plies[odds] / games:.0f}")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
