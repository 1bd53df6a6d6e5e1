"""Names are unique in their folder, functions are small, and prose is as wide as a page."""

from pathlib import Path

from tests import house, prose


def test_a_class_name_is_unique_in_its_folder() -> None:
    assert house.same_classes() == {}


LIMITS = house.budgets()["limits"]


def test_nothing_is_over_its_budget() -> None:
    """Raising a number of ``house.toml`` takes a decision note; one test, as each process would measure anew."""
    budget = house.budgets()["budget"]
    assert {name: (now, budget[name]) for name, now in house.measured().items() if now > budget[name]} == {}


def test_every_folder_has_a_budget_and_every_target_a_figure() -> None:
    assert house.measured().keys() == house.budgets()["budget"].keys()
    assert house.budgets()["target"].keys() <= house.measured().keys()


def test_a_function_of_more_parameters_or_lines_says_why() -> None:
    large = [f for f in house.functions() if f.parameters > LIMITS["parameters"] or f.lines > LIMITS["lines"]]
    assert [f"{f.file} {f.name}: {f.lines} lines" for f in large if not house.REASON.search(f.doc)] == []


def test_search_has_comments() -> None:
    assert house.comments(house.SEARCH) >= LIMITS["comments"]


def test_what_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "counted.py"
    file.write_text('"""Text of\ntwo lines."""\n\n\ndef one(a):\n    # a comment\n    return a\n')
    assert house.lines_of([file]) == 7
    assert house.tokens_of([file]) == 9, "the text, def one ( a ) :, return a"


def test_prose_is_at_most_100_columns_wide() -> None:
    wide = {page.name: prose.too_wide(page.read_text(encoding="utf-8")) for page in prose.pages()}
    assert {name: lines for name, lines in wide.items() if lines} == {}, "wrap them at 100 columns"
