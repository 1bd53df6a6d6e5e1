"""The checker proved in Coq (docs/verified): it builds, rests on nothing, accepts what is honest and refuses what is forged."""

import json
import lzma
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sokoasp.core.limits import Limits
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import folder as folders
from tests.instances import levels
from tests.levels import packed_level, random_level, scrambled_level
from tests.proof import test_forgeries as known
from tests.proof.forging import STORED_NEVER, packed_words, proved_says, says, words_of, write
from tests.proof.makers import certified, optimum, resign, rest_on_patterns, solvable, unsolvable
from tests.proof.verified import VERIFIED, checker, make

THEOREMS = """
judge_sound : forall (rows : list String.string) (e : Check.evidence) (o : Rules.objective)
  (word : list (Rules.way * bool)) (n : BinNums.N),
  Check.judge rows e o word n = true ->
  exists lv : Rules.level, Rules.parse rows = Some lv /\\ Rules.optimal o lv n
judge_never_sound : forall (rows : list String.string) (e : Check.evidence) (o : Rules.objective),
  Check.judge_never rows e o = true ->
  exists lv : Rules.level, Rules.parse rows = Some lv /\\ Rules.unsolvable lv
judge_then_sound : forall (rows : list String.string) (e : Check.evidence)
  (word : list (Rules.way * bool)) (p m : BinNums.N),
  Check.judge_then rows e word p m = true ->
  exists lv : Rules.level, Rules.parse rows = Some lv /\\ Rules.optimal_then lv p m
Closed under the global context
Closed under the global context
Closed under the global context
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verified")


def _honest(place: Path) -> Iterator[Path]:
    """Make honest folders: each objective, ties broken, spare boxes, no plan, some boxes taken away, the start solved."""
    for objective in ("pushes", "lines", "moves"):
        for number, (level, _, _) in enumerate(solvable(2, objective, 14)):
            yield certified(level, place / f"{objective}{number}", objective)
    spare = (random_level(seed, width=4, height=4, spare=True) for seed in range(100))
    more = next(one for one in spare if len(one.boxes) > len(one.goals) and optimum(one, "pushes"))
    yield certified(more, place / "spare", "pushes")
    for name, level in (("tie", next(solvable(1, "pushes", 14))[0]), ("spare tie", more)):
        assert certify(level, place / name, Request(folders.TIES)).claim is not None
        yield place / name
    yield certified(next(unsolvable(1)), place / "never", "lines")
    yield certified(levels("tutorial/tutorial.xsb")[9], place / "solved", "lines")
    walls = certified(packed_level(54), place / "walls", "pushes")
    assert rest_on_patterns(walls, random.Random(0), 1, walls=True)
    yield walls
    taken = place / "taken"
    certify(levels("deadlocks/corner.xsb")[0], taken, Request("pushes"))
    yield taken


def test_the_sources_admit_nothing() -> None:
    sources = sorted(VERIFIED.glob("*.v"))
    assert [path.name for path in sources] == ["Check.v", "Extract.v", "Rules.v", "Sound.v", "Verdict.v"]
    for path in sources:
        found = re.search(
            r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Abort|Unset|Extract|bypass\w*)\b", path.read_text()
        )
        assert found is None or (path.name, found[0]) == ("Extract.v", "Extract"), (path.name, found)
    assert "Extract " not in (VERIFIED / "Extract.v").read_text(), "nothing is replaced by OCaml of our own"


@pytest.mark.slow
def test_the_theorems_are_these_and_rest_on_nothing(build: Path) -> None:
    done = make(VERIFIED, build, "theorems")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == THEOREMS.split()


def test_the_kept_ocaml_is_what_coq_extracts(build: Path) -> None:
    done = make(VERIFIED, build, "extracted")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.timeout(2000)
def test_the_second_reader_of_proofs_agrees(build: Path) -> None:
    done = make(VERIFIED, build, "coqchk")
    assert done.returncode == 0, done.stderr
    reported = done.stdout + done.stderr
    assert re.findall(r"^\* (\w+).*: (.*)$", reported, re.M)[1:] == [
        ("Axioms", "<none>"),
        ("Constants", "<none>"),
        ("Constants", "<none>"),
        ("Inductives", "<none>"),
    ], reported


def test_honest_folders_are_accepted(tmp_path: Path) -> None:
    made = list(_honest(tmp_path))
    assert len(made) == 13
    assert [proved_says(folder) for folder in made] == [None] * 13
    claims = [json.loads((folder / "claim.json").read_text()) for folder in made]
    assert any(claim["boxes"] for claim in claims) and any(any(claim["prices"]) for claim in claims)


def test_a_long_list_needs_no_deep_stack(build: Path, tmp_path: Path) -> None:
    """11,853 states with 128 kB of stack; 200,000 took more than the usual 8 MB, and an honest list was refused."""
    level = scrambled_level(1, boxes=4)
    assert certify(level, tmp_path / "long", Request("moves", Limits())).claim is not None
    assert make(VERIFIED, build, "driver").returncode == 0
    asked = ["sh", "-c", 'ulimit -s 128; exec "$0" "$1"', build / "check", tmp_path / "long"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.splitlines()[-1] == "valid: 30 moves solve this level, and fewer do not"


@pytest.mark.slow
@pytest.mark.timeout(2000)
def test_a_bound_of_exactly_30000_is_no_never(tmp_path: Path) -> None:
    level, lurd = known._long_corridor()
    tables = known._tables(level, (0,) * 40)
    write(tmp_path, level, lurd=lurd, tables=tables, groups=1, prices=[0] * 40, value=30_782)
    assert "start is neither" in str(proved_says(tmp_path))


def test_a_record_stands_for_the_smallest_cell_of_a_region(tmp_path: Path) -> None:
    """The driver took the first record for one that is not there, so it accepted this list, and the package did not."""
    folder = tmp_path / "corner"
    certify(levels("deadlocks/corner.xsb")[0], folder, Request("pushes"))
    assert says(folder) is None
    record = lzma.decompress((folder / "states.xz").read_bytes())
    other = record[:-4] + bytes([record[-4] + 1]) + record[-3:]
    (folder / "states.xz").write_bytes(lzma.compress(other))
    resign(folder)
    assert "the start" in str(says(folder)) and "the start" in str(proved_says(folder))


def _broken(place: Path, old: str, new: str) -> Path:
    """Return a copy of the sources whose checker has a fault."""
    source = place / "source"
    shutil.copytree(VERIFIED, source, ignore=shutil.ignore_patterns("build"), dirs_exist_ok=True)
    text = (source / "Check.v").read_text()
    assert text.count(old) == 1, old
    (source / "Check.v").write_text(text.replace(old, new))
    return source


def _extract(source: Path, build: Path) -> None:
    """Extract and compile a checker with a fault, which is no mistake of syntax."""
    assert make(source, build, "extracted").returncode != 0, "another checker gives another program"
    (source / "checker.ml").write_bytes((build / "checker.ml").read_bytes())
    assert make(source, build, "driver").returncode == 0


def test_a_checker_without_its_inequalities_accepts_a_forgery(tmp_path: Path) -> None:
    """Planted fault: the proof does not go through, and what it was to prevent happens."""
    test = "presses o fuel (after (said e)) (group e) (region e)"
    source = _broken(tmp_path, f"&& {test}", f"&& (true || {test})")
    _extract(source, tmp_path / "build")
    words = words_of(known._tables(known.ROW, (0,)))
    forged = packed_words([word if word == 0 else STORED_NEVER for word in words])
    folder = write(tmp_path / "forged", known.ROW, tables=forged, groups=1, prices=[0])
    assert checker(tmp_path / "build" / "check")(folder) is None
    assert make(source, tmp_path / "build", "proof").returncode != 0


FAULTS = {
    "never counts as a number": ("match b with Fin n => reached a n | Inf => true end", "true"),
    "a cost too high by one": ("c' <=? c | None", "c' <=? c + 1 | None"),
    "goals without prices": ("negb (on_goals (group e)) || reached", "true || reached"),
    "a walk leads out of the region": ("Some q => step q || among q l", "Some q => true || step q || among q l"),
    "lines stop after a push": ("| Lines =>\n", "| Lines => true | Moves =>\n"),
    "a push not looked at": ("ways) l.\n\nEnd Pushing", "[Left; Right; Up]) l.\n\nEnd Pushing"),
    "a solved state": ("negb (finished (group e)) && closed", "(true || negb (finished (group e))) && closed"),
    "groups that share boxes": ("(worth more (without l g) p)", "(worth more l p)"),
    "prices not paid": (
        "reached (plus enough (Fin (sum (priced (price e)) (goals_at e)))) (c + v)",
        "reached enough (c + v)",
    ),
    "parity counted twice": ("Fin (N.pred n)", "Fin (N.pred (N.pred n))"),
    "parity with spare boxes": ("if as_many lv then Fin (N.pred n) else Fin n", "Fin (N.pred n)"),
    "parity of lines": ("match o with Pushes => if", "match o with Pushes | Lines => if"),
    "boxes twice": ("&& ascending (kept e)\n", "&& (true || ascending (kept e))\n"),
    "a cell numbered twice": ("Pos.eqb (number (place s)) i\n", "(true || Pos.eqb (number (place s)) i)\n"),
    "a plan that does not solve": ("(k =? n) && forallb", "(k =? n) || forallb"),
    "corral: the first cell of a line only": ("along o (opened e)", "along Pushes (opened e)"),
    "corral: of moves": ("match o with Moves => false | _ => as_many lv end", "as_many lv"),
    "corral: no way back": ("among c (group e) || has c f", "true || has c f"),
    "walls: a box that may move": ("(shut floor l c Left || shut", "(true || shut floor l c Left || shut"),
    "walls: a box that is not there": (
        "forallb (fun b => among b l) (fixed w)\n",
        "(true || forallb (fun b => among b l) (fixed w))\n",
    ),
    "walls: entries of another floor": ("table_ok (cut (fixed w)", "table_ok (cut (kept e)"),
    "walls: prices not paid": ("(without (goals_at e) (fixed w))))) (c + v)", "[]))) (c + v)"),
    "walls: off goals though on goals": (
        "&& (negb (at_goals (fixed w))\n                 ||",
        "&& (at_goals (fixed w)\n                 ||",
    ),
    "tie: moves not compared": ("(snd a <=? snd b) ||", "true ||"),
    "tie: pushes not compared": ("(fst a <=? fst b) && (snd", "true && (snd"),
    "tie: one push fewer by parity": ("fst a + (fewest + 1 - least)", "fst a + (1 + 0 * (fewest + least))"),
    "tie: a step too many": ("Some more => more <=? steps_to + 1", "Some more => more <=? steps_to + 2"),
    "tie: a push without a move": ("snd (spent e) + steps_to + 1)", "snd (spent e) + steps_to + 2)"),
    "tie: a solved state": ("negb (finished (spot e))", "(true || negb (finished (spot e)))"),
    "tie: fewer moves": ("(least <=? k) && (moves <=? n)", "(least <=? k) && (true || (moves <=? n))"),
    "tie: prices not paid": ("at_least (v - sum (priced (price e)) (goals_at e))", "at_least v"),
}


@pytest.mark.slow
@pytest.mark.timeout(2000)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_checker_has_no_proof(fault: str, tmp_path: Path) -> None:
    source = _broken(tmp_path, *FAULTS[fault])
    _extract(source, tmp_path / "build")
    assert make(source, tmp_path / "build", "proof").returncode != 0
