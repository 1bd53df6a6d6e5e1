"""Pictures and players in Jupyter notebooks: what ``_repr_svg_`` of levels, plans, answers and deadlocks shows, and ``show``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from sokoasp.core.result import Result
from sokoasp.domain import P
from sokoasp.picture import canvas, level_scene
from sokoasp.picture.marks import Mark, verdict_marks
from sokoasp.picture.outline import SIZE, outline
from sokoasp.picture.scene import around
from sokoasp.render.pictures import storyboard, svg
from sokoasp.render.player import html_player
from sokoasp.sokoban.deadlock.verdict import Verdict
from sokoasp.sokoban.level import BY_LETTER, Cell, Level
from sokoasp.sokoban.plan import Plan

PANELS = 12
"""Panels of a plan's picture; the player shows all of it."""
_LINE = 24


def svg_of(value: Any) -> str:
    """Draw a level, board, plan, answer or deadlock.

    Raises:
        TypeError: It is none of these.
    """
    if isinstance(value, Plan):
        return _plan(value, "")
    if isinstance(value, Result):
        return _result(value)
    if isinstance(value, Verdict):
        return _verdict(value)
    try:
        return svg(value)
    except TypeError:
        raise TypeError(f"{type(value).__name__} has no picture") from None


def _plan(plan: Plan, caption: str) -> str:
    """Draw a plan by itself: its actions on the part of the level that it touches."""
    if not plan.actions:
        return _words([caption or "an empty plan"])
    return storyboard(touched(plan), plan, caption=caption or "Plan", panels=PANELS)


def touched(plan: Plan) -> Level:
    """Return the part of a level that a plan touches: cells walked and pushed over, boxes moved, where they end as goals."""
    first = plan.actions[0]
    at = first.box.step(first.direction.opposite)
    walk = plan.lurd[: next(place for place, letter in enumerate(plan.lurd) if letter.isupper())]
    for letter in reversed(walk):
        at = at.step(BY_LETTER[letter].opposite)
    player, floor = at, {at}
    for letter in plan.lurd:
        at = at.step(BY_LETTER[letter.lower()])
        floor.add(at)
    starts: set[Cell] = set()
    now: set[Cell] = set()
    for push in plan.actions:
        if push.box not in now:
            starts.add(push.box)
        now.discard(push.box)
        now.add(push.to)
    return Level(frozenset(floor | starts | now), frozenset(starts), frozenset(now), player)


def _result(result: Result) -> str:
    said = [str(result.status).replace("_", " ")]
    if result.value is not None:
        said.append(f"{result.value} {result.objective}")
    elif result.lower_bound:
        said.append(f"at least {result.lower_bound} {result.objective}")
    caption = ", ".join(said) + (f"\n{result.proof}" if result.proof else "")
    return _plan(result.plan, caption) if isinstance(result.plan, Plan) else _words(caption.split("\n"))


def _verdict(verdict: Verdict) -> str:
    """Draw a deadlock by itself: its boxes and the cells that hold them, in their places."""
    cells = set(verdict.cells) | set(verdict.boxes)
    boxes = "".join(level_scene.box_picture(cell) for cell in sorted(verdict.boxes))
    marks: Sequence[Mark] = verdict_marks(verdict)
    return canvas.document(
        around(cells),
        f'<path class="floor" d="{outline(cells)}"/>{canvas.under(marks)}{boxes}{canvas.over(marks)}',
        title=f"Deadlock: {verdict.kind}",
        description=verdict.reason,
        caption=f"{verdict.kind}\n{verdict.reason}",
        theme="auto",
    )


def _words(lines: Sequence[str]) -> str:
    width = max(4 * SIZE, 9 * max(map(len, lines)) + SIZE)
    body = "".join(
        f'<text class="caption" x="12" y="{_LINE * (row + 1)}">{canvas.text(line)}</text>'
        for row, line in enumerate(lines)
    )
    size = (width, _LINE * (len(lines) + 1))
    return canvas.sheet(size, body, title=lines[0], description=" ".join(lines), caption="", theme="auto")


@dataclass(frozen=True, slots=True)
class Player:
    """A page that plays a plan, as a notebook shows it."""

    page: str
    """The whole page, as ``sokoasp render -o x.html`` writes it."""
    height: int = 480

    def _repr_html_(self) -> str:
        """Return a frame with the page; it may run its own script and reach nothing else."""
        return (
            f'<iframe title="A plan, played" sandbox="allow-scripts" style="width:100%;height:{self.height}px;border:0" '
            f'srcdoc="{escape(self.page)}"></iframe>'
        )


def show(problem: P, plan: Any = None) -> Any:
    """Return what a notebook shows of a level or board: its picture, or with a plan (or an answer that has one) a player.

    Raises:
        IllegalPlan: The plan breaks the rules.
        ValueError: The answer has no plan.
    """
    if plan is None:
        return problem
    if isinstance(plan, Result):
        if plan.plan is None:
            raise ValueError(f"this answer has no plan to show: {str(plan.status).replace('_', ' ')}")
        plan = plan.plan
    return Player(html_player(problem, plan))
