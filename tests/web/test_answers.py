"""What the page computes by itself, in Node against Python: reader, referee, facts, hashes, search, deadlock proofs."""

import json
import random
import re
from dataclasses import replace
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from sokoasp.asp import catalogue, export
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.core.shipped import SHIPPED
from sokoasp.domain import domain_of
from sokoasp.engine.by_asp import facts_of
from sokoasp.klotski import notation
from sokoasp.render import timeline
from sokoasp.sokoban.canonical import board_hash
from sokoasp.sokoban.deadlock import simple
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.rules import plan_from_lurd
from sokoasp.sokoban.search.exact import reference
from sokoasp.web import levels, questions, site
from tests.klotski import oracle
from tests.sokoban.test_fuzz import mutate
from tests.web.conftest import Run

CAVEPACKER = Path("/usr/share/games/cavepacker/maps")
OPEN = """
    import {openText} from "./reader.js";
    answer = data.map(([name, text]) => {
      try { return openText(text, name); } catch (error) { return {error: error.message}; }
    });"""


def texts() -> list[tuple[str, str]]:
    """Return every level file of ours, and Debian's collections where they are installed."""
    paths = [*SHIPPED.rglob("*.xsb"), *SHIPPED.rglob("*.klotski"), *CAVEPACKER.glob("*.sok")]
    return [(path.name, path.read_text(encoding="utf-8", errors="replace")) for path in sorted(paths)]


def shape(opened: dict[str, Any]) -> list[Any]:
    """Return what both readers have to agree on: rows, head, names, or the kind of fault."""
    if "error" in opened:
        return ["fault"]
    parts = itemgetter("game", "head", "title", "author")
    return [
        ["fault"] if "error" in one else [[row.rstrip() for row in one["rows"]], *parts(one), opened["title"]]
        for one in opened["problems"]
    ]


def problem_in(entry: dict[str, Any]) -> Any:
    """Read the problem of a collection's entry."""
    return questions.problem_of({"problem": {key: entry[key] for key in questions.PROBLEM if key in entry}})


def ours(name: str, text: str) -> dict[str, Any]:
    try:
        return levels.read(text, name)
    except SokoaspError as error:
        return {"error": str(error)}


def test_the_reader_is_pythons_on_every_file_of_ours(run: Run) -> None:
    cases = texts()
    found = run(OPEN, cases)
    seen = 0
    for (name, text), theirs in zip(cases, found, strict=True):
        assert shape(theirs) == shape(ours(name, text)), name
        seen += len(theirs.get("problems", ()))
    assert seen > 100


LEVEL = "#####\n#@$.#\n#####\n\n"
OTHERS = (
    *(("a.xsb", f"One\n=====\n{LEVEL}{two}\n=====\n{LEVEL}") for two in ("Two", "zwei", "=", "; ==")),
    ("a.xsb", "####\n#@ #\n####\n"),
    ("a.xsb", "#####\n#@$.\n#####\n"),
    ("a.xsb", "#####\n# $.#\n#####\n"),
    ("a.xsb", "#######\n#@@$ .#\n#######\n"),
    ("a.xsb", "######\n#@$$.#\n######\n"),
    ("a.xsb", "#####\n#@$x.#\n#####\n"),
    ("a.xsb", "Title: A\nTitle: B\nAuthor: C\nAuthor: D\n7#|#@-$-.#|#5-#|7#\n\nTwo\n7#|#@-$-.#|#5-#|7#\n"),
    ("a.xsb", "Title: A\r\n####\r\n#@#\r\n#$#\r\n#.#\r\n###\r\nTitle: B\r\n"),
    ("a.klotski", "goal: Z 0,1\nAAb.\nAAc.\n"),
    ("a.klotski", "goal: A 0\nAAb.\nAAc.\n"),
    ("a.klotski", "goal: A 0,1\nAAb.\nAAc\n"),
    ("a.xsb", "######\n#    #\n#@$$ #\n# .. #\n######\nAssigned: 2,2>3,3; 2,3>3,2\n"),
    ("a.xsb", "#####\n#@$.#\n#####\nGame: Hexoban\n"),
    ("a.hsb", "#####\n#@$.#\n#####\n"),
    ("a.xsb", "#####\n#@$.#\n#####\nComment:\n#####\n#@$.#\n#####\nComment-End:\n\nTwo\n\n6#|#@$-.#|6#\n"),
    ("a.xsb", "A\n#####\n#@$.#\n#####\n\nTitle: x\n#####\n#@$.#\n#####\n"),
    *(("a.xsb", f"########\n#@ $ . #\n{row}\n########\n") for row in ("#   3#  #", "#    2#", "7-#", "#4-(--)#")),
    *(("a.xsb", f"\n5#|#@$.#{row}|5#\n") for row in ("|#$-.#|#@--#", "|#-@-*")),
    ("a.xsb", "5#|#@0-$.#|5#\n"),
    ("a.xsb", "5#|#@$.#|5#3\n"),
    ("a.xsb", "1500#\n#@$.1496#\n1500#\n"),
    ("a.xsb", "Title: A\nAuthor: B\nAuthor: C\n\nOne\nWWWWW\nW@$.W\nWWWWW\nAuthor: D\n"),
    ("a.klotski", "goal: A 0,1\nmoves: A x\nA.\nB.\n"),
    ("a.klotski", "goal: A 0,1\nsame: AC\nA.\nB.\n"),
    ("a.klotski", "goal: A 0,1\nsame: AB\nA.\nBB\n"),
    ("a.klotski", "goal: A 0,1\nA.A\nB..\n"),
    ("a.klotski", "goal: A 5,5\nA.\nB.\n"),
    ("a.klotski", "goal: A 0,1; A 1,1\nA.\nB.\n"),
    ("a.klotski", "goal: A 0,1\ngoal: A 1,1\nA.\nB.\n"),
    ("a.klotski", "mask: ??/A\nA.\nB.\n"),
    ("a.klotski", "mask: ?C/??\nA.\nB.\n"),
    ("pasted", "hello\n"),
)


