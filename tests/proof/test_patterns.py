"""Learned patterns in certificates: made, checked, of use, and every planted fault refused."""

import json
import lzma
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sokoasp.core.limits import Limits
from sokoasp.engine import certificate_bounds, closed_lists, closing, proving
from sokoasp.engine.certificate_bounds import Learning, Way, prices_of
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import closed, group_bounds, level_text, patterns
from sokoasp.proof import folder as folders
from sokoasp.proof.refusals import Refused
from sokoasp.proof.verify import verify
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from sokoasp.sokoban.search.model.options import Options, Proving, Tuning
from tests.instances import levels
from tests.levels import random_level
from tests.proof.forging import lax_says, says
from tests.proof.makers import optimum, resign, rest_on_patterns

STORED_NEVER = 30_000
USUAL_WAYS = [Way(brief=True), Way(inner=True, brief=True), Way(walls=True, brief=True), Way(), Way(inner=True)]
LATE_WAYS = [
    Way(inner=True, long=True, brief=True),
    Way(inner=True, walls=True, long=True, brief=True),
    Way(transposed=True, brief=True),
]


def _levels(count: int) -> list[tuple[Level, int, str]]:
    """Return small levels of three boxes that have a plan."""
    found = []
    for seed in range(200):
        level = random_level(seed, width=4, height=4, boxes=3)
        best = optimum(level, "pushes")
        if best is not None and best[0] > 5 and len(level.boxes) == len(level.goals) == 3:
            found.append((level, *best))
            if len(found) == count:
                break
    return found


def _folder(level: Level, lurd: str, folder: Path) -> list[int]:
    """Certify a level in format 3; return what its patterns say."""
    certify(level, folder, Request("pushes", Limits(), plan_from_lurd(level, lurd)))
    assert rest_on_patterns(folder, random.Random(0), 30)
    return [int.from_bytes(one[-2:], "little") for one in _records(folder)]


def _records(folder: Path) -> list[bytes]:
    data = lzma.decompress((folder / folders.PATTERNS).read_bytes())
    field = level_text.read((folder / "level.xsb").read_text())
    claim = json.loads((folder / "claim.json").read_text())
    bounds = group_bounds.build(field, claim["prices"], 1, lines=False)
    width = (len(bounds.floor.floor_of) + 7) // 8 + 4
    return [data[i : i + width] for i in range(0, len(data), width)]


def _put(folder: Path, records: list[bytes]) -> None:
    (folder / folders.PATTERNS).write_bytes(lzma.compress(b"".join(records), preset=1))
    resign(folder)


def test_patterns_are_accepted_and_their_values_are_least_costs(tmp_path: Path) -> None:
    """Pairs and triples that are packed have the values of full tables: raising any of them by one breaks something."""
    finite = never = raised = 0
    for number, (level, _value, lurd) in enumerate(_levels(2)):
        folder = tmp_path / str(number)
        said = _folder(level, lurd, folder)
        assert says(folder) is None
        packed = [word & 32_767 for word in said if word > 32_767]
        finite += sum(word < STORED_NEVER for word in packed)
        never += packed.count(STORED_NEVER)
        records = _records(folder)
        for at, word in [one for one in enumerate(said) if one[1] > 32_767][::5]:
            if word & 32_767 < STORED_NEVER:
                _put(folder, [*records[:at], records[at][:-2] + (word + 1).to_bytes(2, "little"), *records[at + 1 :]])
                assert "says more" in str(says(folder))
                raised += 1
    assert finite > 10 and never > 5 and raised > 4, (finite, never, raised)


@pytest.mark.parametrize("word", [STORED_NEVER, 30_001, 32_767])
def test_words_out_of_range_and_false_nevers(word: int, tmp_path: Path) -> None:
    level, _value, lurd = _levels(1)[0]
    said = _folder(level, lurd, tmp_path)
    records = _records(tmp_path)
    for at in [i for i, one in enumerate(said) if one & 32_767 < STORED_NEVER][:5]:
        _put(tmp_path, [*records[:at], records[at][:-2] + word.to_bytes(2, "little"), *records[at + 1 :]])
        assert "patterns: " in str(says(tmp_path))


def test_records_that_are_no_patterns(tmp_path: Path) -> None:
    """One box, the player on a box, twice the same, half a record, no file."""
    level, _value, lurd = _levels(1)[0]
    _folder(level, lurd, tmp_path)
    records = _records(tmp_path)
    box = (1).to_bytes(len(records[0]) - 4, "little")
    wrong = {
        "one box": [box + b"\1\0\0\0", *records],
        "twice": [*records, records[0]],
        "middle": [*records, records[0][:-1]],
        "off the floor": [*records, records[0][:-4] + b"\xff\xff\0\0"],
    }
    for reported, them in wrong.items():
        _put(tmp_path, them)
        assert reported in str(says(tmp_path)), reported
    (tmp_path / folders.PATTERNS).unlink()
    assert says(tmp_path) == "patterns.xz is missing, or no plain file"


