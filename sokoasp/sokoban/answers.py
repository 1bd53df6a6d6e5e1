"""Solver output: find the last answer set in it and return its atoms of one predicate."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress

from sokoasp.core.atoms import PlacedAtom, parse_atoms
from sokoasp.core.errors import NotationError, place_in

_ANSWER = re.compile(
    r"^[ \t]*(?:Answer:.*(?:\n|\Z)|ANSWER[ \t]*(?:\n|\Z)|(?:Stable Model|Answer set): *)|^(?= *State 0:$)", re.MULTILINE
)
"""What an answer begins with; of telingo's, which may be all there is, its first state."""
_ANEW = re.compile(r"^[ \t]*(?:% Answer|COST|Optimization)\b", re.MULTILINE)
"""What stands between two answers where each atom has an ``ANSWER`` line of its own, or a line."""
_STAMP = re.compile(r"^\d+\.\d+/\d+\.\d+\t", re.MULTILINE)
"""The time that runsolver puts before each line."""
_JSON = re.compile(r'\s*\{\s*"')
_SET = re.compile(r"^[ \t]*(?:[A-Za-z ]*: *)?(\{[^{}]*\})\.?[ \t\r]*$", re.MULTILINE)
_REMARK = re.compile(
    r"^([ \t]*)\S*:\d+:\d+(?:-[\d:]+)?: (?:info|warning|note)\b.*\n(?:\1[ \t]+\S.*\n)*|^[ \t]*\*\*\* (?:Info|Warn) .*",
    re.MULTILINE,
)
_HEAD = re.compile(
    r"[ \t]*(?:(?:clingo|clasp|gringo|smodels|cmodels|DLV|WASP)\b.*version|Reading from|Solving|c (?!\()|%|v?\s*$)"
)
NO_ANSWER = re.compile(
    r"^[ \t]*(?:(?:s )?(?:UNSATISFIABLE|INCONSISTENT|UNKNOWN|INCOHERENT)[ \t]*$|\*\*\* ERROR.*)", re.MULTILINE
)
"""What solvers print where they have no answer set to show."""
_STATE = re.compile(r"^ *State (\d+):$")
"""How telingo begins the atoms of a state, which leave its number out."""
_GROUND = re.compile(r"\s*(?:asp \d|\d+(?: \d+){3,}[ \t]*\n)")
_ANSWERED = re.compile(r"ANSWER|Answer|SATISFIABLE|OPTIMUM")
_DRESSED = "print the answer without --out-ifs and --out-atomf, or by --outf=2"
_STATUS = re.compile(
    r"^[ \t]*(?:(?:s )?(?:Optimization|OPTIMUM|COST|Cost|Consequences|Progression|SATISFIABLE|UNSATISFIABLE|UNKNOWN|INTERRUPTED"
    r"|Models|Calls|Time|CPU|TIME LIMIT|True|False|Duration)\b|---|[A-Z][A-Za-z -]* *: )"
)


def answer_atoms(text: str, predicate: str, *, source: str = "") -> list[PlacedAtom]:
    """Return the atoms of that predicate in facts or in the output of clingo, clasp or dlv, in any of their formats.

    These are clingo's text, terse (``-V0``), its JSON (``--outf=2``) and the competition's format (``--outf=1``), smodels',
    telingo's states, and sets in braces, perhaps with an atom a line, wrapped, or behind runsolver's times. Of several answers
    the last (with optimisation: the best) is taken; where nothing parts them a new one begins when a step repeats. Other
    atoms, strongly negated ones among them, are passed over, as are messages. Atoms read from JSON have line 0.
    NotationError if the text is no such output, holds no answer, or has none of these atoms outside an answer.
    """
    text = _STAMP.sub("", text.replace("\r\n", "\n"))
    text = _REMARK.sub(lambda match: "\n" * match.group().count("\n"), text)
    # the predicate's own name, broken by the end of a line, would be two atoms
    broken = re.compile(r"(?<![\w-])" + r"\n?".join(predicate) + r"\n?\(")
    text = broken.sub(lambda match: f"{predicate}(" + "\n" * match.group().count("\n"), text)
    if _GROUND.match(text):
        message = "a ground program (ASPIF or smodels) is no answer: give it to clasp"
        raise NotationError(message, source=source, line=1, column=1, code="E-PLAN")
    try:
        found = _found(text, predicate, source)
    except NotationError as error:
        if error.code == "E-FACTS" and _ANSWERED.search(text):
            error.message += f"; {_DRESSED}"
        raise
    if not found and (dressed := re.search(rf"[(,] *{predicate}\(", text)):
        line, column = place_in(text, dressed.start())
        message = f"{predicate} stands here within other terms alone; {_DRESSED}"
        raise NotationError(message, source=source, line=line, column=column, code="E-PLAN")
    return found


