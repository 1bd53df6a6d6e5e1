"""What the commands share: plans in, files out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from sokoasp.cli.files import Found, Source, are_moves, read_bytes
from sokoasp.cli.options import objective_of
from sokoasp.cli.rows import each
from sokoasp.core import errors


def read_text(file: str) -> tuple[str, str]:
    """Return the text of a file or of stdin for ``-``, decoded as level files are, and the name to report it by.

    Raises LevelError: it is too large, packed or binary.
    """
    from sokoasp.sokoban.formats.text import decode

    data, name = read_bytes(file)
    return decode(data, name)[0], name


def moves_of(after: str) -> str:
    """Return the moves of ``--after``, as given or in a file. Raises NotationError: they are none."""
    from sokoasp.sokoban.formats import lurd

    text, name = read_text(after) if _readable(after) else (after, "--after")
    return lurd.read(text, source=name)


def plan_text(plan: str) -> tuple[tuple[str], str]:
    """Return a plan's text alone, of a file, of stdin (``-``) or moves such as ``rRR`` as given, and the name to report it by.

    Raises:
        click.BadParameter: It is neither.
        NotationError: It is the answer of a clingo that asked for no bound, or had no steps.
    """
    if plan == "-" or _readable(plan):
        text, name = read_text(plan)
        for what, other in (("incmode", "run Debian's clingo"), ("steps", "translate --steps N writes them")):
            if f"clingo_ran_without_{what}" in text:
                raise errors.NotationError(f"this is no plan: clingo ran without {what} ({other})", source=name)
        return (text,), name
    are_moves(plan)
    return (plan,), "PLAN"


def solutions_of(found: Found) -> tuple[tuple[str, ...], str]:
    """Return the texts of the solutions that came with a level, in its file or beside it, and the name to report them by.

    Raises NoSolution: there is none.
    """
    from sokoasp.sokoban.formats.beside import came_with
    from sokoasp.sokoban.formats.text import stem

    file = Path("<stdin>" if found.file == "-" else found.file)
    texts, path = came_with(found.problem, file, found.number or 1, alone=found.alone)
    if not texts:
        own = f"beside the level as {stem(file).name}.sol" if found.alone else "under the level as 'Solution: rRR'"
        raise errors.NoSolution(f"no solution came with the level: give a PLAN, or put it {own}", source=found.place)
    return texts, str(path)


def is_part(found: Found, name: str) -> bool:
    """Return whether solutions that came with a level (``solutions_of``) are but a part of their file."""
    return name == found.file or not found.alone


def titled(found: Found, level: Any) -> Any:
    """Return a level with its file's name as its title if it has none, for a collection made of several files."""
    return level if found.title.strip() else replace(level, title=Path(found.name).name)


def collections_of(names: Sequence[str], *, recursive: bool) -> tuple[list[tuple[str, str]], int]:
    """Return what is in files and folders for the page, collections as (name, text), and 30 if something is faulty, else 0.

    The files of a folder that have one level each are one collection. What is faulty is told of.
    SokoaspError if there is no level at all.
    """
    from sokoasp.domain import domain_for
    from sokoasp.sokoban import formats

    made: list[tuple[str, str]] = []
    faults: list[Any] = []
    for name in names:
        if not Path(name).is_dir():
            text, source = read_text(name)
            data = text.encode(errors="replace")
            try:
                read = list(domain_for(data, source).texts.read(data, source))
            except errors.SokoaspError as fault:
                read = [fault]
            wrong = [one.located(source) for one in read if isinstance(one, errors.SokoaspError)]
            faults += wrong
            made += [(source, text)] * (len(wrong) < len(read))
            continue
        found = list(Source((name,), recursive=recursive).levels())
        faults += [one.problem for one in found if isinstance(one.problem, errors.SokoaspError)]
        good = [one for one in found if not isinstance(one.problem, errors.SokoaspError)]
        single = [one for one in good if one.alone and one.domain.name == "sokoban"]
        files = dict.fromkeys(one.file for one in good)
        if len(single) > 1:
            joined = formats.write([titled(one, with_solutions(one)) for one in single], "sok")
            for joining in single:
                del files[joining.file]
            own = Path(name).resolve().name
            twin = own in {Path(one).stem for one in files}
            made.append((f"{own}{' (single files)' * twin}.sok", joined))
        made += [(source, text) for text, source in map(read_text, files)]
    if faults and not made:
        raise faults[0]
    for told in faults:
        click.echo(f"warning: not playable: {told}", err=True)
    return made, 30 if faults else 0


def with_solutions(found: Found, *, quiet: bool = False) -> Any:
    """Return a level with the solutions beside its file that solve it, if it has none of its own.

    Of wrong ones it is told, if not ``quiet``.
    """
    if (own := getattr(found.problem, "solutions", None)) is None:
        return found.problem
    try:
        plans = _as_written(found) or tuple(plan.lurd for plan in came_plans(found, quiet=quiet) if plan.lurd)
        return replace(found.problem, solutions=own or plans)
    except errors.SokoaspError as error:
        if not quiet:
            tell_wrong(error)
        return found.problem


def tell_wrong(fault: errors.SokoaspError) -> None:
    """Tell of a wrong solution that came with a level; that none came is no fault."""
    if not isinstance(fault, errors.NoSolution):
        click.echo(f"note: wrong solution: {fault}", err=True)


