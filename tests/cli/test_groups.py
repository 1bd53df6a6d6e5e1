"""Commands in groups, older names as aliases, and ``solve`` of a planning task."""

import re
from pathlib import Path

from click.testing import CliRunner

from sokoasp.cli import GROUPS
from sokoasp.cli import root as cli
from tests.commands import FIRST


def invoke(*words: str | Path):  # type: ignore[no-untyped-def]
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_help_shows_every_group_and_fits_on_a_screen() -> None:
    text = invoke("--help").output
    assert [title for title in GROUPS if f"\n{title}:\n" in text] == list(GROUPS)
    for group in GROUPS.values():
        for name in group:
            assert re.search(rf"^  {name} ", text, re.MULTILINE), name
    assert len(text.splitlines()) <= 50


def test_older_names_stay_but_are_not_listed() -> None:
    text = invoke("--help").output
    for name in ("plan", "check-proof"):
        assert not re.search(rf"^  {name} ", text, re.MULTILINE)
        assert invoke(name, "--help").exit_code == 0


def test_solve_takes_a_planning_task_with_the_domain_beside_it(root: Path, tmp_path: Path) -> None:
    folder = root / "instances/pddl"
    by_plan = invoke("plan", folder / "domain.pddl", folder / "first.pddl", "--engine", "reference")
    by_solve = invoke("solve", folder / "first.pddl", "--engine", "reference")
    assert by_plan.exit_code == by_solve.exit_code == 0
    assert by_solve.stdout == by_plan.stdout and "; cost = 2" in by_solve.stdout
    refused = invoke("solve", folder / "first.pddl", "--objective", "moves")
    assert " solve: there is no option" in refused.output
    alone = tmp_path / "first.pddl"
    alone.write_text((folder / "first.pddl").read_text())
    refused = invoke("solve", alone)
    assert refused.exit_code == 2 and "no domain.pddl beside" in refused.output
    assert "did you mean" not in refused.output


def test_solve_takes_what_translate_writes(tmp_path: Path) -> None:
    """One file with domain and problem; other commands say whose it is, and a name that is none is said to be none."""
    assert invoke("translate", FIRST, "--to", "pddl", "-o", tmp_path / "task.pddl").exit_code == 0
    solved = invoke("solve", tmp_path / "task.pddl", "--engine", "reference")
    assert (solved.exit_code, solved.stdout.splitlines()[-1]) == (0, "; cost = 2 (general cost)")
    (tmp_path / "task.pddl").rename(tmp_path / "other.pddl")
    missing = invoke("solve", tmp_path / "task.pddl")
    assert missing.exit_code == 2 and "there is no file" in missing.output
    for command in (("check",), ("stats",), ("translate", "--to", "xsb")):
        refused = invoke(command[0], tmp_path / "other.pddl", *command[1:])
        assert refused.exit_code == 2 and "for sokoasp solve and sokoasp plan alone" in refused.output
