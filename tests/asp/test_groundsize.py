"""Ground sizes: counted by hand on the smallest level, and against clingo's own statistics."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import clingo
import pytest
from click.testing import CliRunner

from sokoasp.asp.catalogue import named
from sokoasp.asp.groundsize import ground_size
from sokoasp.cli import root as cli
from sokoasp.core.errors import EncodingError
from sokoasp.core.guard import LimitReached, guarded
from sokoasp.core.limits import Limits
from sokoasp.engine.ground_size import sizes
from sokoasp.sokoban import facts
from sokoasp.sokoban.formats import read
from tests.commands import run as run_command
from tests.conftest import ROOT

FIRST = str(ROOT / "instances" / "tutorial" / "first.xsb")
FOR_HOURS = """c(1..2000). :- c(A), c(B), c(C), c(D), A+B+C+D < 0.
{push(X,D,Y,1) : box(X), D=(1..4), Y=1}. #show push/4."""
"""A join that clingo is busy with for hours, and tells nobody."""
(LEVEL,) = read("#####\n#@$.#\n#####\n")


def test_the_smallest_level_counted_by_hand() -> None:
    """Three cells in a row: three cells, two neighbour pairs in either direction, one box, one player."""
    found = ground_size(named("lines"), facts.write(LEVEL), 1)
    assert found.atoms["cell/1"] == found.facts["cell/1"] == 3
    assert found.atoms["adjacent/3"] == 4
    assert found.atoms["right/2"] == 2
    assert found.atoms["box/1"] == found.atoms["sokoban/1"] == found.atoms["solution/1"] == 1
    assert found.bound == 1 and "push/4" in found.atoms


@pytest.mark.parametrize("name", ["lines", "lines-forward", "lines-remaining", "pushes", "moves"])
def test_sizes_grow_with_the_bound_and_choices_are_there(name: str) -> None:
    small, large = (sizes(LEVEL, name, bound=bound) for bound in (1, 3))
    assert sum(small.atoms.values()) < sum(large.atoms.values())
    assert sum(small.rules.values()) < sum(large.rules.values())


def test_the_choices_are_those_that_clasp_counts() -> None:
    (hall,) = read("########\n#  ..  #\n# $##$ #\n#  @$  #\n#   .  #\n########\n")
    found = ground_size(named("lines"), facts.write(hall), 3)
    control = clingo.Control(["--warn=none"])
    control.add("base", [], facts.write(hall))
    for path in named("lines").files:
        control.load(str(path))
    control.ground([("base", []), *(("step", [clingo.Number(t)]) for t in (1, 2, 3)), ("check", [clingo.Number(3)])])
    control.solve()
    counted = control.statistics["problem"]["lp"]
    assert found.rules["choices"] == counted["rules_choice"] > 0
    assert sum(found.rules.values()) <= counted["rules"]  # clasp writes the counts (weights) out as rules of its own


def test_the_commands_print_what_they_count() -> None:
    run = CliRunner().invoke
    first = str(ROOT / "instances" / "tutorial" / "first.xsb")
    row = json.loads(run(cli, ["encodings", "ground", "lines", first, "--json"]).output)
    assert row["bound"] == 1 and row["atoms"]["cell/1"] == 5
    text = run(cli, ["encodings", "ground", "competition", first]).output
    assert text.splitlines()[0].endswith("competition, bound 1")
    assert text.splitlines()[-1].split()[:2] == ["in", "all"]
    reported = run(cli, ["encodings", "diff", "lines", "lines-forward"]).output
    assert reported.splitlines()[0].startswith("both: rules/geometry.lp")
    assert "only lines:" in reported and "only lines-forward:" in reported
    assert run(cli, ["encodings", "diff", "lines", "lines"]).output.count("nothing") == 2


def test_a_program_that_cannot_be_ground_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    bad = tmp_path / "bad.lp"
    bad.write_text("a(X) :- .\n")
    with pytest.raises(EncodingError):
        sizes(LEVEL, str(bad))
    with pytest.raises(EncodingError, match="no encoding or file 'nothing'"):
        named("nothing")


def test_a_limit_ends_the_grounding_and_each_level_has_its_own(tmp_path: Path) -> None:
    (tmp_path / "slow.lp").write_text(FOR_HOURS)
    level = Path(FIRST).read_text()
    (tmp_path / "two.xsb").write_text(f"{level}\n{level}")
    done = run_command("encodings", "ground", "slow.lp", "two.xsb", "--time-limit", "0.2", cwd=tmp_path)
    assert done.returncode == 20 and done.stdout == ""
    assert [line.partition(": ")[2] for line in done.stderr.splitlines()] == [
        f"two.xsb:{number} (One line): slow.lp takes more time to ground (--time-limit)" for number in (1, 2)
    ]
    done = run_command("encodings", "ground", "lines", FIRST, "--bound", "9999", "--memory-limit", "1", "--json")
    assert done.returncode == 21 and json.loads(done.stdout)["error"].endswith("(--memory-limit)")


def test_a_thread_that_nobody_waits_for_ends_with_its_next_rule() -> None:
    before = set(threading.enumerate())
    with pytest.raises(LimitReached), guarded(Limits(seconds=0.1).start()):
        ground_size(named("lines"), facts.write(LEVEL), 100_000)
    for _ in range(300):
        if not set(threading.enumerate()) - before:
            return
        time.sleep(0.1)
    raise AssertionError("it goes on")
