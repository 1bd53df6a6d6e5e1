"""What tests see of other processes, and how they wait for them."""

import time
from collections.abc import Callable
from pathlib import Path


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until a condition holds; the test fails if it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def stat(pid: int | str) -> list[str]:
    """Return the state of a process, its parent, and what else the system says; those of a dead one if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return ["Z", "0"]


def alive(pid: int) -> bool:
    """Return whether a process is there and has not ended."""
    return stat(pid)[0] != "Z"
