"""Random tight programs, call by call: CaDiCaL on the completion says what clasp says, and its answers are answer sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

import clingo
import pytest

from sokoasp.asp import completion
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.completion import Completion, NotTight
from sokoasp.asp.multishot import Outcome
from sokoasp.core.errors import EncodingError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Horizon
from tests.asp import alone

pytest.importorskip("pysat")
ATOMS, BOUNDS = 5, 3
NAMES = ("p1", "p2", "p3", "p4", "p5", "q")


def random_program(seed: int) -> str:
    """Return a program whose atoms pI(T) depend on pJ(T), J < I, or on states before: tight, with sums, choices, disjunctions."""
    draw = Random(seed)

    def literal(below: int) -> str:
        now = below > 1 and draw.random() < 0.6
        atom = f"p{draw.randrange(1, below)}(t)" if now else f"p{draw.randrange(1, ATOMS + 1)}(t-1)"
        return draw.choice(("", "not ")) + atom

    def total(below: int, head: bool) -> str:
        """Return a sum; with a head a monotone one, as what the grounder makes of others in recursion is not tight."""
        some = (literal(below).removeprefix("not " if head else "?") for _ in range(draw.randrange(1, 5)))
        terms = "; ".join(f"{draw.randrange(1 if head else -2, 4)},{n}: {one}" for n, one in enumerate(some))
        return f"#sum {{ {terms} }} {'>=' if head else draw.choice(('>=', '<', '='))} {draw.randrange(-1, 4)}"

    rules = ["{ p1(0); p2(0); p3(0); p4(0); p5(0) }.", "#external late(1..3).", "#program step(t).", "late(t)."]
    for _ in range(draw.randrange(4, 12)):
        head = draw.randrange(1, ATOMS + 1)
        body = [literal(head) for _ in range(draw.randrange(0, 3))]
        body += [draw.choice(("", "not ")) + "late(2)"] if draw.random() < 0.2 else []
        shape = draw.choice(("p{}(t)", "p{}(t)", "{{ p{}(t) }}", "p{}(t) ; q(t)", ""))
        body += [total(head, shape != "")] if draw.random() < 0.4 else []
        rules.append(f"{shape.format(head)} :- {', '.join(body)}." if body else f"{{ p{head}(t) }}.")
    asked = ", ".join(literal(ATOMS + 1) for _ in range(2))
    rules += [f":- {asked}, {literal(ATOMS + 1)}.", "#program check(t).", "#external query(t)."]
    rules += [f":- query(t), {literal(ATOMS + 1)}." for _ in range(draw.randrange(0, 3))]
    rules.append(f":- query(t), t < {draw.randrange(1, 4)}.")
    shown = "".join(f"#show {name}/1." for name in NAMES)
    return "\n".join([*rules, shown, "#show both(t) : query(t), p1(t), not p2(t)."])


def own(folder: Path, text: str, backend: str) -> Encoding:
    path = folder / "own.lp"
    path.write_text(text)
    return Encoding("own", "none", "steps", "incremental", (path,), "q/1", "", "", backend=backend)


def run(encoding: Encoding, first: int = 1) -> Outcome:
    return alone.run(encoding, "", bounds=Horizon(first, 1, BOUNDS), clock=Limits(seconds=60).start())


def is_answer(text: str, bound: int, atoms: Sequence[str]) -> bool:
    """Return whether these are exactly the shown atoms of an answer set at a bound."""
    control = clingo.Control(["0", "--project=show"])
    control.add("base", [], text)
    steps = [("step", [clingo.Number(t)]) for t in range(1, bound + 1)]
    control.ground([("base", []), *steps, ("check", [clingo.Number(bound)])])
    control.assign_external(clingo.Function("query", [clingo.Number(bound)]), True)
    wanted = set(atoms)
    found = {str(one.symbol): one.literal for name in NAMES for one in control.symbolic_atoms.by_signature(name, 1)}
    if not {atom for atom in wanted if not atom.startswith("both")} <= found.keys():
        return False
    assumed = [literal if name in wanted else -literal for name, literal in found.items()]
    shown: list[set[str]] = []
    control.solve(assumptions=assumed, on_model=lambda model: shown.append(set(map(str, model.symbols(shown=True)))))
    return wanted in shown


def wrong(folder: Path, seeds: range) -> Iterator[int]:
    """Yield the seeds of programs that CaDiCaL answers otherwise than clasp, or by what is no answer set."""
    for seed in seeds:
        text = random_program(seed)
        for first in (1, BOUNDS):
            right, other = (run(own(folder, text, backend), first) for backend in ("clasp", "cadical"))
            # where the steps contradict themselves one may see it a bound before the other
            same = right.verdict == other.verdict and (right.verdict == "unsat" or right.bound == other.bound)
            atoms = [f"{name}({','.join(args)})" for name, args in other.answers[0]] if other.answers else []
            if not same or (other.verdict == "sat" and not is_answer(text, other.bound or 0, atoms)):
                yield seed
                break


def test_random_programs_have_the_answers_of_clasp(tmp_path: Path) -> None:
    assert next(wrong(tmp_path, range(50)), None) is None


@pytest.mark.slow
def test_many_random_programs_have_the_answers_of_clasp(tmp_path: Path) -> None:
    assert list(wrong(tmp_path, range(1000, 4000))) == []


def unsupported(one: Completion, variable: int, supports: object) -> None:
    """Leave out that an atom needs a body."""
    before = len(one._clauses)
    REAL["_complete"](one, variable, supports)
    one._clauses[before:] = [clause for clause in one._clauses[before:] if clause[0] != -variable]


def derived(one: Completion, variable: int, supports: list[tuple[tuple[int, ...], bool]]) -> None:
    """Have a choice derive its atoms."""
    REAL["_complete"](one, variable, [(body, True) for body, _ in supports])


def off_by_one(one: Completion, least: int, body: object) -> int:
    return int(REAL["_sum"](one, least + 1, body))


def forgotten(one: Completion, atom: int, value: bool | None, *, released: bool = False) -> None:
    """Leave a released bound asked for."""
    if not released:
        REAL["external"](one, atom, value)


def unread(one: Completion, literal: int, model: set[int]) -> bool:
    """Take every atom that no body has for false."""
    return abs(literal) in one._variable and bool(REAL["holds"](one, literal, model))


REAL: dict[str, Callable[..., object]] = {
    name: getattr(Completion, name) for name in ("_complete", "_sum", "external", "holds")
}
FAULTS = {
    "an atom without a body": ("_complete", unsupported),
    "a choice derives": ("_complete", derived),
    "a sum off by one": ("_sum", off_by_one),
    "a bound is not given up": ("external", forgotten),
    "what no body has is false": ("holds", unread),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_completion_shows(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Completion, *FAULTS[name])
    assert next(wrong(tmp_path, range(40)), None) is not None


CIRCLES = {
    "in one call": "{ q }. a :- b. b :- a. a :- q. :- q. #program check(t). #external query(t). :- query(t), not a.",
    "in a sum": "{ q }. a :- 1 { b; q }. b :- a. #program check(t). #external query(t). :- query(t), not b.",
    "by way of an external": "#external e(1). a :- e(1). #program step(t). e(t) :- a. "
    "#program check(t). #external query(t). :- query(t), not a.",
}


@pytest.mark.parametrize("name", CIRCLES)
def test_a_program_that_is_not_tight_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the look for circles an atom would support itself: an answer that is no answer set."""
    program = own(tmp_path, CIRCLES[name], "cadical")
    with pytest.raises(EncodingError, match=r"the program is not tight, (a|b|e\(1\)) depends on itself"):
        run(program)
    if name == "in one call":
        monkeypatch.setattr(completion, "on_cycle", lambda needs: None)
        assert run(program).verdict == "sat"
        assert run(own(tmp_path, CIRCLES[name], "clasp")).verdict == "unsat"


