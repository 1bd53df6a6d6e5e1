"""The page's workshop in a real browser: the editor, the ASP window, by the service and in the browser alone."""

import json

import pytest

from sokoasp.web.faulty_examples import BASE, FAULTS
from tests.web.conftest import CLINGO
from tests.web.hands import ROOM, YARD, Keys, Page, desktop_first, served, static

with_clingo = pytest.mark.skipif(not CLINGO, reason="no clingo for the browser at hand (SOKOASP_CLINGO_WASM)")
SAME = "goal: A 0,1\nsame: bc\nAAb.\nAAc.\n"


def paint(page: Page, row: int, col: int) -> None:
    script = """
        const grid = document.getElementById("grid"), svg = grid.firstChild;
        svg.scrollIntoView({block: "center"});
        const point = new DOMPoint((arguments[1] + .5) * 48, (arguments[0] + .5) * 48);
        const at = point.matrixTransform(svg.getScreenCTM());
        return [at.x, at.y];"""
    x, y = page.js(script, row, col)
    if page.js("return innerWidth") < 600:  # a finger
        page.touch("touchStart", (x, y))
        page.touch("touchEnd")
    else:
        hand = page.hand()
        hand.pointer_action.move_to_location(round(x), round(y)).pointer_down().pointer_up()
        hand.perform()


def tools(page: Page) -> dict[str, object]:
    return {str(node.get_attribute("data-tool")): node for node in page.all(".tool")}


def draw(page: Page, *strokes: tuple[str, int, int]) -> None:
    for name, row, col in strokes:
        tools(page)[name].click()  # type: ignore[attr-defined]
        paint(page, row, col)


@served
@desktop_first
def test_a_level_is_drawn_checked_played_and_saved(page: Page) -> None:
    page.click("edit")
    page.click("edit-new")
    assert "There is no player." in page.text("edit-check")
    assert [page.find(f"edit-{name}").get_attribute("value") for name in ("height", "width")] == ["8", "10"]
    draw(page, ("@", 2, 2), ("$", 2, 4), (".", 2, 6))
    page.wait(lambda: "Solvable, optimum: 2 pushes" in page.text("edit-check"))
    page.js("document.getElementById('grid').focus()")
    page.find("grid").send_keys(*[Keys.ARROW_DOWN] * 5, "$")
    assert "2 boxes, 1 goal." in page.text("edit-check")
    page.find("grid").send_keys(Keys.CONTROL + "z" + Keys.NULL)
    page.wait(lambda: "Solvable" in page.text("edit-check"))
    draw(page, (".", 5, 5), ("$", 6, 1))
    page.wait(lambda: page.text("edit-check").startswith("No solution: "))
    draw(page, (" ", 0, 3))
    assert "The walls are not closed." in page.text("edit-check")
    for _ in range(3):
        page.click("edit-undo")
    page.wait(lambda: "Solvable" in page.text("edit-check"))
    page.find("edit-title").send_keys("Mine")
    page.click("edit-play")
    page.tap(2, 4)
    page.tap(2, 6)
    page.wait(lambda: page.text("message").startswith("Solved"))
    page.click("edit")
    page.find("edit-title").clear()
    page.find("edit-title").send_keys("Mine")
    page.click("edit-save")
    page.says("Saved as level 1 of My levels.")
    assert Page(page.driver, page.url, keep=True).text("levels-name") == "1 of 1: Mine"


def test_a_new_drawing_has_nothing_of_the_one_before_and_a_board_is_not_drawn(page: Page) -> None:
    page.click("edit")
    page.find("edit-title").send_keys("Old")
    page.click("edit-new")
    assert page.find("edit-title").get_attribute("value") == ""
    page.click("edit-leave")
    page.open(SAME)
    page.click("edit")
    assert list(tools(page)) == ["#", " ", "$", ".", "@"] and page.all("#grid .piece") == []


