"""JSON: levels with everything known about them, spare boxes and constants of facts included."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NoReturn

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.core.json_text import parsed, refuse_unknown
from sokoasp.sokoban.formats.level_rows import level_from_rows, walled_rows
from sokoasp.sokoban.formats.text import refuse_other_games
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
    record: dict[str, object] = {"rows": rows, **{name: getattr(level, name) for name in _TEXTS}}
    record |= {"notes": dict(level.notes), "solutions": level.solutions}
    record |= {"steps": level.steps, "step_names": level.step_names}
    if tuple(rows) == level.rows():
        record["names"] = {name: cell for cell, name in level.names}
    return {name: value for name, value in record.items() if value}


def read_each(
    text: str, *, source: str, max_cells: int, warnings: tuple[str, ...] = ()
) -> Iterator[Level | SokoaspError]:
    """Yield the levels of a JSON text, and in the place of a faulty one its error."""
    try:
        data = parsed(text, source)
        listed = isinstance(data, dict) and "levels" in data
        records = data["levels"] if listed else [data] if isinstance(data, dict) else data
        if listed:
            refuse_unknown(data, ("format", "levels"), text, source=source)
        if isinstance(data, dict) and data.pop("format", FORMAT) != FORMAT:
            raise LevelError(
                f"this JSON is of another format than {FORMAT!r}", source=source, line=1, column=1, code="E-JSON"
            )
        if not isinstance(records, list) or not records:
            message = 'there is no level in this file: "levels" with "rows" is expected'
            raise LevelError(message, source=source, line=1, column=1, code="E-NOLEVEL")
    except LevelError as error:
        yield error
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


def _level(record: object, number: int, source: str, max_cells: int, warnings: tuple[str, ...]) -> Level:
    """Build one level from its record."""

    def fail(message: str) -> NoReturn:
        raise LevelError(f"level {number}: {message}", source=source, line=1, column=1, code="E-JSON")

    def texts(name: str) -> list[str]:
        value = found.get(name, None if name == "rows" else [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            fail(f"{name} is not a list of texts")
        return value

    if not isinstance(record, dict):
        fail("an object is expected")
    found: dict[str, Any] = record
    if any("\n" in row or "\r" in row for row in texts("rows")):
        fail("a row holds a line break")
    for name in _TEXTS:
        if not isinstance(found.get(name, ""), str):
            fail(f"{name} is not a text")
    notes, steps, names = record.get("notes", {}), record.get("steps"), record.get("names")
    if not isinstance(notes, dict) or not all(isinstance(text, str) for text in notes.values()):
        fail("notes is not an object of texts")
    refuse_other_games(notes, f"level {number} is", source, 1)
    if steps is not None and (type(steps) is not int or not 1 <= steps <= 1_000_000):
        fail("steps is not a number from 1")
    step_names = texts("step_names")
    if step_names and (len(step_names) != steps or len(set(step_names)) != steps):
        fail("step_names does not fit steps")
    level = level_from_rows(
        texts("rows"),
        source=source,
        max_cells=max_cells,
        warnings=warnings,
        spare_boxes=True,
        solutions=tuple(texts("solutions")),
        **{name: found.get(name, "") for name in _TEXTS},
    )
    cells = _cells({} if names is None else names, level)
    if cells is None:
        fail("names does not give each floor cell one name, each at [row, column]")
    return replace(level, notes=tuple(notes.items()), steps=steps, step_names=tuple(step_names), names=cells)


def _cells(names: object, level: Level) -> tuple[tuple[Cell, str], ...] | None:
    """Return the constants of the floor cells, None unless each has one."""
    if not isinstance(names, dict) or not all(
        isinstance(place, list) and [type(part) for part in place] == [int, int] for place in names.values()
    ):
        return None
    cells = {Cell(*place): name for name, place in names.items()}
    return (
        tuple(sorted(cells.items())) if not names or (len(cells) == len(names) and set(cells) == level.floor) else None
    )
