"""The ASP window: what is shown, what may be run, what is refused and where, and the gallery of faults."""

import json
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")
pytest.importorskip("starlette", reason="the extra [web] is not installed")

from starlette.testclient import TestClient

from sokoasp.asp.catalogue import find
from sokoasp.asp.constraints import check
from sokoasp.core.errors import EncodingError, SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.engine.grading import grade
from sokoasp.sokoban import facts
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.web import asp_window, site
from sokoasp.web.app import create_app
from sokoasp.web.faulty_examples import BASE, CORRIDOR, FAULTS, TWO
from sokoasp.web.questions import Settings
from tests.encodings.test_examples import COSTS, EXAMPLES, HOLDS
from tests.instances import written
from tests.web.conftest import Run

ROWS = ["#######", "#     #", "#@$ . #", "#     #", "#######"]
WALLED = ["########", "#@ $ . #", "########"]
LIMITS = Limits(seconds=20, memory_mb=1500)


def ask(program: str = "", constraints: str = "", rows: list[str] = ROWS) -> dict[str, Any]:
    return asp_window.run(level_from_rows(rows), "pushes", program, constraints, LIMITS)


def test_the_window_shows_facts_program_and_the_atoms_of_each_step() -> None:
    shown = asp_window.about("sokoban", "pushes")
    assert "push(" in shown["program"] and len(shown["gallery"]) == len(FAULTS) + 1
    cells = facts.cell_of(level_from_rows(ROWS))
    found = ask()
    assert (found["status"], found["value"]) == ("optimal", 2)
    assert set(found["atoms"]) == {0, 1, 2}
    for step in (1, 2):
        pushed = [atom for atom in found["atoms"][step] if atom.startswith("push(")]
        assert len(pushed) == 1, "one push a step"
        assert all(name in cells for name in pushed[0][5:-1].split(",")[0:3:2])


def test_constraints_change_the_answer_and_a_fault_is_told_with_its_place() -> None:
    assert ask(constraints="#program step(t).\n:- push(_,left,_,t).\n")["value"] == 2
    ends = ask(constraints="#program check(t).\n:- query(t), not box_at(c3r3,c5r3,t).\n")  # its words need a bridge
    assert ends["value"] == 2 and "box_at(c3r3,c4r3,1)" in ends["atoms"][1]
    with pytest.raises(SokoaspError, match=r"constraints\.lp:2:\d+.*pusch/4") as caught:
        ask(constraints="#program step(t).\n:- pusch(_,right,_,t).\n")
    assert "/tmp" not in str(caught.value)
    with pytest.raises(SokoaspError, match=rf"program\.lp:{len(BASE.splitlines()) + 1}:\d+"):
        ask(program=BASE + "a :: b.\n")


@pytest.mark.parametrize(
    "text",
    [
        '#script (python)\nimport os\nos.system("touch /tmp/owned")\n#end.\n',
        "#script (lua) #end.",
        '#include "/etc/passwd".\n',
        '% #include "x".\n',
        "#include <incmode>.\n",
        "a(@read()).\n",
        "a(@ %* x *% read()).\n",
        "a(@ % x\nread()).\n",
        "a :- b(X) : c(1,@\tread(X)).\n",
        "#const n = @read().\n",
        'b("#script").\n',
    ],
)
def test_nothing_reaches_beyond_the_sandbox(text: str) -> None:
    for given in ({"program": BASE + text}, {"constraints": text}):
        with pytest.raises(EncodingError, match="may not be used here") as caught:
            ask(**given)
        assert caught.value.line == (len(BASE.splitlines()) + 1 if "program" in given else 1)


@pytest.mark.parametrize("text", ["a :-\u00a0b.\n", "a(\u201cx\u201d).\n", "a(@\u00a0f(1)).\n", "\ufeffa.\n"])
def test_characters_that_clingo_does_not_know_are_told_with_their_place(text: str) -> None:
    """Clingo ends the process over them where its messages are asked for."""
    for given in ({"program": BASE + text}, {"constraints": text}):
        with pytest.raises(EncodingError, match="stands outside strings and comments"):
            ask(**given)


