"""``python -m enroque`` is the program ``enroque``."""

import os
import subprocess
import sys

from enroque import path


def main() -> None:
    command = [path(), *sys.argv[1:]]
    if os.name == "nt":
        # Windows has no exec that keeps the console's standard input, so we wait for the engine.
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
