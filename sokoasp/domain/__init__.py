"""A game as one frozen record of functions: all that the engine and the fronts know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Any, Protocol

from sokoasp.core.bounds import Atom, Bounds
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result

Problem = Any
"""A ``sokoban.Level`` or a ``klotski.Board``."""


class Native(Protocol):
    """A native engine."""

    def __call__(
        self,
        problem: Problem,
        objective: str,
        limits: Limits,
        known: Any = None,
        tell: Callable[[str], None] | None = None,
        /,
    ) -> Result:
        """Solve a problem; ``known`` is a plan to improve on, ``tell`` hears what takes time."""
        ...


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is known before any search: which bounds are worth asking for, or why there is no plan at all."""

    bounds: Bounds
    impossible: str | None = None
    """The proof that the problem is unsolvable, None if there is none."""
    reason: str = ""
    """What excludes every bound below the first, in words; empty if nothing does."""


@dataclass(frozen=True, slots=True)
class Domain:
    """One game. ``Problem`` stands for its levels or boards, plans are its own plan type."""

    name: str
    problem: type
    objectives: tuple[str, ...]
    """The first is the default."""
    engine: str
    """The engine that answers when nothing is asked that only ASP can do."""
    encodings: Callable[[Problem, str, int], list[str]]
    """Problem, objective, threads → names of the encodings to run, the best first, more than one to race."""
    constrained: Callable[[Problem, str], str]
    """Problem, objective → the encoding that the user's own constraints are added to."""
    explain: Mapping[tuple[str, str], str]
    """(objective, what) → encoding whose atoms serve/1 are assumed to explain a refuted bound."""
    recognises: Callable[[bytes, str], bool]
    """Whether this text (bytes, source name) is of this game."""
    read: Callable[..., Iterator[Problem | SokoaspError]]
    """Bytes, source, reading options as keywords → every problem of the file, or the error that stands in its place."""
    write: Mapping[str, Callable[[Sequence[Problem], int | None], str]]
    """Notation → writer (problems, competition steps)."""
    facts: Callable[[Problem, int | None], str]
    constants: Callable[[Problem], Mapping[str, Any]]
    """Constant of the facts → cell."""
    tables: Mapping[str, Callable[[Problem, str], str]]
    """Table name → facts for (problem, objective), for encodings that want them."""
    estimate: Callable[[Problem, str], Estimate]
    decode: Callable[[Problem, Sequence[Atom], str, bool], Any]
    """Problem, shown atoms, index (``forward``/``remaining``), whether steps are kept as they are → plan."""
    read_plan: Callable[[Problem, str, str], Any]
    """Problem, text, source → plan (not yet validated)."""
    write_plan: Mapping[str, Callable[[Problem, Any], str]]
    """Output form → writer (problem, plan)."""
    plan_json: Callable[[Any], dict[str, Any]]
    validate: Callable[[Problem, Any, int | None], Mapping[str, int]]
    """Problem, plan, competition steps or None → cost per objective. Raises IllegalPlan."""
    remarks: Callable[[Problem, Any], Sequence[str]]
    """What there is to say of a valid plan."""
    native: Mapping[str, Native]
    """Native engines by name; ``native`` is the best one."""
    second: Callable[[Problem, str, Limits, bool], Result]
    """A second opinion on an ASP answer, undecided if not cheap: problem, objective, limits, whether it may compile first."""
    stats: Callable[[Problem, Limits], dict[str, Any]]
    """Problem, limits → what is known about it."""
    title: Callable[[Problem], str]
    least: Callable[[Problem, str], int] = lambda problem, objective: 0
    """Problem, objective → a lower bound told at once, without any tables."""
    examine: Callable[[Problem, str, bool, Limits], Any] | None = None
    """Problem, moves that lead to the state, whether to decide by search, limits → ``examine.Examination``."""
    stretch: Callable[[Problem, Any, int], Any] | None = None
    """Problem, plan, actions → the same plan told in exactly so many actions, None if it cannot be."""
    optimum: Callable[[Problem, str], Mapping[str, Any] | None] = lambda problem, objective: None
    """Problem, objective → its row of the table of optima (``board, status, value, bound, origin, plan``), None without."""
    all_plans: Callable[[Problem, str, int, str | None, Limits], Result] | None = None
    """Problem, objective, how many plans (0: all), second objective to break ties by, limits → all plans without ASP."""
    improve: Callable[[Problem, Any, str, Limits, Callable[[str], None] | None], Result] | None = None
    """Problem, plan, objective, limits, who hears what takes time → a plan at least as good, and a proved bound."""
    break_ties: Callable[[Problem, tuple[str, ...], Limits], Result] | None = None
    """Problem, objectives in order of importance, limits → a plan proved best in that order, without ASP."""
    walk: Callable[[Problem, tuple[int, int], str], str | None] | None = None
    """Problem, cell, method → the player's moves to it, None if he cannot get there."""


GAMES = ("klotski", "sokoban")
"""The games; those that must be recognised by their content come first, the last is what any other file is taken for."""
_SUFFIXES = {
    **dict.fromkeys((".xsb", ".sok", ".slc", ".rle", ".lp", ".asp", ".facts", ".json"), "sokoban"),
    ".klotski": "klotski",
}


def load(name: str) -> Domain:
    """Return a game by name, importing it when it is first wanted."""
    domain: Domain = import_module(f"sokoasp.domain.{name}").DOMAIN
    return domain


def domains() -> dict[str, Domain]:
    """Return every game by name, all imported."""
    return {name: load(name) for name in GAMES}


def domain_for(data: bytes, source: str, name: str | None = None) -> Domain:
    """Return the game of a file: by ``name`` if given, else by suffix or content."""
    name = name or _SUFFIXES.get(PurePath(source).suffix.lower())
    if name is not None:
        return load(name)
    return next((d for d in map(load, GAMES[:-1]) if d.recognises(data, source)), None) or load(GAMES[-1])


def domain_of(problem: Problem) -> Domain:
    """Return the game of a level or board.

    Raises:
        TypeError: It is neither.
    """
    for name in reversed(GAMES):
        if isinstance(problem, load(name).problem):
            return load(name)
    raise TypeError(f"{type(problem).__name__} is not a level or board")
