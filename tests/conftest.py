"""Places the tests look for: the optional shared data and Debian's level package."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from sokoasp.core.limits import Clock

ROOT = Path(__file__).resolve().parent.parent

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The optional data beside the repository (or where SOKOASP_SHARED says); tests that want it skip without it."""
    path = Path(os.environ.get("SOKOASP_SHARED", ROOT.parent / "shared"))
    if not (path / "data").is_dir():
        pytest.skip("no shared data beside the repository")
    return path


@pytest.fixture(scope="session")
def cavepacker() -> Path:
    """The level folder of Debian's cavepacker-data."""
    for folder in ("/usr/share/games/cavepacker", "/usr/share/cavepacker", "/usr/share/caveexpress"):
        found = sorted(Path(folder).rglob("*.sok")) if Path(folder).is_dir() else []
        if found:
            return Path(folder)
    pytest.skip("Debian's cavepacker-data is not installed")


@pytest.fixture
def run_out(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return what sets every clock to run out of time after so many looks: a limit that strikes alike on all machines."""

    def after(looks: int) -> None:
        left = iter(range(looks))
        monkeypatch.setattr(Clock, "over", lambda clock: None if next(left, None) is not None else "time")

    return after
