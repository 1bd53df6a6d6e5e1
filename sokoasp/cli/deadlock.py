"""``sokoasp deadlock``."""

from __future__ import annotations

from typing import Any

import click

from sokoasp.cli.common import moves_of
from sokoasp.cli.files import Found, Source, problem_options
from sokoasp.cli.options import limit_options
from sokoasp.cli.rows import Rows, each, progress_option, rows_option, shown
from sokoasp.core.errors import IllegalPlan, LevelError
from sokoasp.sokoban import examine as examining
from sokoasp.sokoban.examine import Examination, examine_reverse
from sokoasp.sokoban.level import Level


@click.command(epilog="Example: sokoasp deadlock instances/unsolvable/unsolvable.xsb --level 3")
@problem_options
@click.option("--after", default="", metavar="LURD|FILE", help="Examine the state after these moves.")
@click.option("--exhaustive", is_flag=True, help="Search all states when no rule finds a deadlock.")
@limit_options("Wall seconds for each level.", 60.0)
@click.option("--reverse", type=click.IntRange(min=1), hidden=True)
@progress_option
@rows_option("file level title verdict kind cells boxes reason source plan stopped_by error")
@click.pass_context
def command(
    ctx: click.Context, /, source: Source, after: str, reverse: int | None, progress: str, rows: Rows, **asked: Any
) -> None:
    """Prove that a level (or the state after some moves) is dead, and say why.

    "none found" never means solvable. Exit codes: 0 none found (or, with --exhaustive, alive), 11 dead, 30 bad input,
    130 interrupted.
    """
    moves = moves_of(after)
    exhaustive, limits = asked["exhaustive"], asked["limits"]
    if reverse is not None:
        if after or exhaustive:
            raise click.UsageError("--reverse is about the closed region: leave --after and --exhaustive out")
        start: Any = source._replace(wanted=((reverse, reverse),)).one().problem

    def act(level: Found) -> int:
        if level.domain.problem is not Level:
            raise click.UsageError(f"deadlocks are for Sokoban levels, this is {level.domain.name}")
        try:
            with shown(progress, level, limits):
                if reverse is None:
                    found = level.domain.known.examine(level.problem, moves, exhaustive, limits)
                else:
                    found = examine_reverse(start, level.problem)
        except (IllegalPlan, LevelError) as error:
            raise error.located(level.place + " --after" * isinstance(error, IllegalPlan)) from None
        if rows:
            rows.write({**level.row, "title": level.title, **examining.as_json(found)})
        else:
            click.echo(_report(found, level.heading))
        if found.stopped_by == "interrupt":
            return 130
        return 11 if found.verdict == "dead" else 0

    ctx.exit(each(source.levels(), act, rows))


def _report(found: Examination, heading: str) -> str:
    none = "no deadlock found (which proves nothing)"
    words = {"dead": "dead", "alive": "alive: there is a plan", "none_found": none}
    lines = [f"{heading}: {words[found.verdict]}"]
    if found.found is not None:
        lines += [f"  kind: {found.found.kind}", f"  why: {found.found.reason}", f"  source: {found.found.source}"]
        lines += [f"  boxes: {_places(found.found.boxes)}", *("  " + row for row in _picture(found.level, found.found))]
    if found.fix is not None:
        push = found.fix.blamed
        pushes = "the last push" if found.fix.undo == 1 else f"the last {found.fix.undo} pushes"
        lines.append(f"  fix: take back {pushes}: the box at {_places([push.box])} should not go {push.direction.name}")
        better = [f"{_places([p.box])} {p.direction.name}" for p in found.fix.instead[:8]]
        lines.append(f"  instead, not found dead: {', '.join(better) if better else 'no push from there'}")
    if found.plan is not None:
        lines.append(f"  plan: {found.plan.lurd}")
    if found.stopped_by is not None:
        rest = "the examination did not end"
        if found.found is not None:
            rest = "whether fewer boxes are dead, and what to take back, is open"
        lines.append(f"  {rest}, stopped by: {found.stopped_by}")
    return "\n".join(lines)


def _places(cells: Any) -> str:
    return ", ".join(f"({row},{col})" for row, col in cells)


def _picture(level: Any, verdict: Any) -> list[str]:
    """Draw the state with the boxes to blame as ``!`` (on a goal ``%``) and the other cells of the verdict as ``~`` (``:``)."""
    rows = [list(row.ljust(level.width)) for row in level.rows()]
    for row, col in verdict.cells:
        if rows[row][col] in " .":
            rows[row][col] = ":" if rows[row][col] == "." else "~"
    for row, col in verdict.boxes:
        rows[row][col] = "%" if (row, col) in level.goals else "!"
    return ["".join(row).rstrip() for row in rows]
