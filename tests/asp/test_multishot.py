"""The driver on small programs of no game: bounds, enumeration, limits, faults."""

from itertools import count
from pathlib import Path

import pytest

from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import ClingoOptions, Outcome
from sokoasp.core.errors import EncodingError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Horizon, Step
from tests.asp import alone
from tests.commands import python

COUNT = """
#program step(t).
{ take(t) }.
#program check(t).
#external query(t).
:- query(t), not take(t) : t = T, goal(T).
:- query(t), not goal(t).
#show take/1.
"""


def program(tmp_path: Path, text: str, mode: str = "incremental", **extra: object) -> Encoding:
    path = tmp_path / "program.lp"
    path.write_text(text)
    fields = {"name": "own", "game": "none", "objective": "steps", "output": "take/1", "summary": "", "proves": ""}
    return Encoding(mode=mode, files=(path,), **fields, **extra)  # type: ignore[arg-type]


def run(encoding: Encoding, facts: str = "goal(4).", bounds: Horizon | None = None, **more: object) -> Outcome:
    limits = more.pop("limits", Limits())
    assert isinstance(limits, Limits)
    return alone.run(encoding, facts, bounds=bounds or Horizon(), clock=limits.start(), **more)  # type: ignore[arg-type]


def test_bounds_are_asked_in_order(tmp_path: Path) -> None:
    seen: list[Step] = []
    outcome = run(program(tmp_path, COUNT), on_step=seen.append)
    assert [(s.t, s.result) for s in outcome.steps] == [*((t, "unsat") for t in range(4)), (4, "sat")]
    assert (outcome.bound, outcome.refuted, outcome.verdict) == (4, 3, "sat") and seen == outcome.steps
    assert outcome.counters["rules"] > 0


def test_stride_and_first(tmp_path: Path) -> None:
    outcome = run(program(tmp_path, COUNT), bounds=Horizon(2, 2))
    assert [s.t for s in outcome.steps] == [2, 4]


def test_last_bound_ends_the_loop(tmp_path: Path) -> None:
    outcome = run(program(tmp_path, COUNT), facts="goal(9).", bounds=Horizon(0, 1, 3))
    assert (outcome.verdict, outcome.refuted, outcome.answers) == ("unsat", 3, [])


def test_enumeration_is_complete_and_free_of_duplicates(tmp_path: Path) -> None:
    text = COUNT + "#program step(t).\n{ hidden(t) }.\n"
    outcome = run(program(tmp_path, text), facts="goal(3).", options=ClingoOptions(models=0))
    answers = {frozenset(atoms) for atoms in outcome.answers}
    assert len(outcome.answers) == len(answers) == 4
    assert outcome.complete


def test_contradictory_steps_refute_every_bound(tmp_path: Path) -> None:
    text = COUNT + "#program step(t).\n:- t > 2.\n"
    outcome = run(program(tmp_path, text))
    assert outcome.exhausted and outcome.verdict == "unsat"


def test_single_program_minimises(tmp_path: Path) -> None:
    text = "1 { take(1..5) }. #minimize { X,X : take(X) }. #show take/1."
    outcome = run(program(tmp_path, text, "single"))
    assert outcome.cost == (1,) and outcome.complete
    assert [str(a.args[0]) for a in outcome.answers[-1]] == ["1"]


def test_single_program_enumerates_all_optima(tmp_path: Path) -> None:
    text = "1 { take(1..5) }. #minimize { 1,X : take(X) }. #show take/1."
    outcome = run(program(tmp_path, text, "single"), options=ClingoOptions(models=0))
    assert sorted(a[0].args[0] for a in outcome.answers) == ["1", "2", "3", "4", "5"]


CHEAP = """
#program step(t).
#program check(t).
#external query(t).
{ pay(1..9,t) } = 1 :- query(t).
:- query(t), pay(N,t), not offer(N,t).
#minimize { N@2,t : pay(N,t) }.
#show pay/2.
"""
"""At bound t one of the offers is taken."""


def test_later_bounds_are_asked_for_cheaper_answers_only(tmp_path: Path) -> None:
    facts = "offer((5;6),1). offer((5;7),2). offer((4;8),3). offer(4,4)."
    options = ClingoOptions(preferences=True, longer=True)
    outcome = run(program(tmp_path, CHEAP), facts=facts, bounds=Horizon(1, 1, 4), options=options)
    assert [(s.t, s.result) for s in outcome.steps] == [(1, "sat"), (2, "unsat"), (3, "sat"), (4, "unsat")]
    assert (outcome.verdict, outcome.bound, outcome.cost, outcome.complete) == ("sat", 3, (4,), True)
    assert [tuple(atom.args) for (atom,) in outcome.answers] == [("4", "3")]


def test_a_new_priority_is_not_taken_for_an_old_one(tmp_path: Path) -> None:
    """Bound 2 has a weightier price than bound 1 knew: costs that go by position must not be compared as they stand."""
    text = CHEAP + "#program check(t).\n#minimize { 1@3,t : pay(N,t), t > 1 }.\n"
    options = ClingoOptions(preferences=True, longer=True)
    facts = "offer(9,1). offer(5,2). offer(4,3)."
    outcome = run(program(tmp_path, text), facts=facts, bounds=Horizon(1, 1, 3), options=options)
    assert (outcome.bound, outcome.cost, outcome.priorities) == (1, (9,), (2,))


HARD = """
{ at(P,H) : H = 1..n } = 1 :- P = 1..n+1.
:- at(P,H), at(Q,H), P < Q.
#const n = 30.
"""


