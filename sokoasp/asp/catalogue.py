"""The catalogue of encodings: which files make a program, what it optimises, what its answer proves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sokoasp.core.errors import EncodingError
from sokoasp.core.nearest import did_you_mean, nearest_or_all

OWN = "the user's own program"
"""Summary of every program that is not in the catalogue."""


class Idea(NamedTuple):
    """What prunes or guides: without it a program proves the same optima."""

    name: str
    files: tuple[Path, ...]
    """Other ideas may share some of them."""
    claim: str
    tables: tuple[str, ...] = ()
    """Names of the fact tables it reads."""
    needs: tuple[str, ...] = ()
    """Names of the ideas without which it says nothing."""
    instead: tuple[Path, ...] = ()
    """Files that take its place when it is left out."""
    fewest: bool = False
    """Whether it keeps only plans with the fewest actions."""


class Encoding(NamedTuple):
    """One program: its files and what they are for."""

    name: str
    game: str
    objective: str
    mode: str
    """``"single"`` or ``"incremental"``."""
    files: tuple[Path, ...]
    output: str
    """Signature of the shown plan atoms, such as ``push/4``."""
    summary: str
    proves: str
    index: str = "forward"  # type: ignore[assignment]
    """``"forward"`` or ``"remaining"``: whether action t counts from the start or from the end."""
    tables: tuple[str, ...] = ()
    """Names of the fact tables the program wants beside the problem's own facts."""
    options: tuple[str, ...] = ()
    """clasp options that belong to the program."""
    ideas: tuple[Idea, ...] = ()

    @property
    def own(self) -> bool:
        """Whether it is the user's own program, whose bounds prove nothing by themselves."""
        return self.summary == OWN

    @property
    def exact(self) -> Encoding:
        """The program without what holds for the fewest actions only: for one given length, or under further constraints."""
        return self.without(*(idea.name for idea in self.ideas if idea.fewest))

    def without(self, *names: str) -> Encoding:
        """Return the program without the ideas of these names and those that need them, with what stands in for them."""
        gone = [idea for idea in self.ideas if idea.name in names or not set(names).isdisjoint(idea.needs)]
        if not gone:
            return self
        kept = tuple(idea for idea in self.ideas if idea not in gone)
        used = {path for idea in kept for path in idea.files}
        files: list[Path] = []
        for path in self.files:
            losers = [idea for idea in gone if path in idea.files]
            if not losers or path in used:
                files.append(path)
            else:
                files += losers[0].instead if path == losers[0].files[-1] else ()
        return self._replace(files=tuple(files), ideas=kept, tables=_tables(kept))


def _tables(ideas: Iterable[Idea]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(table for idea in ideas for table in idea.tables))


@cache
def folder() -> Path:
    """Return the folder with the logic programs: inside the installed package, else in the checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "lp"
    return inside if inside.is_dir() else package.parent / "encodings"


@cache
def encodings() -> dict[str, Encoding]:
    """Return every catalogued encoding by name."""
    games = sorted(path.parent.name for path in folder().glob("*/catalogue.json"))
    return {name: encoding for game in games for name, encoding in of_game(game).items()}


@cache
def of_game(game: str) -> dict[str, Encoding]:
    """Return the catalogued encodings of a game by name, none if it has no catalogue.

    ``catalogue.json`` says once what an answer proves and what an idea claims; encodings name both. It is JSON because reading
    TOML takes as long as solving a small level.
    """
    path = folder() / game / "catalogue.json"
    if not path.is_file():
        return {}
    said = json.loads(path.read_text(encoding="utf-8"))
    ideas = {table["name"]: _idea(**table) for table in said["ideas"]}
    words = said.get("actions", {})
    found = {}
    for table in said["encodings"]:
        word = words.get(table["objective"], table["objective"])
        proves = said["proves"][table["proves"]].replace("{actions}", word)
        used = tuple(ideas[name] for name in table.get("ideas", ()))
        found[table["name"]] = _encoding(**{**table, "game": game, "proves": proves, "ideas": used})
    return found


def _idea(files: list[str], instead: Sequence[str] = (), **more: Any) -> Idea:
    return Idea(files=_paths(files), instead=_paths(instead), **_with_tuples(more))


def _encoding(rules: list[str], ideas: tuple[Idea, ...], show: str, **more: Any) -> Encoding:
    files = [*_paths(rules), *(path for idea in ideas for path in idea.files)]
    whole = (*dict.fromkeys(files), *_paths([show]))
    return Encoding(files=whole, ideas=ideas, tables=_tables(ideas), **_with_tuples(more))


def _paths(names: Iterable[str]) -> tuple[Path, ...]:
    return tuple(folder() / name for name in names)


def _with_tuples(table: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def named(name: str) -> Encoding:
    """Return the encoding of that name, or the user's own of that file, for the game that its predicates are of.

    Raises EncodingError: there is neither, or the file is no encoding.
    """
    found = encodings().get(name)
    if found is not None:
        return found
    path = _file_of(name, encodings())
    return _own(path, _game_of(path), "")


def _game_of(path: Path) -> str:
    """Return the game whose plan a program derives, whatever its helpers are called. Raises EncodingError: it is no text."""
    from sokoasp.asp.program_text import program_text
    from sokoasp.asp.statements import Program

    program, text = Program(), program_text(path)
    program.load(path)
    plans = {name for name, count in program.heads if count == 4} & {"push", "slide"}
    words = plans or set(re.findall(r"\b(push|move|slide)\(", re.sub("%.*", "", text)))  # a slip or a script
    return "klotski" if words == {"slide"} else "sokoban"


def find(name: str, game: str, objective: str) -> Encoding:
    """Return the encoding of that name, or the user's own program if it is a path to one.

    A file with a ``#program step(`` part is incremental, any other is solved once.
    EncodingError if there is no such encoding or file, or it is for another game or objective.
    """
    known = of_game(game).get(name) or encodings().get(name)
    if known is not None:
        if known.game != game:
            raise EncodingError(f"encoding {name!r} is for {known.game}, this is {game}")
        if known.objective != objective:
            raise EncodingError(f"encoding {name!r} counts {known.objective}, not {objective}")
        return known
    return _own(_file_of(name, of_game(game)), game, objective)


def _file_of(name: str, known: Iterable[str]) -> Path:
    """Return the path of a user's file. Raises EncodingError: there is none; the nearest name, known or beside it, is offered."""
    path = Path(name)
    if not path.is_file():
        beside = path.parent.iterdir() if path.parent.is_dir() else ()
        files = [str(one) for one in beside if one.suffix == ".lp" or (one.is_dir() and one.name[0] not in "._")]
        if path.suffix == ".lp":
            raise EncodingError(f"there is no file {name!r}{did_you_mean(name, files)}")
        near = did_you_mean(name, [*known, *files]) or nearest_or_all(name, known)
        raise EncodingError(f"there is no encoding or file {name!r}{near}")
    return path


def _own(path: Path, game: str, objective: str) -> Encoding:
    from sokoasp.asp import user_program
    from sokoasp.asp.program_text import program_text

    ours = of_game(game).values()
    plans = tuple(dict.fromkeys(known.output for known in ours))
    catalogued = frozenset(path for known in ours for path in known.files)
    moves = objective in ("", "moves")
    incremental = user_program.checked(path, program_text(path), game, plans, moves, catalogued)
    return Encoding(
        name=str(path),
        game=game,
        objective=objective,
        mode="incremental" if incremental else "single",
        files=(path,),
        output=plans[0],
        summary=OWN,
        proves="what its author can show; every plan is replayed by the referee",
    )
