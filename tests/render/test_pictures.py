"""Pictures: well-formed, complete, safe to open whatever the title says."""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoasp.core.errors import IllegalPlan, SokoaspError
from sokoasp.klotski import notation
from sokoasp.klotski.board import Board
from sokoasp.klotski.board import BoardCell as Place
from sokoasp.klotski.slide_plan import Slide
from sokoasp.picture.outline import SIZE, loops, outline
from sokoasp.render import KINDS, Mark, cut_marks, html_player, storyboard, svg, timeline, verdict_marks
from sokoasp.sokoban import rules
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.plan import Plan

NS = "{http://www.w3.org/2000/svg}"
LEVEL = level_from_rows(["########", "#@ $  .#", "#  $ . #", "########"], title="Two boxes")
NASTY = "<script>alert(1)</script> & \"x\" 'y' \x00\x0b ]]> --> \ud800"


@pytest.fixture(scope="module")
def plan() -> Plan:
    return rules.plan_from_lurd(LEVEL, "rRRRlllldrRR")


@pytest.fixture(scope="module")
def board() -> Board:
    return notation.read("title: small\ngoal: A 0,2\nAAb.\nAAc.\n")[0]


SLIDES = (
    Slide("b", Place(0, 2), Place(0, 3), "r"),
    Slide("c", Place(1, 2), Place(1, 3), "r"),
    Slide("A", Place(0, 0), Place(0, 1), "r"),
)


def parts(document: str, kind: str) -> list[ET.Element]:
    return [node for node in ET.fromstring(document).iter() if kind in node.get("class", "").split()]


def test_a_level_shows_each_thing_once_and_says_so_in_words() -> None:
    document = svg(LEVEL)
    assert (
        len(parts(document, "box")) == 2 and len(parts(document, "goal")) == 2 and len(parts(document, "player")) == 1
    )
    root = ET.fromstring(document)
    assert root.findtext(f"{NS}title") == "Two boxes"
    assert root.findtext(f"{NS}desc") == "4 rows, 8 columns, 2 boxes, 0 of 2 goals filled, player at c2r2"


def test_a_state_is_drawn_where_it_is() -> None:
    state = rules.State(frozenset({Cell(1, 6), Cell(2, 4)}), Cell(2, 1))
    document = svg(LEVEL, state=state)
    places = {
        node.get("data-id"): node.get("transform") for node in ET.fromstring(document).iter() if node.get("data-id")
    }
    assert places == {
        "b0": f"translate({6 * SIZE} {SIZE})",
        "b1": f"translate({4 * SIZE} {2 * SIZE})",
        "p": f"translate({SIZE} {2 * SIZE})",
    }
    assert [node.get("data-id") for node in parts(document, "on-goal")] == ["b0"]
    document = svg(LEVEL, state=rules.State(state.boxes, Cell(1, 6)))
    assert [node.get("data-id") for node in parts(document, "on-goal")] == ["b0", "p"], "its ring is seen around him"


def test_titles_and_captions_cannot_break_out() -> None:
    level = replace(LEVEL, title=NASTY)
    plan = rules.plan_from_lurd(level, "r")
    for document in (svg(level, caption=NASTY), storyboard(level, plan)):
        root = ET.fromstring(document)
        assert "alert(1)" in (root.findtext(f"{NS}title") or "")
        assert not list(root.iter(f"{NS}script"))
    page = html_player(level, plan)
    assert page.count("<script") == 2 and "<script>alert" not in page
    page.encode("utf-8")


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_mark_leaves_a_trace(kind: str) -> None:
    plain, marked = svg(LEVEL), svg(LEVEL, marks=[Mark(kind, (Cell(1, 2), Cell(1, 3)), "A")])
    ET.fromstring(marked)
    assert marked.count(f'class="m-{kind}') > plain.count(f'class="m-{kind}')
    assert [node.text for node in parts(marked, "m-label")] == ["A"]


def test_marks_of_verdicts() -> None:
    class Verdict:
        cells = (Cell(1, 1), Cell(1, 2))
        boxes = (Cell(1, 2),)

    assert verdict_marks(Verdict()) == (Mark("dead", (Cell(1, 1),)), Mark("stuck", (Cell(1, 2),)))
    with pytest.raises(SokoaspError, match="no mark 'skull'"):
        Mark("skull", ())