@served
def test_the_asp_window_opens_with_an_example_lines_words_and_marks_the_faulty_line(page: Page) -> None:
    page.open(ROOM)
    page.click("tab-asp")
    page.wait(lambda: ":- push(_,up,_,t)." in page.find("asp-constraints").get_attribute("value"))
    page.wait(lambda: len(page.all("#asp-predicates code")) > 15)
    assert page.find("aside").rect["width"] > 800, "the tab has the width"
    names = page.js("return [...document.querySelectorAll('#board .rim text')].map((one) => one.textContent)")
    assert names == [*(f"c{n}" for n in range(2, 6)), *(f"r{n}" for n in range(2, 5))], "on the rim as in the facts"
    assert "box(c3r3)." in page.js("return document.getElementById('asp-facts').textContent")
    text = page.find("asp-constraints").get_attribute("value")
    field = "const f = document.getElementById('asp-constraints'); return f."
    lines = f"{field}closest('.code-editor').querySelector('.lines').textContent"
    assert page.js(lines).split() == [str(n + 1) for n in range(text.count("\n") + 1)]
    page.program("#program step(t).\n:~ push(_,_,_,t). [1,t]\n")
    page.answers("2 pushes, proved optimal under your constraints. The plan costs 2 at priority 0, proved least.")
    assert page.atoms(1)[0].startswith("push(") and page.all("#board .m-arrow")
    page.atoms(0)
    assert page.all("#asp-list summary")[0].text.startswith("The map (")
    page.program("#program step(t).\n:- push(_,up,_,t)\n:- .")
    page.answers("constraints.lp:3:")
    marked = f"{field}value.slice(f.selectionStart, f.selectionEnd)"
    assert page.js(marked) == ":- ." and page.all("#asp-answer button")[0].text == "Line 3"
    page.program("#program step(t).\n:- pusch(_,up,_,t).\n")
    page.answers("constraints.lp:2:", "pusch/4")
    page.program(BASE)
    page.answers("belongs to the program", "; a whole program goes into 'The program'")
    page.js("const own = document.getElementById('asp-program'); window.kept = own.value; own.value = ''")
    page.program("")
    page.answers("program.lp: there are no rules in it")
    page.js("document.getElementById('asp-program').value = kept")
    page.program('#include "/etc/passwd".')
    page.answers("#include may not be used here")
    late = {"event": "result", "result": {"status": "time_out", "objective": "pushes", "lower_bound": 9}}
    page.js("window.own = fetch; window.fetch = async () => new Response(arguments[0])", json.dumps(late) + "\n")
    page.program(":- push(_,_,_,t).")
    page.answers("Time is up; at least 9 pushes needed. If no plan can meet your constraints, nothing but the time")
    page.js("window.fetch = own; document.getElementById('asp-constraints').value = ''")
    page.js("[...document.querySelectorAll('#asp-predicates button')].find((b) => /^reach/.test(b.innerText)).click()")
    assert page.find("asp-constraints").get_attribute("value") == "reach(L,t)"


