"""The tables of SAT and of certificates: right values, resumable rows, and the command that makes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.cli.table import command
from tests import native
from tests.proof.makers import BOARDS, best_slides, boards, optimum

native.needed()
pytest.importorskip("pysat")

from sokoasp.bench.studies.certificates_table import certificate_rows, certificates_markdown  # noqa: E402
from sokoasp.bench.studies.sat_table import sat_markdown, sat_rows  # noqa: E402
from tests.instances import levels  # noqa: E402


@pytest.mark.parametrize("way", ["rising", "below"])
def test_sat_finds_the_optima_and_keeps_its_rows(way: str, root: Path, tmp_path: Path) -> None:
    file = root / "instances" / "tutorial" / "tutorial.xsb"
    expected = [optimum(level, "pushes") for level in levels("tutorial/tutorial.xsb")][:4]
    rows = []
    for row, found in zip(sat_rows([file], "pushes", 20.0, way=way, rows=tmp_path / "rows"), expected, strict=False):
        assert found is not None
        assert (row.value, row.bound, row.settled) == (found[0], found[0], True), row
        rows.append(row)
    kept = tmp_path / "rows"
    lines = kept.read_text().splitlines()
    kept.write_text("\n".join(line.replace('"plan_seconds": ', '"plan_seconds": 9') for line in lines) + "\n")
    again = next(iter(sat_rows([file], "pushes", 20.0, way=way, rows=kept)))
    assert again.plan_seconds != rows[0].plan_seconds
    assert list(sat_markdown(rows))[-1].startswith("4 of 4 settled")


def test_certificates_of_a_file_of_boards(tmp_path: Path) -> None:
    file = tmp_path / "boards.klotski"
    file.write_text(BOARDS)
    rows = list(certificate_rows([file], "units", 60.0, rows=tmp_path / "rows"))
    assert [row.value for row in rows] == [best_slides(board, "units")[0] for board in boards()]
    assert all(row.kind == "states" and len(row.sha256) == 64 for row in rows)
    assert list(certificate_rows([file], "units", 60.0, rows=tmp_path / "rows")) == rows
    assert "3 of 3 made and accepted" in list(certificates_markdown(rows))[-1]


def test_the_same_certificate_is_made_twice(root: Path) -> None:
    file = root / "instances" / "tutorial" / "first.xsb"
    sums = {row.sha256 for _ in range(2) for row in certificate_rows([file], "lines", 60.0)}
    assert len(sums) == 1


def test_the_command(root: Path) -> None:
    file = str(root / "instances" / "tutorial" / "first.xsb")
    done = CliRunner().invoke(command, ["sat", file, "--objective", "lines", "--known"])
    assert (done.exit_code, done.output.splitlines()[-1][:14]) == (0, "1 of 1 settled")
    done = CliRunner().invoke(command, ["certificates", file, "--objective", "moves"])
    assert (done.exit_code, done.output.splitlines()[-1][:27]) == (0, "1 of 1 made and accepted; m")
    done = CliRunner().invoke(command, ["certificates", file, "--objective", "lines", "--kind", "refutation"])
    assert (done.exit_code, "CaDiCaL" in done.output, "1 of 1 made and accepted" in done.output) == (0, True, True)
    assert CliRunner().invoke(command, ["sat", file, "--objective", "units"]).exit_code == 2
    assert CliRunner().invoke(command, ["certificates"]).exit_code == 2
