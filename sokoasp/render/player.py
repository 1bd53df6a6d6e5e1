"""A plan as one HTML file that needs nothing else: no network, no other files; and what a notebook shows of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from typing import Any

from sokoasp.core.result import Result
from sokoasp.domain import P, domain_of
from sokoasp.picture.canvas import text
from sokoasp.picture.theme import asset, style
from sokoasp.render.pictures import svg, timeline

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
_KEYS = (
    "<kbd>Space</kbd> play, <kbd>←</kbd> <kbd>→</kbd> a move, <kbd>↑</kbd> <kbd>↓</kbd> an action, "
    "<kbd>Home</kbd> <kbd>End</kbd>, <kbd>+</kbd> <kbd>−</kbd> speed; touch: tap to play, swipe for an action"
)


def html_player(problem: P, plan: Any) -> str:
    """Write a page that replays a plan: play, step, scrub, speed, counts, actions.

    Raises:
        IllegalPlan: The plan breaks the rules.
    """
    data = json.dumps(timeline(problem, plan), separators=(",", ":")).replace("<", "\\u003c")
    picture = svg(problem, styled=False)
    title = text(domain_of(problem).texts.title(problem) or "A plan")
    sheet = style() + _page_theme() + asset("controls.css")
    scripts = asset("animator.js") + asset("player.js")
    start = (
        'mountSokoaspPlayer(document.getElementById("controls"),document.querySelector("svg.sokoasp"),'
        'JSON.parse(document.getElementById("timeline").textContent));'
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{sheet}</style></head><body><main><figure>{picture}</figure>"
        f'<aside><h1>{title}</h1><div id="controls" class="player-controls"></div><footer>{_KEYS}</footer></aside></main>'
        f'<script type="application/json" id="timeline">{data}</script><script>{scripts}{start}</script></body></html>\n'
    )


def _page_theme() -> str:
    """Return the page's own rules; its dark colours follow the reader's setting."""
    sheet = asset("player.css")
    dark = sheet.split(":root[data-theme=dark]{")[1].split("}")[0]
    return f"{sheet}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"


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


def show(problem: P, plan: Any) -> Player:
    """Return what a notebook shows of a plan, or of an answer that has one: a player.

    Raises:
        IllegalPlan: The plan breaks the rules.
        ValueError: The answer has no plan.
    """
    if isinstance(plan, Result):
        if plan.plan is None:
            raise ValueError(f"this answer has no plan to show: {str(plan.status).replace('_', ' ')}")
        plan = plan.plan
    return Player(html_player(problem, plan))