@served
def test_a_program_of_ones_own_stays_and_an_answer_is_of_its_texts_and_position(page: Page) -> None:
    page.open(ROOM)
    page.click("tab-asp")
    page.wait(lambda: page.find("asp-constraints").get_attribute("value"))
    field = "const f = document.getElementById('asp-program'); "
    page.js(field + "f.value = 'mine.'; f.dispatchEvent(new Event('input'))")
    assert page.find("asp-constraints").get_attribute("value") == "", "the example was nobody's wish"
    page.choose("asp-objective", "lines")
    page.open(YARD)
    page.wait(lambda: page.all("#asp-gallery option"))
    assert page.js(f"{field} return f.value") == "mine."
    page.driver.refresh()
    page.ready()
    page.click("tab-asp")
    page.wait(lambda: page.all("#asp-gallery option"))
    assert page.js(f"{field} return f.value") == "mine."
    page.reveal(page.find("asp-program"))
    page.choose("asp-gallery", "0")
    page.wait(lambda: page.text("asp-words"))
    page.find("asp-program").send_keys(Keys.CONTROL + "z")
    assert page.js(f"{field} return f.value") == "mine."
    page.js("document.getElementById('asp-reset').click()")
    page.wait(lambda: "#show push/4" in page.js(f"{field} return f.value"))
    page.js("window.own = fetch")
    page.stream("run", {"event": "step", "t": 1, "result": "unsat"})
    page.program("")
    page.answers("More than 1 needed")
    page.js("window.fetch = own; document.getElementById('asp-constraints').dispatchEvent(new Event('input'))")
    page.wait(lambda: page.find("asp-run").is_enabled())
    assert page.text("asp-answer") == "", "of a text that is no longer there nothing is told, not that it was stopped"
    for change in (
        lambda: page.choose("asp-example", "0"),
        lambda: page.js("document.querySelector('#asp-predicates button').click()"),
        lambda: page.js("document.getElementById('asp-reset').click()"),
        lambda: page.choose("asp-objective", "pushes"),
        lambda: page.choose("asp-gallery", "0"),
    ):
        page.program("")
        page.answers("proved optimal.")
        assert page.shown("asp-answer", "asp-atoms", "asp-earlier") == ["asp-answer", "asp-atoms"]
        change()
        page.wait(lambda: page.text("asp-answer") == "" and page.shown("asp-atoms") == [])
    page.program("")
    page.answers("2 pushes, proved optimal.")
    page.click("solve")
    page.wait(lambda: "proved, nothing is better" in page.text("joined"))
    page.keys("d")
    assert page.text("joined").startswith("From an earlier position: ")
    page.click("tab-asp")
    facts = "return document.getElementById('asp-facts').textContent"
    assert page.shown("asp-earlier") and "sokoban(c3r4)." in page.js(facts), "of what is on the board"
    page.keys("u")
    assert not page.shown("asp-earlier")
    page.choose("objective", "moves")
    assert page.text("joined") == "" and page.all("#found *, .lane") == []


@served
def test_every_wrong_encoding_is_shown_where_it_fails(page: Page) -> None:
    page.click("asp-objective")
    for number, fault in enumerate(FAULTS, 1):
        page.wait(lambda: len(page.all("#asp-gallery option")) == len(FAULTS) + 2)
        page.choose("asp-gallery", str(number))
        page.wait(lambda fault=fault: page.text("asp-words") == fault.words)  # type: ignore[misc]
        assert page.text("title") == page.text("levels-name") == fault.title, "it is no level of the pack"
        page.click("asp-run")
        page.wait(lambda: page.find("asp-answer").get_attribute("data-state") in ("good", "bad"))
        state, words = page.find("asp-answer").get_attribute("data-state"), page.text("asp-answer")
        assert state == "bad" and words, (fault.title, words)


@static
@with_clingo
def test_the_lane_of_asp_proves_every_count_from_the_position_on_the_board(page: Page) -> None:
    page.open(ROOM)
    page.keys("s", "d")
    assert page.lurd() == "dR"
    page.choose("engine", "asp")
    for objective, words in (("pushes", "1 push"), ("lines", "1 line"), ("moves", "1 move")):
        page.choose("objective", objective)
        page.click("solve")
        page.wait(lambda words=words: f"{words}, proved optimal" in page.text("lanes"))  # type: ignore[misc]


def stop_on_the_way(page: Page, text: str) -> None:
    """Run a program that has no plan, however long: it goes on until it is stopped."""
    page.js("""
        const answer = document.getElementById("asp-answer");
        new MutationObserver((_, watch) => {
          if (!/^(More than|Asking)/.test(answer.textContent)) return;
          watch.disconnect();
          document.getElementById("asp-stop").click();
        }).observe(answer, {childList: true, characterData: true, subtree: true});""")
    page.program(text)
    page.wait(lambda: page.text("asp-answer") == "Stopped.")


