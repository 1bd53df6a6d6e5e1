"""What is asked of a problem, and how to go about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from pathlib import Path
from typing import Any, NamedTuple

from sokoasp.core.errors import WrongOption
from sokoasp.core.limits import CLASP_MOST, Limits
from sokoasp.core.nearest import nearest_or_all
from sokoasp.domain import Game

OTHER_ENGINES = {
    "clingo": "asp",
    "clasp": "asp",
    "gringo": "asp",
    "cadical": "sat",
    "a*": "native",
    "astar": "native",
    "push": "pushes",
}
"""Words of other programs for an engine or objective of ours."""
QUESTIONS = ("steps", "at_most", "models", "count", "constraints", "then")
"""Fields that ask something else than for one best plan."""
CLINGO = ("threads", "configuration", "seed", "arguments")
"""Fields that only clingo listens to."""
TAKES = {
    "asp": (*QUESTIONS, *CLINGO, "encoding"),
    "portfolio": (*CLINGO, "encoding"),
    "sat": ("steps", "at_most"),
    "native": ("then",),
}
"""The fields among these that an engine takes; other engines take none."""


class Conflict(NamedTuple):
    """Fields that do not go together: those of the first, all chosen, with any of the others."""

    chosen: tuple[str, ...]
    others: tuple[str, ...]
    sentence: str
    """Names fields in braces; ``{others}`` is the list of the others that are chosen."""


CONFLICTS = (
    Conflict(("known",), QUESTIONS, "{known} does not go with {others}"),
    Conflict(
        ("answers",),
        ("engine", "encoding", "known", *CLINGO, *QUESTIONS),
        "{answers} answers by itself: leave {others} out",
    ),
    Conflict(("steps",), ("at_most",), "{steps} asks for exactly one length, {at_most} for several: give one of them"),
    Conflict(("count",), ("models",), "{count} counts all plans: leave {models} out"),
    *(
        Conflict(
            ("at_most", name),
            ("models", "count"),
            "{at_most} with {" + name + "} looks for one best plan of several lengths: leave {models} and {count} out",
        )
        for name in ("then", "constraints")
    ),
)
"""What cannot be asked together, of any game."""
_OTHER_ANSWERS = r"-n|-e|--mod|--en|--opt-m|--pro|--su|--no-u|[0-9]+$"
"""Options of clingo that say which answers are wanted, or that take other models than answer sets."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of a problem, and how to go about it."""

    objective: str | None = None
    engine: str | None = None
    """``asp``, ``sat``, ``portfolio`` or a native engine; None: the game's choice, or ASP where only it can."""
    encoding: str | None = None
    """Catalogue name or path; None is the game's default."""
    programs: tuple[Any, ...] = ()
    """Programs (``Encoding``) in place of the named one, in turns."""
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
    threads: int = 1
    configuration: str = "auto"
    seed: int = 0
    arguments: tuple[str, ...] = ()
    cross_check: bool | None = None
    """None: when it is cheap."""
    probes: bool = True
    """Whether the native search may be asked on the way if there is a plan at all, and for SAT which; without, answer and time
    are ASP's or SAT's alone."""
    measured: bool = False
    """Whether the user's own program begins at the first bound that we know, as ours do: to be compared, not to be marked."""
    answers: Path | None = None
    """A file of answers made before, such as ``sokoasp klotski-db`` writes."""
    known: Any = None
    """A plan the caller has: an upper bound to be improved on or proved optimal."""

    def chosen(self, names: Iterable[str]) -> list[str]:
        """Return those of these fields that are not as they are when nobody says anything."""
        values = ((name, getattr(self, name)) for name in names)
        return [name for name, value in values if value != _USUAL[name] and value not in ([], ())]

    def objections(self, domain: Game) -> list[str]:
        """Return why this cannot be asked of a game, with the names of fields in braces (``said``); empty if it can."""
        found = self._wrong_values()
        if found:
            return found
        if self.objective not in (None, *domain.objectives):
            wrong = f"{domain.name} has no objective {self.objective!r}"
            found.append(_verbatim(wrong + nearest_or_all(str(self.objective), domain.objectives, OTHER_ENGINES)))
        found += self._not_of_engine(domain)
        if self.answers is not None and domain.known.from_answers is None:
            found.append(f"{domain.name} has no positions: leave {{answers}} out")
        found += self._conflicts()
        if self.then:
            found += self._wrong_ties(domain)
        return found + self._wrong_arguments()

    def _not_of_engine(self, domain: Game) -> list[str]:
        """Say what is asked for that the named engine cannot give, or that there is no such engine."""
        engines = ("asp", "sat", "portfolio", *domain.search.native)
        if self.engine in (None, "asp"):
            return []
        if self.engine not in engines:
            return [
                _verbatim(
                    f"{domain.name} has no engine {self.engine!r}{nearest_or_all(self.engine, engines, OTHER_ENGINES)}"
                )
            ]
        asked = [name for name in self.chosen(TAKES["asp"]) if name not in TAKES.get(self.engine, ())]
        if not asked:
            return []
        able = " or ".join(name for name, taken in TAKES.items() if set(asked) <= set(taken))
        return [f"{{engine}} {self.engine} has no {_listed(asked)}: that is for {{engine}} {able}"]

    def _conflicts(self) -> list[str]:
        """Say which fields do not go together."""
        found = []
        for one in CONFLICTS:
            others = self.chosen(one.others) if len(self.chosen(one.chosen)) == len(one.chosen) else []
            if others:
                found.append(one.sentence.replace("{others}", _listed(others)))
        return list(dict.fromkeys(found))

    def _wrong_arguments(self) -> list[str]:
        """Say which options clingo does not take, or must not be given."""
        if not self.chosen(("arguments", "configuration")):
            return []
        from sokoasp.asp.constants import objection

        own = (f"--configuration={self.configuration}",) if self.chosen(("configuration",)) else ()
        if wrong := objection((*own, *self.arguments)):
            return [_verbatim(wrong)]
        other = next((one for one in self.arguments if re.match(_OTHER_ANSWERS, one)), None)
        if other is None:
            return []
        plans = "say which plans you want by {models} N and {then}; only answer sets are plans"
        return [f"{{arguments}}={_verbatim(other)}: {plans}"]

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
            found.append(f"constraints are a tuple of paths, not {paths!r}")
        return list(map(_verbatim, found))

    def _wrong_ties(self, domain: Game) -> list[str]:
        """Return what is wrong with the objectives that are to break ties."""
        objective = self.objective or domain.objectives[0]
        others = [name for name in domain.objectives if name != objective]
        wrong = [name for name in self.then if name not in others]
        if wrong:
            return [_verbatim(f"{objective} have no tie-break {wrong[0]!r}; there are: {', '.join(others) or 'none'}")]
        twice = [name for number, name in enumerate(self.then) if name in self.then[:number]]
        return [_verbatim(f"the tie-break {twice[0]!r} is named twice")] if twice else []

    @property
    def plain(self) -> bool:
        """Return whether one best plan is asked for, without further conditions and of no program of the user's choice."""
        return not self.chosen((*QUESTIONS, "encoding"))

    @property
    def wants_asp(self) -> bool:
        """Return whether something is asked for that a logic program alone can give, or that means clingo."""
        return bool(self.chosen(TAKES["asp"]))


