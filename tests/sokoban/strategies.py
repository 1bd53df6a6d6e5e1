"""Random levels for property tests: any walls inside a closed frame, boxes and goals where the player gets."""

import random

from hypothesis import strategies as st

from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.level import Cell, Level, reachable

WORDS = st.text(alphabet="abcxyzÄ界 #$@.:;()|3", max_size=12).map(lambda text: " ".join(text.split()))


def game(level: Level) -> tuple[frozenset[Cell], ...]:
    """Floor, boxes, goals and player, moved so that the floor's bounding box begins at row 0, column 0."""
    top, left = min(c.row for c in level.floor), min(c.col for c in level.floor)
    sets = (level.floor, level.boxes, level.goals, {level.player})
    return tuple(frozenset(Cell(c.row - top, c.col - left) for c in cells) for cells in sets)


def random_level(rng: random.Random, *, title: str = "", author: str = "") -> Level:
    """Draw a level: up to 6 x 7 cells inside, up to 4 boxes, sometimes decoration and an indent."""
    while True:
        height, width = rng.randint(1, 6), rng.randint(2, 7)
        inside = {Cell(r, c) for r in range(1, height + 1) for c in range(1, width + 1) if rng.random() < 0.75}
        if not inside:
            continue
        player = rng.choice(sorted(inside))
        area = sorted(reachable(player, inside))
        if len(area) > 1:
            break
    free = [cell for cell in area if cell != player]
    count = rng.randint(1, min(4, len(free)))
    boxes, goals = set(rng.sample(free, count)), set(rng.sample(area, count))
    glyphs = dict.fromkeys(area, " ")
    glyphs |= dict.fromkeys(goals, ".") | {cell: "*" if cell in goals else "$" for cell in boxes}
    glyphs[player] = "+" if player in goals else "@"
    pocket = sorted(inside - set(area))
    glyphs |= {cell: rng.choice(" *") for cell in pocket}
    indent = " " * rng.choice((0, 0, 1, 3))
    rows = [indent + "".join(glyphs.get(Cell(r, c), "#") for c in range(width + 2)) for r in range(height + 2)]
    if rng.random() < 0.2:
        rows += ["", indent + "* ##"]
    return level_from_rows(rows, title=title, author=author)


@st.composite
def levels(draw: st.DrawFn) -> Level:
    """Random levels, with any short title and author."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    return random_level(rng, title=draw(WORDS), author=draw(WORDS))
