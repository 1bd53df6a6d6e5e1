"""Klotski (Hua Rong Dao) as a ``Domain``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any

from sokoasp.core.errors import LevelError, NotationError, SokoaspError, WrongEncoding
from sokoasp.core.json_text import parsed, refuse_unknown
from sokoasp.core.limits import Limits
from sokoasp.core.result import Atom, Horizon, Result
from sokoasp.core.text_file import utf8
from sokoasp.domain import Domain, Estimate, Knowledge, Native, Programs, Searches, Texts, lazily
from sokoasp.klotski import (
    board_facts,
    database,
    notation,
    referee,
    search,
    slide_plan,
    slide_rules,
    space_counts,
)
from sokoasp.klotski.board import Board
from sokoasp.klotski.slide_plan import Plan

_FORMAT = "sokoasp-boards"
_OF_A_PROGRAM = re.compile(r'\bslide\(|^(?:% )?(?:py)?cl(?:ingo|asp) version|"Solver":', re.MULTILINE)


def recognises(data: bytes, source: str) -> bool:
    """Return whether a file holds Klotski boards: by its suffix, else by its content."""
    suffix = PurePath(source).suffix.lower()
    if suffix == ".klotski":
        return True
    if len(data) > 1_000_000:
        return False
    text = data.decode("utf-8", "replace")
    if board_facts.recognises(text) or _is_json(text) or notation.one_lines(text):
        return True
    if suffix in (".json", ".lp", ".asp", ".facts"):
        return False
    # without a header it must look like a board: more than one row, and no digits, which are counts of run-length notation
    plain = ":" not in text and ((len(text.split()) < 2 and "/" not in text) or any(char.isdigit() for char in text))
    return not plain and notation.recognises(text)


def read(data: bytes, source: str, **_reading: Any) -> Iterator[Board | SokoaspError]:
    """Read the boards of a file; a faulty one is its error. Klotski has no dialects and its boards are small."""
    try:
        text = utf8(data, source, LevelError, "E-ENCODING")
    except LevelError as error:
        yield error
        return
    if board_facts.recognises(text):
        yield LevelError("facts of a board are for programs and not read: give the board file", source=source, line=1)
    elif _is_json(text):
        yield from _read_json(text, source)
    else:
        yield from notation.read_each(text, source)


def _is_json(text: str) -> bool:
    """Return whether a text is our own JSON of boards, faulty or not."""
    return text.lstrip("\ufeff \t\r\n").startswith("{") and f'"{_FORMAT}"' in text[:200]


def _read_json(text: str, source: str) -> Iterator[Board | SokoaspError]:
    """Yield the boards of a JSON text, and in the place of a faulty one its error."""
    try:
        found = parsed(text, source)
        refuse_unknown(found, ("format", "boards"), text, source=source)
        for at, entry in enumerate(found["boards"]):
            if not isinstance(entry, dict) or not isinstance(entry["text"], str):
                raise TypeError
            refuse_unknown(entry, ("title", "board", "text"), text, ("boards", at), source=source)
        if not found["boards"]:
            raise KeyError
    except LevelError as error:
        yield error
        return
    except (KeyError, TypeError):
        message = 'there is no board in this file: "boards", each with a "text", are expected'
        yield LevelError(message, source=source, line=1, column=1, code="E-NOLEVEL")
        return
    for number, entry in enumerate(found["boards"], 1):
        for board in notation.read_each(entry.pop("text"), f"{source}, board {number}"):
            if isinstance(board, Board) and not entry.items() <= _entry(board).items():
                message = f"board {number}: title and board are not those of its text, which alone is read"
                board = LevelError(message, source=source, line=1, column=1, code="E-JSON")
            yield board if isinstance(board, SokoaspError) else replace(board, source=source)


def estimate(board: Board, objective: str) -> Estimate:
    """Say that a solved board needs nothing and any other at least one slide or unit."""
    if slide_rules.solved(board, slide_rules.start(board)):
        return Estimate(Horizon(0))
    return Estimate(Horizon(1), reason="the start is not solved")


def decode(board: Board, atoms: Sequence[Atom], index: str, keep_steps: bool) -> Plan:
    """Turn shown slide/4 atoms into slides.

    Raises:
        WrongEncoding: They are not a plan's.
    """
    try:
        return board_facts.decode(board, [(atom.name, atom.args) for atom in atoms if atom.name == "slide"])
    except (NotationError, ValueError, IndexError) as error:
        raise WrongEncoding(f"the shown atoms are not a plan: {error}") from error


def read_plan(board: Board, text: str, source: str) -> Plan:
    """Read a plan: slides a line each, a row of our JSON, or slide/4 atoms, alone or in a solver's output.

    Raises:
        NotationError: It is none.
    """
    from sokoasp.sokoban.answers import NO_ANSWER, answer_atoms

    if not (_OF_A_PROGRAM.search(text) or NO_ANSWER.search(text)):
        return slide_plan.read(text, source)
    found = answer_atoms(text, "slide", source=source)
    try:
        return board_facts.decode(board, [(atom.predicate, atom.args) for atom in found])
    except NotationError as error:
        raise error.located(source) from None


def _json(boards: Iterable[Board], steps: int | None) -> str:
    entries = [_entry(board) for board in boards]
    return json.dumps({"format": _FORMAT, "boards": entries}, ensure_ascii=False, indent=1) + "\n"


def _entry(board: Board) -> dict[str, str]:
    return {"title": board.title, "board": "/".join(board.rows()), "text": notation.write(board)}


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


def counts(board: Board, slides: Plan, steps: int | None) -> Mapping[str, int]:
    """Let the referee replay the plan and return its cost per objective.

    Raises:
        IllegalPlan: It breaks a rule.
    """
    found = referee.validate(board, slides)
    return {"slides": found.slides, "units": found.units}


def _engine(solve: Callable[[Board, str, Limits], Result]) -> Native[Board]:
    """Return a native engine of a search."""

    def engine(
        board: Board, objective: str, limits: Limits, known: Any = None, notify: Callable[[str], None] | None = None, /
    ) -> Result:
        return solve(board, objective, limits)

    return engine


def _from_answers(board: Board, objective: str, file: Path) -> Result:
    return database.answer(_positions(file), board, objective)


@lru_cache(maxsize=1)
def _positions(file: Path) -> database.Positions:
    return database.load(file)


def _to_wire(board: Board) -> tuple[str, Sequence[str]]:
    lines = notation.write(board).splitlines()
    return "".join(f"{line}\n" for line in lines[: len(lines) - board.height]), board.rows()


def _from_wire(head: str, rows: Sequence[str], title: str) -> Board:
    boards = notation.read(head + "\n".join(rows) + "\n", "<pasted text>")
    if len(boards) != 1:
        raise LevelError("one board at a time")
    return boards[0]


DOMAIN: Domain[Board, Plan] = Domain(
    name="klotski",
    problem=Board,
    objectives=("slides", "units"),
    engine="native",
    asp=Programs(
        encodings=lambda board, objective: [objective],
        constrained=lambda board, objective: objective,
        facts=lambda board, steps: board_facts.write(board),
        constants=lambda board: {str(board.number(cell)): cell for cell in board.cells},
        tables={},
        decode=decode,
    ),
    texts=Texts(
        recognises=recognises,
        read=read,
        write={
            "klotski": lambda boards, steps: "\n".join(notation.write(board) for board in boards),
            "line": lambda boards, steps: "\n".join(notation.write(board, "slash") for board in boards),
            "facts": _facts,
            "json": _json,
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
    known=Knowledge(
        estimate=estimate,
        stats=lambda board, limits: dict(space_counts.stats(board, limits)),
        from_answers=_from_answers,
    ),
    validate=counts,
    remarks=lambda board, slides: (),
    search=Searches(
        native={"native": _engine(search.solve)},
        second=lambda board, objective, limits, may_compile: search.solve(board, objective, limits),
        formulas=lazily("sokoasp.sat.formulas", "of_boards"),
    ),
    scene=lazily("sokoasp.picture.board_scene", "scene"),
)