def test_what_is_no_level_or_another_is_refused_like_pythons(run: Run) -> None:
    """Passing over what is not understood would make another level: easier goals, boxes that are alike, other pieces."""
    found = run(OPEN, OTHERS)
    for (name, text), theirs in zip(OTHERS, found, strict=True):
        expected = ours(name, text)
        assert shape(theirs) == shape(expected), text
        if "E-" in expected.get("error", "") and "E-RLE" not in expected["error"] and "E-SIZE" not in expected["error"]:
            assert theirs["error"] == expected["error"], text


def test_facts_are_sent_to_the_command_that_reads_them(run: Run) -> None:
    row = "right(a,b). right(b,c). right(c,d). box(b). sokoban(a). solution(d).\n"
    sentence = "these are facts, not a drawing: 'sokoasp translate FILE --format xsb' makes a level of them"
    for name, text in (("a.lp", row), ("a.txt", "% a level\n" + row)):
        assert run(OPEN, [[name, text]])[0]["error"].endswith(sentence)


def test_damaged_files_are_never_read_as_other_levels(run: Run) -> None:
    rng = random.Random(11)
    whole = [case for case in OTHERS if "error" not in ours(*case)]
    cases = [(name, mutate(text.encode(), rng).decode("latin-1")) for name, text in whole for _ in range(60)]
    read = 0
    for (name, text), theirs in zip(cases, run(OPEN, cases), strict=True):
        known = [one[:3] for one in shape(ours(name, text))]
        for one in shape(theirs):
            if one not in ("fault", ["fault"]):
                read += 1
                assert one[:3] in known, text
    assert read > 50


def test_long_texts_are_read_once_and_boards_beyond_all_size_refused(run: Run) -> None:
    """What would take minutes, and so the patience of ``run``, were each comment looked for from the beginning."""
    level = "#####\n#@$.#\n#####\n"
    comments = "Comment:\nx\nComment-End:\n" * 60_000 + level
    board = "goal: A 0,1\nA" + "." * 299 + "\n" + ("." * 300 + "\n") * 299
    found = run(OPEN, [["a.xsb", comments], ["a.klotski", board]])
    assert len(found[0]["problems"]) == 1 and "more than 40000 cells" in found[1]["error"]


def problems_of(ending: str) -> list[Any]:
    """Return what is in the files of one kind, the faulty left out."""
    found = (levels.read(text, name)["problems"] for name, text in texts() if name.endswith(ending))
    return [one for problems in found for one in problems if "error" not in one]


def test_facts_hashes_and_timelines_are_pythons(run: Run) -> None:
    problems = problems_of(".xsb")[:150]
    body = """
        import {writeFacts} from "./facts.js";
        import {canonical, board, turnedBack} from "./shards.js";
        answer = [];
        for (const problem of data) {
          const {text, turn} = canonical(problem);
          answer.push([writeFacts(problem), await board(text), turn]);
        }"""
    for problem, (facts, name, _turn) in zip(problems, run(body, problems), strict=True):
        level = problem_in(problem)
        assert isinstance(level, Level)
        assert facts == domain_of(level).asp.facts(level, None)
        assert name == board_hash(level)


