"""Work that never looks at its clock is interrupted all the same, and what it has found by then is kept."""

import gc
import importlib
import signal
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest

from sokoasp import Limits, Status, solve
from sokoasp.core import guard, limits
from sokoasp.core.guard import LimitReached, guarded, need, undisturbed
from sokoasp.core.limits import CpuLimits
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.sokoban.formats import level_from_rows

LEVEL = level_from_rows(["########", "#@ $  .#", "#  $  .#", "########"])


def _forever(*_: object) -> None:
    while True:
        sum(range(1000))


@pytest.mark.parametrize("engine", ["asp", "reference"])
def test_preparation_that_never_ends(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoasp.sokoban.grid.build", _forever)
    monkeypatch.setitem(DOMAIN.search.native, "reference", _forever)  # type: ignore[attr-defined]
    found = solve(LEVEL, engine=engine, objective="pushes", limits=Limits(seconds=0.2), cross_check=False)
    assert (found.status, found.stopped_by, found.lower_bound, found.exit_code) == (Status.TIME_OUT, "time", 6, 20)


def test_memory_that_grows_without_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []

    def fill(*_: object) -> None:
        while True:
            kept.append(bytes(100_000))

    monkeypatch.setattr("sokoasp.sokoban.grid.build", fill)
    found = solve(LEVEL, limits=Limits(memory_mb=limits.resident_mb() + 60), cross_check=False)
    assert (found.status, found.stopped_by, found.lower_bound) == (Status.MEMORY_OUT, "memory", 2) and len(
        kept
    ) < 10_000


def test_a_table_too_large_is_refused_before_it_is_made() -> None:
    with pytest.raises(LimitReached), guarded(Limits(memory_mb=limits.resident_mb() + 100).start()):
        need(99)
        need(101)
    need(1e9)  # nobody watches
    tight = Limits(memory_mb=limits.resident_mb() + 100).start()
    with guarded(Limits(memory_mb=1e9).start()) as loose, pytest.raises(LimitReached), guarded(tight):
        need(101)
    assert loose.fired is None
    with pytest.raises(LimitReached), guarded(Limits(seconds=60).start()) as watch:
        need(101, most=100)
    assert watch.fired == "memory", "an engine that takes it for Ctrl-C is put right"


def test_everything_is_as_before() -> None:
    before = signal.getsignal(signal.SIGUSR2)
    with guarded(Limits(seconds=60).start()):
        assert signal.getsignal(signal.SIGUSR2) != before
    assert signal.getsignal(signal.SIGUSR2) == before and not guard._guards
    assert not [thread for thread in threading.enumerate() if thread.name == "sokoasp-limits"]


def test_what_is_not_counted_stops_all_clocks() -> None:
    early, busy = Limits().start(), CpuLimits().start()
    with limits.not_counted(), limits.not_counted():
        late = Limits().start()
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
    assert early.elapsed < 0.2 > late.elapsed >= 0 and 0 <= busy.elapsed < 0.2


def test_a_limit_that_clingo_raises_again_is_still_the_same() -> None:
    again = LimitReached(LimitReached("memory"))
    assert (again.what, str(again)) == ("memory", "memory limit")


def test_a_limit_waits_for_a_call_that_must_not_be_disturbed() -> None:
    ended = threading.Event()
    with pytest.raises(LimitReached, match="time"), guarded(Limits(seconds=0).start()) as watch:
        with undisturbed():
            while watch.fired is None:
                ended.wait(0.01)
            ended.wait(0.2)  # the signal comes here
            ended.set()
        raise AssertionError("the limit was forgotten")
    assert ended.is_set()


def test_a_limit_that_fires_in_a_foreign_callback_is_not_swallowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a callback of the garbage collector raises is dropped with a warning: the interrupt comes again after it."""
    place = tmp_path / "site-packages"
    place.mkdir()
    (place / "foreign_hook.py").write_text(
        "import time\ncalls = []\ndef hook(phase, info):\n    calls.append(phase)\n"
        "    end = time.monotonic() + (0.55 if len(calls) == 1 else 0)\n    while time.monotonic() < end:\n        pass\n"
    )
    monkeypatch.syspath_prepend(str(place))
    foreign = importlib.import_module("foreign_hook")
    swallowed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", swallowed.append)
    monkeypatch.setattr(guard, "_PATIENCE", 1_000)
    gc.collect()  # objects that other tests have left may raise as they die, too
    gc.callbacks.append(foreign.hook)
    try:
        with pytest.raises(LimitReached), guarded(Limits(seconds=0.1).start()) as watch:
            gc.collect()  # the limit and its grace are over before the first callback ends
            _forever()
    finally:
        gc.callbacks.remove(foreign.hook)
    assert swallowed == [] and watch.left_alone >= 1 and watch.fired == "time"


def test_callbacks_of_weak_references_and_what_ends_a_guard_are_left_alone_too() -> None:
    """What the first raise is dropped with a warning; what the last do, after the work, would take its result away."""
    seen: list[tuple[str, bool]] = []
    Key = type("Key", (), {})  # noqa: N806
    held = weakref.WeakKeyDictionary({Key(): 1})
    key = Key()
    held[key] = 2
    sys.setprofile(lambda frame, *_: seen.append((frame.f_code.co_name, guard._foreign(frame))))
    try:
        del key
        with guarded(Limits(seconds=60).start()):
            pass
    finally:
        sys.setprofile(None)
    assert {("remove", True), ("__exit__", True), ("guarded", True)} <= set(seen)


def test_foreign_code_that_does_not_end_is_interrupted_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "site-packages"
    place.mkdir()
    (place / "foreign_loop.py").write_text("def loop():\n    while True:\n        pass\n")
    monkeypatch.syspath_prepend(str(place))
    with pytest.raises(LimitReached), guarded(Limits(seconds=0.1).start()) as watch:
        importlib.import_module("foreign_loop").loop()
    assert watch.left_alone == guard._PATIENCE
