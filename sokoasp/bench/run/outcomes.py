"""The outcomes a run can have, as a table, and which of them a report of a run means."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass

from sokoasp.bench.run.job import Job, Report


@dataclass(frozen=True, slots=True)
class OutcomeKind:
    """One kind of ending."""

    rank: int
    """Order in the report; 0 is a wrong answer, 1 an unexplained error, 2 an explained one, 3 and more are proper results."""

    @property
    def proper(self) -> bool:
        """Return whether it is neither a wrong answer nor an error."""
        return self.rank > 2


OUTCOMES: Mapping[str, OutcomeKind] = {
    "wrong_plan": OutcomeKind(0),  # a plan was claimed and the referee refused it
    "wrong_claim": OutcomeKind(0),  # a claim (optimal, unsolvable, a bound, a cost) that a refereed plan refutes
    "crash": OutcomeKind(1),  # the process died without an answer and no limit explains it
    "lost": OutcomeKind(1),  # the worker process died under the run, and again when it was tried in a new one
    "wall_out": OutcomeKind(2),  # ended after ten times its seconds by the clock: the machine was busy, or it waited
    "error": OutcomeKind(2),  # the system refused: bad program, bad options, a missing part
    "optimal": OutcomeKind(3),  # a refereed plan, and the claim that none is better
    "unsolvable": OutcomeKind(3),  # the claim that there is no plan at all
    "no_plan": OutcomeKind(3),  # the claim that there is no plan within the bound asked for
    "solved": OutcomeKind(4),  # a refereed plan without a claim to be best
    "time_out": OutcomeKind(5),  # the time limit ended it without a plan
    "memory_out": OutcomeKind(5),  # the memory limit ended it without a plan
    "unknown": OutcomeKind(5),  # it ended by itself and said nothing
    "interrupted": OutcomeKind(5),  # it was interrupted
}
"""Every outcome, in the order of the report. docs/bench.md shows this table."""


class NoSpace(Exception):
    """A run could not be made because the disk is full: no fault of the system."""


def outcome(job: Job, report: Report) -> tuple[str, str]:
    """Return the outcome of a run and the message that explains it; NoSpace if the run could not write its files."""
    answer = report.answer
    if answer is None:
        return _without_answer(job, report)
    if answer.status == "no_space":
        raise NoSpace(answer.message)
    value, bound = answer.value, answer.lower_bound
    if value is not None and bound is not None and bound > value:
        return "wrong_claim", f"claims a lower bound of {bound} {job.objective}, its own plan has {value}"
    if job.system.kind == "external" and (answer.status, answer.stopped_by) == ("time_out", "time"):
        return _by_the_wall(job, report) or ("time_out", answer.message)
    status = answer.status if answer.status in OUTCOMES else "error"
    return status, answer.message


def _without_answer(job: Job, report: Report) -> tuple[str, str]:
    if report.killed_by == "time":
        beyond = f"killed: it went on {report.wall - job.limits.seconds:.1f} s beyond the limit"
        return _by_the_wall(job, report) or ("time_out", beyond)
    if report.killed_by == "memory":
        return "memory_out", f"killed at {report.peak_mb:.0f} MB"
    if report.exit_code == -signal.SIGXCPU:
        return "time_out", "CPU limit"
    last = " ".join(report.stderr.split())[-300:]
    if "bad_alloc" in last or "MemoryError" in last:
        return "memory_out", last
    how = f"signal {-report.exit_code}" if report.exit_code < 0 else f"exit code {report.exit_code}"
    return "crash", f"died by {how} without an answer{': ' if last else ''}{last}"


def _by_the_wall(job: Job, report: Report) -> tuple[str, str] | None:
    """Return the outcome of a run that was ended before it had used up its CPU seconds; None where none are left."""
    if job.limits.clock != "cpu" or report.cpu >= job.limits.seconds:
        return None
    used = f"{report.cpu:.1f} of its {job.limits.seconds:g} CPU seconds"
    return "wall_out", f"killed after {report.wall:.1f} s by the clock, {used} used; --retry wall_out runs it again"
