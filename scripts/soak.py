#!/usr/bin/env python3
"""Lets the engine play against itself and checks every answer with python-chess.

Checks:
- best moves, ponder moves and all moves in principal variations are legal
- the variation of an announced mate ends in mate at that distance
- no answer comes before it is allowed, and none takes too long

    python3 scripts/soak.py target/debug/enroque --games 500

A debug build also checks for arithmetic overflow. Needs python-chess (`pip install chess`). Exits with code 1 if it finds
a fault.
"""

import argparse
import queue
import random
import subprocess
import sys
import threading
import time

import chess

ANSWER_TIME = 10.0  # seconds; even on a busy machine no answer takes that long
MAX_PLIES = 160


class Fault(Exception):
    """Raised when the engine does something wrong."""


class Engine:
    """A running engine. `sent` lists what we have sent it in this game, to show if something goes wrong."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )
        self.lines = queue.Queue()
        self.errors = []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()
        self.sent = []
        self.send("uci")
        self.until("uciok")
        self.send("setoption name UCI_Chess960 value true")

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, line):
        self.sent.append(line)
        try:
            self.process.stdin.write(line + "\n")
        except BrokenPipeError as error:
            raise Fault(f"exited: {''.join(self.errors)[-400:]}") from error

    def until(self, word):
        """Reads lines until one begins with the word `word`, and returns them all."""
        lines = []
        end = time.monotonic() + ANSWER_TIME
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty as error:
                raise Fault(f"no {word} within {ANSWER_TIME:.0f} s") from error
            if line is None:
                raise Fault(f"exited: {''.join(self.errors)[-400:]}")
            lines.append(line)
            if line.split(" ", 1)[0] == word:
                return lines

    def is_silent(self, seconds):
        """Whether no best move arrives within `seconds`. Keeps the other lines."""
        end = time.monotonic() + seconds
        kept = []
        while time.monotonic() < end:
            try:
                kept.append(self.lines.get(timeout=max(0.0, end - time.monotonic())))
            except queue.Empty:
                break
        for line in kept:
            self.lines.put(line)
        return not any(line is not None and line.startswith("bestmove") for line in kept)

    def quit(self):
        self.send("quit")
        if self.process.wait(timeout=ANSWER_TIME) != 0:
            raise Fault(f"ended with {self.process.returncode}")
        if self.errors:
            raise Fault(f"wrote to standard error: {''.join(self.errors)[-400:]}")


def start_position(kind, rng):
    """Draws a start position: orthodox, Chess960, double (two drawn sides), or shuffle (Chess960 without castling)."""
    if kind == "orthodox":
        return chess.Board(chess960=True)
    white = rng.randrange(960)
    if kind == "Chess960":
        return chess.Board.from_chess960_pos(white)
    black = white if kind == "shuffle" else rng.randrange(960)
    board = chess.Board.from_chess960_pos(white)
    other = chess.Board.from_chess960_pos(black)
    for file in range(8):
        square = chess.square(file, 7)
        board.set_piece_at(square, other.piece_at(square))
    rooks = {chess.WHITE: board.pieces(chess.ROOK, chess.WHITE), chess.BLACK: board.pieces(chess.ROOK, chess.BLACK)}
    board.castling_rights = 0 if kind == "shuffle" else int(rooks[chess.WHITE] | rooks[chess.BLACK])
    return board


def field(words, name, count=1):
    """Returns the `count` words after the word `name`, or None if there is no such word."""
    if name not in words:
        return None
    at = words.index(name) + 1
    return words[at : at + count]


def check_variation(board, line):
    """Checks an info line with a principal variation. Returns 1 for a mate, else 0."""
    words = line.split()
    moves = words[words.index("pv") + 1 :]
    after = board.copy(stack=True)
    for text in moves:
        move = chess.Move.from_uci(text)
        if after.is_fivefold_repetition() or not after.is_legal(move):
            raise Fault(f"{text} is not legal in the variation of: {line}")
        after.push(move)
    kind, number = field(words, "score", 2)
    is_exact = "lowerbound" not in words and "upperbound" not in words
    if kind == "mate" and is_exact:
        plies = 2 * int(number) - 1 if int(number) > 0 else -2 * int(number)
        if len(moves) != plies or not after.is_checkmate():
            raise Fault(f"mate {number} without a mating variation: {line}")
        return 1
    return 0


def check_answer(board, lines):
    """Checks the lines from `go` to `bestmove`. Returns best move, ponder move, and the numbers of variations and mates."""
    variations = [line for line in lines if line.startswith("info") and " pv " in line]
    mates = sum(check_variation(board, line) for line in variations)
    words = lines[-1].split()
    move = chess.Move.from_uci(words[1])
    if not board.is_legal(move):
        raise Fault(f"{words[1]} is not legal")
    ponder = None
    if len(words) > 2:
        if len(words) != 4 or words[2] != "ponder":
            raise Fault(f"malformed answer: {lines[-1]}")
        ponder = chess.Move.from_uci(words[3])
        after = board.copy(stack=False)
        after.push(move)
        if not after.is_legal(ponder):
            raise Fault(f"ponder move {words[3]} is not legal")
    return move, ponder, len(variations), mates


def position_line(start, board):
    """Returns the UCI command for the game so far, with castling as king takes rook."""
    moves = " ".join(move.uci() for move in board.move_stack)
    return f"position fen {start.shredder_fen()}" + (f" moves {moves}" if moves else "")


def search(engine, rng, counts):
    """Sends a random `go` and returns the lines up to the best move."""
    kind = rng.choice(["movetime", "nodes", "depth", "clock", "stop", "ponder", "mate"])
    counts[kind] = counts.get(kind, 0) + 1
    if kind == "stop":
        engine.send("go infinite")
        if not engine.is_silent(rng.uniform(0.0, 0.02)):
            raise Fault("answered 'go infinite' before 'stop'")
        engine.send("stop")
    elif kind == "ponder":
        engine.send("go ponder wtime 2000 btime 2000 winc 10 binc 10")
        if not engine.is_silent(rng.uniform(0.0, 0.02)):
            raise Fault("answered 'go ponder' before 'ponderhit'")
        engine.send(rng.choice(["ponderhit", "stop"]))
    elif kind == "clock":
        clock = rng.choice([1, 10, 100, 500])
        engine.send(f"go wtime {clock} btime {clock} winc 2 binc 2")
    elif kind == "mate":
        engine.send(f"go mate {rng.randint(1, 3)} nodes 3000")
    else:
        most = {"movetime": 15, "nodes": 4000, "depth": 7}[kind]
        engine.send(f"go {kind} {rng.randint(1, most)}")
    return engine.until("bestmove")


def play(engine, rng, counts):
    """Plays a game of a random kind with random options. `counts` collects what we have tested, for the summary."""
    kind = rng.choice(["orthodox", "Chess960", "Chess960", "double", "double", "shuffle"])
    counts[kind] = counts.get(kind, 0) + 1
    start = start_position(kind, rng)
    board = start.copy()
    options = {"Threads": rng.randint(1, 4), "MultiPV": rng.choice([1, 1, 2, 4]), "Hash": rng.choice([1, 4, 16])}
    for name, value in options.items():
        engine.send(f"setoption name {name} value {value}")
    engine.send("ucinewgame")
    while not board.is_game_over(claim_draw=True) and board.ply() < MAX_PLIES:
        engine.send(position_line(start, board))
        if rng.random() < 0.05:
            engine.send("isready")
            engine.until("readyok")
        move, _, variations, mates = check_answer(board, search(engine, rng, counts))
        counts["answers"] = counts.get("answers", 0) + 1
        counts["variations"] = counts.get("variations", 0) + variations
        counts["mates"] = counts.get("mates", 0) + mates
        # Now and then we play a random move, so that games differ and somebody wins.
        board.push(rng.choice(list(board.legal_moves)) if rng.random() < 0.15 else move)
    if board.is_checkmate() or board.is_stalemate():
        engine.send(position_line(start, board))
        engine.send("go movetime 10")
        if engine.until("bestmove")[-1] not in ("bestmove 0000", "bestmove (none)"):
            raise Fault("gave a best move, though no move is legal")
        counts["ended"] = counts.get("ended", 0) + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("engine", help="path of the engine")
    parser.add_argument("--games", type=int, default=500, help="how many games to play (500)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices (1)")
    arguments = parser.parse_args()
    counts, faults = {}, 0
    engine = Engine(arguments.engine)
    begin = time.monotonic()
    for number in range(arguments.games):
        rng = random.Random(arguments.seed * 1_000_003 + number)
        engine.sent.clear()
        try:
            play(engine, rng, counts)
        except Fault as fault:
            faults += 1
            print(f"game {number}: {fault}", *engine.sent[-6:], sep="\n    ")
            engine.process.kill()
            engine = Engine(arguments.engine)
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{arguments.games} games, {faults} faults", end="", file=sys.stderr)
    engine.quit()
    summary = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    print(f"{arguments.games} games in {time.monotonic() - begin:.0f} s, {faults} faults; {summary}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
