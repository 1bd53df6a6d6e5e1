"""Plans that came with levels, and the states along a plan."""

from collections.abc import Iterator
from pathlib import Path

from sokoasp.bench.define.instances import solution
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import BY_LETTER, Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.model import push_board


def solved(folder: Path) -> Iterator[tuple[Level, Plan]]:
    """Yield the first level of each file with a solution beside it, if it has a goal for each box, and the solution."""
    for beside in sorted(folder.rglob("*.sol")):
        path = beside.with_suffix(".sok")
        level = formats.read(path.read_bytes(), source=str(path))[0]
        plan = solution(level, path)
        if plan is not None and len(level.boxes) == len(level.goals):
            yield level, plan


def states(level: Level, board: push_board.PushBoard, plan: Plan) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the boxes and the player of the start and after every push."""
    number = {cell: index for index, cell in enumerate(board.cells)}
    boxes, player = set(level.boxes), level.player
    yield tuple(sorted(number[box] for box in boxes)), number[player]
    for letter in plan.lurd:
        player = player.step(BY_LETTER[letter.lower()])
        if letter.isupper():
            boxes = boxes - {player} | {player.step(BY_LETTER[letter.lower()])}
            yield tuple(sorted(number[box] for box in boxes)), number[player]
