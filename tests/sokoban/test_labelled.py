"""Labelled boxes: every engine against brute force, notations there and back, the referee, and who refuses them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sokoasp.core.errors import IllegalPlan, SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.engine import Task, solve
from sokoasp.engine.certificates import make_certificate
from sokoasp.engine.proving import Request, certify
from sokoasp.sokoban import canonical, facts, formats, rules, search, validate
from sokoasp.sokoban.grid import assigned_bound, build
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.search import labelled
from sokoasp.sokoban.search.satisficing.box_by_box import least
from sokoasp.sokoban.tables import TABLES
from tests.sokoban.labels import HALL, brute, of_the_track
from tests.sokoban.labels import labelled as drawn

OBJECTIVES = ("lines", "pushes", "moves")
ENGINES = ("native", "reference", "asp", "cadical", "sat")
OTHER = replace(HALL, assigned=tuple(zip(sorted(HALL.boxes), sorted(HALL.goals), strict=True)))
ALIKE = replace(HALL, assigned=())


def found(level: Level, objective: str, engine: str) -> int | None:
    """Return what an engine proves; the referee has replayed its plan."""
    if engine in ("sat", "cadical"):
        pytest.importorskip("pysat")
    task = Task(engine="asp", backend="cadical") if engine == "cadical" else Task(engine=engine)
    result = solve(level, task, objective=objective)
    assert result.status in ("optimal", "unsolvable"), result
    return result.value


def levels(seed: int, count: int) -> list[Level]:
    """Return random levels, one solvable in three."""
    rng = random.Random(seed)
    made: list[Level] = []
    while len(made) < count:
        level = drawn(rng)
        if not level.solved and (len(made) % 3 or brute(level, "pushes") is not None):
            made.append(level)
    return made


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_agrees_with_brute_force(engine: str) -> None:
    """Exchanged labels cost more: a search that forgets them is found out."""
    drawn_too = [] if engine in ("sat", "cadical") else levels(5, 3)
    for level, objective in [
        (HALL, "lines"),
        (HALL, "moves"),
        *((one, kind) for one in drawn_too for kind in OBJECTIVES),
    ]:
        assert found(level, objective, engine) == brute(level, objective), (objective, str(level), level.assigned)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(20))
def test_every_engine_agrees_with_brute_force_often(engine: str, seed: int) -> None:
    for level in levels(100 + seed, 6):
        for objective in OBJECTIVES:
            assert found(level, objective, engine) == brute(level, objective), (objective, str(level), level.assigned)


def test_labels_make_a_difference() -> None:
    """Else the tests above would say nothing."""
    fewest = [[found(level, objective, "reference") for objective in OBJECTIVES] for level in (HALL, OTHER, ALIKE)]
    assert fewest == [[4, 4, 15], [2, 2, 6], [2, 2, 6]]


def test_a_box_without_a_goal_may_stand_anywhere() -> None:
    """Box numbers beyond the labels are alike."""
    for seed in range(4):
        level = drawn(random.Random(seed))
        (_, goal), *rest = level.assigned
        fewer = replace(level, goals=level.goals - {goal}, assigned=tuple(rest))
        if fewer.goals:
            for engine in ("reference", "asp"):
                assert found(fewer, "pushes", engine) == brute(fewer, "pushes")


def test_any_pushes_box_after_box_home() -> None:
    for size, boxes in ((6, 4), (9, 9), (16, 12)):
        level = of_the_track(random.Random(size), size, boxes)
        result = solve(level, objective="moves", engine="any", limits=Limits(states=1))
        assert result.status == "solved" and result.plan is not None
        assert validate.validate(level, result.plan).moves == result.value


def test_an_order_that_cuts_a_box_off_is_given_up() -> None:
    """In a corridor the box for its far end goes first, though the other is nearer to its goal."""
    rows = "##########", "#     ####", "#@     ..#", "#  $ $####", "#     ####", "##########"
    (level,) = formats.read("\n".join([*rows, "Assigned: 3,3>2,8; 3,5>2,7", ""]))
    plan = labelled.one_by_one(level, Limits().start())
    assert plan is not None and plan.actions[0].box == Cell(3, 3)
    validate.validate(level, plan)


def test_the_bound_counts_each_box_to_its_own_goal() -> None:
    for level in levels(8, 6):
        for objective in ("lines", "pushes"):
            best = brute(level, objective)
            bound = assigned_bound(build(level), level.assigned, lines=objective == "lines")
            assert best is None or (bound is not None and least(level, objective) <= bound <= best)
    assert assigned_bound(build(HALL), HALL.assigned, lines=False) == least(HALL, "pushes") == 4
    assert least(ALIKE, "lines") < least(HALL, "lines") <= (brute(HALL, "lines") or 0)


def test_the_table_of_labels() -> None:
    lines = TABLES["labels"](HALL, "pushes", "forward").splitlines()
    assert "label_far(c3r3,c4r4,0)." in lines and "label_far(c3r3,c3r3,2)." in lines
    assert "label_far(c4r3,c4r4,1)." in lines and "label_far(c4r3,c3r4,0)." in lines
    assert not any(line.startswith("label_far(c3r3,c2r2,") for line in lines)  # a corner, and no goal


@pytest.mark.parametrize("notation", ["xsb", "sok", "rle", "json", "facts"])
def test_labels_come_back(notation: str) -> None:
    if notation == "facts":
        assert "only programs named *-labelled read assigned/2" in formats.write([HALL], notation)
        assert "assigned/2" not in formats.write([ALIKE], notation)
    for level in [HALL, OTHER, *levels(3, 3)]:
        (back,) = formats.read(
            formats.write([level], notation), source=f"x.{'lp' if notation == 'facts' else notation}"
        )
        assert back.boxes == level.boxes and back.assigned == level.assigned


def moved(level: Level, turn: Callable[[Cell], Cell]) -> Level:
    """Return a level whose cells are elsewhere, without walls."""
    floor, boxes, goals = (frozenset(map(turn, cells)) for cells in (level.floor, level.boxes, level.goals))
    pairs = tuple(sorted((turn(box), turn(goal)) for box, goal in level.assigned))
    return Level(floor, boxes, goals, turn(level.player), assigned=pairs)


def test_labels_come_back_where_walls_are_drawn_around_a_floor() -> None:
    bare = moved(HALL, lambda cell: Cell(cell.row - 1, cell.col - 1))
    for notation in ("xsb", "json"):
        (back,) = formats.read(formats.write([bare], notation))
        assert canonical.board_hash(back) == canonical.board_hash(HALL)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Assigned: 2,2>3,3", "the goal at row 3, column 2 is no box's own"),
        ("Assigned: 2,2>3,3; 2,3>3,3", "row 3, column 3 is named twice"),
        ("Assigned: 2,1>3,3; 2,3>3,2", "row 2, column 1 is no box of the level"),
        ("Assigned: 2,2>3,3; 2,3>1,4", "row 1, column 4 is no goal of the level"),
        ("Assigned: 2,2 3,3", "'2,2 3,3' is not ROW,COLUMN>ROW,COLUMN"),
    ],
)
def test_wrong_labels_are_refused_with_their_place(text: str, message: str) -> None:
    board = "\n".join(ALIKE.rows())
    with pytest.raises(SokoaspError) as refused:
        formats.read(f"{board}\n{text}\n", source="a.xsb")
    assert "a.xsb:6:1: E-LABEL" in str(refused.value) and message in str(refused.value)


def test_wrong_facts_are_refused_with_their_place() -> None:
    text = facts.write(HALL, picture=False).replace("assigned(c4r3,c3r4)", "assigned(c4r3,c4r4)")
    with pytest.raises(SokoaspError, match=r"a\.lp:\d+:1: E-LABEL labels: row \d, column \d is named twice"):
        formats.read(text, source="a.lp")


def test_the_referee_wants_each_box_on_its_own_goal() -> None:
    """A plan of the one labelling is none of the other; of boxes that are alike it is one."""
    plan = solve(HALL, objective="moves", engine="reference").plan
    validate.validate(HALL, plan)
    validate.validate(ALIKE, plan)
    with pytest.raises(
        IllegalPlan, match="the goal of the box from row 2, column 2, row 3, column 2, holds the box from"
    ):
        validate.validate(OTHER, plan)
    with pytest.raises(IllegalPlan, match="holds the box from"):
        validate.validate_actions(OTHER, plan.actions)


def test_a_labelled_level_has_a_name_of_its_own() -> None:
    names = {canonical.board_hash(level) for level in (HALL, OTHER, ALIKE)}
    mirrored = moved(HALL, lambda cell: Cell(cell.row, 5 - cell.col))
    assert len(names) == 3 and canonical.board_hash(mirrored) == canonical.board_hash(HALL)


def test_what_does_not_know_labels_refuses_them(tmp_path: Path) -> None:
    """Never a wrong answer: one sentence."""
    asked: list[Callable[[], object]] = [
        lambda: solve(HALL, objective="lines", encoding="lines-forward"),
        lambda: solve(replace(HALL, steps=3), encoding="competition"),
        lambda: solve(HALL, engine="forward"),
        lambda: formats.write([HALL], "slc"),
        lambda: formats.write([HALL], "pddl"),
        lambda: make_certificate(HALL, tmp_path, Request("pushes", Limits())),
        lambda: certify(HALL, tmp_path, Request("pushes", Limits())),
        lambda: rules.solved(HALL, HALL.goals),
        lambda: HALL.with_state(HALL.boxes, HALL.player),
    ]
    for ask in asked:
        with pytest.raises(SokoaspError, match="takes boxes that are alike"):
            ask()
    with pytest.raises(ValueError, match="labelled ones are for native, any, reference, asp and sat"):
        search.solve(HALL, engine="bidirectional")


def test_what_a_limit_ends_is_not_unsolvable() -> None:
    result = labelled.solve(HALL, "pushes", Limits(states=1), engine="reference")
    assert (result.status, result.stopped_by, result.plan) == ("memory_out", "states", None)


def test_the_best_plan_takes_the_place_of_one_box_by_box(monkeypatch: pytest.MonkeyPatch) -> None:
    best = labelled.solve(HALL, "moves", Limits(), engine="reference")
    assert best.plan is not None
    longer = rules.plan_from_lurd(HALL, "ud" + best.plan.lurd)
    monkeypatch.setattr(labelled, "one_by_one", lambda *_: longer)
    found = labelled.solve(HALL, "moves", Limits())
    assert (found.status, found.value, found.plan) == ("optimal", best.value, best.plan)
    kept = labelled.solve(HALL, "moves", Limits(states=1))
    assert (kept.status, kept.plan, kept.stopped_by) == ("solved", longer, "states")


def test_the_first_plan_of_a_greedy_search_is_not_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelled, "one_by_one", lambda *_: None)
    found = labelled.solve(HALL, "pushes", Limits(), engine="any")
    assert (found.status, found.stopped_by, found.exit_code) == ("solved", None, 0)
