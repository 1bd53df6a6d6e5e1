"""Klotski (Hua Rong Dao) as a ``Domain``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from sokoasp import domain
from sokoasp.core import errors, result
from sokoasp.core.limits import Limits
from sokoasp.core.text_file import utf8
from sokoasp.klotski import board_facts, database, notation, referee, search, slide_plan, slide_rules, space_counts
from sokoasp.klotski.board import Board
from sokoasp.klotski.slide_plan import Plan

_OF_A_PROGRAM = re.compile(r'\bslide\(|^(?:% )?(?:py)?cl(?:ingo|asp) version|"Solver":', re.MULTILINE)
_positions = lru_cache(maxsize=1)(database.load)


def recognises(data: bytes, source: str) -> bool:
    """Return whether a file holds Klotski boards: by its suffix, else by its content."""
    suffix = PurePath(source).suffix.lower()
    if suffix == ".klotski":
        return True
    if len(data) > 1_000_000:
        return False
    text = data.decode("utf-8", "replace")
    if board_facts.recognises(text):
        return True
    if suffix in (".json", ".lp", ".asp", ".facts"):
        return False
    # without a header it must look like a board: more than one row, and no digits, which are counts of run-length notation
    plain = ":" not in text and ((len(text.split()) < 2 and "/" not in text) or any(char.isdigit() for char in text))
    return not plain and notation.recognises(text)


def read(data: bytes, source: str, **_reading: Any) -> Iterator[Board | errors.SokoaspError]:
    """Read the boards of a file; a faulty one is its error. Klotski has no dialects and its boards are small."""
    try:
        text = utf8(data, source, errors.LevelError, "E-ENCODING")
    except errors.LevelError as error:
        yield error
        return
    if board_facts.recognises(text):
        yield errors.LevelError(
            "facts of a board are for programs and not read: give the board file", source=source, line=1
        )
    else:
        yield from notation.read_each(text, source)


def estimate(board: Board, objective: str) -> domain.Estimate:
    """Say that a solved board needs nothing and any other at least one slide or unit."""
    if slide_rules.solved(board, slide_rules.start(board)):
        return domain.Estimate(result.Horizon(0))
    return domain.Estimate(result.Horizon(1), reason="the start is not solved")


def decode(board: Board, atoms: Sequence[result.Atom], index: str, keep_steps: bool) -> Plan:
    """Turn shown slide/4 atoms into slides; WrongEncoding if they are not a plan's, IllegalPlan if it cannot be carried out."""
    try:
        shown = [atom.args for atom in atoms if atom.name == "slide"]
        plan = board_facts.decode(board, [("slide", args) for args in shown])
        shown.sort(key=lambda args: int(args[3]))
        referee.validate(board, plan, atoms=[f"slide({','.join(args)})" for args in shown])
        return plan
    except (errors.NotationError, ValueError, IndexError) as error:
        raise errors.WrongEncoding(f"the shown atoms are not a plan: {error}") from error


def read_plan(board: Board, text: str, source: str) -> Plan:
    """Read a plan: slides a line each, a row of our JSON, or slide/4 atoms, alone or in a solver's output.

    Raises NotationError: it is none.
    """
    from sokoasp.sokoban.answers import NO_ANSWER, answer_atoms

    if not (_OF_A_PROGRAM.search(text) or NO_ANSWER.search(text)):
        return slide_plan.read(text, source)
    found = answer_atoms(text, "slide", source=source)
    try:
        return board_facts.decode(board, [(atom.predicate, atom.args) for atom in found])
    except errors.NotationError as error:
        raise error.located(source) from None


def _facts(boards: Iterable[Board], steps: int | None) -> str:
    from sokoasp.sokoban.formats import only

    return board_facts.write(only(boards, "a fact file"))


def _text(board: Board, slides: Plan) -> str:
    return "".join(f"{number:3}. {slide}\n" for number, slide in enumerate(slides, 1))


def plan_json(slides: Plan) -> dict[str, Any]:
    """Return the plan as JSON: one [piece, from, to, step, path] an action; cells are [row, column] from 0."""
    return {
        "actions": [
            [slide.piece, list(slide.from_cell), list(slide.to_cell), step, slide.path]
            for step, slide in enumerate(slides, 1)
        ]
    }


def counts(board: Board, slides: Plan, steps: int | None) -> dict[str, int]:
    """Let the referee replay the plan and return its cost per objective; IllegalPlan if it breaks a rule."""
    found = referee.validate(board, slides)
    return {"slides": found.slides, "units": found.units}


def _native(board: Board, objective: str, limits: Limits, known: Any = None, /) -> result.Result:
    """Search; a known plan is of no use to it, and nothing takes long before it."""
    return search.solve(board, objective, limits)


def _to_wire(board: Board) -> tuple[str, Sequence[str]]:
    lines = notation.write(board).splitlines()
    return "".join(f"{line}\n" for line in lines[: len(lines) - board.height]), board.rows()


def _from_wire(head: str, rows: Sequence[str], title: str) -> Board:
    boards = notation.read(head + "\n".join(rows) + "\n", "<pasted text>")
    if len(boards) != 1:
        raise errors.LevelError("one board at a time")
    return boards[0]


DOMAIN: domain.Domain[Board, Plan] = domain.Domain(
    name="klotski",
    problem=Board,
    objectives=("slides", "units"),
    engine="native",
    asp=domain.Programs(
        encodings=lambda board, objective: [objective],
        constrained=lambda board, objective: objective,
        facts=lambda board, steps: board_facts.write(board),
        constants=board_facts.constants,
        tables={},
        decode=decode,
    ),
    texts=domain.Texts(
        recognises=recognises,
        read=read,
        write={
            "klotski": lambda boards, steps: "\n".join(notation.write(board) for board in boards),
            "line": lambda boards, steps: "\n".join(notation.write(board, "slash") for board in boards),
            "facts": _facts,
        },
        read_plan=read_plan,
        write_plan={
            "lurd": lambda board, slides: slide_plan.write(slides),
            "push": lambda board, slides: slide_plan.write(slides),
            "text": _text,
        },
        plan_json=plan_json,
        title=lambda board: board.title,
        to_wire=_to_wire,
        from_wire=_from_wire,
    ),
    known=domain.Knowledge(
        estimate=estimate,
        stats=lambda board, limits: dict(space_counts.stats(board, limits)),
        from_answers=lambda board, objective, file: database.answer(_positions(file), board, objective),
    ),
    validate=counts,
    remarks=lambda board, slides: (),
    search=domain.Searches(
        native={"native": _native},
        second=lambda board, objective, limits, may_compile: search.solve(board, objective, limits),
    ),
    scene=domain.lazily("sokoasp.picture.board_scene", "scene"),
)
