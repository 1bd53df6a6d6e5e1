"""The race on small programs of no game: who wins, what is shared, and that nobody is left running."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from sokoasp.asp import program_race
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import Outcome
from sokoasp.core.child_processes import ChildProcesses
from sokoasp.core.errors import EncodingError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Horizon, Step

EASY = """
#program step(t).
take(t).
#program check(t).
#external query(t).
:- query(t), goal(N), N > t.
#show take/1.
"""
# one pigeon more than holes: hopeless, however long one waits
HARD = """
#program check(t).
#external query(t).
{ in(P,H,t) : H = 1..t + 29 } = 1 :- P = 1..t + 30.
:- in(P,H,t), in(Q,H,t), P < Q, query(t).
"""


def program(tmp_path: Path, name: str, text: str) -> Encoding:
    path = tmp_path / f"{name}.lp"
    path.write_text(text)
    return Encoding(name, "none", "steps", "incremental", (path,), "take/1", "", "")


def entry(tmp_path: Path, name: str, text: str, facts: str = "goal(3).") -> program_race.Entry:
    return program_race.Entry(program(tmp_path, name, text), facts)


def ended(processes: int) -> bool:
    """Return whether no listener thread of a race is left: each lives as long as its process."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if not [t for t in threading.enumerate() if t.name.startswith("sokoasp-child")]:
            return True
        time.sleep(0.02)
    return False


def test_the_one_that_decides_wins(tmp_path: Path) -> None:
    seen: list[Step] = []
    entries = [entry(tmp_path, "hard", HARD), entry(tmp_path, "easy", EASY)]
    finish = program_race.race(entries, bounds=Horizon(1), clock=Limits(seconds=60).start(), on_step=seen.append)
    assert finish.winner is entries[1].program
    assert (finish.outcome.verdict, finish.outcome.bound, finish.outcome.refuted) == ("sat", 3, 2)
    assert [s.t for s in finish.outcome.steps] == [1, 2, 3]
    assert [s.t for s in seen] == [1, 2]
    assert ended(2)


def test_refuted_bounds_are_shared(tmp_path: Path) -> None:
    # The first is hopeless at bounds 1 and 2 but has an answer at once at 3; the second refutes 1 and 2 and is hopeless at 3.
    only_three = HARD + "#show take(1) : query(3).\n"
    helper = HARD.replace("in(", "inn(") + ":- query(t), t < 3.\n"
    first = only_three.replace(":- in(P,H,t)", ":- t < 3, in(P,H,t)")
    entries = [entry(tmp_path, "first", first), entry(tmp_path, "helper", helper)]
    finish = program_race.race(entries, bounds=Horizon(1), clock=Limits(seconds=60).start())
    assert finish.winner is entries[0].program
    assert (finish.outcome.verdict, finish.outcome.bound, finish.outcome.refuted) == ("sat", 3, 2)


def test_last_bound_refuted_by_one_ends_the_race(tmp_path: Path) -> None:
    entries = [entry(tmp_path, "hard", HARD), entry(tmp_path, "easy", EASY, "goal(9).")]
    finish = program_race.race(entries, bounds=Horizon(1, 1, 4), clock=Limits(seconds=60).start())
    assert (finish.outcome.verdict, finish.outcome.refuted) == ("unsat", 4)


def test_time_limit_keeps_what_was_refuted(tmp_path: Path) -> None:
    then_hard = EASY + HARD.replace(":- in(P,H,t)", ":- t > 2, in(P,H,t)")
    entries = [entry(tmp_path, "hard", HARD), entry(tmp_path, "then", then_hard, "goal(3).")]
    seen: list[Step] = []
    clock = Limits(seconds=3600).start()
    clock.over = lambda: "time" if len(seen) == 2 else None  # type: ignore[method-assign]
    finish = program_race.race(entries, bounds=Horizon(1), clock=clock, on_step=seen.append)
    assert finish.winner is None
    assert (finish.outcome.verdict, finish.outcome.stopped_by, finish.outcome.refuted) == ("unknown", "time", 2)
    assert ended(2)


def test_watch_ends_the_race(tmp_path: Path) -> None:
    entries = [entry(tmp_path, "hard", HARD), entry(tmp_path, "hard2", HARD)]
    finish = program_race.race(entries, bounds=Horizon(1), clock=Limits(seconds=60).start(), watch=lambda: "unsolvable")
    assert finish.outcome.stopped_by == "unsolvable"


def test_a_faulty_program_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EncodingError, match="syntax error"):
        program_race.race([entry(tmp_path, "bad", "a :- b(")], bounds=Horizon(), clock=Limits(seconds=60).start())


def test_a_bound_that_two_refute_is_news_once() -> None:
    seen: list[Step] = []
    race = program_race._Race({}, seen.append)
    race.children = ChildProcesses(race.take)
    for t in (1, 1, 2, 1):
        race.take("one", Step(t, "unsat", 0.0))
    assert [step.t for step in seen] == [step.t for step in race.best.steps] == [1, 2] and race.best.refuted == 2


def test_the_limit_of_one_racer_is_kept_when_another_just_gives_up() -> None:
    race = program_race._Race({}, lambda step: None)
    for stopped in ("memory", None):
        race.take("one", Outcome(stopped_by=stopped))
    assert race.best.stopped_by == "memory" and race.winner is None
