"""Plans in any notation: LURD, push atoms, solver output, PDDL, and what ``solve`` prints, as text and as JSON rows."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from sokoasp.core import json_text
from sokoasp.core.errors import NotationError, place_in
from sokoasp.sokoban import facts
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.formats.text import MAX_BYTES, SOLUTION, is_moves, meant_as_moves
from sokoasp.sokoban.level import Cell, Direction, Level
from sokoasp.sokoban.plan import Push

_REMARK = re.compile(r"^[ \t]*::[^\r\n]*", re.MULTILINE)
_LURD = re.compile(r"[lurdLURD0-9()\[\]{}* \t\r\n]*")
_PDDL = re.compile(r"^\s*(?:[0-9.]+\s*:)?\s*\(\s*(?:move|push)\s", re.IGNORECASE | re.MULTILINE)
_REMARKS_ALONE = re.compile(r"(?:\s*;[^\n]*)+\s*")
"""What is left of a PDDL plan without actions, such as ``; cost = 0``."""
_OF_2013 = re.compile(r"\bpushto(?:non)?goal\(")
_JSON = re.compile(r'\s*(?:\{\s*"|\[)')
_BETWEEN_WORDS = re.compile(r"[]['\",]")
_OF_CLINGO = re.compile(r'^([ \t]*)\{\s*"Solver":', re.MULTILINE)
"""How clingo's JSON begins, perhaps between the lines of a terminal."""
_SENTENCE = re.compile(
    r"^[ \t]*(\d+)\. push the box at \((\d+),(\d+)\) (\w+) to \((\d+),(\d+)\)[ \t\r]*$", re.MULTILINE
)
_LINE = re.compile(r"([LURD])\1*")
_ATOMS = re.compile(r"[(){}]|Answer|ANSWER|SATISFIABLE|INCO|UNKNOWN")


Moves = str | tuple[Push, ...]
"""LURD, or line pushes."""


def read_plan(level: Level, text: str, *, source: str = "") -> Moves:
    """Return the plan in a text: plain letters if it is LURD, else line pushes; whether it is any good is not asked.

    Lines beginning with ``::`` are remarks. A text of blanks only is the empty LURD plan.
    NotationError if the text is in none of the notations, or faulty in the one it looks like.
    """
    if len(text) > MAX_BYTES:
        raise NotationError(f"the plan has more than {MAX_BYTES} characters", source=source, line=1, code="E-SIZE")
    text = _REMARK.sub(lambda match: " " * len(match.group()), text.removeprefix("\ufeff"))
    if (head := _OF_CLINGO.search(text)) and (end := text.rfind(f"\n{head[1]}}}")) > head.start():
        text = "\n" * text.count("\n", 0, head.start()) + text[head.start() : end + len(head[1]) + 2]
    if _LURD.fullmatch(text) and text.strip() != "{}":
        return lurd.read(text, source=source)
    words = _BETWEEN_WORDS.sub(" ", text).lower().split()
    if words and all(word in Direction.__members__ for word in words):
        return "".join(Direction[word].letter for word in words)
    if _PDDL.search(text) or _REMARKS_ALONE.fullmatch(text):
        from sokoasp.sokoban.formats import pddl

        return pddl.read_plan(text, level, source=source)
    if _JSON.match(text):
        if (listed := _listed(text, source)) is not None:
            try:
                return read_plan(level, listed, source=source)
            except NotationError as error:
                error.line = error.column = 1  # of the JSON, not of what it lists
                raise
        if (row := _row(text, source)) is not None:
            return _from_row(level, row, source)
    if sentences := list(_SENTENCE.finditer(text)):
        return _from_sentences(sentences, text, source)
    if not _ATOMS.search(text) or meant_as_moves("".join(text.split())):
        return lurd.read(text, source=source)  # moves with a slip among them: it says which character is none
    if "push(" not in text and (other := _OF_2013.search(text)):
        said = f"{other.group()[:-1]}/7 belongs to the competition of 2013 (or PDDL); a plan has push/4"
        line, column = place_in(text, other.start())
        raise NotationError(said, source=source, line=line, column=column, code="E-2013")
    if re.search(r"\bmove\(", text) and "push(" not in text:
        return _from_moves(text, source)
    return facts.read_pushes(level, text, source=source)


def solutions(text: str) -> tuple[str, ...]:
    """Return the solutions in a text of moves and metadata such as ``Author:``, a block each; ``-`` alone is an empty one."""
    found: list[str] = []
    block: list[str] = []
    for line in [*text.removeprefix("\ufeff").splitlines(), ""]:
        bare = line.strip()
        key = SOLUTION.fullmatch(line)
        if key is not None or not meant_as_moves(bare):
            found += ["".join(block)] if block or bare == "-" else []
            block = []
        value = key[2].strip() if key is not None else bare
        if meant_as_moves(value):
            block.append(value)
    return (*found, "".join(block)) if block else tuple(found)


def parted(text: str) -> list[str]:
    """Return the plans in a text that is none as a whole: its solutions, or its blocks where each has push atoms or is ``%``."""
    blocks = [block for block in re.split(r"\n\s*\n", text.strip()) if block != "%"]
    return [*filter(None, solutions(text))] or (blocks if all("push(" in block for block in blocks) else [])