def test_time_limit_interrupts_a_running_solve(tmp_path: Path) -> None:
    outcome = run(program(tmp_path, HARD, "single"), facts="", limits=Limits(seconds=0.3))
    assert outcome.steps[-1].result == "unknown" and (outcome.stopped_by, outcome.verdict) == ("time", "unknown")


GROUNDING = """
import os, sys
from pathlib import Path
from sokoasp.core.limits import Limits
from tests.asp.test_multishot import program, run

text = "p(1..9000). q(X,Y,Z) :- p(X), p(Y), p(Z), X+Y+Z < 0."
outcome = run(program(Path(sys.argv[1]), text, "single"), facts="", limits=Limits(seconds=0.3))
print(outcome.stopped_by, outcome.steps, flush=True)
os._exit(0)
"""


def test_time_limit_interrupts_grounding(tmp_path: Path, root: Path) -> None:
    """In a process of its own: the abandoned grounding goes on, and would fill the memory of all tests that follow."""
    done = python(GROUNDING, str(tmp_path), cwd=root)
    assert done.stdout.split() == ["time", "[]"], done.stderr


PREPARING = """
import sys, time
from pathlib import Path
import clingo
from sokoasp.asp import session
from sokoasp.core.limits import Limits
from tests.asp.test_multishot import COUNT, program, run

solve, prepared = clingo.Control.solve, []
clingo.Control.solve = lambda *given, **more: (time.sleep(2), solve(*given, **more), prepared.append(1))[1]
session.TICK = 1e-6
outcome = run(program(Path(sys.argv[1]), COUNT), limits=Limits(seconds=0.2))
print(outcome.stopped_by, [one.result for one in outcome.steps], prepared, flush=True)
raise SystemExit(3)
"""


def test_time_limit_interrupts_the_preparation_of_a_call(tmp_path: Path, root: Path) -> None:
    """Planted: clingo simplifies a large program for seconds before it can be asked anything."""
    done = python(PREPARING, str(tmp_path), cwd=root)
    assert (done.returncode, done.stdout.split(), done.stderr) == (3, ["time", "['unknown']", "[]"], "")


FULL = """
import os, resource, sys
from pathlib import Path
import clingo
from tests.asp.test_multishot import program, run

resource.setrlimit(resource.RLIMIT_AS, (400_000_000, 400_000_000))
outcome = run(program(Path(sys.argv[1]), "p(1..1000,1..1000,1..1000).", "single"), facts="")
print(outcome.stopped_by, outcome.verdict, flush=True)
os._exit(0)
"""


def test_memory_that_the_system_refuses_is_a_limit_too(tmp_path: Path, root: Path) -> None:
    done = python(FULL, str(tmp_path), cwd=root)
    assert done.stdout.split() == ["memory", "unknown"], done.stderr


def test_a_memory_limit_and_a_watch_end_the_run(tmp_path: Path) -> None:
    hard = program(tmp_path, HARD, "single")
    assert run(hard, facts="", limits=Limits(memory_mb=1)).stopped_by == "memory"
    assert run(hard, facts="", watch=lambda: "enough").stopped_by == "enough"


def test_refuted_bounds_survive_a_limit(tmp_path: Path) -> None:
    text = COUNT.replace("#program check(t).", HARD_PART + "#program check(t).")
    seen: list[Step] = []
    looks = count()
    watch = lambda: "time" if len(seen) >= 5 and next(looks) > 9 else None  # noqa: E731
    outcome = run(program(tmp_path, text), facts="goal(5).", on_step=seen.append, watch=watch)
    assert (outcome.stopped_by, outcome.refuted) == ("time", 4)
    assert outcome.steps[-1].result == "unknown" and outcome.steps[-1].conflicts > 0
    assert outcome.conflicts == sum(step.conflicts for step in outcome.steps)


HARD_PART = """
#program step(t).
{ at(P,H,t) : H = 1..30 } = 1 :- P = 1..31, t = 5.
:- at(P,H,t), at(Q,H,t), P < Q.
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a :- b(X", "error: syntax error"),
        ("a(X).", "unsafe"),
        ("#program step(t).\n#show.\n#program check(t). p(t).\nbroken", "syntax error"),
    ],
)
def test_faulty_program_is_one_sentence_with_a_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(EncodingError, match=message) as caught:
        run(program(tmp_path, text))
    assert "program.lp:" in str(caught.value) and "\n" not in str(caught.value)


def test_a_missing_file_and_an_unknown_option_are_encoding_errors(tmp_path: Path) -> None:
    with pytest.raises(EncodingError, match="no such file"):
        run(program(tmp_path, COUNT), options=ClingoOptions(constraints=(tmp_path / "none.lp",)))
    with pytest.raises(EncodingError):
        run(program(tmp_path, COUNT), options=ClingoOptions(arguments=("--no-such-option",)))


def test_threads(tmp_path: Path) -> None:
    assert run(program(tmp_path, COUNT), options=ClingoOptions(threads=2)).bound == 4


def test_a_program_ends_well_over_a_grounding_that_its_limit_has_left_behind() -> None:
    """clingo cannot be stopped there, and crashed the process on its way out."""
    code = "import sokoasp\nfree = '#' + ' ' * 18 + '#'\nrows = ['#' * 20, free, '#@$  $' + ' ' * 13 + '#', *[free] * 14]\n"
    code += "level = sokoasp.read('\\n'.join([*rows, '#' + ' ' * 11 + '..  ' + ' ' * 3 + '#', free, '#' * 20]))[0]\n"
    code += "asked = dict(objective='pushes', encoding='pushes', limits=sokoasp.Limits(seconds=0.2))\n"
    code += "print(sokoasp.solve(level, **asked).stopped_by)\n"
    done = python(code + "raise SystemExit(3)")
    assert (done.returncode, done.stdout, done.stderr) == (3, "time\n", "")
