"""Solver output: find the last answer set in it and return its atoms of one predicate."""

from __future__ import annotations

import re

from sokoasp.core.atoms import PlacedAtom, parse_atoms
from sokoasp.core.errors import NotationError

_ANSWER = re.compile(r"^(?:Answer:.*|ANSWER)$", re.MULTILINE)
_JSON = re.compile(r'\s*\{\s*"')
_SET = re.compile(r"^(?:[A-Za-z ]*: *)?\{.*\}\.?$")
_REMARK = re.compile(r"^\S*:\d+:\d+(?:-[\d:]+)?: (?:info|warning|note)\b.*\n(?:[ \t]+\S.*\n)*", re.MULTILINE)
_HEAD = re.compile(
    r"(?:clingo|clasp|gringo|smodels|cmodels|DLV|WASP)\b.*version|Reading from|Solving|c (?!\()|%|v?\s*$"
)
NO_ANSWER = re.compile(r"^(?:s )?(?:UNSATISFIABLE|INCONSISTENT|UNKNOWN|INCOHERENT)$", re.MULTILINE)
"""What solvers print where they have no answer set to show."""
_STATE = re.compile(r"^ *State (\d+):$")
"""How telingo begins the atoms of a state, which leave its number out."""
_STATUS = re.compile(
    r"^(?:s )?(?:Optimization|OPTIMUM|COST|Cost|Consequences|Progression|SATISFIABLE|UNSATISFIABLE|UNKNOWN|INTERRUPTED|Models"
    r"|Calls|Time|CPU|TIME LIMIT)\b|---"
)


def answer_atoms(text: str, predicate: str, *, source: str = "") -> list[PlacedAtom]:
    """Return the atoms of that predicate in facts or in the output of clingo, clasp or dlv, in any of their formats.

    These are clingo's text, terse (``-V0``), its JSON (``--outf=2``) and the competition's format (``--outf=1``), telingo's
    states, and sets in braces. Of several answers the last (with optimisation: the best) is taken. Other atoms, strongly
    negated ones among them, are passed over, as are messages about the program in front. Atoms read from JSON have line 0.

    Raises:
        NotationError: The text is no such output, holds no answer, or has none of these atoms outside an answer.
    """
    text = _REMARK.sub(lambda match: "\n" * match.group().count("\n"), text)
    if _JSON.match(text):
        return _only(_from_json(text, source), predicate)
    answers = list(_ANSWER.finditer(text))
    if answers:
        return _only(_from_plain(text, answers[-1].end() + 1, source), predicate)
    refusal = NO_ANSWER.search(text)
    if refusal:
        line = 1 + text.count("\n", 0, refusal.start())
        message = f"the solver's output holds no plan, only {refusal.group()}"
        raise NotationError(message, source=source, line=line, column=1, code="E-PLAN")
    lines = text.splitlines()
    sets = [number for number, line in enumerate(lines) if _SET.match(line.strip())]
    if sets:
        chosen = lines[sets[-1]]
        start = chosen.index("{")
        blank = " " * start
        return _only(parse_atoms(blank + chosen[start:], source=source, first_line=sets[-1] + 1), predicate)
    if any(map(_STATUS.match, lines)):
        return _only(_from_terse(lines, source), predicate)
    found = _only(parse_atoms(text, source=source), predicate)
    if not found:
        raise NotationError(f"no {predicate} atoms in this text", source=source, line=1, column=1, code="E-PLAN")
    return found


def _only(atoms: list[PlacedAtom], predicate: str) -> list[PlacedAtom]:
    return [atom for atom in atoms if atom.predicate == predicate]


def _from_plain(text: str, start: int, source: str) -> list[PlacedAtom]:
    """Read the atoms after an ``Answer:`` line, up to the next line of solver talk."""
    first_line = 1 + text.count("\n", 0, start)
    kept: list[str] = []
    for line in text[start:].splitlines():
        if _STATUS.match(line) or (kept and not line.strip()):
            break
        kept.append(line)
    if kept and _STATE.match(kept[0]):
        return _from_states(kept, first_line, source)
    return parse_atoms("\n".join(kept), source=source, first_line=first_line)


def _from_states(lines: list[str], first_line: int, source: str) -> list[PlacedAtom]:
    """Read the atoms of telingo's states, the number of its state as the last argument of each."""
    atoms: list[PlacedAtom] = []
    state = ""
    for number, line in enumerate(lines, first_line):
        begun = _STATE.match(line)
        if begun:
            state = begun[1]
            continue
        found = parse_atoms(line, source=source, first_line=number)
        atoms += [atom._replace(args=(*atom.args, state)) for atom in found]
    return atoms


def _from_terse(lines: list[str], source: str) -> list[PlacedAtom]:
    """Read the last line in front of the verdict that is neither blank nor about the run: one line is one answer."""
    kept = [n for n, line in enumerate(lines) if line.strip() and not _STATUS.match(line) and not _HEAD.match(line)]
    return parse_atoms(lines[kept[-1]], source=source, first_line=kept[-1] + 1) if kept else []


def _from_json(text: str, source: str) -> list[PlacedAtom]:
    """Read the atoms of the last witness of the last call that has one."""
    from sokoasp.core.json_text import parsed

    output = parsed(text, source, NotationError)
    values: object = None
    calls = output.get("Call") if isinstance(output, dict) else None
    for call in calls if isinstance(calls, list) else []:
        witnesses = call.get("Witnesses") if isinstance(call, dict) else None
        if isinstance(witnesses, list) and witnesses and isinstance(witnesses[-1], dict):
            values = witnesses[-1].get("Value", [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        result = output.get("Result") if isinstance(output, dict) else None
        shown = f" ({result})" if isinstance(result, str) else ""
        raise NotationError(
            f"this JSON holds no answer of clingo{shown}", source=source, line=1, column=1, code="E-PLAN"
        )
    atoms: list[PlacedAtom] = []
    for value in values:
        atoms += [atom._replace(line=0) for atom in parse_atoms(value, source=source)]
    return atoms
