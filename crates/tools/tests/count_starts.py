#!/usr/bin/env python3
"""Counts the figures about the 960 starts of Chess960 without our program, by permutations and by playing the moves.

`counts` prints the figures of `enroque-tools startpos counts` in the same order, `scores` those about White's score in
the atlas below them, `lost` and `kept` what `enroque-tools startpos families` prints without and with `--rights`. A
test compares them.
"""

import gzip
import sys
from itertools import permutations
from pathlib import Path
from statistics import mean, variance

KNIGHTS = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]


def is_start(rank):
    bishops = rank.index("B") + rank.rindex("B")
    return bishops % 2 == 1 and rank.index("R") < rank.index("K") < rank.rindex("R")


STARTS = {rank for rank in map("".join, permutations("RNBQKBNR")) if is_start(rank)}


def number(rank):
    """Scharnagl's number: light bishop, dark bishop, queen, knights."""
    light, dark = sorted((file for file in range(8) if rank[file] == "B"), key=lambda file: file % 2 == 0)
    rest = rank.replace("B", "")
    knights = rest.replace("Q", "")
    pair = KNIGHTS.index((knights.index("N"), knights.rindex("N")))
    return light // 2 + 4 * (dark // 2) + 16 * rest.index("Q") + 96 * pair


def atlas():
    """White's score in each start, by number."""
    rows = gzip.open(Path(__file__).parents[2] / "study/src/atlas.csv.gz", "rt").read().splitlines()[2:]
    return {int(row.split(",")[0]): float(row.split(",")[1]) for row in rows}


def shuffles(rank, fixed):
    """Yields the back ranks one move away; a dot is an empty square, and missing knights are somewhere on the board."""
    for file, piece in enumerate(rank):
        cleared = rank[:file] + "." + rank[file + 1:]
        if piece == "N":
            yield cleared
        elif piece == "." and rank.count("N") < 2:
            yield rank[:file] + "N" + rank[file + 1:]
        elif piece != "." and piece not in fixed:
            for step in (-1, 1):
                target = file + step
                while 0 <= target < 8 and rank[target] == ".":
                    yield cleared[:target] + piece + cleared[target + 1:]
                    if piece == "K":
                        break
                    target += step


def families(fixed):
    found, left = [], set(STARTS)
    while left:
        seen, todo = set(), [left.pop()]
        while todo:
            rank = todo.pop()
            if rank not in seen:
                seen.add(rank)
                todo.extend(shuffles(rank, fixed))
        found.append(sorted(map(number, seen & STARTS)))
        left -= seen
    return sorted(found)


def defends(piece, distance):
    """Whether a piece on the back rank defends the pawn so many files away."""
    return {"K": distance <= 1, "Q": distance <= 1, "B": distance == 1, "R": distance == 0, "N": distance == 2}[piece]


def undefended(rank):
    return [pawn for pawn in range(8) if not any(defends(piece, abs(file - pawn)) for file, piece in enumerate(rank))]


def first_move_attacks(rank, pawn):
    """Whether the opponent attacks a pawn at once: Black's first move, with the same pieces on the eighth rank."""
    board = {(file, 0): "w" for file in range(8)} | {(file, 1): "w" for file in range(8)}
    board |= {(file, 7): piece for file, piece in enumerate(rank)} | {(file, 6): "P" for file in range(8)}
    moves = [((file, 6), (file, row)) for file in range(8) for row in (5, 4)]
    for file, piece in enumerate(rank):
        if piece == "N":
            moves += [((file, 7), (file + step, 5)) for step in (-1, 1) if 0 <= file + step < 8]
    for origin, target in moves:
        after = dict(board)
        after[target] = after.pop(origin)
        if any(attacks(after, square, (pawn, 1)) for square, piece in after.items() if piece != "w"):
            return True
    return False


def attacks(board, origin, target):
    piece = board[origin]
    files, rows = target[0] - origin[0], target[1] - origin[1]
    if piece == "P":
        return abs(files) == 1 and rows == -1
    if piece == "N":
        return sorted((abs(files), abs(rows))) == [1, 2]
    if piece == "K":
        return max(abs(files), abs(rows)) == 1
    straight, diagonal = 0 in (files, rows), abs(files) == abs(rows)
    if not (straight and piece in "RQ" or diagonal and piece in "BQ"):
        return False
    step = ((files > 0) - (files < 0), (rows > 0) - (rows < 0))
    between = [(origin[0] + step[0] * n, origin[1] + step[1] * n) for n in range(1, max(abs(files), abs(rows)))]
    return not any(square in board for square in between)


def castlings(rank):
    """The files that must be empty for each castling, apart from king and rook."""
    king = rank.index("K")
    for rook, king_to, rook_to in ((rank.index("R"), 2, 3), (rank.rindex("R"), 6, 5)):
        path = set(range(min(king, king_to), max(king, king_to) + 1))
        path |= set(range(min(rook, rook_to), max(rook, rook_to) + 1))
        yield path - {king, rook}


def has_lonely_knight(rank):
    near = lambda file: rank[max(file - 1, 0):file] + rank[file + 1:file + 2]
    return any(rank[file] == "N" and not set(near(file)) & set("KQB") for file in range(8))


def is_blocked(rank):
    """Whether one castling's rook stands in the other's way."""
    return any("R" in [rank[file] for file in path] for path in castlings(rank))


def scores():
    found = atlas()
    groups = [[found[number(rank)] for rank in STARTS if is_blocked(rank) == blocked] for blocked in (True, False)]
    blocked, others = map(mean, groups)
    error = sum(variance(group) / len(group) for group in groups) ** 0.5
    orthodox, average = found[518], mean(found.values())
    return [
        f"{len(groups[0])} {blocked:+.3f} {len(groups[1])} {others:+.3f} {blocked - others:+.3f} {error:.3f}",
        f"{100 * (blocked - others) / others:.1f} {100 * error / others:.1f}",
        f"{orthodox:+.3f} {average:+.3f} {100 * (orthodox - average) / orthodox:.1f}",
    ]


def counts():
    count = lambda condition: sum(map(condition, STARTS))
    alone = lambda found: sum(len(family) == 1 for family in found)
    kept, lost = families("BRK"), families("B")
    return [
        count(lambda rank: rank.index("K") in (1, 2, 5, 6)),
        count(lambda rank: rank.index("K") % 2 == 0),
        count(is_blocked),
        count(lambda rank: any(not path for path in castlings(rank))),
        count(lambda rank: not undefended(rank)),
        count(lambda rank: any(first_move_attacks(rank, pawn) for pawn in undefended(rank))),
        count(lambda rank: has_lonely_knight(rank) and undefended(rank) != []),
        count(lambda rank: has_lonely_knight(rank) and not undefended(rank)),
        len(kept),
        alone(kept),
        len(lost),
        alone(lost),
    ]


def main(what):
    if what == "counts":
        print(*counts())
    elif what == "scores":
        print(*scores())
    else:
        for family in families("BRK" if what == "kept" else "B"):
            print(f"{len(family):2}  {' '.join(map(str, family))}")


if __name__ == "__main__":
    main(sys.argv[1])
