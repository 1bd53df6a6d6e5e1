"""The ASP window: the facts and the program of a level, and the user's own rules and constraints, run in a sandbox."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sokoasp import engine
from sokoasp.asp import catalogue, sandbox
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.constraints import check
from sokoasp.asp.vocabulary import Predicate, vocabulary
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import OnStep, Result
from sokoasp.domain import Problem, domain_of
from sokoasp.render.pictures import timeline
from sokoasp.web.faulty_examples import BASE, FAULTS

PROGRAM, CONSTRAINTS = "program.lp", "constraints.lp"
"""The names under which faults are reported."""
_HERE = "this window runs incremental encodings (#program step(t).); encodings grade and solve --steps N take this one"
"""What is said of an encoding that reads its steps: options of the command line are of no use in the window."""


def about(game: str, objective: str) -> dict[str, Any]:
    """Return what the window shows whatever the level: the plain program, the faulty examples, words, worked examples."""
    encoding = catalogue.find(objective, game, objective)
    text = "\n".join(path.read_text(encoding="utf-8").rstrip() + "\n" for path in encoding.files)
    gallery = [
        {"title": "A small right program", "words": "Nothing is wrong with this one.", "program": BASE, "rows": ()}
    ]
    gallery += [{"title": one.title, "words": one.words, "program": one.program, "rows": one.level} for one in FAULTS]
    return {
        "program": text,
        "name": encoding.name,
        "gallery": gallery if game == "sokoban" and objective == "pushes" else [],
        "vocabulary": _vocabulary(game, objective),
        "examples": _examples(game, objective),
    }


_LETTERS = {"cell": "L", "direction": "D", "class": "C", "time": "t", "number": "N"}


def _vocabulary(game: str, objective: str) -> list[dict[str, Any]]:
    """Return the public predicates of an objective: ``name``, ``args`` to write them with, ``meaning``."""
    return [
        {"name": one.name, "args": _arguments(one, game), "meaning": re.sub(r"\bT\b", "t", one.meaning)}
        for one in vocabulary(game).values()
        if not one.objectives or objective in one.objectives
    ]


def _arguments(word: Predicate, game: str) -> list[str]:
    """Return variables for the arguments of a predicate, numbered where a kind stands more than once."""
    letters = ["X" if (game, kind) == ("klotski", "cell") else _LETTERS.get(kind, kind) for kind in word.kinds]
    return list(word.letters) or [
        letter if letters.count(letter) == 1 else f"{letter}{letters[: at + 1].count(letter)}"
        for at, letter in enumerate(letters)
    ]


def _examples(game: str, objective: str) -> list[dict[str, str]]:
    """Return the catalogue's worked examples: ``title``, ``constraints``."""
    paths = sorted((catalogue.folder() / game / "examples").glob("*.lp")) if objective != "moves" else []
    return [{"title": path.stem.replace("_", " "), "constraints": path.read_text(encoding="utf-8")} for path in paths]


def run(
    problem: Problem,
    objective: str,
    program: str,
    constraints: str,
    limits: Limits,
    on_step: OnStep = lambda step: None,
) -> dict[str, Any]:
    """Run a program (the plain one of the catalogue if it is empty) with constraints, and return the result with atoms.

    Raises SokoaspError: the program cannot be run, or its plan does not pass the referee; with its place in the text.
    """
    sandbox.check(program, PROGRAM)
    sandbox.check(constraints, CONSTRAINTS)
    clock = limits.start()
    with TemporaryDirectory(prefix=f"sokoasp-{os.getpid()}-") as folder:
        files = [Path(folder) / name for name in (PROGRAM, CONSTRAINTS)]
        for path, text in zip(files, (program, constraints), strict=True):
            path.write_text(text, encoding="utf-8")
        encoding = str(files[0]) if program else objective
        added = files[1:] if constraints.strip() else []
        try:
            result = engine.solve(
                problem,
                cross_check=not added,
                on_step=on_step,
                objective=objective,
                engine="asp",
                encoding=encoding,
                constraints=added,
                limits=limits,
            )
            atoms, more = _atoms(
                problem, result, catalogue.find(encoding, domain_of(problem).name, objective), added, clock
            )
        except SokoaspError as error:
            said = str(error).replace(f"{folder}/", "")
            raise SokoaspError(re.sub("(?<=for a given number of steps: ).*", _HERE, said)) from None
    name = "your program" if program else objective
    return {**shown(problem, result), "encoding": name, "atoms": atoms, "more_atoms": more}


def _atoms(
    problem: Problem, result: Result, encoding: Encoding, constraints: Sequence[Path], clock: Clock
) -> tuple[dict[int, list[str]], bool]:
    """Return the atoms of each step of a plan, and whether there are more; none of a program without steps."""
    if result.plan is None or result.value is None or encoding.mode != "incremental" or encoding.tables:
        return {}, False
    asp = domain_of(problem).asp
    facts = asp.facts(problem, None)
    if constraints:  # with what their words follow from
        encoding = check(constraints, encoding, facts, asp.constants(problem)).encoding
    return sandbox.atoms_by_step(encoding, facts, result.value, constraints, clock)


def shown(problem: Problem, result: Result) -> dict[str, Any]:
    """Return a result as the page takes it: the command line's JSON, with the timeline of a plan."""
    moving = {} if result.plan is None else {"timeline": timeline(problem, result.plan)}
    return {**engine.as_json(problem, result), **moving}
