"""What the service of the player page allows; known without the server's own dependencies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """What the service allows: seconds of each question, processes, their memory together, questions that wait, connections."""

    seconds: float = 60.0
    most_seconds: float = 600.0
    why_seconds: float = 3.0
    run_seconds: float = 30.0
    certify_seconds: float = 60.0
    workers: int = 2
    memory_mb: float = 4000.0
    waiting: int = 100
    connections: int = 200

    @property
    def worker_mb(self) -> float:
        """Return the resident MB of one worker; beside those that solve, one answers the quick questions."""
        return self.memory_mb / (self.workers + 1)
