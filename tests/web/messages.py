"""The page's messages: their keys as the page's files name them, and the tables of the other languages."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

STATIC = Path(__file__).parents[2] / "sokoasp" / "web" / "static"
PLAYER = STATIC.parents[1] / "picture" / "assets" / "player.js"
LANGUAGES = ("de", "ja", "zh")
ATTRIBUTES = ("aria-label", "title", "placeholder")
WORDS = (
    *("lines", "pushes", "moves", "slides", "units", "boxes", "pieces", "cells"),
    *("line", "push", "move", "slide", "unit", "box", "piece", "cell"),
    *("left", "right", "up", "down", "optimal", "solved", "unsolvable", "error", "portfolio"),
)
"""Words that stand in data and are put into the language by ``word``."""


def keys_of_script(text: str) -> set[str]:
    """Return the keys of the messages of a script: templates tagged with ``t``, what is put in by number."""
    found: set[str] = set()
    for match in re.finditer(r"(?<![\w.$])t`", text):
        key, at, number = "", match.end(), 0
        while text[at] != "`":
            if text.startswith("${", at):
                at, key, number = _behind(text, at + 2), f"{key}{{{number}}}", number + 1
                continue
            key, at = key + text[at], at + 1
        found.add(key)
    return found


def _behind(text: str, at: int) -> int:
    """Return the place behind the brace that closes what begins here; templates in it are passed over."""
    while text[at] != "}":
        if text[at] == "`":
            at += 1
            while text[at] != "`":
                at = _behind(text, at + 2) if text.startswith("${", at) else at + 1
        elif text[at] == "{":
            at = _behind(text, at + 1) - 1
        elif text[at] == '"':
            at = text.index('"', at + 1)
        at += 1
    return at + 1


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "title"):
            self.inside.append(tag)
        given = dict(attrs)
        self.found |= {
            given[name] or "" for name in ATTRIBUTES if name in given and "code" not in (given.get("class") or "")
        }

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.found.add(" ".join(data.split()))


def keys_of_page() -> set[str]:
    """Return the keys of the page itself: texts and what readers hear, those with letters."""
    parser = _Texts()
    parser.feed((STATIC / "index.html").read_text(encoding="utf-8"))
    names = {"English", "Deutsch", "日本語", "中文", "sokoasp", "A 3,1", "SVG", "PNG", "HTML", "GIF", "ASP", "XSB"}
    return {key for key in parser.found if re.search(r"[^\W\d_]", key)} - names


def keys() -> set[str]:
    """Return every key that the page can ask for."""
    scripts = (path.read_text(encoding="utf-8") for path in STATIC.glob("*.js") if path.name != "messages.js")
    player = set(re.findall(r'"aria-label": "([^"]+)"|title: "([^"]+)"', PLAYER.read_text(encoding="utf-8")))
    return keys_of_page().union(*map(keys_of_script, scripts)) | {a or b for a, b in player} | set(WORDS)


def table(language: str) -> dict[str, str]:
    """Return the messages of a language by key."""
    text = (STATIC / f"messages.{language}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found
