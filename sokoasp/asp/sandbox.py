"""Untrusted programs: what may be run, and what their answer sets say step by step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sokoasp.asp import clingo_api
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import ClingoOptions, Session, Stopped
from sokoasp.asp.program_text import refuse_strange
from sokoasp.core.errors import EncodingError, place_in
from sokoasp.core.limits import Clock

FORBIDDEN = re.compile(r"#script|#include")
"""Scripts run any code, inclusions open any file. They are refused as text, in comments and strings too: clingo opens included
files already while it reads a program, so nothing may be read before this."""
MOST_TEXT = 100_000
MOST_ATOMS = 20_000


def check(text: str, name: str) -> None:
    """Refuse a program that could do more than say which atoms hold.

    Raises:
        EncodingError: It has a script, an inclusion, an external function or a strange character, with its place; or is too long.
    """
    if len(text) > MOST_TEXT:
        raise EncodingError(f"a program may have {MOST_TEXT:,} characters, this has {len(text):,}", source=name)
    found = FORBIDDEN.search(text)
    if found is not None:
        line, column = place_in(text, found.start())
        raise EncodingError(f"{found.group()} may not be used here", source=name, line=line, column=column)
    refuse_strange(text, name)
    for function, line, column in clingo_api.external_functions(text):
        raise EncodingError(f"@{function} may not be used here", source=name, line=line, column=column)


def atoms_by_step(
    encoding: Encoding, facts: str, bound: int, constraints: Sequence[Path], clock: Clock
) -> tuple[dict[int, list[str]], bool]:
    """Return all true atoms of an answer at a bound by their last argument, and whether some were left out.

    Atoms of step 0 and of no step (facts aside) stand under 0. Empty if there is no answer.
    EncodingError if the program cannot be grounded.
    """
    in_facts = set(re.findall(r"\b([a-z_]\w*)\(", facts))
    session = Session(encoding, facts, ClingoOptions(constraints=tuple(constraints)), clock)
    found: list[Any] = []
    try:
        session.ground([("base", []), *clingo_api.steps(1, bound)])
        session.control.assign_external(clingo_api.query(bound), True)
        session.solve()
        with session.control.solve(yield_=True) as handle:
            model = handle.model()
            if model is not None:
                found = [symbol for symbol in model.symbols(atoms=True) if symbol.name not in in_facts]
    except Stopped:
        return {}, True
    by_step: dict[int, list[str]] = {}
    for symbol in sorted(found)[:MOST_ATOMS]:
        last = clingo_api.last_number(symbol)
        by_step.setdefault(last if last is not None and 0 <= last <= bound else 0, []).append(str(symbol))
    return by_step, len(found) > MOST_ATOMS