def test_a_record_is_named_by_the_smallest_cell_of_its_region(tmp_path: Path) -> None:
    """The driver took any cell of it, so it accepted what the package refuses; what is marked is added up by any cell."""
    level, _value, lurd = _levels(1)[0]
    said, refused = _folder(level, lurd, tmp_path), 0
    records = _records(tmp_path)
    for at in [*[i for i, word in enumerate(said) if word < 32768][:2], 0]:
        for cell in range(len(level.floor)):
            other = records[at][:-4] + cell.to_bytes(2, "little") + records[at][-2:]
            _put(tmp_path, [*records[:at], other, *records[at + 1 :]])
            refused += says(tmp_path) is not None
    assert refused


def test_a_checker_that_passes_over_patterns_is_seen(tmp_path: Path) -> None:
    """Planted fault: a pattern that says too much passes when no push from it is looked at."""
    level, _value, lurd = _levels(1)[0]
    said = _folder(level, lurd, tmp_path / "made")
    records = _records(tmp_path / "made")
    at = next(i for i, word in enumerate(said) if 32_767 < word < 32_768 + STORED_NEVER)
    more = (said[at] + 2).to_bytes(2, "little")
    _put(tmp_path / "made", [*records[:at], records[at][:-2] + more, *records[at + 1 :]])
    assert "patterns: " in str(says(tmp_path / "made"))
    fault = ("fault = judge_pushes(", "fault = 0 if p.patterns else judge_pushes(")
    assert "patterns" not in str(lax_says(tmp_path / "made", "closed_kernel", *fault))


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the maker learn at once, from sets of any state, as it does on large levels."""
    eager = partial(Options, tuning=Tuning(proving=Proving(first_round=40, hope=0.0)))
    monkeypatch.setattr(closed_lists, "FEW", 0)
    monkeypatch.setattr(certificate_bounds, "LARGEST", 2)
    monkeypatch.setattr(certificate_bounds, "STEADY", {"dearest": 0})
    monkeypatch.setattr(certificate_bounds, "Options", eager)


def by_stages(monkeypatch: pytest.MonkeyPatch, *ways: Way) -> None:
    """Let the maker learn in these ways only between its tables, and take no corrals."""
    monkeypatch.setattr(closed_lists.LevelCertifier, "stages", lambda _, sizes: [sizes[0], *ways, *sizes])
    monkeypatch.setattr(Learning, "barred", lambda *_: False)


@pytest.mark.parametrize(("objective", "numbers"), [("pushes", (24, 28)), ("lines", (20, 24))])
def test_what_the_search_has_learned_is_certified(
    objective: str, numbers: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient(monkeypatch)
    by_stages(monkeypatch, Way())
    for number in numbers:
        folder = tmp_path / str(number)
        done = certify(levels("graded/05-boxes.sok")[number], folder, Request(objective))
        assert "learned one" in done.reported
        assert json.loads((folder / "claim.json").read_text())["format"] == f"{folders.FORMAT} 3"
        steps = {step.name: step.reported for step in verify(folder)}
        assert "records of learned patterns hold" in steps["patterns"]
        # they are of use: without them the same list is not closed, or the start not bounded
        (folder / folders.PATTERNS).write_bytes(lzma.compress(b""))
        resign(folder)
        assert "states: " in str(says(folder))


@pytest.mark.parametrize("most", ["MOST_PATTERNS", "MOST_STATES"])
def test_a_search_that_learns_too_much_gives_way_to_tables(
    most: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted, not timed: whatever the limits are, the same certificate is made."""
    impatient(monkeypatch)
    monkeypatch.setattr(certificate_bounds, most, 0)
    level = levels("graded/05-boxes.sok")[24]
    assert "learned" not in certify(level, tmp_path, Request("pushes", Limits())).reported
    assert json.loads((tmp_path / "claim.json").read_text())["format"] == f"{folders.FORMAT} 2"
    assert says(tmp_path) is None