def test_facts_and_plans_of_boards_are_pythons(run: Run) -> None:
    boards = problems_of(".klotski")
    body = """
        import {writeFacts} from "./facts.js";
        import {planFrom} from "./clingo.js";
        import {replay} from "./referee.js";
        const [boards, board, plans] = data;
        answer = [boards.map(writeFacts), plans.map((atoms) => {
          try { return replay(board, planFrom(board, atoms)).counts; } catch (error) { return error.message; }
        })];"""
    head, rows = "goal: A 0,1\nsame: bc\n", ["AAb.", "AAc."]
    plans = [
        ['slide("b",2,3,1)', 'slide("A",0,1,3)', 'slide("b",6,7,2)'],
        ['slide("b",2,3,1)', 'slide("A",0,1,2)'],
        ['slide("b",2,3,1)', 'slide("b",6,7,2)'],
    ]
    facts, counts = run(body, [boards, {"game": "klotski", "head": head, "rows": rows}, plans])
    assert len(boards) > 20
    for problem, text in zip(boards, facts, strict=True):
        assert text == domain_of(board := problem_in(problem)).asp.facts(board, None)
    assert counts[0] == {"slides": 3, "units": 3}, "any piece of a class may be named"
    assert counts[1] == 'the plan of the program breaks the rules: slide("A",0,1,2) is not possible'
    assert counts[2] == "the plan of the program does not solve the board"


def test_programs_are_those_of_the_export_for_plain_clingo(run: Run) -> None:
    level = {"game": "sokoban", "rows": ["#######", "#@ $ .#", "#######"], "head": "", "title": ""}
    board = {"game": "klotski", "rows": ["AAb.", "AAc."], "head": "goal: A 0,1\n", "title": ""}
    programs = site._programs()
    cases = [
        [problem, name, found["program"]]
        for problem in (level, board)
        for name, found in programs[str(problem["game"])].items()
    ]
    body = """
        import {assemble} from "./clingo.js";
        import {writeFacts} from "./facts.js";
        answer = data.map(([problem, _, program]) => assemble(program, "", "", writeFacts(problem)).text);"""

    def rules(text: str) -> tuple[list[str], list[str]]:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        # the export also declares what plain clingo would warn of
        lines = [line for line in lines if not line.startswith(("%", "#defined"))]
        facts = len(lines) - lines[::-1].index("#program base.")
        return lines[:facts], sorted(lines[facts:])

    for (problem, name, _), text in zip(cases, run(body, cases), strict=True):
        found = problem_in(problem)
        encoding = catalogue.find(name, problem["game"], name)
        exported = export.whole(encoding, facts_of(found, encoding))
        # the page's clingo is the one that knows incmode
        exported = exported.replace(export.ending(encoding).read_text(encoding="utf-8"), "#include <incmode>.\n")
        assert rules(text) == rules(exported), (problem["game"], name)
    assert len(cases) == 5


def test_the_referee_counts_and_times_like_pythons(run: Run) -> None:
    level = level_from_rows(["########", "#      #", "# $@$  #", "# .  . #", "########"])
    plans = ["ulDrRurD", "Lurr"]
    board = notation.read("goal: A 0,1\nAAb.\nAAc.\n", "k")[0]
    slides = domain_of(board).texts.read_plan(board, "b 0,2 > 0,3 r\nc 1,2 > 1,3 r\nA 0,0 > 0,1 r", "plan")
    head, board_rows = domain_of(board).texts.to_wire(board)
    cases: list[Any] = [[{"game": "sokoban", "rows": list(level.rows())}, plan] for plan in plans]
    cases.append([{"game": "klotski", "head": head, "rows": list(board_rows)}, "br.cr.Ar"])
    body = """
        import {replay} from "./referee.js";
        answer = data.map(([problem, plan]) => {
          const {timeline, solved} = replay(problem, plan);
          return [timeline, solved];
        });"""
    found = run(body, cases)
    for plan, (reported, _) in zip(plans, found, strict=False):
        assert reported == json.loads(json.dumps(timeline(level, plan_from_lurd(level, plan))))
    assert found[-1] == [json.loads(json.dumps(timeline(board, slides))), True]
    refused = """
        import {replay} from "./referee.js";
        answer = data.map(([problem, plan]) => {
          try { replay(problem, plan); return ""; } catch (error) { return error.message; }
        });"""
    problem = {"game": "sokoban", "rows": list(level.rows())}
    words = run(refused, [[problem, "uu"], [problem, "L"], [problem, "x"], [problem, "l"]])
    assert "move 2" in words[0] and words[1] == "" and "move 1" in words[2] and "written as a step" in words[3]


