"""Pictures of levels, boards and plans: SVG, PNG, contact sheets, one-file HTML players, animated GIFs.

``svg``, ``png``, ``storyboard``, ``html_player`` and ``gif`` take a level or board of any game (and a plan of it).
"""

from __future__ import annotations

from sokoasp.picture.marks import KINDS, Mark, cut_marks, verdict_marks
from sokoasp.render.contact import MOST as MOST_ON_A_SHEET
from sokoasp.render.contact import Panel, contact_svg
from sokoasp.render.gif import gif
from sokoasp.render.pictures import storyboard, svg, timeline
from sokoasp.render.player import html_player
from sokoasp.render.raster import png

__all__ = [
    "KINDS",
    "MOST_ON_A_SHEET",
    "Panel",
    "Mark",
    "contact_svg",
    "cut_marks",
    "gif",
    "html_player",
    "png",
    "storyboard",
    "svg",
    "timeline",
    "verdict_marks",
]
