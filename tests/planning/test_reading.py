"""PDDL as text: faults in PDDL's words at their place, in the file they stand in, and what reading does not mind."""

import random

import pytest

from sokoasp.core.errors import NotationError
from sokoasp.planning.formula import holds, read_formula
from sokoasp.planning.task import PlanningTask, task_of
from sokoasp.planning.text import Source, definition, groups
from sokoasp.sokoban import formats
from sokoasp.sokoban.formats import pddl

(HALL,) = formats.read("#######\n#@ $ .#\n#######\n")
DOMAIN, PROBLEM = pddl.DOMAIN, pddl.write_problem(HALL)


def read(domain: str = DOMAIN, problem: str = PROBLEM) -> PlanningTask:
    return task_of(Source("d.pddl", domain), Source("p.pddl", problem))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("(define (domain x)", "1:1", "this bracket is never closed"),
        ("(define (domain x)\n (:types a (b)", "2:11", None),
        ("(define (domain x)))", "1:20", "this bracket closes nothing"),
        ("(a) (b)", "1:1", "expected (define (domain NAME) ...)"),
        ("", "1:1", "no PDDL domain"),
        ("(define (problem x))", "1:1", "no PDDL domain"),
        ("(define (domain x))\n(define (domain y))", "2:1", "a second domain"),
        ("(define (domain x)) y", "1:21", "'y' stands outside of all brackets"),
        ("(define (domain x)\n  (:types a, b))", "2:12", "a comma"),
        ("(define (domain x) types)", "1:20", "expected a section"),
        ("(define (domain x y))", "1:9", "expected (domain NAME)"),
    ],
)
def test_texts_that_are_no_definition(text: str, place: str, message: str | None) -> None:
    with pytest.raises(NotationError) as caught:
        definition(Source("x.pddl", text), "domain")
    if message is None:
        assert caught.value.message == "this bracket is never closed"
    else:
        assert (caught.value.place, message in caught.value.message) == (f"x.pddl:{place}", True), caught.value


FAULTS = [
    ("d", "(free ?c - cell)", "(free ?c - sell)", "there is no type 'sell'; did you mean 'cell'?", "sell"),
    ("d", "(free ?to))\n", "(fere ?to))\n", "there is no predicate 'fere'; did you mean 'free'?", "fere"),
    ("d", "(free ?to))\n", "(free ?two))\n", "nothing binds the variable ?two", "?two"),
    ("d", "(free ?to))\n", "(free ?to ?to))\n", "free takes 1 terms, not 2", "(free ?to ?to)"),
    ("d", "(free ?to))\n", "(free to))\n", "there is no object 'to'", "to))"),
    (
        "d",
        "(player ?to)))\n",
        "player))\n",
        "expected a bracketed condition, not 'player'",
        "player))\n  (:action push",
    ),
    ("d", "(:action push", "(:action move", "a second action move", "(:action move\n    :parameters (?behind"),
    ("d", ":effect (and\n", ":effects (and\n", "expected :parameters, :precondition or :effect", ":effects"),
    (
        "d",
        "(:predicates",
        "(:predicate",
        "a domain has no section :predicate; did you mean ':predicates'?",
        "(:predicate\n",
    ),
    (
        "d",
        "(?from ?to - cell ?d - direction)\n",
        "(?to ?to - cell ?d - direction)\n",
        "?to stands here twice",
        "?to - cell ?d - direction)\n    :pre",
    ),
    (
        "d",
        "(increase (total-cost) 1)",
        "(increase (total-costs) 1)",
        "there is no function 'total-costs'; did you mean 'total-cost'?",
        "(total-costs)",
    ),
    ("d", "direction)\n  (:pred", "direction -)\n  (:pred", "expected a type after the dash", "-)\n"),
    ("p", "(free c3r2)", "(fre c3r2)", "there is no predicate 'fre'; did you mean 'free'?", "fre c3"),
    ("p", "(free c3r2)", "(free c9r9)", "there is no object 'c9r9'", "c9r9"),
    ("p", "(free c3r2)", "free", "expected a fact in brackets, not 'free'", "free\n"),
    ("p", " - cell", ", - cell", "a comma: PDDL separates names by blanks alone", ", -"),
    ("p", " - cell", " - sell", "there is no type 'sell'", "sell"),
    ("p", "c2r2 c3r2", "c2r2 c2r2", "a second object c2r2", "c2r2 c4r2"),
    ("p", "(:goal", "(:gaol", "a problem has no section :gaol; did you mean ':goal'?", "(:gaol"),
    ("p", "(:goal (and (box", "(:goal (and (bxo", "there is no predicate 'bxo'; did you mean 'box'?", "bxo"),
    ("p", "minimize (total-cost)", "minimize (costs)", "there is no function 'costs'", "costs"),
]


