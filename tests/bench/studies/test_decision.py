"""The studies of the files' own questions and of a constraint that does not bind."""

from __future__ import annotations

import os
from pathlib import Path

from sokoasp.bench.studies import constrained, decision, probes
from sokoasp.sokoban import facts, formats

ROOM = "######\n#@   #\n# $$ #\n# .. #\n######\n"


def test_a_files_question_is_put_by_the_command_and_by_the_library(tmp_path: Path) -> None:
    for steps, answer in ((3, "yes"), (2, "no")):
        file = tmp_path / "room.asp"
        file.write_text(facts.write(formats.read(ROOM)[0], steps=steps))
        reported = decision.ask(file, 60, None, os.environ)
        assert reported.answer == answer
        assert 0 < reported.alone < reported.process


def test_rows_under_a_constraint_are_kept_and_summed_up(tmp_path: Path) -> None:
    file, constraint = tmp_path / "room.xsb", tmp_path / "up.lp"
    file.write_text(ROOM)
    constraint.write_text(constrained.CONSTRAINT)
    row = constrained.row(file, 60, constraint, os.environ)
    assert row["free"]["value"] == row["constrained"]["value"] == 2
    assert "1 level, 1 proved free, 1 of them under the constraint too" in constrained.table([row])[-1]
    lost = {**row, "constrained": {**row["constrained"], "status": "out of time", "value": None}}
    lines = constrained.table([row, lost])
    assert "2 levels, 2 proved free, 1 of them under the constraint too" in lines[-1]
    assert "(out of time)" in lines[3]


def test_what_doubts_cost_is_measured_on_what_asp_answers_in_time() -> None:
    room = formats.read(ROOM)[0]
    row = probes.measure("room", room, 1, 60.0)
    assert row is not None and row.answers > row.questions >= 0
    assert probes.measure("room", room, 1, 0.0) is None
    lines = list(probes.table([probes.ProbeRow("one", 1.05, 0.05), probes.ProbeRow("two", 2.0, 0.0)]))
    assert lines[2].startswith("| one |") and lines[2].endswith("| 5.0% |") and "| the 2 levels |" in lines[-1]
