"""The figures of random walks hang together."""

from tests.studies.walks import walks


def test_ratios_of_the_methods() -> None:
    rows = {row.method: row for row in walks(300, 5)}
    assert rows["shortest"].mean == rows["shortest"].worst == 1
    assert 1 <= rows["touch"].mean <= rows["paper"].mean
    assert rows["touch"].worst <= 1.25 < rows["paper"].worst
    assert rows["touch"].shortest >= rows["paper"].shortest
