"""Colours: the palette of Okabe and Ito, which colour-blind people distinguish; every state also has a shape of its own.

Every colour is a CSS variable, so that a page can restyle a picture without drawing it anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILLION, PURPLE = (
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#F0E442",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
)
LIGHT: Mapping[str, str] = {
    "paper": "#F4F2EC",
    "floor": "#FBF9F3",
    "tile": "#F1EDE2",
    "wall": "#5C6672",
    "wall-side": "#3A424C",
    "wall-edge": "#77828F",
    "goal": BLUE,
    "box": ORANGE,
    "box-line": "#7A4F00",
    "done": GREEN,
    "done-line": "#00402E",
    "player": SKY,
    "player-line": "#0B3A5B",
    "mark": VERMILLION,
    "gate": PURPLE,
    "unit0": SKY,
    "unit1": YELLOW,
    "unit2": PURPLE,
    "unit3": GREEN,
    "ink": "#1F2429",
    "piece-goal": VERMILLION,
    "piece-wide": BLUE,
    "piece-tall": GREEN,
    "piece-unit": ORANGE,
    "piece-other": PURPLE,
    "piece-ink": "#FFFFFF",
}
DARK: Mapping[str, str] = {
    **LIGHT,
    "paper": "#14181D",
    "floor": "#262C34",
    "tile": "#2B323B",
    "wall": "#6B7887",
    "wall-side": "#0C0F13",
    "wall-edge": "#8794A3",
    "goal": SKY,
    "box-line": "#4A3000",
    "player-line": "#06263D",
    "mark": "#FF7A1A",
    "ink": "#E9EDF2",
}


def asset(name: str) -> str:
    """Return the text of a file that the pictures are made with (style sheets, scripts)."""
    return (files("sokoasp") / "picture" / "assets" / name).read_text(encoding="utf-8")


def style() -> str:
    """Return the whole style sheet of a picture; its colours follow the reader's light or dark setting."""
    dark = f"@media (prefers-color-scheme:dark){{svg.sokoasp{{{declared(DARK)}}}}}"
    return f"svg.sokoasp{{{declared(LIGHT)}}}{dark}" + asset("board.css")


def light_style() -> str:
    """Return the style sheet with its light colours written out, for programs that know no variables of CSS."""
    return re.sub(r"var\(--sk-([\w-]+)\)", lambda name: LIGHT[name[1]], asset("board.css"))


def declared(colours: Mapping[str, str]) -> str:
    """Return the declarations of colours as variables of a style sheet."""
    return "".join(f"--sk-{name}:{value};" for name, value in colours.items())
