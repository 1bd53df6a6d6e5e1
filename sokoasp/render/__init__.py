"""Pictures of levels, boards and plans: SVG, PNG, one-file HTML players.

``svg``, ``storyboard`` and ``html_player`` take a level or board of any game (and a plan of it), ``png`` takes an SVG document.
"""

from __future__ import annotations

from sokoasp.picture.marks import KINDS, Mark, cut_marks, verdict_marks
from sokoasp.render.pictures import png, storyboard, svg, timeline
from sokoasp.render.player import html_player

__all__ = ["KINDS", "Mark", "cut_marks", "html_player", "png", "storyboard", "svg", "timeline", "verdict_marks"]
