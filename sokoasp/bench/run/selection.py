"""Which jobs of a suite a call runs: those of some systems, of some instances, or one part of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from types import MappingProxyType

from sokoasp.bench.run.job import Job
from sokoasp.core.errors import WrongOption
from sokoasp.core.nearest import nearest_or_all


@dataclass(frozen=True, slots=True)
class Selection:
    """Filters of a call; an empty one selects every job."""

    systems: tuple[str, ...] = ()
    """Names of systems; ``*`` and ``?`` as in file names."""
    instances: tuple[str, ...] = ()
    """Ids of instances, or patterns of the names that are shown of them."""
    part: tuple[int, int] | None = None
    """(number from 0, count): only each count-th question, with all its systems, for a task of a job array."""

    def of(self, jobs: list[Job], places: Mapping[str, tuple[str, ...]] = MappingProxyType({})) -> list[Job]:
        """Return the jobs that are selected, in their order; ``places`` gives ids the names that reports and views show.

        Raises WrongOption: a pattern selects no job.
        """
        systems = _matched("system", {job.system.name: (job.system.name,) for job in jobs}, self.systems)
        names = {job.instance: places.get(job.instance, (job.instance,)) for job in jobs}
        instances = _matched("instance", names, self.instances)
        chosen = [job for job in jobs if job.system.name in systems and job.instance in instances]
        if self.part is None:
            return chosen
        mine = set(list(dict.fromkeys(job.question for job in chosen))[self.part[0] :: self.part[1]])
        return [job for job in chosen if job.question in mine]


def _matched(what: str, names: Mapping[str, tuple[str, ...]], patterns: tuple[str, ...]) -> set[str]:
    """Return the ids that are one of the patterns, or of which a name that is shown matches one; all, if there are none."""
    found = set() if patterns else set(names)
    for pattern in patterns:
        matching = {i for i, of in names.items() if pattern == i or any(fnmatchcase(one, pattern) for one in of)}
        if not matching:
            there = nearest_or_all(pattern, sorted({of[0] for of in names.values()}))
            raise WrongOption(f"no {what} of the suite is called {pattern!r}{there}")
        found |= matching
    return found
