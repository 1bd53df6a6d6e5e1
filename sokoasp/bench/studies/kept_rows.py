"""Rows of a table in a file of JSON lines: a table that was cut short goes on where its rows end."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Generic, TypeVar

R = TypeVar("R")


class KeptRows(Generic[R]):
    """The rows in a file, by the question each answers; without a file nothing is kept."""

    def __init__(self, file: Path | None, kind: type[R], question: Callable[[R], Hashable]) -> None:
        """Read the rows, dataclasses of this kind, that are in the file already."""
        self._file, self._question = file, question
        there = file is not None and file.exists()
        lines = file.read_text(encoding="utf-8").splitlines() if file is not None and there else []
        rows = [kind(**json.loads(line)) for line in lines]
        self._found = {question(row): row for row in rows}

    def get(self, question: Hashable) -> R | None:
        """Return the row that answers a question, None if it must be asked."""
        return self._found.get(question)

    def add(self, row: Any) -> None:
        """Write a row at the end of the file."""
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(row)) + "\n")


def level_name(path: Path, number: int) -> str:
    """Return how a table names a level: by its file, and by its number there unless it is the first."""
    return path.stem if number == 1 else f"{path.stem}:{number}"