def test_where_that_was_in_vain_sets_are_searched_with_corrals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What these searches left out is in the records; the planted fault: it is not. Too many records give way to tables."""
    impatient(monkeypatch)
    go_on, asked, request = Learning.go_on, list[Way](), Request("pushes", Limits())

    def in_vain_at_first(learning: Learning, way: Way, *given: Any) -> Any:
        asked.append(way)
        found = go_on(learning, way, *given) if way.inner else None
        monkeypatch.setattr(certificate_bounds, "MOST_STATES", records)
        return found

    monkeypatch.setattr(Learning, "go_on", in_vain_at_first)
    records = certificate_bounds.MOST_STATES
    level = levels("graded/08-boxes.sok")[8]
    certify(level, tmp_path / "made", request)
    assert asked == [Way(brief=True), Way(inner=True, brief=True)]
    assert says(tmp_path / "made") is None
    records = _records(tmp_path / "made")
    marked = [record for record in records if record[-1] & 128]
    assert 0 < len(marked) < len(records)
    _put(tmp_path / "made", marked)
    assert "more than a push from it allows" in str(says(tmp_path / "made"))
    records = 0
    assert "learned" not in certify(level, tmp_path / "tables", request).reported


def test_tables_of_the_same_prices_and_sizes_are_filled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the first stage and by the one that learns; the planted fault: whatever was filled last is taken."""
    level, filled = levels("graded/05-boxes.sok")[24], list[tuple[int, ...]]()
    build, request = group_bounds.build, Request("pushes")
    by_stages(monkeypatch, Way())

    def noted(field: Any, prices: Any, largest: int, **given: Any) -> Any:
        filled.append((largest, *prices))
        return build(field, prices, largest, **given)

    monkeypatch.setattr(group_bounds, "build", noted)
    monkeypatch.setattr(closed_lists, "FEW", 0)
    nothing = [0] * len(level.goals)
    for size, prices, sizes in ((3, prices_of, [3]), (2, prices_of, [2, 3]), (3, lambda *_: nothing, [3, 3])):
        filled.clear()
        monkeypatch.setattr(closed_lists, "sizes_of", lambda *_, size=size: [size])
        monkeypatch.setattr(closed_lists, "prices_of", prices)
        assert certify(level, tmp_path, request).claim is not None
        assert [one[0] for one in filled] == sizes, filled
        assert says(tmp_path) is None