def test_the_cuts_of_the_units_paper_can_be_shown() -> None:
    from sokoasp.sokoban.units.draw import describe

    level = level_from_rows(["###########", "#@ $   $ .#", "#### # ####", "   # .#", "   #####"])
    marks = cut_marks(describe(level))
    document = svg(level, marks=marks)
    assert len(parts(document, "m-unit")) == sum(mark.kind == "unit" for mark in marks) >= 1
    assert len(parts(document, "m-gate-bar")) == sum(mark.kind == "gate" for mark in marks) >= 1


def test_a_level_without_written_walls_gets_them() -> None:
    bare = Level(LEVEL.floor, LEVEL.boxes, LEVEL.goals, LEVEL.player)
    assert parts(svg(bare), "wall")[0].get("d") == parts(svg(LEVEL), "wall")[0].get("d")


def test_themes() -> None:
    assert "prefers-color-scheme" in svg(LEVEL)
    assert "<style>" not in svg(LEVEL, styled=False)


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1))
@settings(max_examples=200, deadline=None)
def test_outlines_enclose_exactly_the_cells(cells: set[tuple[int, int]]) -> None:
    area = 0
    for loop in loops(cells):
        assert len(loop) % 2 == 0
        around = zip(loop, [*loop[1:], loop[0]], strict=True)
        area += sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around)
    assert area == 2 * len(cells), "the shoelace formula, holes counted off"
    assert outline(cells).count("Z") == len(list(loops(cells)))


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_touching_corners_do_not_join_outlines(cells: set[tuple[int, int]]) -> None:
    todo, pieces = {Cell(*cell) for cell in cells}, 0
    while todo:
        todo -= reachable(min(todo), todo)
        pieces += 1
    assert len(list(loops(cells))) >= pieces


def test_a_storyboard_has_a_panel_for_every_line_and_the_end(plan: Plan) -> None:
    document = storyboard(LEVEL, plan)
    words = [node.text for node in parts(document, "caption")]
    assert words[:3] == ["1. right 3", "2. right 2", "end"]
    assert words[3] == "2 lines, 5 pushes, 12 moves"
    assert len(parts(document, "m-arrow")) == 2
    assert "… and 2 more panels" in storyboard(LEVEL, plan, panels=1)


def test_a_timeline_ends_where_the_plan_does(plan: Plan) -> None:
    line = timeline(LEVEL, plan)
    at = {"b0": (1, 3), "b1": (2, 3), "p": (1, 1)}
    for move in line["moves"]:
        for name, drow, dcol in move:
            at[name] = (at[name][0] + drow, at[name][1] + dcol)
    assert {at["b0"], at["b1"]} == {(1, 6), (2, 5)} and len(line["moves"]) == plan.moves
    assert [values[-1] for _, values in line["counts"]] == [plan.lines, plan.pushes, plan.moves]
    assert line["actions"] == [[4, "1,3 right 3"], [12, "2,3 right 2"]]


def test_impossible_plans_are_refused() -> None:
    for lurd in ("u", "rrrrrr", "x"):
        with pytest.raises(IllegalPlan, match=r"move \d \("):
            timeline(LEVEL, Plan((), lurd))


def test_the_player_page_asks_for_nothing_from_outside(plan: Plan, board: Board) -> None:
    for page in (html_player(LEVEL, plan), html_player(board, SLIDES)):
        assert not re.search(r"(?:src|href)\s*=|url\((?!#)|@import|fetch\(|XMLHttp", page)
        assert set(re.findall(r"https?://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}
        data = re.search(r'<script type="application/json" id="timeline">(.*?)</script>', page)
        assert data is not None and json.loads(data.group(1))["moves"]


def test_klotski_pictures(board: Board) -> None:
    document = svg(board)
    assert {node.get("data-id") for node in parts(document, "piece")} == {"A", "b", "c"}
    assert [node.get("data-id") for node in parts(document, "p-goal")] == ["A"]
    words = [node.text for node in parts(storyboard(board, SLIDES), "caption")]
    assert words[:4] == ["1. b r", "2. c r", "3. A r", "end"]
    line = timeline(board, SLIDES)
    assert line["counts"] == [["slides", [0, 1, 2, 3]], ["units", [0, 1, 2, 3]]]


def test_impossible_slides_are_refused(board: Board) -> None:
    for slide in (
        Slide("A", Place(0, 0), Place(0, 1), "r"),
        Slide("b", Place(0, 2), Place(0, 3), "rr"),
        Slide("b", Place(0, 3), Place(0, 2), "l"),
        Slide("z", Place(0, 3), Place(0, 2), "l"),
    ):
        with pytest.raises(IllegalPlan, match="slide 1"):
            timeline(board, (slide,))
