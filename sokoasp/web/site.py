"""What the page is made of, as files: the same for a web host and for ``serve``, which adds a service to it.

Levels, programs and the table of optima lie beside the scripts. What is asked is answered by a worker in the browser
(``static/answers.js``); where there is a service, it answers the four questions of ``questions.py`` in its place.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sokoasp import render
from sokoasp.asp import catalogue
from sokoasp.asp.vocabulary import bridges, vocabulary
from sokoasp.core.shipped import SHIPPED
from sokoasp.domain import GAMES, load
from sokoasp.picture.canvas import text as escape
from sokoasp.sokoban import optima_table
from sokoasp.web import asp_window, assets, levels
from sokoasp.web.assets import Content, Site

_FACTS = frozenset((("right", 2), ("top", 2), ("box", 1), ("solution", 1), ("sokoban", 1)))
_JSON = "application/json"
CUT = 34
"""Of the 48 units of the walls around a level, those that its picture leaves out (as in ``static/draw.js``)."""


def make(own: Sequence[tuple[str, str]] = (), *, clingo: Content | None = None, service: bool = False) -> Site:
    """Make the page's files.

    Args:
        own: Collections of one's own as (name, text), put before the bundled ones; the first is opened first.
        clingo: The files of ``clingo_wasm.files``; without them and without a service there is no ASP window.
        service: Whether a service answers the page's questions.

    Raises SokoaspError: a text holds no level, with its name.
    """
    opened = {name: levels.read(text, name, warned=service) for name, text in own} | {
        name: levels.playable(levels.read(text, name)) for name, text in levels.bundled().items()
    }
    more: Content = {f"levels/{number}.json": _json(one) for number, one in enumerate(opened.values())}
    more["programs.json"] = _json(_programs())
    more |= {f"optima/{shard}.json": _json(rows) for shard, rows in _shards().items()}
    more |= {f"clingo/{name}": entry for name, entry in (clingo or {}).items()}
    more["optima/LICENSE"] = ((SHIPPED / "optima" / "LICENSE").read_bytes(), "text/plain")
    made = assets.load(more)
    asp = service or clingo is not None
    games = {}
    for name in GAMES:  # the page knows no others
        domain = load(name)
        native = list(domain.search.native) if service else ["native"]
        games[name] = {"objectives": list(domain.objectives), "engines": ["asp"] * asp + native}
    state = {
        "own": bool(own),
        "service": service,
        "clingo": asp,
        "games": games,
        "levels": {name: f"levels/{number}.json" for number, name in enumerate(opened)},
        "titles": {name: one["title"] for name, one in opened.items() if one["title"]},
    }
    head = f'<meta http-equiv="Content-Security-Policy" content="{made.policy}">\n<title>'
    page = made.files["index.html"][0].decode().replace("<title>", head, 1)
    page = _filled(page, opened[own[0][0] if own else levels.FIRST], state)
    return replace(made, files={**made.files, "index.html": (page.encode(), "text/html")}, collections=len(opened))


def _filled(page: str, opened: dict[str, Any], state: dict[str, Any]) -> str:
    """Put the first level and what the scripts have to know into the page, so that it is there at the first paint."""
    first = next(entry for entry in opened["problems"] if "error" not in entry)
    problem = load(first["game"]).texts.from_wire(first["head"], first["rows"], first["title"])
    data = json.dumps({"opened": opened, **state}, separators=(",", ":")).replace("<", "\\u003c")
    parts = {
        "<!--board-->": render.svg(problem, styled=False, trim=CUT if first["game"] == "sokoban" else 0),
        "<!--state-->": data,
        "<!--title-->": escape(first["title"]),
    }
    for mark, content in parts.items():
        page = page.replace(mark, content)
    return page


def _json(value: Any) -> tuple[bytes, str]:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace"), _JSON


def _programs() -> dict[str, Any]:
    """Return what the ASP window shows, by game and objective, with the bridges that public predicates need."""
    return {game: {objective: _window(game, objective) for objective in load(game).objectives} for game in GAMES}


def _window(game: str, objective: str) -> dict[str, Any]:
    window = asp_window.about(game, objective)
    encoding = catalogue.find(objective, game, objective)
    texts: dict[str, str] = {}
    for word in window["vocabulary"]:
        one = vocabulary(game)[word["name"], len(word["args"])]
        needed = bridges(encoding, (one.signature,), _FACTS)
        word |= {"bridge": [path.name for path in needed], "kinds": one.kinds}
        texts |= {path.name: path.read_text(encoding="utf-8") for path in needed}
    return {**window, "bridges": texts}


def _shards() -> dict[str, dict[str, Any]]:
    """Return the settled rows of the table of optima by the first digit of the board's hash."""
    shards: dict[str, dict[str, Any]] = {}
    for board, rows in optima_table.shipped().items():
        found = [
            {
                "objective": row.objective,
                "status": "unsolvable" if row.status == "unsolvable" else "optimal",
                "value": int(row.value) if row.value else None,
                "by": row.closed_by,
                "origin": row.origin,
                "plan": row.plan,
            }
            for row in rows.values()
            if row.status != "open" and "+" not in row.objective
        ]
        if found:
            shards.setdefault(board[:1], {})[board] = found
    return shards