@pytest.mark.parametrize("last", LATE_WAYS)
def test_sets_are_searched_for_longer_and_turned_before_tables_grow(
    last: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the others were in vain, then with walls, then with rows for columns.

    Planted faults: searches of sets that are short learn nothing; what was learned is said of the cells that are not turned.
    """
    impatient(monkeypatch)
    go_on, learned, asked, ways = Learning.go_on, certificate_bounds._learned, list[Way](), [*USUAL_WAYS, *LATE_WAYS]
    level, request = levels("graded/05-boxes.sok")[24], Request("pushes", Limits())

    def in_vain(learning: Learning, way: Way, *given: Any) -> Any:
        asked.append(way)
        return go_on(learning, way, *given) if way == last else None

    monkeypatch.setattr(Learning, "go_on", in_vain)
    reported = certify(level, tmp_path / "made", request).reported
    assert "learned one" in reported and " 0 learned" not in reported
    assert asked == ways[: ways.index(last) + 1]
    assert says(tmp_path / "made") is None
    if last.long:
        monkeypatch.setattr(certificate_bounds, "LONG", {"expansions": 1, "nodes": 60})
        assert " 0 learned ones" in certify(level, tmp_path / "faulty", request).reported
    else:
        monkeypatch.setattr(certificate_bounds, "_learned", lambda search, level, way: learned(search, level, Way()))
        with pytest.raises((KeyError, Refused)):
            certify(level, tmp_path / "faulty", request)


def test_the_last_search_may_learn_more_than_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all lists grow too long, no earlier; the planted faults: it gives way early as well, or takes the place of a list."""
    impatient(monkeypatch)
    for most in ("MOST_PATTERNS", "MOST_STATES"):
        monkeypatch.setattr(certificate_bounds, most, 0)
    monkeypatch.setattr(closed_lists, "sizes_of", lambda *_: [2])
    monkeypatch.setattr(closed_lists, "MANY", 0)
    monkeypatch.setattr(proving, "MOST_STATES", 200)
    level, request = levels("graded/08-boxes.sok")[24], Request("pushes", Limits())
    assert (
        "79 states, patterns of up to 2 boxes and 24 learned ones"
        in certify(level, tmp_path / "made", request).reported
    )
    assert says(tmp_path / "made") is None
    monkeypatch.setattr(certificate_bounds, "LAST_PATTERNS", 0)
    found = certify(level, tmp_path / "none", request)
    assert found.claim is None and found.reported == "the list of states was not finished (states)"
    monkeypatch.setattr(certificate_bounds, "LAST_PATTERNS", 6000)
    monkeypatch.setattr(proving, "MOST_STATES", 100_000)
    assert "learned" not in certify(level, tmp_path / "listed", request).reported


def test_a_search_that_gives_way_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are tried for a while, and the certificate is the one without them, however its slices fall."""
    impatient(monkeypatch)
    level, made, asked, go_on = levels("graded/05-boxes.sok")[24], set[str](), list[tuple[Way, bool]](), Learning.go_on

    def noted(learning: Learning, way: Way, *given: Any) -> Any:
        found = go_on(learning, way, *given)
        asked.append((way, found is not None))
        return found

    monkeypatch.setattr(Learning, "go_on", noted)
    monkeypatch.setattr(certificate_bounds, "SHARE", 0)
    for few, slice_ in ((10**6, 1.0), (9, 1.0), (9, 1e-6)):
        for name in ("FEW_STATES", "FEW_STATES_BY_CORRALS", "FEW_STATES_BY_WALLS"):
            monkeypatch.setattr(certificate_bounds, name, few)
        monkeypatch.setattr(certificate_bounds, "STEP", 3)
        monkeypatch.setattr(certificate_bounds, "SLICE", slice_)
        assert "learned" in certify(level, tmp_path, Request("pushes", Limits())).reported
        made.add((tmp_path / "claim.json").read_text())
    assert len(made) == 1
    in_turn = [Way(brief=True), Way(inner=True, brief=True), Way(walls=True, brief=True), Way()]
    assert [way for way, _ in asked] == [Way(brief=True), *in_turn, *in_turn]
    assert [found for _, found in asked] == [True, *[False] * 3, True, *[False] * 3, True]


def test_a_search_that_learns_what_is_not_so() -> None:
    """A planted fault in the search: one pattern costs one more than it does; the maker refuses to show it."""
    level, value, _lurd = _levels(1)[0]
    field = level_text.read(level_text.write(level))
    zero = (0,) * 3
    full, single = (group_bounds.build(field, zero, size, lines=False) for size in (3, 1))
    assert full is not None
    assert single is not None
    claim = closed.Claim(field, "pushes", value, field.boxes, zero, 1)
    player = field.player
    entry = closed.ClosedList(closed.Claim(field, "pushes", value, field.boxes, zero, 3), full).start_bound()
    for more in (0, 1):
        shown = patterns.PatternList(claim, single)
        one = patterns.Pattern(field.boxes, player, entry + more)
        if more:
            with pytest.raises(Refused, match="says too much"):
                closing.close_patterns(shown, [one], lambda *_: None)
        else:
            assert closing.close_patterns(shown, [one], lambda *_: None) is None
            shown.verify()


def test_limits_make_no_other_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Larger tables are filled however little time is left for them; if memory forbids it, no certificate is made.

    The planted fault: with the rule of ordinary searches (``Proving.dearest``) another one is made.
    """
    from sokoasp.sokoban.search.bounds import pattern_databases, search_tables
    from sokoasp.sokoban.search.exact import astar
    from sokoasp.sokoban.search.model import workspace

    level = levels("graded/05-boxes.sok")[24]
    usual, dear = pattern_databases.estimate, {"seconds": 0.0, "megabytes": 0.0}

    def estimate(board: Any, largest: int) -> tuple[float, float]:
        seconds, megabytes = usual(board, largest)
        return (seconds + dear["seconds"], megabytes + dear["megabytes"]) if largest == 3 else (seconds, megabytes)

    monkeypatch.setattr(pattern_databases, "estimate", estimate)
    monkeypatch.setattr(closed_lists, "FEW", 0)
    monkeypatch.setattr(certificate_bounds, "LARGEST", 3)
    monkeypatch.setattr(search_tables, "FIRST_PATTERNS", 2)
    monkeypatch.setattr(astar, "_next_climb", lambda t, _: 30 if t.patterns.largest < 3 else workspace.NEVER)

    def made(name: str, **limits: float) -> str:
        done = certify(level, tmp_path / name, Request("pushes", Limits(**limits)))
        return (tmp_path / name / "claim.json").read_text() if done.claim is not None else str(done.stopped_by)

    whole = made("whole")
    dear["seconds"] = 1000.0
    assert made("little time", seconds=600) == whole
    with monkeypatch.context() as patch:
        patch.setattr(certificate_bounds, "STEADY", {})
        assert made("fault", seconds=600) != whole
    dear["megabytes"] = 1e9
    assert made("little memory", memory_mb=1e8) == "memory"
