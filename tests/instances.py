"""The levels that ship with the project, some that several tests share, and files the tests write."""

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


def written(folder: Path, text: str, name: str = "mine.lp") -> Path:
    """Write a text into a file, such as a program of the user's, and return the path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


LINE = level("""
    ########
    #@$   .#
    ########
""")
ROOM = level("""
    ########
    #      #
    # .  $ #
    # $  . #
    #      #
    #@     #
    ########
""")
"""Two lines, four pushes."""
