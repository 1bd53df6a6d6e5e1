"""The catalogue of encodings: which files make a program, what it optimises, what its answer proves."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sokoasp.core.errors import EncodingError, SokoaspError, not_toml, place_in

CADICAL = "CaDiCaL 1.9.5"
_KEYS = {
    "encoding": "name, objective, mode, rules, ideas, show, output, summary, proves, index, options, equal_numbers",
    "": "encoding, idea, proves, actions",
    "idea": "name, files, claim, tables, needs, instead, fewest",
}
"""What an entry may say, and under no name which tables there are."""
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
    ideas: tuple[Idea, ...] = ()
    backend: str = "clasp"
    """Which solver gets the ground program: ``clasp`` or ``cadical``."""

    @property
    def label(self) -> str:
        """The name, and the solver where it is not clingo's own."""
        return self.name if self.backend == "clasp" else f"{self.name} in {CADICAL}"

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
        return replace(self, files=tuple(files), ideas=kept, tables=_tables(kept))


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
    """Return every catalogued encoding by name.

    Raises:
        EncodingError: A catalogue cannot be read or names a file that is missing.
    """
    catalogues = [_catalogue(path) for path in sorted(folder().glob("*/catalogue.toml"))]
    return {name: catalogue.encoding(name) for catalogue in catalogues for name in catalogue.names}


@cache
def _catalogue(path: Path) -> _Catalogue:
    return _Catalogue(path)


class _Catalogue:
    """One ``catalogue.toml``: what its programs prove and its ideas are said once and named by the programs.

    An entry is parsed when it is asked for: reading all of them takes as long as solving a small level. A missing file has none.
    A plain entry is read as Python, which says the same of it (a test compares all): the parser of TOML is slow to load.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._text = path.read_text(encoding="utf-8") if path.is_file() else ""
        self._entries: dict[str, dict[str, str]] = {}
        """Texts of the tables by kind and name."""
        for entry in re.split(r"^(?=\[\[?\w+\]\]?\s*$)", self._text, flags=re.MULTILINE)[1:]:
            name, kind = re.search(r'^name *= *"([^"\n]*)"', entry, re.MULTILINE), entry[: entry.index("]")].strip("[")
            self._check(entry, [kind], "")
            self._entries.setdefault(kind, {})[name[1] if name else ""] = entry
        self.names = tuple(self._entries.get("encoding", ()))

    @cache  # noqa: B019
    def encoding(self, name: str) -> Encoding:
        """Return the program of that name.

        Raises:
            EncodingError: Its entry cannot be read or names a file that is missing.
        """
        try:
            return self._encoding(self._table("encoding", name))
        except (KeyError, TypeError, ValueError) as error:
            raise self._fault(error, self._entries["encoding"][name]) from error

    @cache  # noqa: B019
    def _table(self, kind: str, name: str = "") -> dict[str, Any]:
        entry = self._entries[kind][name]
        table = plain(entry) or whole(entry, kind)
        if kind in _KEYS:
            self._check(entry, table, kind)
        return table

    def _encoding(self, table: dict[str, Any]) -> Encoding:
        ideas = tuple(self._idea(name) for name in table.get("ideas", ()))
        files = [*self._files(table["rules"]), *(path for idea in ideas for path in idea.files)]
        objective = table["objective"]
        return Encoding(
            name=table["name"],
            game=self.path.parent.name,
            objective=objective,
            mode=table["mode"],
            files=(*dict.fromkeys(files), *self._files([table["show"]])),
            output=table["output"],
            summary=table["summary"],
            proves=self._proves(table["proves"], objective),
            index=table.get("index", "forward"),
            tables=_tables(ideas),
            options=tuple(table.get("options", ())),
            equal_numbers=table.get("equal_numbers", False),
            ideas=ideas,
        )

    def _check(self, entry: str, keys: Iterable[str], kind: str) -> None:
        """Refuse what is not read."""
        for key in keys:
            if key not in _KEYS[kind].split(", "):
                line, _ = place_in(self._text, self._text.rindex(entry) + 1 + entry.find(f"\n{key}"))
                what = f"{key!r} is unknown here; known are {_KEYS[kind]}"
                raise EncodingError(what, source=str(self.path), line=line)

    def _fault(self, error: Exception, entry: str) -> SokoaspError:
        """Say which word of the file is wrong, or which entry lacks one."""
        import tomllib

        try:
            tomllib.loads(self._text)  # says which line of the file
        except tomllib.TOMLDecodeError as wrong:
            return not_toml(EncodingError, wrong, str(self.path))
        named = f'"{error.args[0]}"' if isinstance(error, KeyError) else entry
        return self._at(named if named in self._text else entry, f"an entry lacks or names what is not there: {error}")

    def _at(self, words: str, message: str) -> EncodingError:
        """Return an error at the place of words of the file."""
        line, column = place_in(self._text, max(0, self._text.rfind(words)))
        return EncodingError(message, source=str(self.path), line=line, column=column)

    @cache  # noqa: B019 (one object a file, kept anyway)
    def _idea(self, name: str) -> Idea:
        table = self._table("idea", name)
        return Idea(
            name=name,
            files=self._files(table["files"]),
            claim=table["claim"],
            tables=tuple(table.get("tables", ())),
            needs=tuple(table.get("needs", ())),
            instead=self._files(table.get("instead", ())),
            fewest=table.get("fewest", False),
        )

    def _proves(self, name: str, objective: str) -> str:
        text: str = self._table("proves")[name]
        word = self._table("actions").get(objective, objective) if "actions" in self._entries else objective
        return text.replace("{actions}", word)

    def _files(self, names: Collection[str]) -> tuple[Path, ...]:
        files = tuple(folder() / name for name in names)
        for name, file in zip(names, files, strict=True):
            if not file.is_file():
                raise self._at(f'"{name}"', f"the catalogue names a missing file: {file}")
        return files


def plain(entry: str) -> dict[str, Any] | None:
    """Return a table of TOML that means the same in Python: strings, numbers, true, false, and lists of these; else None."""
    if any(sign in entry for sign in ("\\", '"""', "'''")):
        return None
    words = {"true": True, "false": False}
    try:
        lines: list[Any] = ast.parse(entry.partition("\n")[2]).body
        values = [(line.targets[0].id, line.value) for line in lines]
        found = {name: words[one.id] if isinstance(one, ast.Name) else ast.literal_eval(one) for name, one in values}
        return found if len(found) == len(values) else None
    except (SyntaxError, ValueError, KeyError, AttributeError):
        return None


