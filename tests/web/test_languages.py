"""The page in other languages: every message is in every table, none is written past the tables, the page shows them."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from tests.web.conftest import STATIC
from tests.web.hands import MARKS, Page

PLAYER = STATIC.parents[1] / "picture" / "assets" / "player.js"
WORDS = (
    *("lines", "pushes", "moves", "slides", "units", "boxes", "pieces", "cells"),
    *("line", "push", "move", "slide", "unit", "box", "piece", "cell"),
    *("left", "right", "up", "down", "optimal", "solved", "unsolvable", "error", "portfolio"),
)
"""Words that stand in data and are put into the language by ``word``."""


INNER = r"\$\{(?:[^{}`]|`(?:[^`$]|\$\{[^{}`]*\})*`)*\}"
TEMPLATE = re.compile(rf"(?<![\w.$])(?=t`((?:[^`$]|{INNER})*)`)")
"""A message in a script, also one inside of another; what is put in has braces around it."""


def keys_of_script(text: str) -> set[str]:
    """Return the keys of the messages of a script: templates tagged with ``t``, what is put in by number."""
    parts = (re.split(INNER, message) for message in TEMPLATE.findall(text))
    return {first + "".join(f"{{{at}}}{part}" for at, part in enumerate(rest)) for first, *rest in parts}


def keys_of_page() -> set[str]:
    """Return the keys of the page itself: texts and what readers hear, those with letters."""
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    page = re.sub(r"(?s)<(script|style|title)\b.*?</\1>|<!--.*?-->", "", page)
    found = {" ".join(unescape(text).split()) for text in re.findall(r">([^<>]+)<", page)}
    for tag in re.findall(r"<[^>]+>", page):
        if 'class="code' not in tag:
            found |= {unescape(text) for _, text in re.findall(r'\b(aria-label|title|placeholder)="([^"]*)"', tag)}
    names = {"English", "Deutsch", "sokoasp", "SVG", "PNG", "HTML", "ASP", "XSB"}
    return {key for key in found if re.search(r"[^\W\d_]", key)} - names


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
