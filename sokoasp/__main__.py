"""``python -m sokoasp`` is the command ``sokoasp``."""

from __future__ import annotations

import gc
import os
import signal
from types import FrameType
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line; Ctrl-C while it is being loaded ends it as it does later, without a traceback."""
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # before numpy: starting its threads takes longer than a small search
    gc.set_threshold(100_000, 20, 100)  # a start makes no garbage, and looking for it takes a tenth of a small solve
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # a job in a shell's background ignores it
        signal.signal(signal.SIGINT, _interrupted)
    from sokoasp.cli import main as command

    signal.signal(signal.SIGINT, handler)
    command()


def _interrupted(number: int, frame: FrameType | None) -> NoReturn:
    os.write(2, b"interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