def test_a_program_without_end_or_bounds_is_stopped() -> None:
    endless = BASE + "#program base.\nn(0). n(X+1) :- n(X).\n"
    with TestClient(create_app(settings=Settings(workers=1, run_seconds=1.0)), base_url="http://127.0.0.1") as client:
        body = {"problem": {"game": "sokoban", "rows": ROWS}, "objective": "pushes", "program": endless}
        response = client.post("/api/run", json=body)
        last = json.loads(response.text.splitlines()[-1])
        assert last["event"] == "error" or last["result"]["status"] in ("time_out", "memory_out")
        refused = client.post("/api/run", json={**body, "program": '#include "x".'})
        assert "program.lp:1:1" in json.loads(refused.text.splitlines()[-1])["sentence"]
        deep = client.post("/api/run", json={**body, "program": f"a({'-(' * 20_000}1{')' * 20_000}).\n"})
        assert json.loads(deep.text.splitlines()[-1])["event"] == "error", "clingo may break on it, the server does not"
        body["program"] = ""
        reported = [json.loads(line) for line in client.post("/api/run", json=body).text.splitlines()]
        assert reported[-1]["result"]["value"] == 2, "the server is free again"
    with pytest.raises(EncodingError, match="100,000 characters"):
        ask(program="%" * 100_001)


def test_every_fault_of_the_gallery_is_found_by_the_referee_and_the_right_program_is_right(tmp_path: Path) -> None:
    levels = [level_from_rows(rows) for rows in (ROWS, TWO, WALLED, CORRIDOR)]
    path = tmp_path / "program.lp"
    path.write_text(BASE)
    assert all(mark.verdict == "right" for mark in grade(path, levels, objective="pushes", limits=LIMITS))
    for fault in FAULTS:
        assert fault.old in BASE, fault.title
        path.write_text(fault.program)
        marks = list(grade(path, levels, objective="pushes", limits=LIMITS))
        assert any(mark.verdict in ("wrong plan", "wrong optimum", "missed plan") for mark in marks), fault.title


SLIPS = {
    "1:4": ":- push(_,up,_,t). | :- box_at(c3r3,t). | :- seen(3). S seen(t) :- push(_,up,_,t).",
    "2:9": "S :- push(c9r9,up,_,t).",
    "2:4": "S :- pusch(_,up,_,t). | S :- push(_,up,t). | S :- push(_,_,_,s). | "
    "S :- reach(c9,t). | S :- pushed(c4r3,t). | S :- push(_,upp,_,t). | S :- box_at(_,t+1). | S :- -box_at(c3r3,t).",
    "2:1": "C :- box_at(c3r3,t). | C :- box_at(c3r3,t).\n | S -box_at(L,t) :- cell(L). | S #show a/1. :- box(c1r1).",
    "1:1": "#program stp(t). :- push(_,up,_,t).",
    " there is no constraint, preference or rule in it": "% a | S %* :- push(_,up,_,t). *% | C #const k = 2. #defined a/1.",
    "": '% write to a@b.c\nmail("a@b"). | % c9r9 "\nb("c9r9"). %* c9r9 %\n *% | C d :- query(t). :- d, box_at(c2r2,t). | '
    "a(). :- a(). | S :- X = f(Y), push(X,_,_,t), Y=1, #sum{ 1,f(A) : box(A); 2,g(A) : box(A) } > 3. | "
    "S #const k = 9. :~ push(X,_,_,t). [f(1)@1,t] :- pushes_of(_,k,t). { a(X) : box(X) } 1. | "
    "S #minimize{ 1,X : push(X,_,_,t) }. :- push(_,(up;down),_,t), 2 { box_at(_,t); reach(L,t-1) } 1.",
}
"""Place → constraints, S and C beginning parts step and check; without a place: what is in order."""
PLANTS = (
    'bare !== "0" | noCell(found[0], cells) | !parts(key).length | PARTS[name] !== count | !DIRECTIONS.includes(term) | '
    "!boxes.includes(term) | !text | text.trim() && silent"
)


