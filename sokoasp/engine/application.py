"""clingo with our levels, tables and bound loop: ``python -m sokoasp.asp [clingo's options] PROGRAM LEVEL``.

Options, statistics and output are clingo's own; what is ours is that LEVEL may be a level in any notation that we read, that the
program gets its tables, and that bounds are asked from the first that nothing refutes. The plan is not refereed: pipe the output
into ``sokoasp check``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoasp.asp import catalogue, clingo_api
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.export import declared, for_plain_clingo
from sokoasp.core.errors import EncodingError, SokoaspError
from sokoasp.core.result import Horizon
from sokoasp.domain import Problem, domain_for, domain_of
from sokoasp.engine.by_asp import facts_of

if TYPE_CHECKING:
    from sokoasp.asp.clingo_api import Control

USAGE = "python -m sokoasp.asp [clingo's options] PROGRAM LEVEL: PROGRAM is a file or a name of sokoasp encodings list"


def main(arguments: Sequence[str]) -> int:
    """Run clingo's command line and return its exit code; a fault of program or level is one sentence with its own code."""
    faults: list[SokoaspError] = []

    def run(control: Control, files: Sequence[str]) -> None:
        try:
            _solve(control, files)
        except SokoaspError as fault:
            faults.append(fault)

    code = clingo_api.run_application("sokoasp.asp", USAGE, arguments, run)
    for fault in faults:
        sys.stderr.write(f"error: {fault}\n")
    return faults[0].exit_code if faults else code


def _solve(control: Control, files: Sequence[str]) -> None:
    if len(files) != 2:
        raise EncodingError(f"two files are wanted, not {len(files)}: {USAGE}")
    problem = _problem(files[1])
    encoding = _encoding(files[0], problem)
    estimate = domain_of(problem).known.estimate(problem, encoding.objective)
    if estimate.impossible is not None:
        raise EncodingError(f"there is no plan: {estimate.impossible}", source=files[1])
    own = encoding.summary == catalogue.OWN
    bounds = Horizon(last=estimate.bounds.last) if own else estimate.bounds
    control.add("base", [], "\n".join([*declared(encoding), facts_of(problem, encoding)]))
    for path in encoding.files if own else for_plain_clingo(encoding).files:
        control.load(str(path))
    configuration: Any = control.configuration
    for option in encoding.options:
        name, _, value = option.removeprefix("--").partition("=")
        setattr(configuration.solver, name, value)
    control.ground([("base", [])])
    if encoding.mode == "incremental":
        _rise(control, bounds)
    else:
        control.solve()


def _rise(control: Control, bounds: Horizon) -> None:
    """Ask bound after bound until one has an answer, or the last is refuted."""
    bound, grounded = bounds.first, 0
    while bounds.last is None or bound <= bounds.last:
        control.ground(clingo_api.steps(grounded + 1, bound))
        grounded = bound
        query = clingo_api.query(bound)
        control.assign_external(query, True)
        result = control.solve()
        if not result.unsatisfiable:
            return
        control.release_external(query)
        bound += bounds.stride


def _problem(file: str) -> Problem:
    """Return the level of a file, of a collection the first."""
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise EncodingError(f"cannot be read: {error.strerror}", source=file) from error
    problems = iter(domain_for(data, file).texts.read(data, file))
    problem = next(problems)
    if isinstance(problem, SokoaspError):
        raise problem
    if next(problems, None) is not None:
        sys.stderr.write(f"note: {file} has more levels, this is about the first\n")
    found: Problem = problem
    return found


def _encoding(name: str, problem: Problem) -> Encoding:
    """Return a catalogued program by its name or its root file, else the user's own."""
    domain, path = domain_of(problem), Path(name)
    if path.resolve().parent == (catalogue.folder() / domain.name).resolve():
        name = path.stem
    known = catalogue.encodings().get(name)
    return catalogue.find(name, domain.name, known.objective if known is not None else domain.objectives[0])