def _from_sentences(sentences: list[re.Match[str]], text: str, source: str) -> Moves:
    """Read the numbered line pushes that ``solve`` prints by default, and the moves below them."""
    pushes = []
    for expected, one in enumerate(sentences, 1):
        number, row, col, word, to_row, to_col = one.groups()
        if int(number) != expected:
            _fail(f"push {number} stands where push {expected} belongs: give the text of one plan", source)
        if word not in Direction.__members__:
            _fail(f"push {number}: {word!r} is no direction", source)
        pushes.append(Push(Cell(int(row), int(col)), Direction[word], Cell(int(to_row), int(to_col))))
    below = text[sentences[-1].end() :].split(maxsplit=1)
    letters = below[0] if below and is_moves(below[0]) else ""
    return _fuller(tuple(pushes), lurd.read(letters, source=source) or None, source)


def _fuller(pushes: tuple[Push, ...], moves: str | None, source: str) -> Moves:
    """Return the moves of a plan, which have the ways between its pushes, unless a line is pushed in several actions.

    What ``--steps`` asks for may need such lines, and the moves do not say so.
    """
    if moves is None:
        return pushes
    said = "".join(push.direction.letter.upper() * push.length for push in pushes)
    if said != "".join(filter(str.isupper, moves)):
        _fail("the moves of this plan are not those of its actions: they push otherwise", source)
    return moves if len(_LINE.findall(moves)) == len(pushes) else pushes


def _from_moves(text: str, source: str) -> str:
    """Read ``move(Direction,Step)``, which the programs for moves show, as the player's steps."""
    from sokoasp.sokoban.answers import answer_atoms

    found = {atom.args[1:]: atom.args[0] for atom in answer_atoms(text, "move", source=source)}
    words = [found.get((str(step),), "") for step in range(1, len(found) + 1)]
    for step, word in enumerate(words, 1):
        if word not in Direction.__members__:
            _fail(f"among these moves is no move(D,{step}) with a direction D (left, right, up, down)", source)
    return "".join(Direction[word].letter for word in words)


def _listed(text: str, source: str) -> str | None:
    """Return a list of moves or atoms, in JSON or as Python shows it, as plain text, None if it is none or one of objects."""
    try:
        found = json.loads(text.replace("'", '"'))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, list) or any(isinstance(one, dict) for one in found):
        return None
    if not found or not all(isinstance(one, str) for one in found):
        _fail("a plan as a JSON list has moves, directions or atoms as texts", source)
    return "\n".join(found)


def _row(text: str, source: str) -> dict[str, object] | None:
    """Return the only JSON row that has a ``plan`` (or else a ``status``), None if the text is other JSON."""
    found = json_text.rows(text, source, NotationError) or []
    found = [row for row in found if isinstance(row, dict) and ("plan" in row or "actions" in row or "lurd" in row)]
    with_plan = [row for row in found if row.get("plan", row)]
    chosen = with_plan if len(with_plan) == 1 else found
    return chosen[0] if len(chosen) == 1 else ({"plan": len(chosen)} if chosen else None)


def _from_row(level: Level, row: dict[str, object], source: str) -> Moves:
    """Read the plan of one row, in letters or actions: [[row, column], direction, [row, column], step]."""
    plan = row.get("plan", row)
    if isinstance(plan, int):
        _fail(f"{plan} plans in this JSON: give the row of one level", source)
    if plan is None:
        status = f": its status is {str(row['status'])[:40]!r}" if row.get("status") is not None else ""
        _fail(f"this row has no plan, only null{status}", source)
    if not isinstance(plan, dict):
        _fail('"plan" is not an object', source)
    if plan is not row and (others := plan.keys() - {"lurd", "actions"}):
        _fail(f'"plan" has an unknown key {min(others)[:40]!r}; known are lurd, actions', source)
    actions, letters = plan.get("actions"), plan.get("lurd")
    moves = lurd.read(letters, source=source) if isinstance(letters, str) else None
    if isinstance(actions, list):
        pushes = tuple(_push(level, action, number, source) for number, action in enumerate(actions, 1))
        return _fuller(pushes, moves, source)
    if moves is None:
        _fail('"plan" has neither "actions" nor "lurd"', source)
    return moves


def _push(level: Level, action: object, number: int, source: str) -> Push:
    """Read one action."""
    if not isinstance(action, list) or len(action) < 3 or action[1] not in list(Direction.__members__):
        _fail(f"action {number} is not [[row, column], direction, [row, column], step]", source)
    if len(action) > 3 and action[3] != number:
        _fail(f"action {number} is said to be step {str(action[3])[:20]}", source)
    ends: list[Cell] = []
    for end in (action[0], action[2]):
        if not isinstance(end, list) or len(end) != 2 or not all(type(part) is int for part in end):
            _fail(f"action {number}: a cell is not [row, column]", source)
        ends.append(Cell(*end))
        if ends[-1] not in level.floor:
            _fail(f"action {number}: the level has no floor at row {end[0]}, column {end[1]}", source)
    return Push(ends[0], Direction[action[1]], ends[1])


def _fail(message: str, source: str) -> NoReturn:
    raise NotationError(message, source=source, line=1, column=1, code="E-PLAN")
