"""The page with its first level in it, so that it is there at the first paint; the same for the server and for a site."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sokoasp import render
from sokoasp.picture.canvas import text as escape
from sokoasp.web import serialization


def fill(page: str, opened: Mapping[str, Any], state: Mapping[str, Any]) -> str:
    """Put the collection that is opened first, its first level and what the page has to know into the page.

    Args:
        page: The page of ``assets.load``.
        opened: A collection as ``serialization.open_text`` returns it, with at least one level that can be read.
        state: What else the page's scripts receive.
    """
    first = next(entry for entry in opened["problems"] if "error" not in entry)
    problem = serialization.problem_of({"problem": first})
    data = json.dumps({"opened": opened, **state}, separators=(",", ":")).replace("<", "\\u003c")
    parts = {
        "<!--board-->": render.svg(problem, styled=False),
        "<!--state-->": data,
        "<!--title-->": escape(first["title"]),
    }
    for mark, content in parts.items():
        page = page.replace(mark, content)
    return page
