"""No line of a level file vanishes: each is found again in a level, as a title, note, comment or solution."""

import random

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from tests.commands import run

BOARD = "#####\n#@$.#\n#####"
LINES = (
    "; words {n}",
    "words {n}",
    "words {n}",
    "===== {n} =====",
    "Title: words {n}",
    "The title: words {n} TITLE : words {m}",
    "Own solution: {n}",
    "Best solution {n}\n\n{m}R",
    "View: {n}\\nwords {m}",
    "Author: words {n}",
    "Collection: words {n}",
    "Comment: words {n}",
    "Comment:\nwords {n}\n\nmore {m}\nComment-End:",
    "Set: words {n}",
    "Game: Sokoban {n}",
    "Date: {n}",
    "Moves: {n}",
    "Solution",
    "Solution {n}",
    "Solution: {n}R",
    "Solution (moves {m}): {n}R",
    "Solution/Best: {n}R",
    "Solution by {m}\n{n}R",
    "Snapshot {n}\n{m}R",
    "Savegame: {m}\n{n}R",
    "{n}R",
    "{n}r{m}lu",
    "\nBbBb",
    "",
    "",
    "",
)
"""Lines between boards; n and m stand for numbers that no other line has."""


def drawn(rng: random.Random) -> tuple[str, list[str]]:
    """Return a collection and what must be found of it."""
    numbers = iter(range(10_001, 99_999))
    parts, wanted = [], []
    for at in range(rng.randint(1, 4)):
        for _ in range(rng.randint(0, 7)):
            n, m = str(next(numbers)), str(next(numbers))
            parts.append(rng.choice(LINES).format(n=n, m=m))
            wanted += [one for one in (n, m) if one in parts[-1]] + ["BbBb"] * ("BbBb" in parts[-1])
        parts += ["", BOARD] if at or rng.random() < 0.5 else [BOARD]
        parts += [""] * rng.randint(0, 1)
    parts += [rng.choice(LINES).format(n="77777", m="88888") for _ in range(rng.randint(0, 3))]
    return "\n".join(parts) + "\n", wanted + [one for one in ("77777", "88888") if one in "\n".join(parts)]


def said(level: Level) -> str:
    """Return all that is known of a level beside its rows."""
    fields = (level.title, level.author, level.collection, level.comment, *level.solutions)
    return "\n".join((*fields, *(f"{key} {value}" for key, value in level.notes)))


@pytest.mark.parametrize("seed", range(20))
def test_every_line_between_boards_is_found_again(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        text, wanted = drawn(rng)
        found = list(formats.read_each(text))
        assert not [one for one in found if isinstance(one, SokoaspError)], text
        known = "\n".join(said(level) for level in found if isinstance(level, Level))
        assert [one for one in wanted if one not in known] == [], f"{text}\n--\n{known}"


def test_a_note_keeps_its_capitals_and_a_solution_has_lines_of_its_own() -> None:
    lines = "Level Id: AbC\nThe Title: X title: Y\nSolution: R\n"
    (level,) = formats.read(f"{BOARD}\n{lines}")
    assert level.comment == "Level Id: AbC\nThe Title: X title: Y"
    text = run("translate", "-", "--to", "sok", stdin=f"; By Ann\n\n{BOARD}\n{lines}Title: One\n").stdout
    assert text.endswith("Comment:\nBy Ann\nLevel Id: AbC\nThe Title: X title: Y\nComment-End:\nSolution:\nR\n")
    assert formats.read(text)[0].solutions == ("R",)
