"""JSON: levels with everything known about them, spare boxes and constants of facts included."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NoReturn

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.core.json_text import parsed, refuse_unknown
from sokoasp.sokoban.formats.level_rows import level_from_rows, walled_rows
from sokoasp.sokoban.formats.text import other_game
from sokoasp.sokoban.level import Cell, Level

FORMAT = "sokoasp-levels"
_TEXTS = ("title", "author", "collection", "comment")
_KEYS = ("rows", *_TEXTS, "notes", "solutions", "steps", "step_names", "names")


def write(levels: Iterable[Level]) -> str:
    """Return the levels as one JSON object, rows one a line."""
    records = (json.dumps(_record(level), indent=1, ensure_ascii=False).replace("\n", "\n  ") for level in levels)
    written = ",\n  ".join(records)
    return f'{{\n "format": "{FORMAT}",\n "levels": [\n  {written}\n ]\n}}\n'


def _record(level: Level) -> dict[str, object]:
    """Return what is to be kept of a level."""
    rows = walled_rows(level)
    record: dict[str, object] = {"rows": rows}
    record |= {name: getattr(level, name) for name in _TEXTS if getattr(level, name)}
    if level.notes:
        record["notes"] = dict(level.notes)
    if level.solutions:
        record["solutions"] = list(level.solutions)
    if level.steps is not None:
        record["steps"] = level.steps
    if level.step_names:
        record["step_names"] = list(level.step_names)
    if level.names and tuple(rows) == level.rows():
        record["names"] = {name: list(cell) for cell, name in level.names}
    return record


def read_each(
    text: str, *, source: str, max_cells: int, warnings: tuple[str, ...] = ()
) -> Iterator[Level | SokoaspError]:
    """Yield the levels of a JSON text, and in the place of a faulty one its error."""
    try:
        data = parsed(text, source)
    except LevelError as error:
        yield error
        return
    listed = isinstance(data, dict) and "levels" in data
    records = data["levels"] if listed else [data] if isinstance(data, dict) else data
    try:
        if listed:
            refuse_unknown(data, ("format", "levels"), text, source=source)
        if isinstance(data, dict) and data.pop("format", FORMAT) != FORMAT:
            raise LevelError(
                f"this JSON is of another format than {FORMAT!r}", source=source, line=1, column=1, code="E-JSON"
            )
    except LevelError as error:
        yield error
        return
    if not isinstance(records, list) or not records:
        message = 'there is no level in this file: "levels" with "rows" is expected'
        yield LevelError(message, source=source, line=1, column=1, code="E-NOLEVEL")
        return
    for number, record in enumerate(records, 1):
        path = ("levels", number - 1) if listed else (number - 1,) if isinstance(data, list) else ()
        try:
            if isinstance(record, dict):
                refuse_unknown(record, _KEYS, text, path, source=source)
            yield _level(record, number, source, max_cells, warnings)
        except LevelError as error:
            if error.code not in ("E-JSON", "E-VARIANT"):
                error.message += f" (level {number}, row {error.line or 1} of its rows)"
                error.line, error.column = 1, 1
            yield error


def _fail(number: int, message: str, source: str) -> NoReturn:
    raise LevelError(f"level {number}: {message}", source=source, line=1, column=1, code="E-JSON")


def _level(record: object, number: int, source: str, max_cells: int, warnings: tuple[str, ...]) -> Level:
    """Build one level from its record."""
    if not isinstance(record, dict):
        _fail(number, "an object is expected", source)
    rows = _strings(record.get("rows"), "rows", number, source)
    if any("\n" in row or "\r" in row for row in rows):
        _fail(number, "a row holds a line break", source)
    texts = {}
    for name in _TEXTS:
        value = record.get(name, "")
        if not isinstance(value, str):
            _fail(number, f"{name} is not a text", source)
        texts[name] = value
    level = level_from_rows(
        rows,
        source=source,
        max_cells=max_cells,
        warnings=warnings,
        spare_boxes=True,
        solutions=tuple(_strings(record.get("solutions", []), "solutions", number, source)),
        title=texts["title"],
        author=texts["author"],
        collection=texts["collection"],
        comment=texts["comment"],
    )
    level = replace(level, notes=_notes(record.get("notes", {}), number, source))
    steps, names = record.get("steps"), record.get("names")
    if steps is None and "step_names" in record:
        _fail(number, "step_names without steps", source)
    if steps is None and names is None:
        return level
    if steps is not None and (type(steps) is not int or not 1 <= steps <= 1_000_000):
        _fail(number, "steps is not a number from 1", source)
    step_names = tuple(_strings(record.get("step_names", []), "step_names", number, source))
    if step_names and (len(step_names) != steps or len(set(step_names)) != steps):
        _fail(number, "step_names does not fit steps", source)
    return replace(level, steps=steps, step_names=step_names, names=_names(names, level, number, source))


def _strings(value: object, what: str, number: int, source: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        _fail(number, f"{what} is not a list of texts", source)
    return value


def _notes(value: object, number: int, source: str) -> tuple[tuple[str, str], ...]:
    """Read what else is known of the level: texts by their keys."""
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        _fail(number, "notes is not an object of texts", source)
    for game in filter(None, map(other_game, value.keys(), value.values())):
        message = f"level {number} is for {game}, another game than Sokoban"
        raise LevelError(message, source=source, line=1, column=1, code="E-VARIANT")
    return tuple(value.items())


def _names(value: object, level: Level, number: int, source: str) -> tuple[tuple[Cell, str], ...]:
    """Read the constants of the cells: each floor cell has one."""
    if value is None:
        return ()
    if not isinstance(value, dict):
        _fail(number, "names is not an object", source)
    cells: dict[Cell, str] = {}
    for name, place in value.items():
        if not isinstance(place, list) or len(place) != 2 or not all(type(part) is int for part in place):
            _fail(number, f"the place of {name!r} is not [row, column]", source)
        cells[Cell(*place)] = name
    if len(cells) != len(value) or set(cells) != level.floor:
        _fail(number, "names does not give each floor cell one name", source)
    return tuple(sorted(cells.items()))
