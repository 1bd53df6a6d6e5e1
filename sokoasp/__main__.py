"""``python -m sokoasp`` is the command ``sokoasp``."""

from sokoasp.cli import main

main()
