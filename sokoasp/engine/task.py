"""What is asked of a problem, and how to go about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoasp.core.limits import CLASP_MOST, Limits

if TYPE_CHECKING:
    from sokoasp.domain import Domain

BACKENDS = ("clasp", "cadical")
_ALSO = {"sat": ("--steps", "--at-most"), "native": ("--then",)}
"""Questions beside that for one best plan, by the engine other than ASP that takes them."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of a problem, and how to go about it."""

    objective: str | None = None
    engine: str | None = None
    """``asp``, ``sat``, ``portfolio`` or a native engine; None: the game's choice, or ASP where only it can."""
    encoding: str | None = None
    """Catalogue name or path; None is the game's default."""
    programs: tuple[Any, ...] = ()
    """Programs (``Encoding``) in place of the named one: in turns, or with threads side by side."""
    restart: bool = False
    """Whether each bound is asked of a new solver, which learns nothing from the bounds before; to measure that."""
    limits: Limits = field(default_factory=Limits)
    steps: int | None = None
    """The competition's question: is there a plan with exactly ``steps - 1`` actions?"""
    at_most: int | None = None
    """Is there a plan of at most this number of actions, and which is best?"""
    models: int = 1
    count: bool = False
    """Count the best plans instead of listing them."""
    then: tuple[str, ...] = ()
    """Objectives that break ties, one after the other."""
    constraints: tuple[Path, ...] = ()
    backend: str = "clasp"
    """What solves the ground program: ``clasp``, or ``cadical`` alone, which tight programs are for."""
    threads: int = 1
    configuration: str = "auto"
    seed: int = 0
    arguments: tuple[str, ...] = ()
    cross_check: bool | None = None
    """None: when it is cheap."""
    probes: bool = True
    """Whether the native search may be asked on the way if there is a plan at all, and for SAT which; without, answer and time
    are ASP's or SAT's alone."""
    improve: float | None = None
    """Seconds spent on shortening a plan that is not proved best, after the engine has stopped."""
    answers: Path | None = None
    """A file of answers made before, such as ``sokoasp klotski-db`` writes."""
    known: Any = None
    """A plan the caller has: an upper bound to be improved on or proved optimal."""
    from_table: bool = False
    """Whether the plan in the table of proved optima is such a plan."""

    def objections(self, domain: Domain[Any, Any]) -> list[str]:
        """Return why this cannot be asked of a game, in the words of the command line; empty if it can."""
        engines = ("asp", "sat", "portfolio", *domain.native)
        found = self._wrong_values()
        if found:
            return found
        if self.objective not in (None, *domain.objectives):
            found.append(f"{domain.name} has no objective {self.objective!r}, only {', '.join(domain.objectives)}")
        if asked := self._not_of_engine:
            able = ["asp", *(name for name, flags in _ALSO.items() if set(asked) <= set(flags))]
            found.append(f"--engine {self.engine} has no {', '.join(asked)}: that is for --engine {' or '.join(able)}")
        if self.other_questions:
            wishes = {"--plan": self.known is not None, "--from-table": self.from_table, "--improve": self.improve}
            others = ", ".join(self.other_questions)
            found += [f"{flag} does not go with {others}" for flag, given in wishes.items() if given]
        if self.answers is not None:
            other = {"--engine": self.engine, "--encoding": self.encoding, "--plan": self.known}
            clash = [*(flag for flag, value in other.items() if value is not None), *self.clasp_options]
            clash += [*self.other_questions, *(["--from-table"] if self.from_table else [])]
            if domain.from_answers is None:
                found.append(f"{domain.name} has no positions: leave --positions out")
            elif clash:
                found.append(f"--positions answers by itself: leave {', '.join(clash)} out")
        if self.contradiction:
            found.append(self.contradiction)
        if self.then:
            found += self._wrong_ties(domain)
        if self.arguments or self.configuration != "auto":
            from sokoasp.asp.session import objection

            found += filter(None, [objection((f"--configuration={self.configuration}", *self.arguments))])
        if self.backend != "clasp" and (clash := self._claspish):
            found.append(f"--backend {self.backend} has no {', '.join(clash)}: that is for clasp")
        if self.misplaced:
            plans = "which plans are wanted is for --models N and --then to say; they are answer sets, no other models"
            found.append(f"--clingo-option={self.misplaced}: {plans}")
        if self.engine not in (None, *engines):
            found.append(f"{domain.name} has no engine {self.engine!r}, only {', '.join(engines)}")
        elif self.clasp_options and self.engine not in (None, "asp", "portfolio"):
            found.append(f"--engine {self.engine} has no {', '.join(self.clasp_options)}: that is for --engine asp")
        return found

    def _wrong_values(self) -> list[str]:
        """Say which values are of the wrong type or out of range; the command line refuses those by itself."""
        found = []
        for name, least in {"steps": 1, "at_most": 0, "models": 0, "threads": 1, "seed": 0}.items():
            value = getattr(self, name)
            absent = value is None and name in ("steps", "at_most")
            if not absent and (not isinstance(value, Integral) or not least <= int(value) <= CLASP_MOST):
                found.append(f"{name} is a whole number from {least} to {CLASP_MOST}, not {value!r}")
        limits, then, paths = (getattr(self, name) for name in ("limits", "then", "constraints"))
        if not isinstance(limits, Limits):
            found.append(f"limits are Limits(seconds=...), not {limits!r}")
        elif wrong := [one for one in (limits.seconds, limits.memory_mb) if not _is_number(one)]:
            found.append(f"a limit is a number or None, not {wrong[0]!r}")
        if isinstance(then, str):
            found.append(f"then is a tuple of objectives, not {then!r}")
        if not isinstance(paths, tuple | list) or not all(isinstance(one, Path) for one in paths):
            found.append(f"constraints are a tuple of paths (pathlib.Path), not {paths!r}")
        if self.backend not in BACKENDS:
            found.append(f"backend is {' or '.join(BACKENDS)}, not {self.backend!r}")
        return found

    def _wrong_ties(self, domain: Domain[Any, Any]) -> list[str]:
        """Return what is wrong with the objectives that are to break ties."""
        objective = self.objective or domain.objectives[0]
        others = [name for name in domain.objectives if name != objective]
        wrong = [name for name in self.then if name not in others]
        if wrong:
            return [f"{objective} have no tie-break {wrong[0]!r}; there are: {', '.join(others) or 'none'}"]
        twice = [name for number, name in enumerate(self.then) if name in self.then[:number]]
        return [f"the tie-break {twice[0]!r} is named twice"] if twice else []

    @property
    def _not_of_engine(self) -> list[str]:
        """Return what is asked for that the named engine cannot give, in the words of the command line."""
        if self.engine in (None, "asp"):
            return []
        encoding = ["--encoding"] if self.encoding is not None and self.engine != "portfolio" else []
        return [*(flag for flag in self.other_questions if flag not in _ALSO.get(self.engine, ())), *encoding]

    @property
    def only_models(self) -> bool:
        """Return whether only best plans, their number or tie-breaks are asked for (perhaps without a logic program)."""
        plain = self.encoding is None and not self.clasp_options and self.known is None and not self.from_table
        asked = set(self.other_questions)
        return plain and self.engine is None and bool(asked) and asked <= {"--models", "--count", "--then"}

    @property
    def misplaced(self) -> str:
        """Return the first clingo option that says which answers are wanted, as ``models`` and ``then`` do; empty without one.

        So do those that take other models than answer sets (``--supp-models``, ``--no-ufs-check``).
        """
        other = r"-n|-e|--mod|--en|--opt-m|--pro|--su|--no-u|[0-9]+$"
        return next((one for one in self.arguments if re.match(other, one)), "")

    @property
    def other_questions(self) -> list[str]:
        """Return what makes it another question than that for one best plan, in the words of the command line."""
        asked = {
            "--steps": self.steps is not None,
            "--at-most": self.at_most is not None,
            "--models": self.models != 1,
            "--count": self.count,
            "--constraints": bool(self.constraints),
            "--then": bool(self.then),
        }
        return [flag for flag, given in asked.items() if given]

    @property
    def contradiction(self) -> str:
        """Return which of the wishes do not go together; empty if they do."""
        if self.steps is not None and self.at_most is not None:
            return "--steps asks for exactly one length, --at-most for several: give one of them"
        if self.count and self.models != 1:
            return "--count counts all plans: leave --models out"
        several = self.models != 1 or self.count
        if several and self.at_most is not None and (self.then or self.constraints):
            return "--at-most looks for one best plan of several lengths: leave --models and --count out"
        return ""

    @property
    def clasp_options(self) -> list[str]:
        """Return what only clingo listens to, in the words of the command line."""
        asked = {
            "--backend": self.backend != "clasp",
            "--threads": self.threads != 1,
            "--configuration": self.configuration != "auto",
            "--seed": self.seed != 0,
            "--clingo-option": bool(self.arguments),
        }
        return [flag for flag, given in asked.items() if given]

    @property
    def _claspish(self) -> list[str]:
        """Return what is asked for that clasp alone can do with a ground program, in the words of the command line."""
        options = [flag for flag in self.clasp_options if flag != "--backend"]
        return [flag for flag in self.other_questions if flag not in ("--steps", "--at-most")] + options

    @property
    def wants_asp(self) -> bool:
        """Return whether something is asked for that a logic program alone can give, or that means clingo."""
        return bool(self.clasp_options or self.other_questions) or self.encoding is not None


def _is_number(limit: object) -> bool:
    return limit is None or (isinstance(limit, Real) and limit == limit)
