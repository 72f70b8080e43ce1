"""Tests of the installed package; run with `python -m unittest` outside the repository."""

import os
import subprocess
import sys
import unittest

import chess
import chess.engine
import enroque

# White mates by castling: the king takes its own rook and lands on c1, the rook on d1.
MATE_BY_CASTLING = "3k4/8/4Q3/1N6/8/8/P7/RK6 w A - 0 1"


class Package(unittest.TestCase):
    def test_paths(self):
        for program in ("enroque", "enroque-tools", "enroque-learn"):
            version = subprocess.run([enroque.path(program), "--version"], check=True, capture_output=True, text=True)
            self.assertIn("nroque", version.stdout)

    def test_an_unknown_program_names_the_folders(self):
        with self.assertRaisesRegex(FileNotFoundError, "no program enroque-chef"):
            enroque.path("enroque-chef")

    def test_castling_in_chess960(self):
        board = chess.Board(MATE_BY_CASTLING, chess960=True)
        with enroque.open({"Hash": 8}) as engine:
            result = engine.play(board, chess.engine.Limit(depth=4))
        self.assertEqual(board.san(result.move), "O-O-O#")

    def test_a_bad_option_is_refused(self):
        with self.assertRaises(chess.engine.EngineError):
            enroque.open({"No Such Option": 1})

    def test_a_game_from_start_to_end(self):
        board = chess.Board.from_chess960_pos(334)
        with enroque.open({"Hash": 1}) as engine:
            while not board.is_game_over(claim_draw=True) and board.ply() < 60:
                board.push(engine.play(board, chess.engine.Limit(nodes=200)).move)
        self.assertGreater(board.ply(), 20)

    def test_module_is_the_program(self):
        run = subprocess.run(
            [sys.executable, "-m", "enroque"], input="uci\nquit\n", check=True, capture_output=True, text=True
        )
        self.assertTrue(run.stdout.startswith("id name Enroque"), run.stdout[:80])

    @unittest.skipIf(os.name == "nt", "Windows ends programs without a signal")
    def test_module_passes_the_exit_code_on(self):
        run = subprocess.run([sys.executable, "-m", "enroque", "analyse"], check=False, capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)


if __name__ == "__main__":
    unittest.main()
