"""``sokoasp stats``."""

from __future__ import annotations

import sys
from typing import Any

import click

from sokoasp.cli.files import Found, Source, problem_options
from sokoasp.cli.options import Number, limit_options
from sokoasp.cli.rows import Rows, each, rows_option
from sokoasp.core.limits import Limits

_COLUMNS = (
    "file level title board floor_cells boxes goals boxes_on_goals dead_squares lower_bound_lines lower_bound_pushes "
    "box_placements box_placements_live placements_with_one_more positions_at_most regions reachable_regions "
    "reachable_positions width height cells pieces classes blanks key key_bits complete reachable goal "
    "greatest_slides greatest_units stopped_by error"
)


@click.command(epilog="Example: sokoasp stats instances/tutorial/first.xsb")
@problem_options
@limit_options("Wall seconds for each level; 0 counts no states.", 2.0, Number(min=0))
@rows_option(_COLUMNS)
@click.pass_context
def command(ctx: click.Context, source: Source, limits: Limits, rows: Rows) -> None:
    """Describe each level: cells, boxes, dead squares, lower bounds, size of the state space."""

    def act(level: Found) -> int:
        found = level.domain.known.stats(level.problem, limits)
        most = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)  # placements of hundreds of boxes have more digits than Python writes by default
        try:
            if rows:
                rows.write({**level.row, "title": level.title, **found})
            else:
                click.echo(level.heading)
                for name, value in _shown(found).items():
                    click.echo(f"  {name.replace('_', ' '):<28} {value}")
        finally:
            sys.set_int_max_str_digits(most)
        return 130 if found["stopped_by"] == "interrupt" else 0

    ctx.exit(each(source.levels(), act, rows))


_SO_FAR = ("reachable", "goal", "greatest_slides", "greatest_units")
"""Counts of a board that are what was met so far where a limit has come first."""


def _shown(found: dict[str, Any]) -> dict[str, str]:
    """Return what is printed, by name: of what there is not, why."""
    stopped = found["stopped_by"]
    missing, none = f"not counted within the {stopped} limit", "none, as there is no plan"
    if stopped == "interrupt":
        missing = "interrupted before it was counted"
    shown = {}
    for name, value in found.items():
        if value is None and name == "stopped_by":
            continue
        if value is None:
            dead = name.startswith("lower_bound") and found["dead_squares"] is not None
            shown[name] = none if dead or not stopped else missing
        elif isinstance(value, bool):
            shown[name] = "yes" if value else "no"
        else:
            least = "at least " if name in _SO_FAR and not found["complete"] else ""
            text = f"{value:,}" if isinstance(value, int | float) else value
            shown[name + "_from_here" * name.startswith("greatest")] = f"{least}{text}"
    return shown
