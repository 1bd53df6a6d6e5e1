"""What a plan and a bound amount to: the one place where a status is made of them."""

import pytest

from sokoasp.core.bounds import certified, status_of
from sokoasp.core.errors import SokoaspError
from sokoasp.core.result import Status


@pytest.mark.parametrize(
    ("value", "lower", "none", "stopped", "status"),
    [
        (7, 7, False, None, Status.OPTIMAL),
        (7, 7, False, "time", Status.OPTIMAL),
        (7, 6, False, "time", Status.SOLVED),
        (0, 0, False, None, Status.OPTIMAL),
        (None, 4, True, None, Status.UNSOLVABLE),
        (None, 4, False, "time", Status.TIME_OUT),
        (None, 4, False, "memory", Status.MEMORY_OUT),
        (None, 4, False, "states", Status.MEMORY_OUT),
        (None, 4, False, "interrupt", Status.INTERRUPTED),
        (None, 4, False, None, Status.NO_PLAN),
        (None, 4, False, "whim", Status.ERROR),
    ],
)
def test_status(value: int | None, lower: int, none: bool, stopped: str | None, status: Status) -> None:
    assert status_of(value, lower, none=none, stopped_by=stopped) is status
    result = certified("pushes", "some", value, lower, none=none, stopped_by=stopped, proof="said")
    bound = 0 if none else lower  # what has no plan has no bound on its cost
    assert (result.status, result.value, result.lower_bound, result.proof) == (status, value, bound, "said")
    settled = status in (Status.OPTIMAL, Status.UNSOLVABLE)
    assert result.stopped_by == (None if settled else stopped)


@pytest.mark.parametrize(("lower", "none"), [(8, False), (0, True)])
def test_a_plan_against_a_proof_is_a_bug_and_no_answer(lower: int, none: bool) -> None:
    with pytest.raises(SokoaspError, match="a plan of 7 contradicts"):
        status_of(7, lower, none=none)
