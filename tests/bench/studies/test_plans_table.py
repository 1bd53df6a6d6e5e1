"""The table of plans found, on files written here."""

from pathlib import Path

from sokoasp.bench.studies.plans_table import plan_rows, plans_markdown
from sokoasp.sokoban import formats
from sokoasp.sokoban.formats import write
from sokoasp.sokoban.search import solve
from tests import native
from tests.levels import random_level

native.needed()


def test_the_plans_found_are_shortened_and_proved(tmp_path: Path) -> None:
    optima = {}
    for seed in range(40):
        level = random_level(seed)
        found = solve(level, "pushes", engine="reference")
        if found.value and len(optima) < 8:
            path = tmp_path / f"{seed:02}.xsb"
            path.write_text(write([level], "xsb"))
            path.with_suffix(".sol").write_text(found.plan.lurd)
            optima[path.stem] = found.value
    files, kept = sorted(tmp_path.glob("*.xsb")), tmp_path / "rows.jsonl"
    plain = list(plan_rows(files, 60.0, rows=kept))
    rows = list(plan_rows(files, 60.0, shorten=60.0, rows=kept))
    assert {row.name: row.known for row in rows} == optima
    assert all(row.shortened == row.proved == row.known <= row.pushes for row in rows if row.pushes)
    assert [row.pushes for row in plain] == [row.pushes for row in rows]
    text = "\n".join(plans_markdown(rows))
    assert f"8 shortened to {sum(optima.values())} pushes in all, 0.0 % over the known solutions" in text
    assert text.endswith("8 of them proved optimal") and "shortened to" not in "\n".join(plans_markdown(plain))
    before = kept.read_text()
    assert list(plan_rows(files, 60.0, shorten=60.0, rows=kept)) == rows and kept.read_text() == before


def test_a_level_without_a_plan_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "dead.xsb"
    path.write_text("#####\n#@$.#\n#$ .#\n#####\n")
    assert solve(formats.read(path.read_bytes())[0], "pushes", engine="reference").value is None
    (row,) = plan_rows([path], 5.0, shorten=5.0)
    assert (row.pushes, row.shortened) == (None, None)
    assert "0 of 1 with a plan" in "\n".join(plans_markdown([row]))
