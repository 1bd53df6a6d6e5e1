"""What the tests as data share: small levels, and the answer sets of a list of program files."""

import clingo

from tests.instances import FOLDER

ENCODINGS = FOLDER.parent / "encodings" / "sokoban"

CORRIDOR = "right(a,b). right(b,c). right(c,d). sokoban(a). box(b). solution(d)."
OTHERS = "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(a). box(b). box(e). solution(c). solution(e)."
"""A box at the end of the corridor, which stays there and is in the way."""
STEPS = "step(1..2). next(1,2)."
LONG = "step(1..3). next(1,2). next(2,3)."
START = [("base", []), ("step", [1])]
BASE = [("base", list[int]())]

Case = tuple[list[str], str, str, list[tuple[str, list[int]]] | None, set[frozenset[str]]]
"""Files, facts, the signatures shown, the parts grounded, and exactly the answer sets there must be."""


def grounded(files: list[str], facts: str, parts: list[tuple[str, list[int]]], *options: str) -> clingo.Control:
    """Return clingo with program files and facts, these parts of them grounded."""
    control = clingo.Control(options)
    control.add("base", [], facts)
    for name in files:
        control.load(str(ENCODINGS / name))
    control.ground([(name, [clingo.Number(n) for n in numbers]) for name, numbers in parts])
    return control


def answers(control: clingo.Control) -> list[tuple[list[int], frozenset[str]]]:
    """Return the cost and the shown atoms of each answer set that is found."""
    found: list[tuple[list[int], frozenset[str]]] = []
    control.solve(
        on_model=lambda model: found.append((list(model.cost), frozenset(map(str, model.symbols(shown=True)))))
    )
    return found


def models(
    files: list[str], facts: str, show: str, parts: list[tuple[str, list[int]]] | None = None
) -> set[frozenset[str]]:
    """Return the answer sets of a program, restricted to ``#show`` of the given signatures."""
    control = grounded(
        [name for name in files if not name.startswith("show/")],
        facts + "".join(f"#show {signature}." for signature in show.split()),
        parts or BASE,
        "0",
        "--project=show",
    )
    for name, numbers in parts or BASE:
        if name == "check":
            control.assign_external(clingo.Function("query", [clingo.Number(n) for n in numbers]), True)
    found = [atoms for _, atoms in answers(control)]
    assert len(found) == len(set(found))
    return set(found)


def sets(*models: str) -> set[frozenset[str]]:
    return {frozenset(model.split()) for model in models}


def solved(files: list[str], facts: str) -> tuple[list[int], frozenset[str]]:
    """Return the cost and the shown atoms of the best answer set with actions 1 and 2."""
    return answers(grounded(files, facts, [*START, ("step", [2])]))[-1]
