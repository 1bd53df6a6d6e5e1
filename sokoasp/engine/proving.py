"""Make a certificate folder: a plan, and a proof for others that no plan is shorter (or that there is none)."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sokoasp.core import errors, guard, kernels
from sokoasp.core.bounds import limit_named
from sokoasp.core.limits import Clock, Limits
from sokoasp.domain import Problem, domain_of
from sokoasp.engine.ties import best_of_best
from sokoasp.proof import folder as folders
from sokoasp.proof import level_text
from sokoasp.proof.refusals import Cheaper
from sokoasp.proof.verify import summary
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan

MOST_STATES = 20_000_000
"""States of a list."""
_MAKING = ".making"
"""Folder in the certificate's, in which it is made."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be certified, and how."""

    objective: str
    limits: Limits = field(default_factory=Limits)
    known: Plan | None = None
    """A plan to prove best; None: the native search looks for one."""
    notify: Callable[[str], None] = lambda sentence: None


@dataclass(frozen=True, slots=True)
class Made:
    """What came of it: ``claim`` is None when a limit or Ctrl-C came first, named by ``stopped_by``."""

    claim: folders.ClaimFile | None
    value: int | None
    seconds: float
    reported: str
    stopped_by: str | None = None

    @property
    def exit_code(self) -> int:
        """Return 0, 11 for a certified unsolvable level, 10 for a plan without proof, 20 and 21 for limits, 130 for Ctrl-C."""
        if self.claim is not None:
            return 0 if self.claim.value is not None else 11
        if self.stopped_by == "interrupt":
            return 130
        if self.value is not None:
            return 10
        return 21 if self.stopped_by == "memory" else 20


def certify(problem: Problem, folder: Path, request: Request) -> Made:
    """Make a certificate of a level in ``folder``; an older one in it stays until the new one is whole.

    Raises:
        SokoaspError: The folder holds something else, the plan is illegal or not best, or an extra is missing; or the
            problem is no Sokoban level.
    """
    if not isinstance(problem, Level):
        raise errors.EncodingError(f"there are no certificates for {domain_of(problem).name}")
    text, value = level_text.write(problem), None
    clock = request.limits.start()
    try:
        with _aside(folder) as place, guard.guarded(clock) as held:
            (place / folders.LEVEL).write_text(text, encoding="utf-8")
            value, plan, upper, stopped = _plan(problem, request, held)
            if stopped == "interrupt":
                raise KeyboardInterrupt
            if upper is None:
                return Made(None, value, clock.elapsed, "no best plan was found within the limits", stopped)
            maker = Maker(problem, level_text.read(text), place, request, clock, upper)
            return maker.make(value, plan)
    except KeyboardInterrupt as ended:
        what = guard.cause(ended)
        reported = "interrupted" if what == "interrupt" else f"the {what} limit was reached"
        return Made(None, value, clock.elapsed, reported, what)
    except Cheaper as error:
        has, best = f"{value} {request.objective}", str(error.value)
        if error.moves is not None:
            has, best = f"{value} pushes and {maker.moves} moves", f"{error.value} pushes and {error.moves} moves"
        fault = f"the plan of {has} is not best: there is one of {best}"
        if request.known is None:
            raise errors.SokoaspError(fault) from None  # the native search is wrong
        raise errors.IllegalPlan(f"{fault} (leave --plan out to have the best one found)") from None


@contextmanager
def _aside(folder: Path) -> Iterator[Path]:
    """Make the folder and a place in it; a certificate that is whole at the end takes the place of what was in the folder.

    Raises SokoaspError: there is something else than an old certificate in it.
    """
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    _only_ours(folder)
    place = folder / _MAKING
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        yield place
        if (place / "claim.json").exists():
            for path in folder.iterdir():
                if path != place:
                    path.unlink()
            for path in place.iterdir():
                path.rename(folder / path.name)
    finally:
        shutil.rmtree(place)
        if new and not any(folder.iterdir()):
            folder.rmdir()


