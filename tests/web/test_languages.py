"""The page in other languages: every message is in every table, none is written past the tables, the page shows them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

from tests.web.conftest import STATIC
from tests.web.hands import MARKS, Page

PLAYER = STATIC.parents[1] / "picture" / "assets" / "player.js"
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
    names = {"English", "Deutsch", "sokoasp", "SVG", "PNG", "HTML", "ASP", "XSB"}
    return {key for key in parser.found if re.search(r"[^\W\d_]", key)} - names


def keys() -> set[str]:
    """Return every key that the page can ask for."""
    scripts = (path.read_text(encoding="utf-8") for path in STATIC.glob("*.js") if path.name != "messages.js")
    player = set(re.findall(r'"aria-label": "([^"]+)"|title: "([^"]+)"', PLAYER.read_text(encoding="utf-8")))
    return keys_of_page().union(*map(keys_of_script, scripts)) | {a or b for a, b in player} | set(WORDS)


def messages(language: str) -> dict[str, str]:
    """Return the messages of a language by key."""
    text = (STATIC / f"messages.{language}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


PLACES = re.compile(r"\{\d+\}")
PAST = re.compile(
    r"""\b(?:say|announce|answer|note|joined|judge|button|refuse)\((?:\w+ \? )?["`][^"`$]*[A-Za-z]{2}[^"`]* """
    r"""|(?:textContent = |"aria-label": |\btitle: )["`][A-Z][a-z]+[ "`]|new (?:Error|Option)\(["`][A-Za-z]+ """
)
"""Where a sentence would be handed to the player without the table."""


def test_every_message_is_in_german() -> None:
    table = messages("de")
    assert set(table) == keys() and len(table) > 350
    for key, text in table.items():
        assert text.strip(), key
        assert sorted(PLACES.findall(key)) == sorted(PLACES.findall(text)), key


def test_no_message_is_written_past_the_table() -> None:
    alone = (
        "answers.js",
        "clingo.js",
        "clingo_worker.js",
        "reader.js",
        "referee.js",
    )
    for path in STATIC.glob("*.js"):
        if path.name in alone:  # sentences of the readers and the referee are those of the command line
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert not PAST.search(line), f"{path.name}:{number}: {line.strip()[:160]}"
    assert PAST.search('say("Kept as it is.")') and PAST.search('node.textContent = "Working"')
    assert not PAST.search("say(t`Kept as it is.`)")


VISIBLE = """
    const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode())
      if (node.parentElement.checkVisibility() && !node.parentElement.closest("script, pre, textarea, [hidden]"))
        found.push(node.data.trim().replace(/\\s+/g, " "));
    for (const name of ["aria-label", "title", "placeholder"]) for (const node of document.querySelectorAll(`[${name}]`))
      if (node.checkVisibility()) found.push(node.getAttribute(name));
    return found;"""


def english(page: Page, table: dict[str, str]) -> list[str]:
    """Return what is shown in English though the table has other words for it."""
    return [text for text in page.js(VISIBLE) if table.get(text, text) != text]


class TestInTheBrowser:
    """The page in German, then in English."""

    pytestmark = MARKS

    def test_the_page_speaks_the_language_that_is_chosen(self, driver: Any, server: str) -> None:
        page, table = Page(driver, server, language="de"), messages("de")
        page.open("######\n#@   #\n# $ .#\n#    #\n######\n")
        assert page.js("return document.documentElement.lang") == "de"
        for name in ("solve", "asp", "share", "best"):
            page.click(f"tab-{name}")
            assert english(page, table) == [], name
        for opener, closer in (("levels", "list-close"), ("settings", "settings-close"), ("show-keys", "keys-close")):
            page.click(opener)
            assert english(page, table) == [], opener
            page.click(closer)
        page.js("sokoasp.begin(sokoasp.page.problem, {plan: 'dR'})")
        page.keys("d")
        page.wait(lambda: page.text("message").startswith("Gelöst: "), 20)
        assert {"3 Züge", "2 Schübe", "1 Linie"} == set(page.text("message").removeprefix("Gelöst: ")[:-1].split(", "))
        assert english(page, table) == []
        page.click("settings")
        page.choose("set-language", "en")
        page.wait(
            lambda: page.js("return document.documentElement.lang === 'en' && document.body.dataset.ready === 'yes'")
        )
        assert page.js("return document.getElementById('hint').textContent") == "Hint"
