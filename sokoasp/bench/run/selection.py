"""Which jobs of a suite a call runs: those of some systems, of some instances, or one part of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from sokoasp.bench.run.job import Job
from sokoasp.core.errors import WrongOption


@dataclass(frozen=True, slots=True)
class Selection:
    """Filters of a call; an empty one selects every job."""

    systems: tuple[str, ...] = ()
    """Names of systems; ``*`` and ``?`` as in file names."""
    instances: tuple[str, ...] = ()
    """Ids of instances, likewise."""
    part: tuple[int, int] | None = None
    """(number from 0, count): only each count-th question, with all its systems, for a task of a job array."""

    def of(self, jobs: list[Job]) -> list[Job]:
        """Return the jobs that are selected, in their order.

        Raises:
            WrongOption: A pattern selects no job.
        """
        for what, patterns, names in (
            ("system", self.systems, {job.system.name for job in jobs}),
            ("instance", self.instances, {job.instance for job in jobs}),
        ):
            for pattern in patterns:
                if not _matched(names, (pattern,)):
                    raise WrongOption(f"no {what} of the suite is called {pattern!r}; there are {_some(names)}")
        systems = _matched({job.system.name for job in jobs}, self.systems)
        instances = _matched({job.instance for job in jobs}, self.instances)
        chosen = [job for job in jobs if job.system.name in systems and job.instance in instances]
        if self.part is None:
            return chosen
        mine = set(list(dict.fromkeys(job.question for job in chosen))[self.part[0] :: self.part[1]])
        return [job for job in chosen if job.question in mine]


def _matched(names: Iterable[str], patterns: tuple[str, ...]) -> set[str]:
    return {name for name in names if not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)}


def _some(names: set[str]) -> str:
    shown = [repr(name) for name in sorted(names)[:8]]
    return ", ".join(shown) + (f" and {len(names) - len(shown)} more" if len(names) > len(shown) else "")