@static
@with_clingo
def test_programs_run_in_the_browser_and_slips_are_refused_with_their_place(page: Page) -> None:
    page.open(ROOM)
    page.click("asp-objective")
    page.wait(lambda: "box(" in page.js("return document.getElementById('asp-facts').textContent"))
    page.program("")
    page.answers("2 pushes, proved optimal.")
    assert any(atom.startswith("push(") for atom in page.atoms(1))
    page.program("#program step(t).\n:- pusch(_,up,_,t).\n")
    page.answers("constraints.lp:2:", "pusch")
    page.program("#program step(t).\n:- push(_,up,_,t)\n:- .\n")
    page.answers("constraints.lp:3:", "syntax error")
    page.program("#program step(t).\n:- push(_,up,_,t)\n")
    page.answers("constraints.lp:2:18: syntax error, the text ends within a statement")
    for text, told in (
        (":- push(_,up,_,t).", "1:4: part base knows the start only"),
        ("a.\n:- a, X > 2.", "2:7: 'X' is unsafe"),
        ("a.\n%* open", "2: the comment that begins here does not end"),
    ):
        page.program(text)
        page.answers(f"constraints.lp:{told}")
    stop_on_the_way(page, "#program step(t).\n:- pushes_of(_,N,t), N > 1.\n")
    found = (
        "2 pushes, proved optimal.",
        "breaks the rules",
        "does not solve",
        " pushes. But the referee's search has a plan of",
    )
    for number, words in zip("0146", found, strict=True):
        page.choose("asp-gallery", number)
        page.wait(lambda: page.text("asp-words"))
        page.program("")
        page.answers(words)
    assert page.text("asp-answer").startswith("The program finds no plan of up to ") and page.atoms(0) == []
    page.open("#######\n#.$@$.#\n#######\n")
    for word, step in (("minimize", 1), ("maximize", 2)):
        page.program(f"#program step(t).\n#{word} {{ t,t : push(_,left,_,t) }}.\n")
        page.answers("2 pushes, proved optimal under your constraints. The plan costs ", ", proved least.")
        assert any(",left," in atom for atom in page.atoms(step) if atom.startswith("push("))
    page.program(BASE)
    page.answers("; a whole program of your own runs with sokoasp serve")
    page.choose("asp-gallery", "3")
    page.program(":- push(_,left,_,t).")
    page.answers("constraints go with the plain program: choose 'The program as it was'")
    page.choose("asp-example", "0")
    page.program("#program step(t).\n:- pushes_of(_,N,t), N > 99.\n")
    page.answers(" proved optimal under your constraints.")
    page.open("######\n#$  .#\n#@   #\n######\n")
    page.program("#program step(t).\n:- push(_,up,_,t).\n")
    page.answers("No plan: the level itself has no solution.")
    assert page.js("return document.getElementById('asp-program').readOnly")
    page.open(SAME)
    page.wait(lambda: 'init("A",0).' in page.js("return document.getElementById('asp-facts').textContent"))
    assert "such as 0, 1, 2: row by row from 0." in page.js(
        "return document.getElementById('asp-predicates').textContent"
    )
    page.program('#program step(t).\n:- slide("b",2,3,t).\n:- slide("b",2,7,t).\n')
    page.answers("5 slides, proved optimal under your constraints.")
    stop_on_the_way(page, '#program step(t).\n:- slide("A",_,_,t).\n')
    page.choose("engine", "asp")
    page.click("solve")
    page.wait(lambda: page.all(".watch"))
    assert "3 slides, proved optimal" in page.text("lanes")


@static
def test_a_site_without_clingo_says_so(page: Page) -> None:
    page.click("tab-asp")
    page.wait(lambda: page.find("asp-without").is_displayed() != bool(CLINGO))
    page.wait(lambda: page.js("return document.getElementById('asp-facts').textContent"))
    assert page.find("asp-run").is_enabled() == bool(CLINGO)
