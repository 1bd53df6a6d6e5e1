"""The table over many levels, on files written here."""

from dataclasses import replace
from pathlib import Path

import pytest

from sokoasp.bench.studies import native_table
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban.formats import write
from sokoasp.sokoban.search import Options, solve
from tests import native
from tests.levels import random_level, warehouse

native.needed()


def test_known_solutions_close_what_the_bound_reaches(tmp_path: Path) -> None:
    easy, hard = next(level for s in range(50) if solve(level := random_level(s), "pushes").value), warehouse()
    plans = [solve(level, "pushes", engine="reverse").plan for level in (easy, hard)]
    for name, level, plan in zip(("easy", "hard"), (easy, hard), plans, strict=True):
        (tmp_path / f"{name}.xsb").write_text(write([level], "xsb"))
        (tmp_path / f"{name}.sol").write_text(plan.lurd)
    files = sorted(tmp_path.glob("*.xsb"))
    limits = Limits(states=3000)
    without = list(native_table.native_table(files, "pushes", limits, engine="forward"))
    with_plan = list(native_table.native_table(files, "pushes", limits, engine="forward", known=True))
    assert [row.status for row in without] == ["optimal", "memory_out"]
    assert with_plan[1].status in ("optimal", "solved")
    assert with_plan[1].value == with_plan[1].known == 179 >= with_plan[1].bound
    text = "\n".join(native_table.markdown(without))
    assert text.endswith("1 of 2 settled, 1 of them within 1 s") and "| easy |" in text


def test_a_level_without_solution(tmp_path: Path) -> None:
    path = tmp_path / "one.xsb"
    path.write_text(write([random_level(1)], "xsb"))
    (row,) = native_table.native_table([path], "lines", options=Options(workers=1))
    assert row.known is None and row.closed


def test_known_solutions_are_shortened_before_they_are_given(tmp_path: Path) -> None:
    path = tmp_path / "one.xsb"
    path.write_text("#######\n#  .  #\n#  $  #\n#  @  #\n#     #\n#######")
    path.with_suffix(".sol").write_text("luRurrdLdlU")
    rows = tmp_path / "rows.jsonl"
    for shorten, upper in ((None, 3), (60.0, 1), (60.0, 1)):
        asked = native_table.native_table(
            [path], "pushes", Limits(states=1000), engine="forward", known=True, shorten=shorten, rows=rows
        )
        (row,) = asked
        assert (row.known, row.upper, row.value, row.shortening) == (3, upper, 1, shorten)
    assert len(rows.read_text().splitlines()) == 2


def test_a_row_that_was_interrupted_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, rows = tmp_path / "one.xsb", tmp_path / "rows.jsonl"
    path.write_text(write([random_level(1)], "xsb"))
    cut = replace(solve(random_level(1), "pushes"), status=Status.TIME_OUT, stopped_by="interrupt")
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(native_table, "solve", lambda *_, **__: cut)
        list(native_table.native_table([path], rows=rows))
    assert not rows.exists() or not rows.read_text()
    (row,) = native_table.native_table([path], rows=rows)
    assert row.closed and len(rows.read_text().splitlines()) == 1
