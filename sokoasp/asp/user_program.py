"""A user's own program, checked before it is run: faults of syntax are reported, and programs that can never give a plan."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from sokoasp.asp import clingo_api
from sokoasp.asp.statements import Program, check_part, fault, meant, program_of
from sokoasp.core.errors import EncodingError

GIVEN = {"sokoban": {("right", 2), ("top", 2), ("box", 1), ("solution", 1), ("sokoban", 1), ("step", 1), ("next", 2)}}
"""The facts of a game that has a fixed vocabulary of them; where there is none, unknown atoms are not looked for."""


@cache
def checked(path: Path, text: str, game: str, plans: tuple[str, ...], moves: bool, catalogued: frozenset[Path]) -> bool:
    """Return whether a program has a part ``step(t)``, in itself or in what it includes.

    Args:
        path: Its file.
        text: What stands in it, so that a file that is written anew is read anew.
        game: The game it is for.
        plans: The signatures that a plan is read from, such as ``push/4``.
        moves: Whether the program may count single moves: that is asked for, or nothing yet.
        catalogued: The files of our own programs for the game.

    Raises:
        EncodingError: clingo cannot read it, or its answers could never be plans; with the place of the fault.
    """
    program = Program()
    program.take(path)
    if not program.statements:
        raise EncodingError("there are no rules in it", source=str(path))
    _check_shown(path, program, plans, moves, "#script" in text)
    incremental = any(node.name == "step" and node.parameters for node in program.programs)
    if incremental:
        for node in () if "#script" in text else program.programs:
            check_part(node, "incremental", "there are")
        _check_parameter(program)
        _check_query(path, program)
    if game in GIVEN:
        _check_known(program, game, catalogued)
    return incremental


def _check_parameter(program: Program) -> None:
    """Refuse the habitual ``t`` in a part whose number is called otherwise: it would be a name like any other."""
    defined = {one.node.name for one in program.definitions}
    for one in program.statements:
        last = [str(use.arguments[-1]) for use in one.uses if use.arguments]
        if one.parameter not in ("", "t") and "t" in last and "t" not in defined:
            part, own = one.part, one.parameter
            raise fault(
                one.place, f"part {part}({own}) calls its number {own}, and this rule says t: write {part}(t), or {own}"
            )


def _check_shown(path: Path, program: Program, plans: tuple[str, ...], moves: bool, scripted: bool) -> None:
    """Refuse a program that derives no plan atoms, or those of another objective, or whose #show lines leave them out."""
    shows = [one.node for one in program.statements if clingo_api.kind(one.node) in ("ShowSignature", "ShowTerm")]
    # a variable, or what a function returns, may be any term; arguments are counted where none is a function or a pool
    term = re.compile(
        rf"#show ([A-Z_@]|({'|'.join(one.partition('/')[0] for one in plans)})[(][^)]*[(;]"
        rf"|{'|'.join(one.replace('/', '[(]([^(),;]+[,)]){') + '}[ .]' for one in plans)})"
    )
    if any(term.match(str(node)) for node in shows):
        return
    derived = [one for one in plans if scripted or tuple(one.split("/")) in {(n, str(k)) for n, k in program.heads}]
    if not derived:
        raise EncodingError(
            f"nothing derives {' or '.join(plans)}, from which the plan is read{meant(plans[0], program.heads)}",
            source=str(path),
        )
    if derived == ["move/2"] and not moves:
        counts = "it derives move/2 and no push/4, so it counts moves (--objective moves)"
        raise EncodingError(counts, source=str(path))
    hiding = [node for node in shows if clingo_api.kind(node) == "ShowSignature"]
    if hiding and not any(f"{node.name}/{node.arity}" in derived for node in hiding):
        raise fault(hiding[0].location.begin, f"the #show lines leave out {derived[0]}, from which the plan is read")


_ONE_LEVEL = (
    "'sokoasp encodings export NAME LEVEL' writes an encoding and its tables in one file, for plain clingo;"
    " here give the name of the catalogued encoding, or a file without the rules that read tables"
)


def _check_query(path: Path, program: Program) -> None:
    """Refuse a program whose goal does not stand under ``query(t)``: it would be demanded at every earlier bound, too."""
    external = ("query", 1) in program.declared or any(
        clingo_api.kind(one.node) == "External" and use.signature == ("query", 1)
        for one in program.statements
        for use in one.uses
    )
    asked = [use for one in program.statements for use in one.uses if use.signature == ("query", 1) and not use.head]
    if external and {use.part for use in asked} == {"step"}:
        raise fault(
            asked[0].place,
            "part step(t) is not asked at bound 0, where this goal would be missing: it belongs under '#program check(t).'",
        )
    if external and asked:
        return
    constraints = (one for one in program.statements if one.kind == "constraint")
    goals = [one for one in constraints if any(use.name == "solution" for use in one.uses)]
    if external and goals:
        message = (
            "this goal is demanded at every bound, not only at the one that is asked for: begin it with ':- query(t), '"
        )
        raise fault(goals[-1].place, message)
    place = next((node.location.begin for node in program.programs if node.name in ("check", "step")), None)
    missing = "declares no '#external query(t).'" if not external else "says nothing under query(t)"
    raise EncodingError(
        f"a program with '#program step(t).' is asked bound after bound, and this one {missing}: its part check(t) needs"
        " '#external query(t).' and the goal as ':- query(t), ...' (encodings/README.md has a whole program)",
        source=str(path),
        line=None if place is None else place.line,
        column=None if place is None else place.column,
    )


def refuse_level(files: tuple[Path, ...], game: str) -> None:
    """Refuse the facts of one level in a program that is for all; EncodingError with the place of the first."""
    for one in program_of(files).statements:
        for use in one.uses:
            given = use.signature in GIVEN.get(game, ()) and use.name not in ("step", "next")
            if given and one.kind == "rule" and all(each.head for each in one.uses):
                name = f"{use.name}/{len(use.arguments)}"
                raise fault(use.place, f"{name} comes with each level: leave the facts of one level out of the program")


def _check_known(program: Program, game: str, catalogued: frozenset[Path]) -> None:
    """Refuse an atom that nothing derives: clingo takes it for false and says so in a note that is easily missed."""
    given = program.declared | GIVEN[game]
    known, first = program.heads | given, program.derived.get("base", set()) | given
    shows = re.compile(r"#(show|heuristic|edge)\b")
    for one in program.statements:
        for use in one.uses:
            there = first if use.part == "base" else known
            if use.head or use.signature in there or shows.match(str(one.node)):
                continue
            if use.signature in known:
                raise use.too_early()
            name = f"{use.name}/{len(use.arguments)}"
            if use.signature in program_of(tuple(catalogued)).needs:
                raise fault(use.place, f"{name} is a table that is made for one level: {_ONE_LEVEL}")
            raise fault(use.place, f"nothing derives {name}{meant(name, known)} ('#defined {name}.' if that is meant)")