def rooms(count: int, seed: int) -> list[list[str]]:
    """Return random small levels, dead and alive."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        high, wide, boxes = rng.randint(3, 5), rng.randint(3, 6), rng.randint(1, 3)
        cells = [[rng.choice("#    ") for _ in range(wide)] for _ in range(high)]
        free = [(r, c) for r in range(high) for c in range(wide) if cells[r][c] == " "]
        if len(free) < 2 * boxes + 2:
            continue
        places = rng.sample(free, 2 * boxes + 1)
        for r, c in places[:boxes]:
            cells[r][c] = "$"
        for r, c in places[boxes : 2 * boxes]:
            cells[r][c] = "."
        r, c = places[-1]
        cells[r][c] = "@"
        rows = ["#" * (wide + 2), *("#" + "".join(row) + "#" for row in cells), "#" * (wide + 2)]
        try:
            level = level_from_rows(rows)
        except SokoaspError:
            continue
        found.append(list(level.rows()))
    return found


SEARCH = """
    import {search} from "./search.js";
    import {replay} from "./referee.js";
    answer = data.map(([problem, objective]) => {
      const found = search(problem, objective, 30), checked = found.plan === null ? null : replay(problem, found.plan);
      return [found.status, found.value, checked && checked.solved && checked.counts[objective]];
    });"""


@pytest.mark.parametrize("count", [30, pytest.param(80, marks=pytest.mark.slow)])
def test_the_search_is_the_reference_search(run: Run, count: int) -> None:
    cases = [
        [{"game": "sokoban", "rows": rows}, objective]
        for rows in rooms(count, 33)
        for objective in ("pushes", "moves", "lines")
    ]
    solved = unsolvable = 0
    for (problem, objective), (status, value, counted) in zip(cases, run(SEARCH, cases), strict=True):
        best = reference.solve(level_from_rows(problem["rows"]), objective, Limits())
        if best.status is Status.UNSOLVABLE:
            assert status == "unsolvable", (problem, objective)
            unsolvable += 1
        else:
            assert (status, value, counted) == ("optimal", best.value, best.value), (problem, objective)
            solved += 1
    assert min(solved, unsolvable) > count / 8, "both kinds are among the cases"


def test_boards_are_searched_like_the_oracle(run: Run) -> None:
    boards = ("goal: A 0,1\nAAb.\nAAc.\n", "goal: A 0,2\nAAb.\nAAc.\n", "goal: a 2,2\nab.\ncd.\n...\n")
    cases = []
    for text in boards:
        head, rows = domain_of(notation.read(text, "k")[0]).texts.to_wire(notation.read(text, "k")[0])
        cases += [[{"game": "klotski", "head": head, "rows": list(rows)}, name] for name in ("slides", "units")]
    found = run(SEARCH, cases)
    for number, (_problem, objective) in enumerate(cases):
        board = notation.read(boards[number // 2], "k")[0]
        best, _, _ = oracle.distances(board, objective)
        status, value, counted = found[number]
        assert (value, counted) == (best, best) if best is not None else status == "unsolvable", cases[number]


CLOSED = "positions that can be reached without a deadlock: 0; none of them is solved"
DEAD = """
    import {deadlock} from "./dead.js";
    answer = data.map((rows) => deadlock({game: "sokoban", rows}));"""


def test_every_deadlock_proof_is_true(run: Run) -> None:
    cases = [*rooms(400, 27), ["#####", "#   #", "# $ #", "# * #", "# . #", "#@  #", "#####"]]
    kinds: dict[str, int] = {}
    held: dict[str, int] = {}
    for rows, verdict in zip(cases, run(DEAD, cases), strict=True):
        if verdict["verdict"] != "dead":
            continue
        level = level_from_rows(rows)
        assert reference.solve(level, "pushes", Limits()).status is Status.UNSOLVABLE, (rows, verdict)
        assert {tuple(box) for box in verdict["boxes"]} <= set(level.boxes), "it names boxes that stand there"
        assert re.sub(r"\d+", "0", verdict["reason"]) == package_words(level, verdict), (rows, verdict)
        kinds[verdict["kind"]] = kinds.get(verdict["kind"], 0) + 1
        held[verdict["reason"]] = held.get(verdict["reason"], 0) + (verdict["kind"] == "freeze")
    assert min(kinds.get(kind, 0) for kind in ("dead_square", "freeze", "exhausted")) > 2, kinds
    assert min(sum(n for said, n in held.items() if word in said) for word in (" fast,", "is pushed first")) > 0


def test_a_deadlock_is_looked_for_among_few_positions_only(run: Run) -> None:
    """A level of 676 positions; whether there are too many is looked at every 512."""
    rows = ["########", "#.##   #", "#   $.$#", "#  $   #", "# #  . #", "#@## $.#", "########"]
    verdicts = [run(DEAD, [rows], ("dead.js", "const SPACE = 4000", f"const SPACE = {n}"))[0] for n in (4000, 100)]
    assert [one["verdict"] for one in verdicts] == ["dead", "none_found"]


def package_words(level: Level, verdict: dict[str, Any]) -> str:
    """Return the package's sentence about the boxes that the page names; the page has its own of its search."""
    boxes = frozenset(Cell(*box) for box in verdict["boxes"])
    found = {"dead_square": simple.dead_square, "freeze": simple.freeze}.get(verdict["kind"])
    if found is None:
        return CLOSED
    at = scene(level)
    proof = found(replace(at, boxes=at.board.mask(boxes)))
    assert proof is not None and set(proof.boxes) <= boxes
    return proof.reason


