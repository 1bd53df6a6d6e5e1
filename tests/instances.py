"""The levels that ship with the project, for the tests."""

from pathlib import Path

from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level

FOLDER = Path(__file__).resolve().parent.parent / "instances"


def levels(name: str) -> tuple[Level, ...]:
    """Return the levels of an instance file, such as ``tutorial/first.xsb``."""
    path = FOLDER / name
    return formats.read(path.read_bytes(), source=name)


def level(picture: str) -> Level:
    """Return the level of a picture, indented as one likes."""
    rows = [row for row in picture.splitlines() if row.strip()]
    indent = min(len(row) - len(row.lstrip()) for row in rows)
    return formats.level_from_rows([row[indent:] for row in rows])
