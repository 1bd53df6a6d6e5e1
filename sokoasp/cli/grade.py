"""``sokoasp encodings grade``."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli import options
from sokoasp.cli.common import is_folder, write_output
from sokoasp.cli.files import spread
from sokoasp.cli.rows import Rows, rows_option
from sokoasp.core import errors
from sokoasp.core.limits import Limits
from sokoasp.domain import domain_of

if TYPE_CHECKING:
    from sokoasp.engine.class_grading import Marks
    from sokoasp.engine.grading import Truth


@click.command(epilog="Example: sokoasp encodings grade lines --levels instances/tutorial/first.xsb")
@click.argument("encoding", metavar="NAME|PATH|FOLDER")
@click.option(
    "--levels",
    type=options.IN_FILES,
    multiple=True,
    callback=spread,
    help="Your own levels or boards, a file or folder (may be given again); else ours.",
)
@click.option(
    "--objective",
    type=click.Choice(["lines", "pushes", "moves", "slides", "units"]),
    help="What the encoding minimises; default: lines, of Klotski boards slides.",
)
@options.time_option("Wall seconds for each level.", 10.0)
@click.option(
    "--html",
    type=options.OUT,
    metavar="FILE|DIR/",
    help="For a FOLDER: also write the marks as a page, in DIR a page for each.",
)
@rows_option("encoding objective file level title verdict optimum value reason seconds")
@click.pass_context
def command(
    ctx: click.Context,
    encoding: str,
    levels: tuple[Path, ...],
    objective: str | None,
    time_limit: float,
    html: str | None,
    rows: Rows,
) -> None:
    """Mark an encoding on small levels: right on this level, or what is wrong there.

    An encoding is a catalogued name or a file: a logic program over the competition's facts that shows push/4 (or move/2), or
    over those of Klotski boards that shows slide/4. The referee replays every plan, and the reference search knows every
    optimum. Each .lp file of a FOLDER gets one row: its mark in percent, the levels passed and its first mistake. Exit codes:
    0 all right, 13 something is wrong or was not answered, 30 the encoding or the levels cannot be read.
    """
    from sokoasp.engine import class_grading, grading

    limits, problems = Limits(seconds=time_limit), _problems(levels)
    objective = objective or domain_of(problems[0]).objectives[0]
    if Path(encoding).is_dir():
        ctx.exit(_folder(Path(encoding), list(grading.truths(problems, objective)), limits, html, rows))
    if html:
        raise click.UsageError("--html is the table of a FOLDER")
    verdicts: Counter[str] = Counter()
    marks = grading.grade(encoding, problems, objective=objective, limits=limits)
    for mark in class_grading.patiently(marks, len(problems), lambda note: click.echo(f"note: {note}", err=True)):
        verdicts[mark.verdict] += 1
        if rows:
            rows.write({"encoding": encoding, "objective": objective, **asdict(mark)})
            continue
        best = "unsolvable" if mark.optimum is None else errors.counted(mark.optimum, objective)
        click.echo(
            f"{mark.place:<27} {mark.title[:28]:<28} {'unknown' if mark.verdict == 'no truth' else best:>10}  {mark.verdict}"
            + f": {mark.reason}" * bool(mark.reason)
        )
    marked = verdicts.total() - verdicts["no truth"]
    if not rows:
        click.echo(f"{verdicts['right']} of {marked} right on these levels")
    ctx.exit(0 if 0 < verdicts["right"] == marked else 13)


def _folder(folder: Path, known: list[Truth], limits: Limits, html: str | None, rows: Rows) -> int:
    """Print the marks of every encoding in a folder, and write them as a page if wanted; return the exit code."""
    from sokoasp.engine import class_grading

    table = Rows("pupil mark right levels mistake", rows.form)
    width = max(len(path.relative_to(folder).as_posix()) for path in class_grading.pupils(folder)) - 3
    found: list[Marks] = []
    for marks in class_grading.grade_folder(folder, known, limits):
        if not marks.fault:
            used = re.findall(
                r'(?m)^\s*#include\s*"(.+?)"', (folder / f"{marks.pupil}.lp").read_text("utf-8", "replace")
            )
            marks = replace(marks, fault=f"includes {', '.join(used)}" if used else "")
        found.append(marks)
        counts = {name: getattr(marks, name) for name in table.columns}
        if table:
            table.write({**counts, "grades": list(map(asdict, marks.grades))})
        else:
            click.echo(
                f"{marks.pupil:<{width}} {marks.mark:>3} %  {marks.right:>2} of {marks.levels}  {marks.mistake}".rstrip()
            )
    if others := class_grading.unmarked(folder):
        click.echo(f"note: not marked, for an encoding's file ends in .lp: {errors.some(others, 5)}", err=True)
    pages = {html: found} if html else {}
    if html and is_folder(html):
        pages = {f"{html}/{one.pupil}.html": [one] for one in found}
    for name, shown in pages.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        write_output(_page(folder, shown), name)
    return 0 if all(0 < marks.right == marks.levels for marks in found) else 13


def _problems(levels: tuple[Path, ...]) -> list[Any]:
    """Return the levels. Raises SokoaspError: one is faulty; click.UsageError: they are of two games."""
    from sokoasp.engine import grading

    problems = list(grading.marking_levels(*levels))
    faults = [one for one in problems if isinstance(one, errors.SokoaspError)]
    for fault in faults[:-1]:
        click.echo(f"error: {fault}", err=True)
    if faults:
        raise faults[-1]
    if len({domain_of(problem).name for problem in problems}) > 1:
        raise click.UsageError("--levels are Sokoban levels or Klotski boards: mark the programs of one game at a time")
    return problems


def _page(folder: Path, found: list[Marks]) -> str:
    """Return a page with the marks; a click on a row shows how the encoding did on each level."""
    from sokoasp.bench.report.page import Table, html

    head = ("pupil", "mark", "levels passed", "first mistake")
    lines = [(one.pupil, f"{one.mark} %", f"{one.right} of {one.levels}", one.mistake) for one in found]
    logs = [
        "\n".join(f"{grade.place} {grade.title}: {grade.verdict}, {grade.reason}".rstrip(", ") for grade in one.grades)
        for one in found
    ]
    return html(
        f"Marks of {folder.resolve().name}", [Table("Share of these levels passed", head, lines, words=True, logs=logs)]
    )
