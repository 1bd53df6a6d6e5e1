"""A catalogued program for one number of steps as plain text: no parts, no inclusions, no externals.

For tools that know neither clingo's ``incmode`` nor its program parts: gringo with clasp, ngo, asprin, telingo, clingo-wasm.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sokoasp.asp import clingo_api
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.export import declared, for_plain_clingo, heads, place
from sokoasp.asp.statements import program_of

_STEP = "Step"
"""The variable that stands for the parameter of ``step(t)`` and ``check(t)``."""
_LEFT_OUT = ("Program", "External", "Heuristic")
_MADE = ("query", "horizon_at_least")
"""What the loop tells a program by externals: facts here."""


def unrolled(encoding: Encoding, facts: str, actions: int) -> str:
    """Return the program for plans of exactly this number of actions, with a level's facts and tables, as one plain text."""
    program = for_plain_clingo(encoding.exact)
    parts = [*heads(encoding, alone=False, loop=False), f"% Unrolled for plans of exactly {actions} actions."]
    parts += declared(encoding)
    name, _, count = program.output.partition("/")
    as_atoms = (name, int(count)) not in program_of(program.files).heads
    for path in program.files:
        parts += ["", f"% ---- {place(path)}", *_rules(path, actions, as_atoms=as_atoms)]
    parts += [
        "",
        *([f"#show {program.output}."] if as_atoms else []),
        f"query({actions}).",
        f"horizon_at_least(1..{actions}).",
        "",
        "% ---- the level and its tables",
        facts,
    ]
    return "\n".join(parts).rstrip() + "\n"


def _rules(path: Path, actions: int, *, as_atoms: bool) -> Iterator[str]:
    """Yield the statements of a file with the number of the action as a variable of the rule.

    ``as_atoms``: shown terms become atoms, for telingo prints no terms; where the rules use such atoms otherwise they stay.
    """
    part, found = "base", []

    def take(node: Any) -> None:
        nonlocal part
        kind = clingo_api.kind(node)
        if kind == "Program":
            part = node.name
        elif kind == "Rule" and not node.body and str(node.head).partition("(")[0] in _MADE:
            return
        elif kind not in _LEFT_OUT:
            said = f"{_STEP} = {'1..' if part == 'step' else ''}{actions}"
            text = str(node) if part == "base" else clingo_api.with_variable(node, "t", _STEP, said)
            if kind == "ShowTerm" and as_atoms:
                head, _, body = text.removeprefix("#show ").partition(" : ")
                text = f"{head} :- {body}"
            found.append(text)

    clingo_api.read(str(path), take, lambda _code, _message: None)
    yield from found
