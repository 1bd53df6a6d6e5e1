"""Processors of its own for a run: claimed by locked files, so that all campaigns of a machine keep out of each other's way."""

from __future__ import annotations

import os
import random
import tempfile
from contextlib import suppress
from pathlib import Path

FOLDER = Path(tempfile.gettempdir())
"""Where the locked files are; a run's own folder for temporary files is another."""
_held: list[int] = []
"""Open files whose locks claim processors; the system gives them back when the process ends."""


def take(count: int) -> tuple[int, ...]:
    """Bind this process, and what it starts, to ``count`` processors that no other run has claimed; return their numbers.

    Where fewer are free it shares some, chosen at random. Without such a call of the system (macOS) nothing is bound.
    """
    if not hasattr(os, "sched_setaffinity"):
        return ()
    there = sorted(os.sched_getaffinity(0))
    mine = [core for core in there if len(_held) < count and _claimed(core)]
    others = [core for core in there if core not in mine]
    mine += random.sample(others, max(0, min(count - len(mine), len(others))))
    os.sched_setaffinity(0, mine)
    return tuple(mine)


def _claimed(core: int) -> bool:
    import fcntl

    with suppress(OSError):
        file = os.open(FOLDER / f"sokoasp-{os.getuid()}-core-{core}", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return False
        _held.append(file)
        return True
    return False
