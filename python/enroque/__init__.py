"""The chess engine Enroque: where it is, and how to open it from Python.

    import chess, enroque

    with enroque.open() as engine:
        print(engine.play(chess.Board(), chess.engine.Limit(time=1)).move)
"""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess.engine

__all__ = ["open", "path"]


def _folders() -> Iterator[str]:
    """The folders into which pip may have put the programs, the most likely first."""
    yield sysconfig.get_path("scripts")
    # pip install --user
    yield sysconfig.get_path("scripts", f"{os.name}_user")
    # pip install --target or --prefix: next to the module, or above lib/pythonX.Y/site-packages
    module = os.path.dirname(os.path.abspath(__file__))
    programs = "Scripts" if os.name == "nt" else "bin"
    yield os.path.join(os.path.dirname(module), programs)
    yield os.path.normpath(os.path.join(module, *[os.pardir] * (3 if os.name == "nt" else 4), programs))


def path(program: str = "enroque") -> str:
    """Returns the path of a program of this package: ``enroque`` (the engine), ``enroque-tools`` or ``enroque-learn``.

    Raises FileNotFoundError with the folders in which it looked.
    """
    name = program + (sysconfig.get_config_var("EXE") or "")
    folders = list(dict.fromkeys(_folders()))
    for folder in folders:
        file = os.path.join(folder, name)
        if os.path.isfile(file):
            return file
    raise FileNotFoundError(f"no program {name} in {', '.join(folders)}; reinstall the package enroque")


def open(
    options: Mapping[str, str | int | bool | None] | None = None, *, timeout: float | None = 10.0, debug: bool = False
) -> chess.engine.SimpleEngine:
    """Starts the engine, sets UCI options such as ``{"Hash": 256, "Threads": 2}``, and returns python-chess's engine.

    Use the result in a ``with`` statement, or call its ``quit()``. ``timeout`` is how many seconds python-chess waits
    for an answer beyond the time that a search may take; ``debug`` makes it log the UCI lines. Needs python-chess:
    ``pip install "enroque[chess]"``.
    """
    try:
        import chess.engine
    except ImportError as error:
        raise ImportError('enroque.open() needs python-chess: pip install "enroque[chess]"') from error
    engine = chess.engine.SimpleEngine.popen_uci(path(), timeout=timeout, debug=debug)
    try:
        engine.configure(dict(options or {}))
    except BaseException:
        engine.close()
        raise
    return engine