def whole(entry: str, kind: str) -> dict[str, Any]:
    """Return a table of TOML, whatever is in it.

    Raises:
        ValueError: It is not valid TOML.
    """
    import tomllib

    found: Any = tomllib.loads(entry)
    table: dict[str, Any] = found[kind][0] if isinstance(found[kind], list) else found[kind]
    if len(found) > 1 or found[kind] not in (table, [table]):
        raise ValueError("the head of a table must stand alone in its line")
    return table


def named(name: str) -> Encoding:
    """Return the encoding of that name, or the user's own of that file, for the game that its predicates are of.

    Raises:
        EncodingError: There is neither, or the file is no encoding.
    """
    found = encodings().get(name)
    if found is not None:
        return found
    path = _file_of(name, encodings())
    game = "klotski" if re.search(r"^[^%\n]*\bslide\(", path.read_text("utf-8", "replace"), re.MULTILINE) else "sokoban"
    return _own(path, game, "")


def find(name: str, game: str, objective: str) -> Encoding:
    """Return the encoding of that name, or the user's own program if it is a path to one.

    A file with a ``#program step(`` part is incremental, any other is solved once.

    Raises:
        EncodingError: There is no such encoding or file, or it is for another game or objective.
    """
    catalogue = _catalogue(folder() / game / "catalogue.toml")
    known = catalogue.encoding(name) if name in catalogue.names else encodings().get(name)
    if known is not None:
        if known.game != game:
            raise EncodingError(f"encoding {name!r} is for {known.game}, this is {game}")
        if known.objective != objective:
            raise EncodingError(f"encoding {name!r} counts {known.objective}, not {objective}")
        return known
    return _own(_file_of(name, [e.name for e in encodings().values() if e.game == game]), game, objective)


def _file_of(name: str, known: Iterable[str]) -> Path:
    """Return the path of a user's file. Raises EncodingError: there is none; the nearest of the known names is offered."""
    path = Path(name)
    if not path.is_file():
        from sokoasp.core.nearest import nearest_or_all

        what = f"file {name!r}" if path.suffix == ".lp" else f"encoding or file {name!r}{nearest_or_all(name, known)}"
        raise EncodingError(f"there is no {what}")
    return path


def _own(path: Path, game: str, objective: str) -> Encoding:
    from sokoasp.asp import user_program
    from sokoasp.asp.program_text import program_text

    usual = next((known.output for known in encodings().values() if known.game == game), "push/4")
    output, incremental = user_program.checked(path, program_text(path), game, usual)
    return Encoding(
        name=str(path),
        game=game,
        objective=objective,
        mode="incremental" if incremental else "single",
        files=(path,),
        output=output,
        summary=OWN,
        proves="what its author can show; every plan is replayed by the referee",
    )