def _found(text: str, predicate: str, source: str) -> list[PlacedAtom]:
    """Return the atoms of that predicate in the last answer of a text."""
    if _JSON.match(text):
        return _only(_from_json(text, source), predicate)
    answers = list(_ANSWER.finditer(text))
    if answers and answers[-1].group().startswith("ANSWER"):
        return _from_competition(text, answers, predicate, source)
    if answers:
        start = answers[-1].end()
        return _only(_from_plain(text[start:], 1 + text.count("\n", 0, start), source), predicate)
    refusal = NO_ANSWER.search(text)
    if refusal:
        line = 1 + text.count("\n", 0, refusal.start())
        message = f"the solver's output holds no plan, only {refusal.group().strip()}"
        raise NotationError(message, source=source, line=line, column=1, code="E-PLAN")
    sets = list(_SET.finditer(text))
    if sets:
        line, column = place_in(text, sets[-1].start(1))
        return _only(_unwrapped(" " * (column - 1) + sets[-1][1], line, source), predicate)
    lines = text.splitlines()
    if any(map(_STATUS.match, lines)):
        return _from_terse(lines, predicate, source)
    found = _only(parse_atoms(text, source=source), predicate)
    if not found:
        raise NotationError(f"no {predicate} atoms in this text", source=source, line=1, column=1, code="E-PLAN")
    return found


def _only(atoms: list[PlacedAtom], predicate: str) -> list[PlacedAtom]:
    return [atom for atom in atoms if atom.predicate == predicate]


def _from_competition(text: str, heads: list[re.Match[str]], predicate: str, source: str) -> list[PlacedAtom]:
    """Read the last answer after ``ANSWER`` lines, of which older clingos print one for each atom."""
    parts, line, before = [], 1, 0
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        between, inside = text[before : head.start()], text[head.end() : following.start() if following else None]
        line += text.count("\n", before, head.end())
        parts.append((_ANEW.search(between) is not None, _from_plain(inside, line, source)))
        before = head.end()
    return _last(parts, predicate)


def _last(parts: Iterable[tuple[bool, list[PlacedAtom]]], predicate: str) -> list[PlacedAtom]:
    """Return the atoms of the last answer of which these are parts, each with whether an answer begins with it for sure.

    An answer also begins where a step repeats, the last argument of an atom.
    """
    found: list[PlacedAtom] = []
    steps: set[tuple[str, ...]] = set()
    for anew, atoms in parts:
        own = _only(atoms, predicate)
        of_own = {atom.args[-1:] for atom in own}
        if anew or not steps.isdisjoint(of_own):
            found, steps = [], set()
        found += own
        steps |= of_own
    return found


def _from_plain(text: str, first_line: int, source: str) -> list[PlacedAtom]:
    """Read the atoms after an ``Answer:`` line, up to the next line of solver talk."""
    kept: list[str] = []
    for line in text.splitlines():
        if _STATUS.match(line) or (kept and not line.strip()):
            break
        kept.append(line)
    if kept and _STATE.match(kept[0]):
        return _from_states(kept, first_line, source)
    return _unwrapped("\n".join(kept), first_line, source)


def _unwrapped(text: str, first_line: int, source: str) -> list[PlacedAtom]:
    """Read atoms on one line or several; lines that were broken inside of an atom are put together again."""
    try:
        return parse_atoms(text, source=source, first_line=first_line)
    except NotationError:
        with suppress(NotationError):
            return parse_atoms(text.replace("\n", ""), source=source, first_line=first_line)
        raise


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


def _from_terse(lines: list[str], predicate: str, source: str) -> list[PlacedAtom]:
    """Read the lines that are neither blank nor about the run: an answer a line, an atom a line, or wrapped."""
    parts: list[tuple[bool, list[PlacedAtom]]] = []
    anew, wrapped, first = True, "", 0
    fault: NotationError | None = None
    for number, line in enumerate(lines, 1):
        if _ANEW.match(line):
            anew, wrapped = True, ""
        if not line.strip() or _STATUS.match(line) or _HEAD.match(line):
            continue
        first = first if wrapped else number
        try:
            parts.append((anew, parse_atoms(wrapped + line, source=source, first_line=first)))
        except NotationError as error:
            fault, wrapped = error, wrapped + line
            continue
        fault, anew, wrapped = None, False, ""
    if fault is not None:
        raise fault
    if not parts and lines[0].strip():  # an empty answer is a blank line
        said = next(line for line in lines if _STATUS.match(line)).strip()
        message = f"the solver's output holds no answer, only {said} (option -q?)"
        raise NotationError(message, source=source, line=1, column=1, code="E-PLAN")
    return _last(parts, predicate)


def _from_json(text: str, source: str) -> list[PlacedAtom]:
    """Read the atoms of the last witness of the last call that has one."""
    from sokoasp.core.json_text import parsed

    try:
        output = parsed(text, source, NotationError)
    except NotationError as error:
        try:  # lines that were broken inside of a text
            output = parsed(text.replace("\n", ""), source, NotationError)
        except NotationError:
            raise error from None
    values: object = None
    calls = output.get("Call") if isinstance(output, dict) else None
    for call in calls if isinstance(calls, list) else []:
        witnesses = call.get("Witnesses") if isinstance(call, dict) else None
        for witness in witnesses if isinstance(witnesses, list) else []:
            # --quiet leaves witnesses that have costs alone
            values = witness.get("Value", values) if isinstance(witness, dict) else values
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        result = output.get("Result") if isinstance(output, dict) else None
        shown = f" ({result})" if isinstance(result, str) else ""
        raise NotationError(
            f"this JSON holds no answer of clingo{shown}, and no plan as lurd or actions",
            source=source,
            line=1,
            column=1,
            code="E-PLAN",
        )
    atoms: list[PlacedAtom] = []
    for value in values:
        atoms += [atom._replace(line=0) for atom in parse_atoms(value, source=source)]
    return atoms
