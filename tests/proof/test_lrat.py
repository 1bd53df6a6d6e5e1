"""The LRAT checker against its plain-Python oracle, on real proofs and on proofs that were tampered with."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from sokoasp.core import jit
from sokoasp.proof import level_text, lrat
from sokoasp.proof.lrat_binary import as_text, is_binary, packed
from sokoasp.proof.pushes_formula import pushes_formula
from sokoasp.proof.refusals import Refused
from tests.proof.forging import standalone
from tests.proof.makers import solvable
from tests.proof.outside_checker import follows

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
        (b"5000000000 2 0 1 2 0\n999999999999999 0 5000000000 3 4 0\n", None),
        (b"5 2 0 1 2 0\n9999999999999999 0 5 3 4 0\n", "not a line of LRAT"),
        (b"5 d 999999999999999 0\n" + GOOD, None),
        (b"5 d 9999999999999999 0\n" + GOOD, "not a line of LRAT"),
        (GOOD + b"whatever follows", None),
        (packed(GOOD), None),
        (packed(GOOD) + b"whatever follows", None),
        (packed(b"5 2 0 1 0\n6 0 5 3 4 0\n"), "as text: line 1: its hints do not lead"),
        (packed(b"5 2 0 1 2 0\n6 0 5 -3 4 0\n"), "RAT"),
        (b"a\x0a\x04\x00\x02\x04", "byte 7 is not one"),
        (b"a\x0a\x04\x00\x02\x04\x01a", "byte 7 is not one"),
        (b"a\x0a\x04\x00\x02\x04\x00b", "byte 8 is not one"),
        (b"a\x8a\x80\x80\x80\x80\x80\x80\x00", "byte 2 is not one"),
        (b"a\x0a\x84\x00\x00\x02\x04\x00", "byte 3 is not one"),
    ],
)
def test_by_hand(proof: bytes, fault: str | None) -> None:
    found = _both(TINY, 2, proof)
    assert (found is None) if fault is None else (found is not None and fault in found)


@pytest.mark.parametrize(
    "proof",
    [
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b" ", b"\t"),
        GOOD.replace(b"\n", b"\x0b"),
        GOOD.replace(b" ", b"\x1c"),
        GOOD.replace(b" ", "\u00a0".encode()),
        GOOD.replace(b"5", b"+5"),
        GOOD.replace(b"5", b"0_5"),
        GOOD.replace(b"5", "\u0665".encode()),
        "\ufeff".encode() + GOOD,
        GOOD.replace(b"\n", b"\n5  d 9 0\n", 1),
        GOOD.replace(b"\n", b"\n5 dd 9 0\n", 1),
        b"-" + GOOD,
        b"\t\n" + GOOD,
    ],
)
def test_numbers_and_spaces_are_spelt_in_one_way(proof: bytes, tmp_path: Path) -> None:
    """Python's ``int`` and ``split`` take more: one checker must not accept what another refuses."""
    file = tmp_path / "proof.lrat"
    for text, holds in (
        (GOOD, True),
        (b"\n  \n" + GOOD.replace(b"0 ", b" 0  ").replace(b"d ", b"d"), True),
        (proof, False),
    ):
        file.write_bytes(text)
        assert (_both(TINY, 2, text) is None) is holds
        try:
            standalone().check_lrat(TINY, 2, file)
        except Exception:
            assert not holds
        else:
            assert holds


def _proofs() -> list[tuple[list[tuple[int, ...]], int, bytes]]:
    """Return real proofs, by CaDiCaL through its process."""
    pytest.importorskip("pysat")
    from sokoasp.core.limits import Limits
    from sokoasp.sat.formulas import of_levels
    from sokoasp.sat.solver_child import SolverQuestion, ask_alone

    found = []
    for number, (level, value, _lurd) in enumerate(solvable(3, "lines", 6)):
        formula = pushes_formula(level_text.read(level_text.write(level)), value, lines=True)
        path = f"{_FOLDER}/{number}.lrat"
        question = SolverQuestion(of_levels(), level, "lines", single=value - 1, proof=path)
        assert ask_alone("solver", question, Limits(seconds=60).start())["verdict"] == "unsat"
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


def _text(proof: bytes) -> bytes | str:
    """Return a binary proof as text, read by both readers, or what is wrong with it."""
    said: list[bytes | str] = []
    for compiled in (False, True) if jit.available() else (False,):
        try:
            said.append(as_text(proof, compiled=compiled))
        except Refused as error:
            said.append(error.message)
    assert len(set(said)) == 1
    return said[0]


def test_binary_says_the_same_as_text() -> None:
    rng = random.Random(3)
    rows = []
    for number in range(1, 300):
        some = [rng.choice((-1, 1)) * rng.choice((1, 63, 64, 8191, 8192, rng.randrange(1, 1 << 47))) for _ in range(6)]
        cut = rng.randrange(1, 7)
        rows.append(" ".join(map(str, [number, *some[:cut], 0, *some[cut:], 0])))
        rows.append(" ".join(["1 d", *map(str, some[cut:]), "0"]))
    text = ("\n".join(rows) + "\n").encode()
    assert is_binary(packed(text)) and not is_binary(text) and as_text(text) == text
    assert _text(packed(text)) == text


def test_each_flipped_bit_of_a_binary_proof_is_refused_with_a_sentence_or_leaves_a_proof() -> None:
    binary, refused = packed(GOOD), 0
    for at in range(len(binary)):
        for bit in range(8):
            changed = binary[:at] + bytes([binary[at] ^ 1 << bit]) + binary[at + 1 :]
            fault = _both(TINY, 2, changed)
            if fault is None:  # a clause deleted that is not needed, or a hint more behind those that do
                known = [frozenset(clause) for clause in TINY]
                for words in (line.split() for line in as_text(changed).splitlines() if b"d" not in line):
                    clause = frozenset(map(int, words[1 : words.index(b"0")]))
                    assert follows(known, clause), (at, bit)
                    known.append(clause)
                assert known[-1] == frozenset()
            else:
                refused += 1
                assert fault.startswith(
                    ("as text: line ", "byte ", "line ", "as text: it ends", "as text: the numbers")
                )
    assert refused > 8 * len(binary) * 0.8
