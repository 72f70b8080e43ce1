#!/usr/bin/env python3
"""Generates test data for scripts/fetch_test_data.sh with python-chess, which shares no code with the engine.

    scripts/generate_test_data.py castling-cases   a table of castlings that other programs got wrong
    scripts/generate_test_data.py dfrc-starts      double-Chess960 start positions with perft counts

Needs python-chess (`pip install chess`).
"""

import argparse
import random

import chess
from soak import start_position

# Positions from bug reports and tests of other programs: id, FEN, source.
CASES = [
    ("pinned-rook-shield", "4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1", "Stockfish#3605"),
    ("fide-prevented-path-attacked", "4k3/8/8/1b6/8/8/8/5RKR w KQ - 0 1", "python-chess"),
    ("swap-kside", "3r1k1r/4pp2/8/8/8/8/8/4RKR1 w Gd - 1 1", "python-chess"),
    ("swap-then-black-castles", "3r1k1r/4pp2/8/8/8/8/8/4RRK1 b d - 2 1", "python-chess"),
    ("king-stays-rook-hops", "Qr4k1/4pppp/8/8/8/8/8/R5KR w Hb - 0 1", "python-chess"),
    ("black-qside-blocked-by-queen", "Qr4k1/4pppp/8/8/8/8/8/R4RK1 b b - 1 1", "python-chess"),
    ("own-hside-rook-blocks-aside", "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 10 18", "lila#4625"),
    ("castle-gives-check", "4r3/3k4/8/8/8/8/q5PP/1R1KR3 w Q - 2 2", "python-chess"),
    ("cutechess637-legal-ooo", "r1k1N2R/pp1pbr2/3p4/P7/8/2P2n2/1PBP4/RK6 b q - 4 28", "cutechess#637"),
    ("cutechess637-mated", "rk2Q3/1p4p1/1B6/4p3/p5p1/2Kp2P1/PP4P1/R7 b q - 0 34", "cutechess#637"),
    ("inner-rook-B", "2nkn3/2p1p3/8/8/8/6r1/7r/RR3K2 w B - 0 1", "lila#13254"),
    ("outer-rook-K-blocked", "4k1rr/1b1p3p/nn1p4/P3Np2/3P1bp1/6PP/P5R1/1B1K2N1 b k - 1 37", "open_spiel#1125"),
    ("sf3975-king-stays-aside", "r1kqrbbn/pppp3p/2n3p1/4p3/P3P3/2N3N1/1PPP2PP/R1K1RBB1 w EAea - 0 1", "Stockfish#3975"),
    ("sf6311-rook-stays", "nn1rkq1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB b KQq - 1 8", "Stockfish#6311"),
    ("libchess12-move1", "brnbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BRNBQKRN w KQkq - 0 1", "libchess#12"),
]

START_POSITIONS = 120
PERFT_DEPTH = 4


def castling_row(name, fen, source):
    """Returns a row of the table: the legal castlings, how many moves are legal, and the FEN in both dialects."""
    board = chess.Board(fen, chess960=True)
    castlings = []
    for move in filter(board.is_castling, board.legal_moves):
        after = board.copy()
        after.push(move)
        castlings.append(f"{move.uci()}={board.san(move)}->{after.shredder_fen()}")
    listed = "; ".join(castlings) or "-"
    return "\t".join((name, fen, listed, str(board.legal_moves.count()), board.shredder_fen(), board.fen(), source))


def perft(board, depth):
    """Counts the positions that are `depth` plies away, where `depth` is at least 1."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kind", choices=["castling-cases", "dfrc-starts"])
    if parser.parse_args().kind == "castling-cases":
        print("# id\tFEN\tlegal castlings\tlegal moves\tShredder-FEN\tX-FEN\tsource")
        for case in CASES:
            print(castling_row(*case))
    else:
        rng = random.Random(960)
        for _ in range(START_POSITIONS):
            board = start_position("double", rng)
            counts = "".join(f" ;D{depth} {perft(board, depth)}" for depth in range(1, PERFT_DEPTH + 1))
            print(board.shredder_fen() + counts)


if __name__ == "__main__":
    main()
