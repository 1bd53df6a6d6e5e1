"""The games of certificates: what a checker must know of each, as one record of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sokoasp.core.errors import NotationError

if TYPE_CHECKING:
    from sokoasp.proof.folder import ClaimFile

P = TypeVar("P")
"""The levels or boards of one game, as the checker holds them."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A step that holds: its name and what it showed."""

    name: str
    reported: str
    level: str = ""
    """The hash that names the level; empty but for the step ``level``."""
    picture: str = ""
    """The rows of the level; empty but for the step ``level``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[P]):
    """What a checker must know of one game."""

    name: str
    objectives: tuple[str, ...]
    level_file: str
    plan_file: str
    read: Callable[[str, str], P]
    """Text of the level's file, its name → the level. Raises SokoaspError, Refused."""
    identity: Callable[[object], str | None]
    """A level, as the checker or as the rest of the package holds it → the hash that names it; None: it is of another game."""
    picture: Callable[[P], str]
    """Level → its rows of text."""
    replay: Callable[[P, str, ClaimFile], int]
    """Level, text of a plan, claim → the plan's actions, counted by the referee. Raises SokoaspError, Refused."""
    solved: Callable[[P], bool]
    """Whether the start is solved."""
    states: Callable[[Path, ClaimFile, P], Iterator[Passed]]
    """Folder, claim, level → the steps of checking a closed list. Raises Refused."""
    tables: bool = False
    """Whether claims of this game may have tables, and speak of some boxes only."""


_MODULES = {"sokoban": "sokoasp.proof.sokoban_game", "klotski": "sokoasp.proof.klotski_game"}
"""Our own games, imported when they are first asked for."""
ENTRY_POINTS = "sokoasp.certificates"
"""Installed packages bring further games under this name: each entry point is a ``Game``."""
_registered: dict[str, Game[Any]] = {}


def register(game: Game[Any]) -> None:
    """Add a game of somebody else's to those of this process.

    Raises:
        ValueError: There is another game of this name.
    """
    if game.name in _MODULES or _registered.get(game.name, game) is not game:
        raise ValueError(f"there is a game {game.name!r} already")
    _registered[game.name] = game


def load(name: str) -> Game[Any]:
    """Return a game by its name.

    Raises:
        NotationError: There is none, or it cannot be loaded.
    """
    if name in _MODULES:
        game: Game[Any] = import_module(_MODULES[name]).GAME
        return game
    if name not in _registered:
        from importlib.metadata import entry_points

        for point in entry_points(group=ENTRY_POINTS, name=name):
            try:
                register(point.load())
            except Exception as error:  # whatever is wrong with a package that somebody has installed
                raise NotationError(f"what checks certificates of {name!r} cannot be loaded: {error!r}") from error
    if name not in _registered:
        raise NotationError(f"there are no certificates for {name[:60]!r}")
    return _registered[name]
