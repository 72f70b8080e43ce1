#!/usr/bin/env python3
"""Compares our PGN reader with python-chess, game by game.

Prints each game whose tags, moves or result differ, and what both readers complain about, then a count. The exit code
is 1 if a game differs. Needs `pip install chess`, and builds the example `pgn_games` with cargo.

    scripts/compare_pgn.py FILE.pgn...
"""

import argparse
import difflib
import io
import logging
import pathlib
import subprocess
import sys
import unicodedata

import chess
import chess.pgn

ROOT = pathlib.Path(__file__).resolve().parent.parent
# If a tag of the Seven Tag Roster is missing, python-chess makes one with one of these values.
EMPTY_VALUES = {"", "?", "????.??.??"}


class Game:
    """A game as one of the two readers found it."""

    def __init__(self, line=0):
        self.line, self.tags, self.moves, self.result, self.errors, self.refused = line, {}, "", "*", [], None

    def add_tag(self, name, value):
        value = "".join(c for c in value if unicodedata.category(c) != "Cf").strip()
        if value not in EMPTY_VALUES and name.lower() != "result":
            self.tags.setdefault(name.lower(), value)

    def key(self):
        return (tuple(sorted(self.tags.items())), self.moves)

    def differences(self, other):
        for name in sorted(self.tags.keys() | other.tags.keys()):
            ours, theirs = self.tags.get(name), other.tags.get(name)
            if ours != theirs:
                yield f"tag {name}", ours, theirs
        if self.moves != other.moves:
            ours, theirs = self.moves.split(), other.moves.split()
            common = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
            yield f"moves from ply {common + 1}", rest(ours, common), rest(theirs, common)
        if self.result != other.result:
            yield "result", self.result, other.result


def rest(moves, begin):
    return " ".join(moves[begin : begin + 3]) + (f" … ({len(moves)} plies)" if len(moves) > begin + 3 else "")


def our_games(program, text):
    output = subprocess.run([program], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()
    games = []
    for line in output.split("\n"):
        kind, _, value = line.partition("\t")
        if kind == "game":
            games.append(Game(int(value)))
        elif kind == "tag":
            games[-1].add_tag(*value.split("\t", 1))
        elif kind == "error":
            games[-1].errors.append(value)
        elif kind:
            setattr(games[-1], kind, value)
    return games


def python_games(text):
    games, stream = [], io.StringIO(text)
    while True:
        game = Game()
        try:
            read = chess.pgn.read_game(stream)
        except IndexError as error:
            # python-chess 1.11 raises this if a variation comes before any move.
            game.errors.append(f"exception: {error}")
            games.append(game)
            continue
        if read is None:
            return games
        for name, value in read.headers.items():
            game.add_tag(name, value)
        try:
            board, moves = read.board(), []
            for move in read.mainline_moves():
                moves.append(board.uci(move, chess960=True))
                board.push(move)
            game.moves = " ".join(moves)
        except ValueError as error:
            game.errors.append(str(error))
        game.result = read.headers.get("Result", "*")
        game.errors += map(str, read.errors)
        games.append(game)


def decoded(path):
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def compare(path, program):
    """Prints the differences in a file. Returns how many games there are, how many differ, and how many we refused."""
    text = decoded(path)
    ours, theirs = our_games(program, text), python_games(text)
    matcher = difflib.SequenceMatcher(None, [game.key() for game in ours], [game.key() for game in theirs], False)
    differing = refused = 0
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        for index in range(max(i2 - i1, j2 - j1)):
            game = ours[i1 + index] if i1 + index < i2 else None
            other = theirs[j1 + index] if j1 + index < j2 else None
            if game is None or other is None:
                differing += 1
                place = f"line {game.line}" if game else f"game {j1 + index + 1} of python-chess"
                print(f"{path}, {place}: only {'we' if game else 'python-chess'} found this game")
                found = game or other
                print(f"    {found.tags} {rest(found.moves.split(), 0)}")
                continue
            if game.refused:
                refused += 1
                print(f"{path}, line {game.line}: refused: {game.refused}")
                continue
            differences = list(game.differences(other))
            if not differences:
                continue
            differing += 1
            print(f"{path}, line {game.line}:")
            for what, a, b in differences:
                print(f"    {what}: we {a!r}, python-chess {b!r}")
            for who, errors in ("we", game.errors), ("python-chess", other.errors):
                for error in errors[:3]:
                    print(f"    {who} report: {error[:200]}")
    return max(len(ours), len(theirs)), differing, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE")
    files = parser.parse_args().files
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    build = ["cargo", "build", "--quiet", "-p", "enroque-study", "--example", "pgn_games"]
    subprocess.run(build, cwd=ROOT, check=True)
    counts = [compare(path, ROOT / "target/debug/examples/pgn_games") for path in files]
    games, differing, refused = map(sum, zip(*counts))
    print(f"{games} games in {len(files)} files: {differing} differ, {refused} of other variants refused")
    sys.exit(differing > 0)


if __name__ == "__main__":
    main()
