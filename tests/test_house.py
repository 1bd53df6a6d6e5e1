"""Names are unique in their folder, functions are small, and prose is as wide as a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import house, prose


def test_a_class_name_is_unique_in_its_folder() -> None:
    assert house.same_classes() == {}


def test_a_function_of_more_than_eight_parameters_says_why() -> None:
    wide = [f for f in house.functions() if f.parameters > house.PARAMETERS]
    assert [f"{f.file} {f.name}" for f in wide if not house.REASON.search(f.doc)] == []
    assert len(wide) <= house.MOST_WIDE, "pass records rather than excuse more of them"


def test_a_function_of_more_than_45_lines_says_why() -> None:
    long = [f for f in house.functions() if f.lines > house.LINES]
    assert [f"{f.file} {f.name}: {f.lines} lines" for f in long if not house.REASON.search(f.doc)] == []
    assert len(long) <= house.MOST_LONG, "take functions apart rather than excuse more of them"


def test_search_has_comments() -> None:
    assert house.comments(house.SEARCH) >= house.LEAST_COMMENTS


@pytest.mark.parametrize("page", prose.pages(), ids=lambda page: page.name)
def test_prose_is_at_most_100_columns_wide(page: Path) -> None:
    wide = prose.too_wide(page.read_text(encoding="utf-8"))
    assert not wide, f"lines {wide} of {page.name}: python -m tests.prose wraps them"


def test_wrapping_keeps_words_tables_and_code() -> None:
    text = (
        "A "
        + "word " * 40
        + "\n\n| "
        + "cell | " * 30
        + "\n\n```\n"
        + "x " * 90
        + "\n```\n\n1. "
        + "item 6. " * 20
        + "\n"
    )
    done = prose.wrapped(text)
    assert done.split() == text.split() and not prose.too_wide(done)
    assert done.splitlines()[-1].startswith("   ") and "\n6. " not in done
    assert prose.wrapped(done) == done
