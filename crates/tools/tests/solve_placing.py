#!/usr/bin/env python3
"""Solves the placement games of `enroque-tools startpos place` by minimax, without our code.

`solve_placing.py shared|spanish|pairs [white|black]` prints the value of the empty back rank and of each first
placement if this player begins. Values are White's score in the atlas, crates/study/src/atlas.csv.gz.
"""

import sys
from functools import lru_cache
from itertools import combinations

from count_starts import STARTS, atlas, number

SCORE = atlas()
START_SCORE = {start: SCORE[number(start)] for start in STARTS}


def with_king_inside(rank):
    """A king that isn't between the rooks swaps with the nearest rook."""
    king, rooks = rank.index("K"), [file for file in range(8) if rank[file] == "R"]
    if rooks[0] < king < rooks[1]:
        return rank
    rook = min(rooks, key=lambda file: abs(file - king))
    swapped = list(rank)
    swapped[king], swapped[rook] = "R", "K"
    return "".join(swapped)


def solve(game, first):
    full = set(STARTS)
    if game != "shared":
        outside = lambda rank, order: "".join(order.pop(0) if piece in "RK" else piece for piece in rank)
        full |= {outside(rank, list("KRR")) for rank in STARTS} | {outside(rank, list("RRK")) for rank in STARTS}
    partial = {
        "".join(piece if file in files else "." for file, piece in enumerate(rank))
        for rank in full for size in range(9) for files in map(set, combinations(range(8), size))
    }

    @lru_cache(maxsize=None)
    def placements(rank):
        placed, found = 8 - rank.count("."), []
        light = sum(piece != "." for piece in rank[1::2])
        for file in range(8):
            if rank[file] != "." or game == "pairs" and placed % 2 and file % 2 == (2 * light > placed):
                continue
            for piece in "RNBQK":
                after = rank[:file] + piece + rank[file + 1:]
                if after in partial:
                    found.append((piece + "abcdefgh"[file], after))
        return found

    @lru_cache(maxsize=None)
    def shifts(rank):
        found = []
        for file in range(8):
            for target in range(8):
                if rank[file] != "." == rank[target]:
                    after = list(rank)
                    after[target], after[file] = after[file], "."
                    if "".join(after) in partial:
                        found.append("".join(after))
        return found

    @lru_cache(maxsize=None)
    def value(rank, moved):
        placed = 8 - rank.count(".")
        if placed == 8:
            return START_SCORE[with_king_inside(rank)]
        turn = placed // 2 if game == "pairs" else placed
        is_white = (turn % 2 == 0) == (first == "white")
        results = [value(after, moved) for _, after in placements(rank)]
        if game == "spanish" and not moved[is_white]:
            used = (moved[0] or not is_white, moved[1] or is_white)
            results += [value(after, used) for after in shifts(rank)]
        return (max if is_white else min)(results)

    empty = "." * 8
    print(f"{len(partial)} partial ranks, {first} begins: {value(empty, (False, False)):+.2f}")
    print(*(f"{name} {value(after, (False, False)):+.2f}" for name, after in sorted(placements(empty))))


if __name__ == "__main__":
    solve(sys.argv[1], sys.argv[2])