@pytest.mark.parametrize(("file", "old", "new", "message", "at"), FAULTS, ids=[fault[3] for fault in FAULTS])
def test_faults_are_told_in_the_words_of_pddl_at_their_place(
    file: str, old: str, new: str, message: str, at: str
) -> None:
    texts = {"d": DOMAIN, "p": PROBLEM}
    assert old in texts[file]
    texts[file] = texts[file].replace(old, new, 1)
    with pytest.raises(NotationError) as caught:
        read(texts["d"], texts["p"])
    offset = texts[file].index(at)
    before = texts[file][:offset]
    place = f"{file}.pddl:{before.count(chr(10)) + 1}:{offset - before.rfind(chr(10))}"
    assert (caught.value.place, caught.value.message[: len(message)]) == (place, message)


def test_comments_capitals_and_the_order_of_sections_do_not_matter() -> None:
    plain = read()
    sections = [PROBLEM[one.at : _end(PROBLEM, one.at)] for one in definition(Source("", PROBLEM), "problem")[1]]
    for seed in range(5):
        random.Random(seed).shuffle(sections)
        body = " ; )\n".join(sections)
        turned = read(DOMAIN.upper(), f"; (\n(define (PROBLEM sokoasp-level) {body})")
        assert (turned.facts, turned.metric, turned.words, turned.name) == (
            plain.facts,
            plain.metric,
            plain.words,
            plain.name,
        )


def _end(text: str, at: int) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return place + 1
    raise AssertionError


def test_a_file_may_hold_domain_and_problem() -> None:
    both = Source("both.pddl", f"{DOMAIN}\n{PROBLEM}")
    assert len(groups(both)) == 2
    assert task_of(both, both).facts == read().facts


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ("()", True),
        ("(and)", True),
        ("(or)", False),
        ("(not (player c3r2))", True),
        ("(imply (player c3r2) (box c2r2))", True),
        ("(imply (player c2r2) (box c2r2))", False),
        ("(forall (?c - cell) (or (free ?c) (box ?c)))", True),
        ("(exists (?c ?e - cell ?d - direction) (and (next ?c ?e ?d) (box ?c) (player ?e)))", False),
        ("(exists (?x - (either cell direction)) (= ?x right))", True),
        ("(forall (?c - cell) (exists (?d - direction) (exists (?e - cell) (next ?c ?e ?d))))", True),
        ("(forall (?c - cell) (free ?c))", False),
    ],
)
def test_conditions_hold_as_pddl_says(condition: str, true: bool) -> None:
    task = read()
    (group,) = groups(Source("", condition))
    formula = read_formula(Source("", condition), group, task.words, frozenset())
    assert holds(formula, task.facts, {}, task.words.of_types) is true


def test_types_have_types_above_them() -> None:
    domain = DOMAIN.replace("(:types cell direction)", "(:types ice wet - cell cell ice - place direction)")
    words = read(domain, PROBLEM.replace("c2r2 c3r2", "c2r2 - ice c3r2", 1)).words
    assert words.of_types(("ice",)) == {"c2r2"}
    assert words.of_types(("place",)) == words.of_types(("cell",)) == {"c2r2", "c3r2", "c4r2", "c5r2", "c6r2"}
    assert words.of_types(("wet", "direction")) == {"up", "down", "left", "right"}
    round_ = read(DOMAIN.replace("(:types cell", "(:types a - b b - a cell")).words
    assert set(round_.types["a"]) == {"a", "b", "object"}
