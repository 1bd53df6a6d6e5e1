"""The schedule: turns by role, plans and bounds handed around, limits."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from sokoasp.core import schedule as shares
from sokoasp.core.bounds import Bounds
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.schedule import Role, Schedule, TimeShares


@dataclass(eq=False)
class Digger:
    """Does a unit of work a call; hands a plan and a bound in when they are due."""

    name: str
    role: Role = "exact"
    work: int = 3
    """Units until it is finished."""
    plan: str | None = None
    """What it has found then."""
    lower: int = 0
    stops: str | None = None
    waits: bool = False
    """Idle until there is a plan."""
    done: int = 0
    generated: int = 0
    seen: Any = None
    seconds: float = 0.0
    share: float = 0.5
    log: list[str] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        return self.done >= self.work

    @property
    def idle(self) -> bool:
        return self.waits and self.seen is None

    @property
    def counters(self) -> dict[str, int]:
        return {"expanded": self.done, "generated": self.generated, "states": self.done}

    def advance(self, clock: Clock, seconds: float) -> str | None:
        assert not self.idle and not self.finished
        self.log.append(self.name)
        self.done += 1
        return self.stops

    def exchange(self, bounds: Bounds) -> None:
        self.seen = bounds.plan
        if self.finished and self.plan is not None:
            bounds.offer(self.plan, self.name)
        bounds.raise_lower(self.lower, self.name)


def schedule(*solvers: Digger, **more: Any) -> Schedule:
    log: list[str] = []
    for solver in solvers:
        solver.log = log
    return Schedule(Bounds(None, "letters", lambda plan: (plan, len(plan))), Limits().start(), list(solvers), **more)


def test_the_bound_of_one_meets_the_plan_of_another() -> None:
    finder, prover = Digger("finder", "satisficing", 2, "four"), Digger("prover", work=100, lower=4)
    run = schedule(prover, finder)
    assert run.run() is None and run.bounds.proof() == "lower bound 4 (prover) = plan of 4 (finder)"
    assert (
        run.counters["prover_expanded"] + run.counters["finder_expanded"] == run.counters["expanded"] == prover.done + 2
    )


def test_who_waits_gets_its_turn_when_there_is_a_plan() -> None:
    waiting, finder = Digger("waiting", "satisficing", waits=True), Digger("finder", "satisficing", 2, "plan")
    run = schedule(waiting, finder)
    assert run.run() == "steps", "nothing is left to do, and nothing proved"
    assert finder.log == ["finder", "finder", "waiting", "waiting", "waiting"] and waiting.seen == "plan"


def test_the_first_plan_ends_a_search_for_any() -> None:
    run = schedule(Digger("prover", work=100), Digger("finder", "satisficing", 1, "plan"), first_plan=True)
    assert run.run() is None and run.bounds.upper == 4 and not run.bounds.closed()


def test_without_memory_the_least_useful_exact_search_leaves() -> None:
    full, behind = Digger("full", work=3, lower=5, stops="memory"), Digger("behind", work=100, lower=2)
    run = schedule(full, behind)
    assert run.run() == "memory", "the last one is not done without"
    assert behind.done == 0 and run.solvers == [full]
    twin = Digger("twin", work=100, lower=5)
    run = schedule(Digger("full", work=3, lower=5, stops="memory"), twin)
    assert run.run() == "memory" and twin.done == 100, "of two as good the one that is full leaves"
    hungry = Digger("hungry", "satisficing", 100, stops="memory")
    run = schedule(hungry, Digger("finder", "satisficing", 3, "plan"))
    assert run.run() == "memory" and hungry.done == 1 and run.bounds.upper == 4


def test_time_ends_all() -> None:
    late = Digger("late", stops="time", work=100)
    assert schedule(late, Digger("other", work=100)).run() == "time" and late.done == 1


def test_a_search_without_a_share_of_the_time_ends_the_schedule() -> None:
    assert schedule(Digger("layers", "exhaustive", share=0.0)).run() == "steps"


def test_parts_of_a_turn() -> None:
    best, behind = Digger("best", lower=4), Digger("behind", lower=3)
    beam, plain = Digger("beam", "beam"), Digger("plain", "exhaustive", share=0.8)
    run = schedule(best, behind, beam, plain, Digger("macros", "satisficing"))
    run.bounds.raise_lower(4, "best")
    parts = [run.part(solver) for solver in run.solvers]
    assert parts == pytest.approx([1.0, 0.5, 1.0, 4 * (1 + 0.5 + 1 + 1), 1.0])
    run.bounds.offer("a plan", "somebody")
    run.solvers[-1].seconds = shares.EARLY
    parts = [run.part(solver) for solver in run.solvers]
    assert parts == pytest.approx([1.0, 0.5, 0.15, 4 * (1 + 0.5 + 0.15 + 1), 1.0])
    run.shortening = True
    assert run.part(run.solvers[-1]) == shares.GAINING, "however long it has gained nothing"


def test_layers_have_half_of_the_time_at_most_where_the_first_plan_ends_the_run() -> None:
    for share, most in ((0.8, 0.5), (0.2, 0.2)):
        run = schedule(Digger("macros", "satisficing"), Digger("plain", "exhaustive", share=share))
        assert run.part(run.solvers[1]) == pytest.approx(share / (1 - share))
        run.first_plan = True
        assert run.part(run.solvers[1]) == pytest.approx(most / (1 - most))


def test_some_have_a_lesser_part_until_there_is_a_plan() -> None:
    names: dict[str, Role] = {
        "seldom": "satisficing",
        "often": "satisficing",
        "prover": "exact",
        "other": "beam",
        "beam": "beam",
    }
    run = schedule(*(Digger(name, role) for name, role in names.items()))
    run.shares = TimeShares(lesser={"seldom": 0.25, "prover": 0.5, "other": 0.1})
    assert [run.part(solver) for solver in run.solvers] == [0.25, 1.0, 1.0, 0.1, 1.0]
    # such a beam search is late after fewer states
    run.first_plan, run.shares = True, replace(run.shares, eager=10)
    for done, lesser, whole in ((1, 0.1, 1.0), (2, 0.1 * shares.FADED, 1.0), (11, 0.1 * shares.FADED, 0.3)):
        for solver in run.solvers:
            solver.generated = done
        assert [run.part(solver) for solver in run.solvers[3:]] == pytest.approx([lesser, whole])
    run.first_plan = False
    run.bounds.offer("p" * 100, "somebody")
    full, once = shares.GAINING, shares.ONCE_FOUND
    assert [run.part(solver) for solver in run.solvers] == [full, full, 1.0, once, once]


def test_what_makes_the_plan_cheaper_has_longer_turns_until_it_dries_up(monkeypatch: pytest.MonkeyPatch) -> None:
    improver = Digger("improver", "satisficing", 2, "p" * 80)
    run = schedule(Digger("prover", work=50, lower=78), improver)
    run.bounds.offer("p" * 100, "somebody")
    full = shares.GAINING
    assert run.part(improver) == full
    improver.seconds = 2.0
    run.run()
    # two pushes are missing: half of what counts as much
    assert run.gained == {"improver": 2.0} and run.part(improver) == pytest.approx(full / 2)
    for seconds, part in ((shares.PERSISTENCE * 2.0 - 0.1, full / 2), (shares.PERSISTENCE * 2.0, 0.5)):
        improver.seconds = seconds
        assert run.part(improver) == pytest.approx(part)
    # a plan of another solver is no gain of its own; one push is missing of the four that would count as much
    run.bounds.offer("p" * 79, "somebody")
    worth = 1 / (shares.GAP * 79)
    assert run.part(improver) == pytest.approx(worth)
    run.shortening = True
    assert run.part(improver) == pytest.approx(full * worth)
    monkeypatch.setattr(shares, "GAP", 1.0)
    assert run.part(improver) == 1.0
    run.shortening = False
    assert run.part(improver) == shares.ONCE_FOUND


def test_who_has_all_the_states_it_may_keep_leaves_whatever_its_bound() -> None:
    full, behind = Digger("full", work=100, lower=5, stops="states"), Digger("behind", work=3, lower=2)
    run = schedule(full, behind)
    assert run.run() == "states" and (full.done, behind.done, run.solvers) == (1, 3, [])


def test_a_plan_as_cheap_as_the_best_is_not_taken() -> None:
    bounds = Bounds(None, "letters", lambda plan: (plan, len(plan)))
    assert bounds.offer("four", "first") and not bounds.offer("five", "second") and bounds.offer("six", "third")
    assert (bounds.plan, bounds.plan_by) == ("six", "third")
