"""What the tests of certificates share: small problems with their optima, folders with honest sums."""

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import folder as folders
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from sokoasp.sokoban.search.exact import reference
from tests.levels import random_level


@cache
def optimum(level: Level, objective: str) -> tuple[int, str] | None:
    """Return value and moves of a best plan by the plain search, None if there is no plan."""
    found = reference.solve(level, objective, Limits(seconds=60))
    assert found.stopped_by is None
    return None if found.status is Status.UNSOLVABLE else (int(found.value or 0), found.plan.lurd)


def certified(level: Level, folder: Path, objective: str) -> Path:
    """Certify a level from a best plan, or that it has none."""
    found = optimum(level, objective)
    plan = None if found is None else plan_from_lurd(level, found[1])
    assert certify(level, folder, Request(objective, Limits(), plan)).claim is not None
    return folder


def solvable(count: int, objective: str, most: int) -> Iterator[tuple[Level, int, str]]:
    """Yield random levels that take from 1 to ``most`` actions."""
    seed = 0
    while count:
        seed += 1
        level = random_level(seed, width=4, height=4, spare=seed % 5 == 0 and seed % 2)
        found = optimum(level, objective)
        if found is not None and 0 < found[0] <= most:
            count -= 1
            yield level, *found


def unsolvable(count: int) -> Iterator[Level]:
    """Yield random levels without a plan."""
    seed = 1000
    while count:
        seed += 1
        level = random_level(seed, width=4, height=4)
        if optimum(level, "pushes") is None:
            count -= 1
            yield level


def resign(folder: Path) -> None:
    """Write the sums of the files anew, as one would who means to deceive."""
    path = folder / "claim.json"
    row = json.loads(path.read_text())
    row["files"] = {name: folders.sha256(folder / name) for name in row["files"] if (folder / name).exists()}
    path.write_text(json.dumps(row))


def rest_on_patterns(
    folder: Path, rng: random.Random, most: int = 12, *, corrals: bool = False, walls: bool = False
) -> bool:
    """Make an honest certificate with tables anew in format 3, 4 or 6; return False, and leave it, if it has none.

    Its tables are cut to single boxes, and it rests on learned patterns instead: some pairs and triples with the entries that
    larger tables have for them. Its list has corrals if they are wanted and no moves are counted, and fixed boxes as walls.
    """
    from sokoasp.engine import closing
    from sokoasp.engine.fixed_boxes import FixedBoxes
    from sokoasp.proof import closed, group_bounds, level_text, patterns
    from sokoasp.proof import corrals as files
    from sokoasp.proof.walls import WallList

    claim = json.loads((folder / "claim.json").read_text())
    if not claim["groups"]:
        return False
    level = level_text.read((folder / "level.xsb").read_text())
    lines, prices = claim["objective"] == "lines", tuple(claim["prices"])
    number = {cell: at for at, cell in enumerate(level.cells)}
    boxes = tuple(number[tuple(cell)] for cell in claim["boxes"]) or level.boxes
    large = group_bounds.build(level, prices, min(3, len(boxes)), lines=lines)
    single = group_bounds.build(level, prices, 1, lines=lines)
    assert large is not None
    assert single is not None
    found, t, of = [], large.tables, large.floor.floor_of
    for size in range(2, large.largest + 1):
        for group in rng.choices(range(len(large.groups[size - 1])), k=most if len(large.groups[size - 1]) else 0):
            cells = tuple(of[large.groups[size - 1][group]].tolist())
            row, at = t.rows[t.row_of[t.base[size] + group]], t.first[t.base[size] + group]
            player = rng.choice([c for c in range(level.size) if c not in cells])
            entry = int(t.value[at + row[player]])
            found.append(patterns.Pattern(cells, player, entry if entry < closed.ENDLESS else None))
    about = closed.Claim(level, claim["objective"], claim["value"], boxes, prices, 1)
    walls = walls and claim["objective"] in ("pushes", "lines")
    corrals = walls or (corrals and claim["objective"] in ("pushes", "lines"))
    shown, listed = patterns.PatternList(about, single), closed.ClosedList(about, single, corrals)
    assert closing.close_patterns(shown, found, lambda *_: None) is None
    listed.tables = shown.tables
    fixed = FixedBoxes(WallList(level, single, prices), shown.tables)
    assert closing.close(listed, lambda *_: None, fixed.bound if walls else None) is None
    shown.write(folder / folders.PATTERNS)
    listed.write(folder / folders.STATES)
    (folder / folders.TABLES).write_bytes(group_bounds.stored_bytes(single))
    claim["files"][folders.PATTERNS], number = "", 3
    if corrals:
        files.write(folder / folders.CORRALS, listed.areas)
        claim["files"][folders.CORRALS], number = "", 4
    if walls:
        fixed.walls.write(folder / folders.WALLS)
        claim["files"][folders.WALLS], number = "", 6
    (folder / "claim.json").write_text(json.dumps({**claim, "format": f"{folders.FORMAT} {number}", "groups": 1}))
    resign(folder)
    return True
