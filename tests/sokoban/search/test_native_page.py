"""The table of proved XSokoban levels in docs/native-measured.md: each row again, forward, with the best plan known."""

import re
from pathlib import Path

import pytest

from sokoasp import Status
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.sokoban import formats, search

PAGE = Path(__file__).resolve().parents[3] / "docs" / "native-measured.md"
ROW = re.compile(
    r"^\| (\d+)(?: \([^|]*\))? \| [0-9a-f]{12} \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d,]+) \| \d \| [\d,]+ \|$", re.M
)
FOUND = ROW.findall(PAGE.read_text(encoding="utf-8"))
ROWS = [tuple(int(part.replace(",", "")) for part in (*row[:3], row[4])) for row in FOUND]
SECONDS = {int(row[0]): float(row[3]) for row in FOUND}
MORE = 1_000
"""Expansions by which a row may differ, beside a quarter of them: which plan is given decides what is looked at."""
EASY = 100
"""Expansions up to which a row is run with every suite."""


def test_the_page_counts_its_rows() -> None:
    text = PAGE.read_text(encoding="utf-8")
    most = max(expanded for *_, expanded in ROWS)
    assert f"**XSokoban, pushes: {len(ROWS)} of 90 proved optimal**, each within {most:,} expansions" in " ".join(
        text.split()
    )
    assert all(plan == bound for _, plan, bound, _ in ROWS)


def test_the_pages_say_how_long_the_rows_took() -> None:
    quick = sum(took <= 60 for took in SECONDS.values())
    slow = sorted((took, number) for number, took in SECONDS.items() if took > 60)
    assert f"{quick} of them take a minute at most" in " ".join(PAGE.read_text(encoding="utf-8").split())
    row = f"| **{len(ROWS)}** | {sum(took <= 1 for took in SECONDS.values())} | level by level on that page: {quick} within 60 s"
    said = ", ".join(f"{number} {took:.0f} s" for took, number in slow)
    assert f"{row}, {said} |" in PAGE.with_name("performance.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("number", "plan", "bound", "expanded"),
    [pytest.param(*row, marks=[pytest.mark.slow, pytest.mark.timeout(0)] if row[3] > EASY else []) for row in ROWS],
)
def test_a_row_is_proved_with_so_many_expansions(
    number: int, plan: int, bound: int, expanded: int, cavepacker: Path
) -> None:
    (file,) = cavepacker.rglob(f"xsokoban{number:04}.sok")
    level = formats.read(file.read_bytes(), source=file.name)[0]
    known = DOMAIN.known.optimum(level, "pushes", True)
    assert known is not None and known["value"] == plan
    best = known["plan"] or DOMAIN.texts.read_plan(level, file.with_suffix(".sol").read_text(encoding="utf-8"), "sol")
    found = search.solve(level, "pushes", engine="forward", upper=best)
    assert (found.status, found.value, found.lower_bound) == (Status.OPTIMAL, plan, bound)
    assert found.counters["expanded"] <= 1.25 * expanded + MORE