COMPARED = """
    import {compared, planFrom} from "./clingo.js";
    const said = (act) => (given) => { try { return act(...given); } catch (error) { return error.message; } };
    answer = [data[0].map(([result, found]) => compared(result, found).cross_check?.agrees ?? null), said(planFrom)(data[1])];"""


def test_a_program_is_called_right_or_wrong_only_by_what_could_refute_it(run: Run) -> None:
    def answer(status: str, value: int | None, bound: int | None) -> dict[str, Any]:
        return {"status": status, "value": value, "lower_bound": bound}

    two, none, late = answer("optimal", 2, 2), answer("unsolvable", None, None), answer("time_out", None, 1)
    told = {
        "the same": (two, two, True),
        "none beside none": (none, none, True),
        "more": (answer("optimal", 3, 3), two, False),
        "fewer": (answer("optimal", 1, 1), two, False),
        "a plan of what has none": (two, none, False),
        "none of what has a plan": (none, two, False),
        "out of time": (late, two, None),
        "out of time where there is none": (late, none, None),
        "out of time, beyond the optimum": (answer("time_out", None, 3), two, False),
        "a plan without a proof": (answer("solved", 2, 0), two, None),
        "no proof to compare with": (two, late, None),
    }
    both = [
        {"game": "sokoban", "rows": ["######", "#@$. #", "######"]},
        ["push(c3r2,right,c4r2,1)", "push(c4r2,right,c5r2,1)"],
    ]
    found, twice = run(COMPARED, [[pair[:2] for pair in told.values()], both])
    assert twice.endswith("two actions at step 1: push(c3r2,right,c4r2,1) and push(c4r2,right,c5r2,1)")
    assert dict(zip(told, found, strict=True)) == {name: agrees for name, (_, _, agrees) in told.items()}


FAULTS = (
    ("if (behind < 0 || !near[behind]) continue;", "if (behind < 0) continue;", "a push from out of reach"),
    ("if (!by) return null;", "if (!by) continue;", "a box held by nothing"),
    ("for (let step = 1; lines || step < 2; step++)", "for (let step = 1; step < 2; step++)", "short lines"),
)


@pytest.mark.parametrize(("text", "wrong", "why"), FAULTS)
def test_a_fault_in_the_search_is_seen(run: Run, text: str, wrong: str, why: str) -> None:
    problems = [{"game": "sokoban", "rows": rows} for rows in rooms(150, 5)]
    cases = [[problem, objective] for problem in problems for objective in ("moves", "lines")]
    right = _once(SEARCH, json.dumps(cases), run)
    try:
        seen = run(SEARCH, cases, ("search.js", text, wrong)) != right
    except AssertionError:
        seen = True
    assert seen, why


@cache
def _once(script: str, data: str, run: Run) -> Any:
    """Return what a script answers, which is run once for all faults."""
    return run(script, json.loads(data))
