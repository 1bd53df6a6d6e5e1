"""A game as one frozen record of functions: all that the engine and the fronts know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Atom, Horizon, Result

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from sokoasp.picture.scene import Scene


Problem = object
"""A level or board of some game, where any game will do: only its own ``Domain`` looks into it."""
P = TypeVar("P")
"""The levels or boards of one game."""
L = TypeVar("L")
"""The plans of one game, which can be hashed."""
_P = TypeVar("_P", contravariant=True)


class Native(Protocol[_P]):
    """A native engine."""

    def __call__(self, problem: _P, objective: str, limits: Limits, known: Any = None, /) -> Result:
        """Solve a problem; ``known`` is a plan to improve on."""
        ...


def lazily(module: str, name: str) -> Callable[..., Any]:
    """Return a function that is imported when it is first called."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call


class Estimate(NamedTuple):
    """What is known before any search: which bounds are worth asking for, or why there is no plan at all."""

    bounds: Horizon
    impossible: str | None = None
    """The proof that the problem is unsolvable, None if there is none."""
    reason: str = ""
    """What excludes every bound below the first, in words; empty if nothing does."""


class Texts(NamedTuple, Generic[P, L]):
    """How the levels and plans of one game are read and written."""

    recognises: Callable[[bytes, str], bool]
    """Whether this text (bytes, source name) is of this game."""
    read: Callable[..., Iterator[P | SokoaspError]]
    """Bytes, source, reading options as keywords → every problem of the file, or the error that stands in its place."""
    write: Mapping[str, Callable[[Iterable[P], int | None], str]]
    """Notation → writer (problems, gone through once; competition steps)."""
    read_plan: Callable[[P, str, str], L]
    """Problem, text, source → plan (not yet validated)."""
    write_plan: Mapping[str, Callable[[P, L], str]]
    """Output form → writer (problem, plan)."""
    plan_json: Callable[[L], dict[str, Any]]
    title: Callable[[P], str]
    to_wire: Callable[[P], tuple[str, Sequence[str]]]
    """Problem → how the page holds it: header lines (each with its end of line) and rows."""
    from_wire: Callable[[str, Sequence[str], str], P]
    """Header, rows, title → problem. Raises LevelError."""
    suffixes: tuple[str, ...] = ()
    """File suffixes of a game that registers from outside."""


class Programs(NamedTuple, Generic[P, L]):
    """What clingo is given to solve a problem of one game, and how its answer is read."""

    encodings: Callable[[P, str], list[str]]
    """Problem, objective → names of the encodings to run, the best first; several take turns."""
    constrained: Callable[[P, str], str]
    """Problem, objective → the encoding that the user's own constraints are added to."""
    facts: Callable[[P, int | None], str]
    """Problem, competition steps or None → its facts."""
    constants: Callable[[P], Mapping[str, Any]]
    """Constant of the facts → cell; where pieces have classes, name of a piece → its class, both as the facts write them."""
    tables: Mapping[str, Callable[[P, str, str], str]]
    """Table name → facts for (problem, objective, index ``forward``/``remaining``), for encodings that want them."""
    decode: Callable[[P, Sequence[Atom], str, bool], L]
    """Problem, shown atoms, index (``forward``/``remaining``), whether steps are kept as they are → plan."""
    stretch: Callable[[P, L, int], L | None] | None = None
    """Problem, plan, actions → the same plan cut into exactly that number of actions, None if it cannot be."""


class Searches(NamedTuple, Generic[P, L]):
    """The engines of one game that need no ASP."""

    native: Mapping[str, Native[P]]
    """Native engines by name; ``native`` is the best one."""
    second: Callable[[P, str, Limits, bool], Result]
    """A second opinion on an ASP answer, undecided if not cheap: problem, objective, limits, whether it may compile first."""
    break_ties: Callable[[P, tuple[str, ...], Limits], Result] | None = None
    """Problem, objectives in order of importance, limits → a plan proved best in that order."""
    improve: Callable[[P, L, str, Limits], Result] | None = None
    """Problem, plan, objective, limits → a plan at least as good, and a proved bound."""