def _only_ours(folder: Path) -> None:
    """Raise SokoaspError if a folder holds something else than an old certificate, or what is left of making one."""
    ours = {"claim.json", folders.LEVEL, folders.PLAN, folders.TABLES, folders.STATES, *folders.PARTS}
    inside = {path.name for path in folder.iterdir()}
    # without a claim files of these names may be somebody's own level and plan
    others = inside - ours - {_MAKING} if inside & {"claim.json", _MAKING} else inside
    if others:
        raise errors.SokoaspError(f"{folder} holds other files ({min(others)}): name an empty folder")


def _plan(level: Level, request: Request, held: guard.Guard) -> tuple[int | None, Plan | None, str | None, str | None]:
    """Return the number of actions of a plan (of a tie-break those that count first), the plan, who found it, what stopped it.

    Without number and plan: who says that there is none.
    """
    domain, (first, *then) = domain_of(level), request.objective.split("+")
    if request.known is not None:
        return domain.validate(level, request.known, None)[first], request.known, "given", None
    request.notify("looking for a plan")
    if then:
        found = best_of_best(domain, level, (first, *then), request.limits)
    else:
        found = domain.search.native["native"](level, first, request.limits, None)
    found = limit_named(held.fired, found)
    if found.stopped_by and (then or found.plan is None):
        return found.value, None, None, found.stopped_by
    return found.value, found.plan, found.engine, found.stopped_by


@dataclass(slots=True)
class Maker:
    """One certificate in the making."""

    problem: Level
    level: level_text.Field
    """The problem as the checker holds it."""
    folder: Path
    request: Request
    clock: Clock
    upper: str
    """Who found the plan."""
    moves: int | None = None
    """Of the plan of a tie-break."""

    def make(self, value: int | None, plan: Plan | None) -> Made:
        """Write the plan and make the proof."""
        tied = self.request.objective == folders.TIES
        if plan is not None:
            self.moves = len(plan.lurd) if tied else None
            (self.folder / folders.PLAN).write_text(plan.lurd + "\n", encoding="utf-8")
        if max(value or 0, self.moves or 0) > folders.MOST_VALUE:
            raise errors.SokoaspError(f"a certificate says at most {folders.MOST_VALUE:,} {self.request.objective}")
        if tied and value is None:
            raise errors.EncodingError(
                "a tie-break is certified by a list of states and a plan; leave --then out to certify that there is no plan"
            )
        if value == 0:
            return self.claimed(value, "solved", "the start is solved")
        kernels.require("a closed list")
        from sokoasp.engine.closed_lists import LevelCertifier

        stopped = LevelCertifier(self, value).certify()
        if isinstance(stopped, Made):
            return stopped
        return Made(None, value, self.clock.elapsed, f"the list of states was not finished ({stopped})", stopped)

    def claimed(self, value: int | None, kind: str, reported: str, **more: Any) -> Made:
        """Write the claim; ``more`` are further fields of it."""
        if self.moves is not None:
            more |= {"moves": self.moves}
        claim = folders.ClaimFile(
            self.request.objective, value, kind, version=_version(), upper=self.upper, lower=reported, **more
        )
        folders.write_claim(self.folder, claim)
        return Made(claim, value, self.clock.elapsed, summary(claim) + f"; {reported}")

    def limit_of(self, what: str) -> Callable[[int, int], str | None]:
        """Return what a list in the making calls now and then: its states, those to do → the word of the limit that is passed."""

        def passed(states: int, left: int) -> str | None:
            self.request.notify(f"{what}: {states:,} states, {left:,} to do")
            if self.request.limits.states is not None and states > self.request.limits.states:
                return "states"
            return self.clock.over() or ("states" if states > MOST_STATES else None)

        return passed


def _version() -> str:
    from importlib import metadata

    try:
        return f"sokoasp {metadata.version('sokoasp')}"
    except metadata.PackageNotFoundError:
        return "sokoasp"