REFUSED = {
    "{ q }. #minimize { 1 : q }.": r"a preference \(#minimize\)",
    "{ q }. #edge (1,2) : q. #edge (2,1) : q.": "#edge",
    "&on { } :- q. { q }. #theory t { u { }; &on/0 : u, any }.": "a theory atom",
    "{ q(1..40,1..9) }. :- #sum { I**4+J,I,J : q(I,J) } > 9999999.": "a sum of 360 literals that is too large",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_clauses_do_not_say_is_refused(text: str, tmp_path: Path) -> None:
    program = own(tmp_path, text + "#program check(t). #external query(t).", "cadical")
    with pytest.raises(EncodingError, match=f"^a SAT solver cannot be asked: the program has {REFUSED[text]}"):
        run(program)


@pytest.mark.parametrize("weight", [1, 2, 3])
def test_counts_of_few_literals_hold_for_every_assignment(weight: int) -> None:
    """Equal weights, also where the bound is no multiple of them: the atom that the sum derives is true as the sum is."""
    from pysat.solvers import Cadical195

    atoms, head = range(1, 6), 6
    for least in range(1, 5 * weight + 2):
        one = Completion()
        one.rule(True, list(atoms), [])
        one.weight_rule(False, [head], least, [(atom, weight) for atom in atoms])
        one.rule(False, [], [head, 7])
        one.rule(True, [7], [])
        with Cadical195(bootstrap_with=one.taken()) as solver:
            names = {atom: one._variable[atom] for atom in atoms}
            for chosen in product((False, True), repeat=5):
                true = [names[atom] if holds else -names[atom] for atom, holds in zip(atoms, chosen, strict=True)]
                assert solver.solve(assumptions=true)
                model = {literal for literal in solver.get_model() if literal > 0}
                assert one.holds(head, model) == (weight * sum(chosen) >= least), (least, chosen)


def test_a_circle_through_an_external_that_is_defined_later_is_no_answer() -> None:
    """2 needs 1, which is external; then 1 needs 2."""
    completion = Completion()
    completion.external(1, False)
    completion.rule(False, [2], [1])
    completion.rule(False, [], [-2])
    completion.taken()
    completion.rule(False, [1], [2])
    with pytest.raises(NotTight):
        completion.taken()
