"""Pictures of levels, boards and plans: SVG, one-file HTML players, animated GIFs.

``svg``, ``storyboard``, ``html_player`` and ``gif`` take a Sokoban level or a Klotski board (and a plan of it).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sokoasp.klotski.board import Board
from sokoasp.render import klotski, sokoban
from sokoasp.render.gif import gif
from sokoasp.render.marks import KINDS, Mark, cut_marks, unit_marks, verdict_marks
from sokoasp.render.player import html_player
from sokoasp.render.theme import THEMES
from sokoasp.render.timeline import timeline
from sokoasp.sokoban.level import Level

__all__ = [
    "KINDS",
    "THEMES",
    "Mark",
    "cut_marks",
    "gif",
    "html_player",
    "storyboard",
    "svg",
    "timeline",
    "unit_marks",
    "verdict_marks",
]


def svg(
    problem: Level | Board,
    *,
    state: Any = None,
    marks: Sequence[Mark] = (),
    theme: str = "auto",
    caption: str = "",
    styled: bool = True,
) -> str:
    """Draw a level or board as an SVG document (see ``render.sokoban.svg`` and ``render.klotski.svg``).

    Raises:
        SokoaspError: The theme does not exist.
    """
    if isinstance(problem, Board):
        return klotski.svg(problem, state=state, marks=marks, theme=theme, caption=caption, styled=styled)
    return sokoban.svg(problem, state=state, marks=marks, theme=theme, caption=caption, styled=styled)


def storyboard(
    problem: Level | Board, plan: Any, *, theme: str = "auto", caption: str = "", panels: int = sokoban.PANELS
) -> str:
    """Draw a plan as an SVG document, one panel an action.

    Raises:
        SokoaspError: The theme does not exist.
    """
    if isinstance(problem, Board):
        return klotski.storyboard(problem, plan, theme=theme, caption=caption, panels=panels)
    return sokoban.storyboard(problem, plan, theme=theme, caption=caption, panels=panels)
