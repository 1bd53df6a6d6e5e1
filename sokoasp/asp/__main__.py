"""``python -m sokoasp.asp PROGRAM LEVEL``: see ``sokoasp.engine.application``."""

import sys

from sokoasp.engine.application import main

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