def test_the_sites_own_check_refuses_what_pythons_does_in_its_line(run: Run) -> None:
    body = """
        import {slip} from "./slips.js";
        import {constants, writeFacts} from "./facts.js";
        const [problem, {program, vocabulary}, texts] = data, ours = program + writeFacts(problem);
        answer = texts.map((text) => slip(text, {cells: constants(problem), vocabulary, ours}));"""
    parts = {"S ": "#program step(t).\n", "C ": "#program check(t).\n"}
    cases = [
        (place, re.sub(r"\b[SC] ", lambda part: parts[part[0]], text))
        for place, texts in SLIPS.items()
        for text in texts.split(" | ")
    ]
    data = [{"game": "sokoban", "rows": ROWS}, site._programs()["sokoban"]["pushes"], [text for _, text in cases]]
    found = run(body, data)
    for (place, text), said in zip(cases, found, strict=True):
        assert f"{said}: ".startswith(f"{place}: ") if place else not said, (text, said)
        assert ("pushed(c4r3" in text) == ("no box starts on c4r3; there are c3r3" in said)
        words = rf"\.lp:{place[:2]}{'.*step.t' * (place == '1:4')}"
        with pytest.raises(SokoaspError, match=words) if place else nullcontext():
            ask(constraints=text)
    board = {"game": "klotski", "head": "goal: b 1,2\n", "rows": ["#AA", "Ab."]}
    texts = [f'm(c1r1). :- at("A",{at}).' for at in ("0,0", "6,0", "0,t")]
    told = run(body, [board, site._programs()["klotski"]["slides"], texts])
    assert told[0] == "" and "no cell 6" in told[1] and "time t" in told[2], "a corner may lie on a wall"
    assert all(run(body, data, ("slips.js", text, "false")) != found for text in PLANTS.split(" | "))


def test_worked_examples_are_offered_where_they_are_not_refused(run: Run, tmp_path: Path) -> None:
    boards = [(EXAMPLES / f"{name}.xsb").read_text().partition("\n\n")[0].split("\n") for name in (*HOLDS, *COSTS)]
    encoding, window = find("pushes", "sokoban", "pushes"), site._programs()["sokoban"]["pushes"]
    body = """
        import {fitting} from "./answers.js";
        answer = data[1].map((rows) => fitting(data[0], {game: "sokoban", rows}).map(({title}) => title));"""
    for rows, offered in zip(boards, run(body, [window, boards]), strict=True):
        level = level_from_rows(rows)
        for one in window["examples"]:
            path = written(tmp_path, one["constraints"])
            with nullcontext() if one["title"] in offered else pytest.raises(SokoaspError):
                check([path], encoding, facts.write(level), facts.cell_of(level))


def test_programs_that_the_window_does_not_take_are_refused_and_a_whole_program_is_known(run: Run) -> None:
    steps = "{ push(A,right,B,S) : right(A,B) } :- step(S). #show push/4."
    wholes = [BASE, steps, "#program step(t).\n:- 2 { push(_,up,_,t) }.", "% #external query(t)."]
    assert run('import {whole} from "./slips.js"; answer = data.map(whole);', wholes) == [True, True, False, False]
    no, here = "there are no rules in it", "for a given number of steps: this window runs incremental encodings"
    unseen = BASE.replace("#show push/4.", "#show box_at/2.\n#show reach/2.")
    shows = "program.lp:21:1: the #show lines leave out push/4, from which the plan is read"
    for program, words in zip(["\n", "% a\n", steps, unseen], (no, no, here, shows), strict=True):
        with pytest.raises(SokoaspError, match=words):
            ask(program=program)


def test_a_missing_full_stop_is_told_at_the_end_of_ones_own_text(run: Run) -> None:
    body = """
        import {assemble, placed} from "./clingo.js";
        const {text, begins} = assemble(...data), fault = "1-9: error: syntax error, unexpected #program";
        const lines = text.split("\\n").flatMap((line, n) => line === "#program base." ? [n + 1] : []);
        answer = [1, ...lines].map((n) => placed([`-:${n}:${fault}`, "*** ERROR: (clingo)"], begins).sentence);"""
    first, *ends = run(body, ["a.\nb", ":- c\n% d\n", "", "f."])
    assert first == "program.lp:1:1: syntax error, unexpected #program"
    said = "syntax error, the text ends within a statement: is its full stop missing?"
    assert ends == [f"program.lp:2:2: {said}", f"constraints.lp:1:5: {said}"]
