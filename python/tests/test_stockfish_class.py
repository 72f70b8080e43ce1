"""Points the class of PyPI's package `stockfish` at Enroque. That class waits for ever for some words of Stockfish."""

import unittest

import enroque
from stockfish import Stockfish

START_334 = "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w EBeb - 0 1"


class StockfishClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = Stockfish(enroque.path(), depth=8, parameters={"Threads": 1, "Hash": 8, "UCI_Chess960": True})

    def test_best_move(self):
        self.engine.set_fen_position("3k4/8/4Q3/1N6/8/8/P7/RK6 w A - 0 1")
        self.assertEqual(self.engine.get_best_move(), "b1a1")

    def test_evaluations(self):
        self.engine.set_fen_position(START_334)
        self.assertEqual(self.engine.get_evaluation()["type"], "cp")
        self.assertEqual(len(self.engine.get_top_moves(3)), 3)
        self.assertIsInstance(self.engine.get_static_eval(), float)

    def test_a_castling_in_chess960(self):
        self.engine.set_fen_position("4k3/8/8/8/8/8/8/1K3R2 w F - 0 1")
        self.engine.make_moves_from_current_position(["b1f1"])
        self.assertEqual(self.engine.get_fen_position().split()[0], "4k3/8/8/8/8/8/8/5RK1")
        self.assertTrue(self.engine.is_fen_valid(START_334))


if __name__ == "__main__":
    unittest.main()