class Knowledge(NamedTuple, Generic[P]):
    """What is known of a problem of one game without an engine: bounds, tables of answers, what a state shows."""

    estimate: Callable[[P, str], Estimate]
    """Problem, objective → the bounds worth asking for."""
    stats: Callable[[P, Limits], dict[str, Any]]
    """Problem, limits → figures of it."""
    least: Callable[[P, str], int] = lambda problem, objective: 0
    """Problem, objective → a lower bound known at once, without any tables."""
    optimum: Callable[[P, str, bool], Mapping[str, Any] | None] = lambda problem, objective, plan: None
    """Problem, objective, whether with its plan → its row of the table of optima (``board, status, value, bound, origin,
    version``, and with it ``plan, closed_by, certificate``), None without."""
    from_answers: Callable[[P, str, Path], Result] | None = None
    """Problem, objective, a file of answers made before → the answer that it gives. Raises LevelError where it has none."""
    examine: Callable[[P, str, bool, Limits], Any] | None = None
    """Problem, moves that lead to the state, whether to decide by search, limits → ``examine.Examination``."""


class Domain(NamedTuple, Generic[P, L]):
    """One game: ``P`` are its levels or boards, ``L`` its plans."""

    name: str
    problem: type[P]
    objectives: tuple[str, ...]
    """The first is the default."""
    engine: str
    """The engine that answers when nothing is asked that only ASP can do."""
    texts: Texts[P, L]
    asp: Programs[P, L]
    search: Searches[P, L]
    known: Knowledge[P]
    validate: Callable[[P, L, int | None], Mapping[str, int]]
    """Problem, plan, competition steps or None → cost per objective. Raises IllegalPlan."""
    remarks: Callable[[P, L], Sequence[str]]
    """What there is to say of a valid plan."""
    scene: Callable[[P], Scene]
    """The parts of its pictures: problem → what ``sokoasp.render`` puts together."""
    walk: Callable[[P, tuple[int, int], str], str | None] | None = None
    """Problem, cell, method → the player's moves to it, None if the player cannot get there."""


Game = Domain[Any, Any]
GAMES = ("klotski", "sokoban")
"""Our own games; those that must be recognised by their content come first, the last is what any other file is taken for."""
ENTRY_POINTS = "sokoasp.games"
"""Installed packages bring further games under this name: each entry point is a ``Domain``."""
_SUFFIXES = {**dict.fromkeys((".xsb", ".sok", ".slc", ".rle", ".hsb"), "sokoban"), ".klotski": "klotski"}
_registered: dict[str, Game] = {}


def register(domain: Game) -> None:
    """Add a game of somebody else's to those of this process.

    Raises:
        ValueError: There is a game of this name already.
    """
    if domain.name in GAMES or _registered.get(domain.name, domain) is not domain:
        raise ValueError(f"there is a game {domain.name!r} already")
    _registered[domain.name] = domain


@cache
def _installed() -> Mapping[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _others() -> list[Game]:
    """Return the games that are not ours, those of installed packages included."""
    for name, point in _installed().items():
        if name not in _registered:
            register(point.load())
    return list(_registered.values())


def games() -> list[str]:
    """Return the names of all games, ours first, without importing any."""
    return list(dict.fromkeys((*GAMES, *_registered, *_installed())))


def load(name: str) -> Game:
    """Return a game by name, importing it when it is first wanted."""
    if name in GAMES:
        domain: Game = import_module(f"sokoasp.domain.{name}").DOMAIN
        return domain
    return next(domain for domain in _others() if domain.name == name)


def level_suffixes() -> set[str]:
    """Return the suffixes of files that hold levels or boards and nothing else."""
    return {*_SUFFIXES, *(suffix for domain in _others() for suffix in domain.texts.suffixes)}


def domains() -> dict[str, Game]:
    """Return every game by name, all imported."""
    return {name: load(name) for name in games()}


def domain_for(data: bytes, source: str, name: str | None = None) -> Game:
    """Return the game of this name, else that of a file by its suffix or content."""
    suffix = PurePath(source).suffix.lower()
    name = name or _SUFFIXES.get(suffix)
    if name is not None:
        return load(name)
    plain = load(GAMES[-1])
    if plain.texts.recognises(
        data, source
    ):  # then no other game need be imported, and no installed package looked through
        return plain
    others = _others()
    by_suffix = next((domain for domain in others if suffix in domain.texts.suffixes), None)
    if by_suffix is not None:
        return by_suffix
    candidates = [*map(load, GAMES[:-1]), *others]
    return next((d for d in candidates if d.texts.recognises(data, source)), plain)


def domain_of(problem: P) -> Domain[P, Any]:
    """Return the game of a level or board; TypeError if it is neither."""
    for name in (*reversed(GAMES), *_registered):
        if isinstance(problem, load(name).problem):
            return load(name)
    raise TypeError(f"{type(problem).__name__} is not a level or board")
