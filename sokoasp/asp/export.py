"""Catalogued programs for plain clingo: one file with all that it needs, or a root file of ``#include``s."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sokoasp.asp.catalogue import Encoding, folder

IN_ORDER = "_in_order"
"""Ends the name of a show file that numbers the actions of a program from the start though it counts from the end."""
OF_ACTIONS = ("push/4", "move/2", "near_end/3", "far_end/3", "on/3", "reach/2")
"""What a program has no atoms of until its first action is grounded: declared, or plain clingo warns of each at every start."""


def for_plain_clingo(encoding: Encoding) -> Encoding:
    """Return the program with its actions shown in the order of the plan, whichever end it counts from."""
    *rules, show = encoding.files
    if encoding.index != "remaining":
        return encoding
    return encoding._replace(files=(*rules, show.with_name(f"{show.stem}{IN_ORDER}.lp")), index="forward")


def place(path: Path) -> str:
    """Return where a file of the catalogue stands in the folder of its game, such as ``rules/start.lp``; else its path."""
    return "/".join(path.relative_to(folder()).parts[1:]) if path.is_relative_to(folder()) else str(path)


def declared(encoding: Encoding) -> list[str]:
    """Return directives that declare those of ``OF_ACTIONS`` that an incremental program uses."""
    if encoding.mode != "incremental":
        return []
    text = "".join(path.read_text(encoding="utf-8") for path in for_plain_clingo(encoding).files)
    return [f"#defined {one}." for one in OF_ACTIONS if re.search(rf"\b({one[:-2]}\(|{one})", text)]


def whole(encoding: Encoding, facts: str = "") -> str:
    """Return the program as one text that plain clingo runs, with the facts of a level and its tables where they are given."""
    parts = [*heads(encoding, alone=not facts), *declared(encoding)]
    parts += [f"% Idea {idea.name}: {idea.claim}" for idea in encoding.ideas]
    for path in for_plain_clingo(encoding).files:
        parts += ["", f"% ---- {place(path)}", path.read_text(encoding="utf-8").rstrip()]
    if facts:
        parts += ["", "% ---- the level and its tables", "#program base.", facts.rstrip()]
    loop = (
        [ending(encoding).read_text(encoding="utf-8").rstrip()] if encoding.mode == "incremental" or not facts else []
    )
    return "\n".join([*parts, "", *loop]) + "\n"


def root(encoding: Encoding) -> str:
    """Return the root file of a program: ``encodings/<game>/<name>.lp``, which includes all of it."""
    files = [f'#include "{place(path)}".' for path in for_plain_clingo(encoding).files]
    return "\n".join([*heads(encoding), *declared(encoding), *files, f'#include "../{ending(encoding).name}".']) + "\n"


def ending(encoding: Encoding) -> Path:
    """Return the file that has clingo ask bound after bound and shows where it does not, or shows where steps are missing."""
    return folder() / ("incmode.lp" if encoding.mode == "incremental" else "steps.lp")


def command(encoding: Encoding, *files: str) -> str:
    """Return the command that runs it."""
    return " ".join(["clingo", *encoding.options, *files])


def heads(encoding: Encoding, *, alone: bool = True, loop: bool = True) -> Iterator[str]:
    """Yield the head of the file; ``alone``: without a level; ``loop``: with clingo's loop over the bounds."""
    facts = "the facts of a level" + (", step/1 and next/2" if encoding.mode == "single" else "")
    tables = f" and of its tables {', '.join(encoding.tables)}" if encoding.tables else ""
    yield f"% Purpose: {encoding.name}, the whole program: {encoding.summary}."
    yield f"% Input:   {facts}{tables}" + ("." if alone else ", at the end.")
    if alone and encoding.tables:
        yield f"%          sokoasp encodings export {encoding.name} LEVEL -o FILE makes them and writes all in one file."
        yield "%          Without its tables the program has no plan at any bound, and incmode never ends."
    yield f"% Derived: {encoding.output}, actions numbered in the order of the plan."
    yield f"% Proves:  {encoding.proves}"
    if encoding.mode == "incremental" and loop:
        yield "% incmode asks every bound from 0 on; it does not end if there is no plan."
        yield "% python -m clingo knows no incmode and has no plan: run Debian's clingo, or sokoasp solve."
    if encoding.options and loop:
        yield f"% Its heuristic has an effect only with: {command(encoding)}"