def _as_written(found: Found) -> tuple[str, ...]:
    """Return the moves that came with a level if one replay of each shows that all are right: a plan of them takes four."""
    from sokoasp.sokoban.formats.plans import solutions

    texts, _ = solutions_of(found)
    moves = tuple(one for text in texts for one in solutions(text) if one)
    return moves if len(moves) == len(texts) and all(solves(found.problem, one) for one in moves) else ()


def solves(level: Any, moves: str) -> bool:
    """Return whether moves as they are written solve a level, by one replay."""
    from sokoasp.sokoban.validate import validate_moves

    try:
        return validate_moves(level, moves) is not None
    except errors.IllegalPlan:
        return False


def judged(
    found: Found, texts: Sequence[str], name: str, judge: Callable[[Any], Any], *, part: bool
) -> Iterator[tuple[int | None, Any]]:
    """Yield the number of each solution in these texts, None of a single one, with what is judged of its plan, or its error.

    A text that is no plan as a whole may hold several solutions. ``part``: each text is but a part of its file.
    """
    from sokoasp.sokoban.formats.plans import parted

    for number, text in enumerate(texts, 1):
        try:
            answer = judge(found.domain.texts.read_plan(found.problem, text, name))
        except errors.SokoaspError as error:
            if (parts := parted(text)) not in ([], [text.strip()]):
                yield from judged(found, parts, name, judge, part=True)
                continue
            answer = error
            if part and error.line and error.column:  # a place in the text, which is none in the file
                error.message += (
                    f": {f'line {error.line}, ' * (error.line > 1)}character {error.column} of the solution"
                )
            if part:
                error.source, error.line, error.column = "", None, None
        yield number if len(texts) > 1 else None, answer


def came_plans(found: Found, plan: str | None = None, *, quiet: bool = False) -> list[Any]:
    """Return the plans that are given (see ``plan_text``), else those that came with a level, refereed.

    Of wrong ones beside them it is said what is wrong, if not ``quiet``.
    SokoaspError if there is none, or all are wrong: the last is told of.
    """
    texts, name = solutions_of(found) if plan is None else plan_text(plan)
    plans, faults = [], []
    part = plan is None and is_part(found, name)
    for number, answer in judged(
        found, texts, name, lambda plan: (plan, found.domain.validate(found.problem, plan, None)), part=part
    ):
        if isinstance(answer, errors.SokoaspError):
            answer.message = f"solution {number}: {answer.message}" if number else answer.message
            own = found.place if name == found.file else f"{name} for {found.place}"
            faults.append(answer.located(name if found.alone else own))
        else:
            plans.append(answer[0])
    if not plans:
        raise faults[-1]
    for fault in faults if not quiet else ():
        tell_wrong(fault)
    return plans


def _readable(name: str) -> bool:
    """Return whether there is a file of that name, or a pipe."""
    try:
        return Path(name).exists() and not Path(name).is_dir()
    except OSError:  # a long plan is no name
        return False


def known_of(level: Found, result: Any, without: str = "") -> list[str]:
    """Return the line on what the table of optima knows of a level, none if that is nothing more than the result."""
    row = level.domain.known.optimum(level.problem, result.objective, False)
    if row is None or (row["status"] == "open" and row["value"] is None and row["bound"] <= result.lower_bound):
        return []
    from sokoasp.sokoban.optima_table import told

    origin = f"{row['origin']}; table of sokoasp {row['version']}, see sokoasp optima"
    return [f"  {told(result.objective, **row)}{without} ({origin})"]


def best_plan(found: Found, plan: str, objective: str | None) -> Any:
    """Return the cheapest of the plans that are given for a level. Raises SokoaspError: see ``came_plans``."""
    counted_in = objective_of(found.domain, objective)
    return min(came_plans(found, plan), key=lambda one: found.domain.validate(found.problem, one, None)[counted_in])


def is_folder(output: str | None) -> bool:
    """Return whether an output is meant as a folder: it is there, or ends in ``/``."""
    return output is not None and (output.endswith("/") or Path(output).is_dir())


def one_file_each(
    source: Source, folder: Path, suffix: str, make: Callable[[Found], tuple[str | bytes | None, int]]
) -> int:
    """Write what is made of every level, with an exit code, into a file of its own; return the highest exit code."""
    inside, above = folder.resolve(), [Path(name).resolve() for name in source.files]
    below = any(one in inside.parents for one in above)

    def made_before(file: str) -> bool:
        """Return whether a file is of an earlier call: then it is no level of the folder above."""
        return below and inside in Path(file).resolve().parents

    inputs = {file for file in source.inputs() if not made_before(file)}

    def act(found: Found) -> int:
        path = folder / f"{found.name}{suffix}"
        if str(path.resolve()) in inputs:
            raise errors.LevelError(
                f"{path} would be written over, and it is read: give another folder", source=found.file
            )
        content, code = make(found)
        if content is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_output(content, str(path))
        return code

    folder.mkdir(parents=True, exist_ok=True)
    return each((one for one in source.levels() if not made_before(one.file)), act)


def write_output(content: str | bytes, output: str) -> None:
    """Write text or bytes into a file, or to stdout for ``-``. Raises OSError: it cannot be written; the file is named."""
    if output == "-":
        click.echo(content, nl=False)
        return
    try:
        Path(output).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    except OSError as error:  # a full disk is reported without a name
        raise OSError(error.errno, error.strerror, output) from None
