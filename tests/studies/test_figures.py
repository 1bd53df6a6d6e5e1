"""docs/figures.md is what the command prints, and its verdicts are true."""

from __future__ import annotations

from pathlib import Path

from tests.studies import figures

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_is_what_the_command_prints() -> None:
    assert "\n".join(figures.page()) + "\n" == (DOCS / "figures.md").read_text(encoding="utf-8")


def test_every_figure_shows_something_or_says_that_it_is_lost() -> None:
    for figure in figures.FIGURES:
        assert figure.levels or figure.instead, figure.number


def test_dead_levels_are_found_and_living_ones_let_alone() -> None:
    blocks = "\n".join(figures.page()).split("```\n")
    for block in blocks:
        reported = block.split("\n\n")[0].replace("\n", " ")
        if reported.startswith("`"):
            assert ("No deadlock found" in reported) is not ("In truth dead" in reported), reported
