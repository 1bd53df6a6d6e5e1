"""Certificates of a campaign: made, checked, kept by hash, printed in report and export; a false value is refused."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.bench.run.store import open_existing
from sokoasp.cli.bench import command
from sokoasp.core.errors import MissingExtra
from sokoasp.engine import certificates
from sokoasp.proof.folder import sha256
from sokoasp.proof.verify import verify
from tests import native

from .conftest import REFERENCE, SUITE

native.needed()


def _bench(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(command, [str(word) for word in words])
    return done.exit_code, done.output


def test_hash_and_verdict_are_kept(tmp_path: Path) -> None:
    suite, out = tmp_path / "suite.toml", tmp_path / "out"
    suite.write_text(SUITE + REFERENCE)
    assert _bench("run", suite, "-o", out)[0] == 0
    assert json.loads(_bench("export", out, "--format", "jsonl")[1].splitlines()[0])["certificate"] is None
    code, reported = _bench("certify", suite, "-o", out)
    assert (code, reported.splitlines()[-1][:17]) == (0, "3 of 3 accepted; ")
    exported = map(json.loads, _bench("export", out, "--format", "jsonl")[1].splitlines())
    folders = list((out / "certificates").iterdir())
    assert {row["certificate"] for row in exported} == {sha256(folder / "claim.json") for folder in folders}
    for folder in folders:
        list(verify(folder))
    _bench("report", out, "--no-plots")
    assert "3 of 3 proved values have a certificate" in (out / "report.md").read_text()
    # nothing is made twice
    assert len(_bench("certify", suite, "-o", out)[1].splitlines()) == 1


def test_a_suite_of_ones_own_files_gets_them_wherever_it_is_named(tmp_path: Path) -> None:
    file, out = tmp_path / "one.xsb", tmp_path / "out"
    file.write_text("#####\n#@$.#\n#####\n")
    assert _bench("run", "native", file, "-o", out, "--set", "engine=reference")[0] == 0
    assert _bench("certify", "native", file, "-o", out)[1].endswith(f"1 of 1 accepted; in {out / 'certificates'}\n")
    told = _bench("submit", "native", file, "-o", tmp_path / "sent", "--slurm")[1]
    assert f"sokoasp bench run native {file} -o" in told
    assert f"native.toml {file} -o" in (tmp_path / "sent" / "submit.sh").read_text()


@pytest.mark.parametrize(
    ("fault", "why"),
    [("value = value + 1", "the certificate shows"), ("plan = 'push(1,right,2,1)'", "the level has no cell")],
)
def test_a_run_that_lies_is_refused(fault: str, why: str, tmp_path: Path) -> None:
    suite, out = tmp_path / "suite.toml", tmp_path / "out"
    suite.write_text(SUITE + REFERENCE)
    _bench("run", suite, "-o", out)
    opened = open_existing(out)
    with opened.connection as connection:
        assert isinstance(connection, sqlite3.Connection)
        connection.execute(f"UPDATE run SET {fault} WHERE key = (SELECT min(key) FROM run)")
    opened.close()
    code, reported = _bench("certify", suite, "-o", out)
    assert (code, reported.count(": refused ("), reported.count(": accepted (")) == (1, 1, 2)
    assert why in reported
    _bench("report", out, "--no-plots")
    assert "What the runs say and is not so" in (out / "report.md").read_text()


def test_what_cannot_be_made_here_is_open_and_not_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unable(*_: object) -> None:
        raise MissingExtra("proofs by SAT", "sat")

    suite, out = tmp_path / "suite.toml", tmp_path / "out"
    suite.write_text(SUITE + REFERENCE)
    _bench("run", suite, "-o", out)
    monkeypatch.setattr(certificates, "certify", unable)
    code, reported = _bench("certify", suite, "-o", out)
    assert (code, reported.count(": open (proofs by SAT needs"), reported.count("refused")) == (10, 3, 0)
