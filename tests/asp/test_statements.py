"""What the statements of a program derive and use."""

import pytest

from sokoasp.asp import catalogue, statements
from sokoasp.asp.statements import Program


def test_terms_that_are_left_out_hold_no_atoms(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a file derives and uses is the same when its terms are gone into."""
    paths = sorted(
        path
        for room in ("rules", "bridge", "prefer", "examples")
        for path in (catalogue.folder() / "sokoban" / room).glob("*.lp")
    )

    def uses() -> list[list[tuple[object, ...]]]:
        programs = [Program() for _ in paths]
        for program, path in zip(programs, paths, strict=True):
            program.load(path)
        return [
            [(use.signature, use.part, use.head, use.positive) for one in program.statements for use in one.uses]
            for program in programs
        ]

    found = uses()
    monkeypatch.setattr(statements, "_WITHOUT_ATOMS", set())
    assert found == uses() and sum(map(len, found)) > 100
