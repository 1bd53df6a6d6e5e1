"""The catalogue of encodings: which files make a program, what it optimises, what its answer proves."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from sokoasp.asp.program_text import program_text
from sokoasp.core.errors import EncodingError

OWN = "the user's own program"
"""Summary of every program that is not in the catalogue."""


@dataclass(frozen=True, slots=True)
class Encoding:
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
    index: str = "forward"
    """``"forward"`` or ``"remaining"``: whether action t counts from the start or from the end."""
    tables: tuple[str, ...] = ()
    """Names of the fact tables the program wants beside the problem's own facts."""
    options: tuple[str, ...] = ()
    """clasp options that belong to the program."""
    equal_numbers: bool = False
    """Whether it needs as many boxes as goals."""
    ideas: tuple[Path, ...] = ()
    """Those of the files that prune or guide: without any of them it proves the same optima."""
    fewest: tuple[Path, ...] = ()
    """Those of the files that keep only plans with the fewest actions."""

    @property
    def exact(self) -> Encoding:
        """The program without what holds for the fewest actions only: for one given length, or under further constraints."""
        return replace(self, files=tuple(path for path in self.files if path not in self.fewest), fewest=())


@cache
def folder() -> Path:
    """Return the folder with the logic programs: inside the installed package, else in the checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "lp"
    return inside if inside.is_dir() else package.parent / "encodings"


@cache
def encodings() -> dict[str, Encoding]:
    """Return every catalogued encoding by name.

    Raises:
        EncodingError: A catalogue cannot be read or names a file that is missing.
    """
    found: dict[str, Encoding] = {}
    for path in sorted(folder().glob("*/catalogue.toml")):
        try:
            tables = tomllib.loads(path.read_text(encoding="utf-8")).get("encoding", [])
        except tomllib.TOMLDecodeError as error:
            raise EncodingError(f"not valid TOML: {error}", source=str(path)) from error
        for table in tables:
            encoding = _entry(path, table)
            found[encoding.name] = encoding
    return found


def _entry(path: Path, table: dict[str, object]) -> Encoding:
    def words(key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        return tuple(str(word) for word in value) if isinstance(value, list) else ()

    programs = tuple(folder() / name for name in words("files"))
    missing = [str(program) for program in programs if not program.is_file()]
    if missing:
        raise EncodingError(
            f"encoding {table.get('name')!r} names missing files: {', '.join(missing)}", source=str(path)
        )
    return Encoding(
        name=str(table["name"]),
        game=path.parent.name,
        objective=str(table["objective"]),
        mode=str(table["mode"]),
        files=programs,
        output=str(table["output"]),
        summary=str(table["summary"]),
        proves=str(table["proves"]),
        index=str(table.get("index", "forward")),
        tables=words("tables"),
        options=words("options"),
        equal_numbers=bool(table.get("equal_numbers", False)),
        ideas=tuple(folder() / name for name in words("ideas")),
        fewest=tuple(folder() / name for name in words("fewest")),
    )


def named(name: str) -> Encoding:
    """Return a catalogued encoding.

    Raises:
        EncodingError: There is none of that name.
    """
    found = encodings().get(name)
    if found is None:
        raise EncodingError(f"no encoding named {name!r}; see: sokoasp encodings list")
    return found


def find(name: str, game: str, objective: str) -> Encoding:
    """Return the encoding of that name, or the user's own program if it is a path to one.

    A file with a ``#program step(`` part is incremental, any other is solved once.

    Raises:
        EncodingError: There is no such encoding or file, or it is for another game or objective.
    """
    known = encodings().get(name)
    if known is not None:
        if known.game != game:
            raise EncodingError(f"encoding {name!r} is for {known.game}, this is {game}")
        if known.objective != objective:
            raise EncodingError(f"encoding {name!r} counts {known.objective}, not {objective}")
        return known
    path = Path(name)
    if not path.is_file():
        names = ", ".join(e.name for e in encodings().values() if e.game == game)
        raise EncodingError(f"no encoding or file named {name!r}; the catalogue has {names}")
    return _own(path, game, objective)


def _own(path: Path, game: str, objective: str) -> Encoding:
    text = program_text(path)
    code = re.sub(r"%\*.*?\*%|%[^\n]*", "", text, flags=re.DOTALL)
    incremental = re.search(r"#program\s+step\s*\(", code) is not None
    shown = re.search(r"#show\s+(\w+/\d+)", code)
    return Encoding(
        name=str(path),
        game=game,
        objective=objective,
        mode="incremental" if incremental else "single",
        files=(path,),
        output=shown.group(1) if shown else "push/4",
        summary=OWN,
        proves="what its author can show; every plan is replayed by the referee",
    )
