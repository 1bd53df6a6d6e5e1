"""PDDL tasks made of levels, in the forms of the planning competitions, under names drawn at random."""

import random
from collections.abc import Mapping
from pathlib import Path

from sokoasp.sokoban.level import Direction, Level

WORDS = "domain kind_cell kind_way kind_man kind_box thing clear at home goal plain way"
PUSH = (
    ":parameters (?p - {kind_man} ?s - {kind_box} ?b ?f ?t - {kind_cell} ?d - {kind_way}) "
    ":precondition (and ({at} ?p ?b) ({at} ?s ?f) ({clear} ?t) ({way} ?b ?f ?d) ({way} ?f ?t ?d) ({%s} ?t)) "
    ":effect (and (not ({at} ?p ?b)) (not ({at} ?s ?f)) (not ({clear} ?t)) ({at} ?p ?f) ({at} ?s ?t) ({clear} ?b) %s {cost}))"
)
COMPETITION = (
    "(define (domain {domain}) (:requirements :typing :action-costs) "
    "(:types {thing} {kind_cell} {kind_way} - object {kind_man} {kind_box} - {thing}) "
    "(:predicates ({clear} ?l - {kind_cell}) ({at} ?t - {thing} ?l - {kind_cell}) ({home} ?s - {kind_box}) "
    "({goal} ?l - {kind_cell}) ({plain} ?l - {kind_cell}) ({way} ?a ?b - {kind_cell} ?d - {kind_way})) "
    "(:functions (total-cost) - number) "
    "(:action walk :parameters (?p - {kind_man} ?f ?t - {kind_cell} ?d - {kind_way}) "
    ":precondition (and ({at} ?p ?f) ({clear} ?t) ({way} ?f ?t ?d)) "
    ":effect (and (not ({at} ?p ?f)) (not ({clear} ?t)) ({at} ?p ?t) ({clear} ?f) {walk_cost})) "
    f"(:action in {PUSH % ('goal', '({home} ?s)')} (:action out {PUSH % ('plain', '(not ({home} ?s))')})"
)
LEARNING = (
    "(define (domain {domain}) (:requirements :typing) (:types {kind_cell} {kind_way} {kind_box}) "
    "(:predicates (me ?l - {kind_cell}) ({at} ?b - {kind_box} ?l - {kind_cell}) ({clear} ?l - {kind_cell}) "
    "({way} ?l ?l - {kind_cell} ?l - {kind_way})) "  # names that nothing uses may be alike
    "(:action walk :parameters (?f ?t - {kind_cell} ?d - {kind_way}) "
    ":precondition (and ({clear} ?t) (me ?f) ({way} ?f ?t ?d)) :effect (and (me ?t) (not (me ?f)))) "
    "(:action shove :parameters (?r ?b ?t - {kind_cell} ?d - {kind_way} ?x - {kind_box}) "
    ":precondition (and (me ?r) ({at} ?x ?b) ({clear} ?t) ({way} ?r ?b ?d) ({way} ?b ?t ?d)) "
    ":effect (and (me ?b) (not (me ?r)) ({at} ?x ?t) (not ({at} ?x ?b)) ({clear} ?b) (not ({clear} ?t)))))"
)


def names(rng: random.Random) -> dict[str, str]:
    """Every word of a domain under a name that says nothing."""
    drawn = rng.sample(range(1000), len(WORDS.split()))
    return {word: f"q{number}" for word, number in zip(WORDS.split(), drawn, strict=True)}


def _places(level: Level, rng: random.Random) -> tuple[dict[object, str], dict[Direction, str]]:
    order = rng.sample(sorted(level.floor), len(level.floor))
    ways = rng.sample(list(Direction), 4)
    return {c: f"x{n}" for n, c in enumerate(order)}, {d: f"w{n}" for n, d in enumerate(ways)}


def _ways(level: Level, cell: Mapping[object, str], way: Mapping[Direction, str], word: str) -> str:
    return " ".join(
        f"({word} {cell[c]} {cell[c.step(d)]} {way[d]})"
        for c in level.floor
        for d in Direction
        if c.step(d) in level.floor
    )


def competition(level: Level, rng: random.Random, *, pushes: bool = True) -> tuple[str, str]:
    """Domain and problem in the form of 2008 to 2014; a push costs 1 and a step 0, or both 1."""
    word = names(rng)
    cell, way = _places(level, rng)
    cost = "(increase (total-cost) 1)"
    domain = COMPETITION.format(**word, cost=cost, walk_cost="" if pushes else cost)
    boxes = {c: f"b{n}" for n, c in enumerate(sorted(level.boxes))}
    taken = level.boxes | {level.player}
    init = [
        "(= (total-cost) 0)",
        f"({word['at']} man {cell[level.player]})",
        *(f"({word['at']} {name} {cell[c]})" for c, name in boxes.items()),
        *(f"({word['home']} {name})" for c, name in boxes.items() if c in level.goals),
        *(f"({word['clear']} {cell[c]})" for c in level.floor - taken),
        *(f"({word['goal' if c in level.goals else 'plain']} {cell[c]})" for c in level.floor),
        _ways(level, cell, way, word["way"]),
    ]
    goal = " ".join(f"({word['home']} {name})" for name in boxes.values())
    objects = (
        f"man - {word['kind_man']} {' '.join(boxes.values())} - {word['kind_box']} "
        f"{' '.join(cell.values())} - {word['kind_cell']} {' '.join(way.values())} - {word['kind_way']}"
    )
    return domain, (
        f"(define (problem p) (:domain {word['domain']}) (:objects {objects}) (:init {' '.join(init)}) "
        f"(:goal (and {goal})) (:metric minimize (total-cost)))"
    )


def learning(level: Level, rng: random.Random) -> tuple[str, str]:
    """Domain and problem in the form of 2023: each box has a goal of its own, both in order."""
    word = names(rng)
    cell, way = _places(level, rng)
    boxes, goals = sorted(level.boxes), sorted(level.goals)
    init = [
        f"(me {cell[level.player]})",
        *(f"({word['at']} b{n} {cell[c]})" for n, c in enumerate(boxes)),
        *(f"({word['clear']} {cell[c]})" for c in level.floor - level.boxes),
        _ways(level, cell, way, word["way"]),
    ]
    objects = (
        f"{' '.join(f'b{n}' for n in range(len(boxes)))} - {word['kind_box']} "
        f"{' '.join(cell.values())} - {word['kind_cell']} {' '.join(way.values())} - {word['kind_way']}"
    )
    goal = " ".join(f"({word['at']} b{n} {cell[c]})" for n, c in enumerate(goals))
    return LEARNING.format(**word), (
        f"(define (problem p) (:domain {word['domain']}) (:objects {objects}) (:init {' '.join(init)}) (:goal (and {goal})))"
    )


def files(folder: Path, texts: tuple[str, str]) -> tuple[Path, Path]:
    """Write domain and problem to files."""
    paths = folder / "domain.pddl", folder / "problem.pddl"
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths
