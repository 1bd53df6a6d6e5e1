"""The page in other languages: every message is in every table, none is written past the tables, the page shows them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web import messages
from tests.web.hands import MARKS, Page

PLACES = re.compile(r"\{\d+\}")
PAST = re.compile(
    r"""\b(?:say|announce|answer|note|joined|judge|button|refuse)\((?:\w+ \? )?["`][^"`$]*[A-Za-z]{2}[^"`]* """
    r"""|(?:textContent = |"aria-label": |\btitle: )["`][A-Z][a-z]+[ "`]|new (?:Error|Option)\(["`][A-Za-z]+ """
)
"""Where a sentence would be handed to the player without the table."""


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_every_message_is_in_every_language(language: str) -> None:
    table, keys = messages.table(language), messages.keys()
    assert keys - set(table) == set() and set(table) - keys == set()
    assert len(keys) > 400
    for key, text in table.items():
        assert text.strip(), key
        assert sorted(PLACES.findall(key)) == sorted(PLACES.findall(text)), key


def test_no_message_is_written_past_the_table() -> None:
    alone = (
        "answers.js",
        "clingo.js",
        "clingo_worker.js",
        "reader.js",
        "fact_reader.js",
        "refused.js",
        "referee.js",
    )
    for path in messages.STATIC.glob("*.js"):
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
    """The page in German, then in Japanese and Chinese."""

    pytestmark = MARKS

    def test_the_page_speaks_the_language_that_is_chosen(self, driver: Any, server: str) -> None:
        page, table = Page(driver, server, language="de"), messages.table("de")
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
        page.choose("set-language", "ja")
        page.wait(
            lambda: page.js("return document.documentElement.lang === 'ja' && document.body.dataset.ready === 'yes'")
        )
        hint = page.js("return document.getElementById('hint').textContent")
        assert hint == messages.table("ja")["Hint"]
        page = Page(driver, server, language="zh")
        assert page.text("hint") == messages.table("zh")["Hint"]
