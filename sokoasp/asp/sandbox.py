"""Programs of strangers: what may be run, and what their answer sets say step by step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import ClingoOptions, Session, Stopped
from sokoasp.core.errors import EncodingError
from sokoasp.core.limits import Clock

if TYPE_CHECKING:
    import clingo

FORBIDDEN = re.compile(r"#script|#include|@(?=\s*_*[a-z])")
"""Scripts run any code, inclusions open any file, and ``@`` calls a script's function. They are refused as text, in comments
and strings too: clingo opens included files already while it reads a program, so nothing may be read before this."""
MOST_TEXT = 100_000
MOST_ATOMS = 20_000


def check(text: str, name: str) -> None:
    """Refuse a program that could do more than say which atoms hold.

    Raises:
        EncodingError: It has a script, an inclusion or an external function, with its place; or is too long.
    """
    if len(text) > MOST_TEXT:
        raise EncodingError(f"a program may have {MOST_TEXT:,} characters, this has {len(text):,}", source=name)
    found = FORBIDDEN.search(text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        col = found.start() - text.rfind("\n", 0, found.start())
        raise EncodingError(f"{found.group()} may not be used here", source=name, line=line, column=col)


def atoms_by_step(
    encoding: Encoding, facts: str, bound: int, constraints: Sequence[Path], clock: Clock
) -> tuple[dict[int, list[str]], bool]:
    """Return all true atoms of an answer at a bound by their last argument, and whether some were left out.

    Atoms of step 0 and of no step (facts aside) stand under 0. Empty if there is no answer.

    Raises:
        EncodingError: The program cannot be grounded.
    """
    import clingo

    given = set(re.findall(r"\b([a-z_]\w*)\(", facts))
    session = Session(encoding, facts, ClingoOptions(constraints=tuple(constraints)), clock)
    number = clingo.Number(bound)
    steps: list[tuple[str, Sequence[clingo.Symbol]]] = [("step", [clingo.Number(t)]) for t in range(1, bound + 1)]
    found: list[clingo.Symbol] = []
    try:
        session.ground([("base", []), *steps, ("check", [number])])
        session.control.assign_external(clingo.Function("query", [number]), True)
        session.solve()
        with session.control.solve(yield_=True) as handle:
            model = handle.model()
            if model is not None:
                found = [symbol for symbol in model.symbols(atoms=True) if symbol.name not in given]
    except Stopped:
        return {}, True
    by_step: dict[int, list[str]] = {}
    for symbol in sorted(found)[:MOST_ATOMS]:
        last = symbol.arguments[-1] if symbol.arguments else None
        timed = last is not None and last.type is clingo.SymbolType.Number and 0 <= last.number <= bound
        by_step.setdefault(last.number if timed and last is not None else 0, []).append(str(symbol))
    return by_step, len(found) > MOST_ATOMS
