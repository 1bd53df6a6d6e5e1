"""The truth about small levels: every reachable state labelled alive or dead by search alone, nothing clever.

Detectors are measured against it (see ``recall``) and the tests take it as the truth; it shares no code with them.
"""

from __future__ import annotations

from sokoasp.sokoban import grid
from sokoasp.sokoban.grid import Grid
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State

_Node = tuple[frozenset[int], int]


def labels(level: Level, *, states: int = 20_000) -> dict[State, bool] | None:
    """Say for every state reachable from the level's start whether it can be solved (True) or is dead (False).

    States are canonical (player on the smallest cell of its region), in the order they were met.

    Returns:
        None when there are more than ``states`` of them.
    """
    view = grid.build(level)
    goals = frozenset(view.goals)
    boxes = frozenset(view.boxes)
    first = (boxes, min(_region(view, boxes, view.player)))
    before: dict[_Node, list[_Node]] = {first: []}
    queue = [first]
    for node in queue:
        for after in _pushed(view, *node):
            if after not in before:
                if len(before) >= states:
                    return None
                before[after] = []
                queue.append(after)
            before[after].append(node)
    alive = dict.fromkeys(before, False)
    queue = [node for node in before if goals <= node[0]]
    for node in queue:
        alive[node] = True
    for node in queue:
        for earlier in before[node]:
            if not alive[earlier]:
                alive[earlier] = True
                queue.append(earlier)
    cells = view.cells
    return {State(frozenset(cells[b] for b in at), cells[player]): lives for (at, player), lives in alive.items()}


def _region(view: Grid, boxes: frozenset[int], player: int) -> set[int]:
    left, right, up, down = view.step
    seen, found = {player, len(view.cells), *boxes}, [player]
    for cell in found:
        for to in (left[cell], right[cell], up[cell], down[cell]):
            if to not in seen:
                seen.add(to)
                found.append(to)
    return set(found)


def _pushed(view: Grid, boxes: frozenset[int], player: int) -> list[_Node]:
    area = _region(view, boxes, player)
    found = []
    for box in boxes:
        for direction, step in enumerate(view.step):
            to = step[box]
            if to != view.size and to not in boxes and view.step[grid.OPPOSITE[direction]][box] in area:
                after = boxes - {box} | {to}
                found.append((after, min(_region(view, after, box))))
    return found
