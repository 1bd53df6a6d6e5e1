"""What the server of the player page allows; known without the server's own dependencies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """What the server allows: seconds and resident MB of a solve, processes, queue, seconds of what nobody waits for."""

    seconds: float = 60.0
    most_seconds: float = 600.0
    memory_mb: float = 2000.0
    workers: int = 2
    waiting: int = 100
    deadlock_seconds: float = 3.0
    truth_seconds: float = 60.0
    generate_seconds: float = 20.0
    asp_seconds: float = 30.0
    certify_seconds: float = 60.0
    positions: str = ""
    """A file of ``sokoasp klotski-db`` that answers the boards it fits."""
