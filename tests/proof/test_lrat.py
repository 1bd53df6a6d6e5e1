"""The LRAT checker against its plain-Python oracle, on real proofs and on proofs that were tampered with."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from sokoasp.core import jit
from sokoasp.proof import lrat, rows
from sokoasp.proof.pushes_formula import pushes_formula
from tests.proof.makers import solvable

TINY = ((1, 2), (-1, 2), (1, -2), (-1, -2))
GOOD = b"5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"


def _both(clauses: Sequence[tuple[int, ...]], variables: int, proof: bytes) -> str | None:
    plain = lrat.check(clauses, variables, proof, compiled=False)
    assert not jit.available() or lrat.check(clauses, variables, proof, compiled=True) == plain
    return plain


@pytest.mark.parametrize(
    ("proof", "fault"),
    [
        (GOOD, None),
        (b"", "without the empty clause"),
        (b"5 2 0 1 2 0\n", "without the empty clause"),
        (b"5 2 0 1 0\n6 0 5 3 4 0\n", "do not lead"),
        (b"5 2 0 1 2 0\n6 0 5 9 4 0\n", "not a clause that is there"),
        (b"5 2 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", "not a clause that is there"),
        (b"5 0 1 2 0\n", "more than one literal"),
        (b"5 2 0 1 2 0\n6 0 5 -3 4 0\n", "RAT"),
        (b"3 2 0 1 2 0\n6 0 3 4 0\n", "not larger"),
        (b"5 7 0 1 2 0\n", "not a variable"),
        (b"5 2 0 1 2\n", "not a line of LRAT"),
        (b"5 2 0 1 2 0 0\n", "not a line of LRAT"),
        (b"5 two 0 1 2 0\n", "not a line of LRAT"),
        (b"5 d 1 2\n", "not a line of LRAT"),
        (b"5 2 0 1 2 0\n6 0 5 3 4 0", None),
    ],
)
def test_by_hand(proof: bytes, fault: str | None) -> None:
    found = _both(TINY, 2, proof)
    assert (found is None) if fault is None else (found is not None and fault in found)


def _proofs() -> list[tuple[list[tuple[int, ...]], int, bytes]]:
    """Return real proofs, by CaDiCaL through its process."""
    pytest.importorskip("pysat")
    from sokoasp.core.crew import Crew
    from sokoasp.core.limits import Limits
    from sokoasp.sat.solver_child import SolverQuestion, start

    found = []
    for number, (level, value, _lurd) in enumerate(solvable(3, "lines", 6)):
        formula = pushes_formula(rows.read(rows.write(level)), value, lines=True)
        path = f"{_FOLDER}/{number}.lrat"
        question = SolverQuestion(level, "lines", single=value - 1, proof=path)
        with Crew() as crew:
            start(crew, "solver", question)
            reported = [event for _, event in crew.listen(Limits(seconds=60).start())]
        assert reported[0]["verdict"] == "unsat"
        with open(path, "rb") as file:  # noqa: PTH123
            found.append(([*formula.clauses, (-formula.number["act", 1],)], len(formula.number), file.read()))
    return found


_FOLDER = ""


def test_real_proofs_and_tampered_ones(tmp_path_factory: pytest.TempPathFactory) -> None:
    global _FOLDER
    _FOLDER = str(tmp_path_factory.mktemp("lrat"))
    rng = random.Random(15)
    refused = 0
    for clauses, variables, proof in _proofs():
        assert _both(clauses, variables, proof) is None
        without = clauses[:-1]
        assert _both(without, variables, proof) is not None
        lines = proof.splitlines(keepends=True)
        for _ in range(60):
            at = rng.randrange(len(lines))
            words = lines[at].split()
            place = rng.randrange(len(words))
            words[place] = str(rng.choice([-1, 1]) * rng.randrange(1, variables + len(lines))).encode()
            changed = b"".join([*lines[:at], b" ".join(words) + b"\n", *lines[at + 1 :]])
            refused += _both(clauses, variables, changed) is not None
            cut = proof[: rng.randrange(len(proof) - 40)]
            assert _both(clauses, variables, cut) is not None
    # a changed number may leave a valid proof, in a deletion or a hint that was not needed; mostly it does not
    assert refused > 60


def test_planted_fault_a_checker_that_trusts_hints_would_pass_this() -> None:
    """The empty clause claimed from a clause that is not a contradiction."""
    assert _both(((1, 2), (-1, -2)), 2, b"3 0 1 2 0\n") is not None
