"""The inputs of the review that took minutes under a limit of seconds: the campaign of ``tests.limits`` on them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import limits

WORDS = frozenset({"native", "any", "--exhaustive"})


def test_every_command_is_run_with_and_without_a_limit_of_memory() -> None:
    limited, free = (limits.commands("a.xsb", 5.0, memory) for memory in (300, None))
    assert [[word for word in one if word not in ("--memory-limit", "300")] for one in limited] == free
    assert all("--memory-limit" in one for one in limited) and not any("--memory-limit" in one for one in free)
    assert {"solve", "stats", "deadlock", "certify", "render"} == {one[0] for one in free}


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_limits_hold_on_large_maps(cavepacker: Path) -> None:
    if os.getloadavg()[0] > (os.cpu_count() or 1):
        pytest.skip("other work runs on this machine: what is late cannot be said")
    (crowded,) = cavepacker.rglob("sasquatch08_0049.sok")
    assert limits.main((200,), [str(crowded)], WORDS) == 0
