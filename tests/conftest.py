"""Places the tests look for: the optional shared data and Debian's level package."""

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from sokoasp.core.limits import Clock

ROOT = Path(__file__).resolve().parent.parent

QUICK = """
asp/test_catalogue asp/test_multishot bench/test_compare bench/test_suite studies/test_mistake
cli/test_groups cli/test_streams core/test_assignment core/test_errors core/test_result encodings/test_models
encodings/test_vocabulary klotski/test_board klotski/test_notation klotski/test_plan klotski/test_validate
planning/test_planning sat/test_known_optima render/test_pictures sat/test_solver_lemmas
sokoban/deadlock/test_detectors sokoban/formats/test_corner_cases
sokoban/formats/test_paste sokoban/formats/test_plans sokoban/search/test_golden sokoban/search/test_kernels
sokoban/search/satisficing/test_macros sokoban/test_facts sokoban/units/test_passage sokoban/walk/test_walk test_questions
test_sources web/test_report_page
"""
"""Modules of ``pytest -m quick``: some of every room, in less than a minute on two cores."""

gc.set_threshold(100_000, 20, 100)  # as the command does: looking for garbage was a third of collecting the tests

settings.register_profile("any machine", deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no other modules for ``-m quick``."""
    if config.option.markexpr != "quick" or not collection_path.name.startswith("test_"):
        return None
    return None if _module(collection_path) in QUICK.split() else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _module(item.path) in QUICK.split() and item.get_closest_marker("slow") is None:
            item.add_marker("quick")


def pytest_collection_finish() -> None:
    """Look for no garbage among the tests themselves."""
    gc.freeze()


def _module(path: Path) -> str:
    return path.relative_to(ROOT / "tests").with_suffix("").as_posix()


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C and SIGTERM raise KeyboardInterrupt: what runs in a shell's background is started with Ctrl-C ignored."""
    before = {one: signal.signal(one, signal.default_int_handler) for one in (signal.SIGINT, signal.SIGTERM)}
    yield
    for one, handler in before.items():
        signal.signal(one, handler)


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
    """Return what sets every clock to run out of time after a number of looks: a limit that strikes alike on all machines."""

    def after(looks: int) -> None:
        left = iter(range(looks))
        monkeypatch.setattr(Clock, "over", lambda clock: None if next(left, None) is not None else "time")

    return after