def wished(domain: Game, task: Task | None, wishes: Mapping[str, Any]) -> Task:
    """Return a task with these fields, constraints as paths.

    Raises:
        TypeError: It is no task, or has no such field.
        WrongOption: It cannot be asked of the game.
    """
    if not isinstance(task, Task | None):
        raise TypeError(f"solve takes a Task, not {task!r}; or name what you want, such as objective='pushes'")
    if unknown := [name for name in wishes if name not in Task.__slots__]:
        near = nearest_or_all(unknown[0], Task.__slots__, {"time_limit": "limits", "timeout": "limits"})
        raise TypeError(f"a task has no field {unknown[0]!r}{near}")
    task = replace(task or Task(), **wishes)
    paths: Any = task.constraints
    if isinstance(paths, list | tuple):
        paths = type(paths)(Path(one) if isinstance(one, str) else one for one in paths)
    task = replace(task, constraints=paths)
    for objection in task.objections(domain):
        raise WrongOption(said(objection))
    return task


_USUAL = {one.name: one.default for one in fields(Task)}
"""What each field of a task is when nobody says anything."""


def said(objection: str, flags: Mapping[str, str] | None = None) -> str:
    """Return an objection with its fields named as they are in the library, or by these flags."""
    return objection.format_map({**{one.name: one.name for one in fields(Task)}, **(flags or {})})


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


def _verbatim(sentence: str) -> str:
    """Return a sentence in which braces stand for themselves."""
    return sentence.replace("{", "{{").replace("}", "}}")


def _is_number(limit: object) -> bool:
    return limit is None or (isinstance(limit, Real) and limit == limit)
