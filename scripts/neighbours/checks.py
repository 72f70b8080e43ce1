"""Sends what Enroque writes through python-chess and pgn-extract, and back. Run by scripts/try_neighbours.sh."""

import io
import pathlib
import subprocess
import sys

import chess
import chess.engine
import chess.pgn

FOLDER = pathlib.Path(sys.argv[1])
ENGINE, PGN_EXTRACT = sys.argv[2:4]
NAME = f"python-chess {chess.__version__}"
INNER = "rk2r3/pppppppp/8/8/8/8/1PPPPPPP/R2K1R1R w Fkq - 0 1"


def row(program, what, passed):
    print(f"{program}\t{what}\t{'yes' if passed else 'no'}", flush=True)


def plain(path):
    """Returns the moves of a file's only game as UCI moves, in which a king takes its rook to castle."""
    game = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert not game.errors, game.errors
    board, moves = game.board(), []
    for move in game.mainline_moves():
        moves.append(board.uci(move, chess960=True))
        board.push(move)
    return moves


def attempt(check):
    """Returns what a check returns, or `False` if it raises an exception."""
    try:
        return check()
    except (AssertionError, ValueError, chess.engine.EngineError) as error:
        print(f"    {error}", file=sys.stderr)
        return False


def ours(path):
    """Returns the moves that our reader finds in a file's only game."""
    out = subprocess.run([FOLDER / "pgn_games"], input=path.read_bytes(), stdout=subprocess.PIPE, check=True).stdout
    lines = dict(line.split("\t", 1) for line in out.decode().splitlines() if not line.startswith("tag"))
    assert "error" not in lines and "refused" not in lines, lines
    return lines["moves"].split()


def rewritten(name, text):
    path = FOLDER / name
    path.write_text(text)
    return path


def games():
    for name, what in ("orthodox", "annotated game"), ("inner", "Chess960 game, inner rooks"), ("double", "double Chess960 game"):
        path = FOLDER / f"{name}.pgn"
        row(NAME, f"reads our {what}", attempt(lambda: plain(path) == ours(path)))
        game = chess.pgn.read_game(io.StringIO(path.read_text()))
        back = rewritten(f"python-{name}.pgn", f"{game}\n\n")
        row(NAME, f"we read its {what}", attempt(lambda: ours(back) == ours(path)))
        extracted = subprocess.run([PGN_EXTRACT, "-s", path], stdout=subprocess.PIPE, text=True).stdout
        back = rewritten(f"extract-{name}.pgn", extracted)
        row("pgn-extract 19.04", f"reads our {what}, we read its", attempt(lambda: ours(back) == ours(path)))


def positions():
    board = chess.Board(INNER, chess960=True)
    row(NAME, "X-FEN of inner rooks, with chess960=True", attempt(lambda: len(list(board.generate_castling_moves())) == 1))
    board = chess.Board(INNER)
    row(NAME, "the same without chess960=True", attempt(lambda: len(list(board.generate_castling_moves())) == 1))
    board = chess.Board(INNER, chess960=True)
    castling = chess.Move.from_uci("d1f1")
    for what, epd in (
        ("an EPD with bm O-O", (FOLDER / "puzzle.epd").read_text().strip()),
        ("its own EPD with bm O-O", board.epd(bm=[castling])),
    ):
        row(NAME, f"reads {what}", attempt(lambda: chess.Board.from_epd(epd, chess960=True)[1]["bm"] == [castling]))


def engine():
    with chess.engine.SimpleEngine.popen_uci(ENGINE) as engine:
        board = chess.Board(INNER, chess960=True)
        castling = chess.Move.from_uci("d1f1")
        limit = chess.engine.Limit(nodes=2000)
        played = attempt(lambda: engine.play(board, limit, root_moves=[castling]).move == castling)
        row(NAME, "plays a Chess960 castling of the engine", played)
        board.push(castling)
        row(NAME, "sends its own castling", attempt(lambda: engine.play(board, limit).move in board.legal_moves))


games()
positions()
engine()
