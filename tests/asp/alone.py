"""One program run to its end, as a schedule of one runs it: what the tests of programs share."""

from typing import Any

from sokoasp.asp import multishot
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import ClingoOptions, Outcome
from sokoasp.core.limits import Clock
from sokoasp.core.result import Horizon


def run(
    encoding: Encoding, facts: str, *, bounds: Horizon, clock: Clock, options: ClingoOptions | None = None, **more: Any
) -> Outcome:
    """Run a program on facts."""
    entry = multishot.Entry(encoding, facts, options or ClingoOptions())
    return multishot.run([entry], bounds=bounds, clock=clock, **more).outcome
