"""How a Sokoban level is drawn as SVG, and its plans as timelines (see ``sokoasp.render.timeline``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sokoasp.core.errors import counted
from sokoasp.picture import canvas
from sokoasp.picture.marks import Mark
from sokoasp.picture.outline import SIZE, outline
from sokoasp.picture.scene import Scene, around
from sokoasp.sokoban.level import Cell, Direction, Level, wall_cells
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.rules import State, initial, replay

_WALL_DROP = 9


def scene(level: Level) -> Scene:
    """Return the parts of a level's pictures; its states are ``rules.State``."""
    return Scene(
        title=level.title,
        noun="Sokoban level",
        box=around(level.floor | wall_cells(level) | {cell for cell, _ in level.decoration}),
        ground=ground(level),
        start=initial(level),
        pieces=lambda state: pieces(level, state),
        describe=lambda state: describe(level, state),
        frames=lambda plan: _frames(level, plan),
        count=lambda plan: ", ".join(counted(getattr(plan, name), name) for name in ("lines", "pushes", "moves")),
        timeline=lambda plan: _timeline(level, plan),
    )


def ground(level: Level) -> str:
    """Draw what never moves: floor, walls, goals, decoration."""
    odd = (cell for cell in sorted(level.floor) if (cell.row + cell.col) % 2)
    tiles = "".join(f"M{cell.col * SIZE} {cell.row * SIZE}h{SIZE}v{SIZE}h-{SIZE}Z" for cell in odd)
    wall = outline(wall_cells(level), radius=9)
    goals = "".join(
        '<circle class="goal" cx="{0}" cy="{1}" r="12"/><circle class="goal-dot" cx="{0}" cy="{1}" r="4"/>'.format(
            *canvas.centre(cell)
        )
        for cell in sorted(level.goals | {cell for cell, char in level.decoration if char in ".*+"})
    )
    idle = "".join(box_picture(cell, on_goal=char == "*") for cell, char in level.decoration if char in "$*")
    return (
        f'<path class="floor" d="{outline(level.floor)}"/><path class="tile" d="{tiles}"/>{goals}'
        f'<path class="wall-side" transform="translate(0 {_WALL_DROP})" d="{wall}"/><path class="wall" d="{wall}"/>'
        f'<path class="wall-line" d="{outline(wall_cells(level), inset=5, radius=5)}"/>{idle}'
    )


def pieces(level: Level, state: State) -> str:
    """Draw what moves: boxes (``data-id`` b0, b1, ... in reading order) and the player (p)."""
    boxes = "".join(
        box_picture(cell, on_goal=cell in level.goals, name=f"b{number}")
        for number, cell in enumerate(sorted(state.boxes))
    )
    x, y, extra = state.player.col * SIZE, state.player.row * SIZE, " on-goal" if state.player in level.goals else ""
    return (
        f'{boxes}<g class="player{extra}" data-id="p" transform="translate({x} {y})">'
        '<circle class="ring" cx="24" cy="24" r="21"/><circle class="body" cx="24" cy="24" r="17"/>'
        '<g class="face"><circle class="eye" cx="18" cy="21" r="5"/><circle class="eye" cx="30" cy="21" r="5"/>'
        '<circle class="pupil" cx="18" cy="21.5" r="2.2"/><circle class="pupil" cx="30" cy="21.5" r="2.2"/></g></g>'
    )


def describe(level: Level, state: State) -> str:
    """Say in words what the picture shows, for those who cannot see it."""
    filled = len(state.boxes & level.goals)
    return (
        f"{counted(level.height, 'rows')}, {counted(level.width, 'columns')}, {counted(len(state.boxes), 'boxes')}, "
        f"{filled} of {len(level.goals)} goals filled, "
        f"player at c{state.player.col + 1}r{state.player.row + 1}"
    )


def box_picture(cell: Cell, *, on_goal: bool, name: str = "") -> str:
    """Draw a box."""
    identity = f' data-id="{name}"' if name else ""
    return (
        f'<g class="box{" on-goal" if on_goal else ""}"{identity} transform="translate({cell.col * SIZE} {cell.row * SIZE})">'
        '<rect class="body" x="5" y="5" width="38" height="38" rx="6"/>'
        '<path class="plank" d="M11 11H37V37H11ZM11 37L37 11"/><path class="tick" d="M14 25L21 32L34 17"/></g>'
    )


def _frames(level: Level, plan: Plan) -> Iterator[tuple[State, str, str]]:
    state = initial(level)
    for number, push in enumerate(plan.actions, 1):
        before = State(state.boxes, push.box.step(push.direction.opposite))
        arrow = canvas.over((Mark("arrow", (push.box, push.to)),))
        yield before, arrow, f"{number}. {push.direction.name} {push.length}"
        state = state.after(push)
    yield state, "", "end"


def _timeline(level: Level, plan: Plan) -> dict[str, Any]:
    """Turn a plan into its timeline. Raises IllegalPlan: the plan breaks the rules."""
    name = {cell: f"b{number}" for number, cell in enumerate(sorted(level.boxes))}
    moves: list[list[list[Any]]] = []
    actions: list[list[Any]] = []
    lines, pushes, line_counts, push_counts = 0, 0, [0], [0]
    previous: tuple[str, Direction] | None = None
    for number, (before, direction, after) in enumerate(replay(level, plan.lurd), 1):
        drow, dcol = direction.value
        moved = [["p", drow, dcol]]
        pushed = after.boxes != before.boxes
        if pushed:
            box = name.pop(after.player)
            name[after.player.step(direction)] = box
            moved.append([box, drow, dcol])
            pushes += 1
            if previous == (box, direction):
                actions[-1][0] += 1
            else:
                lines += 1
                actions.append([number, f"{after.player.row},{after.player.col} {direction.name}"])
        previous = (box, direction) if pushed else None
        moves.append(moved)
        line_counts.append(lines)
        push_counts.append(pushes)
    before_it = 0
    for action in actions:  # each line push says how far it goes
        action[1] += f" {push_counts[action[0]] - before_it}"
        before_it = push_counts[action[0]]
    return {
        "moves": moves,
        "actions": actions,
        "goals": [list(cell) for cell in sorted(level.goals)],
        "counts": [["lines", line_counts], ["pushes", push_counts], ["moves", list(range(len(moves) + 1))]],
    }
