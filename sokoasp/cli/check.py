"""``sokoasp check``."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import click

from sokoasp.cli.common import is_part, judged, plan_text, solutions_of
from sokoasp.cli.files import Found, Source, only_one, problem_and_plan_options
from sokoasp.cli.options import STEPS
from sokoasp.cli.rows import Rows, each, rows_option
from sokoasp.core.errors import IllegalPlan, SokoaspError, counted
from sokoasp.sokoban.formats.text import is_moves


class _OrFolder(click.Command):
    """A command that leaves a certificate's folder to ``check-proof``."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of ``check-proof`` if the first word names such a folder."""
        if args and Path(args[0], "claim.json").is_file():
            from sokoasp.cli import check_proof

            return check_proof.command.make_context(info_name, args, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    cls=_OrFolder, epilog="Example: sokoasp check instances/tutorial/first.xsb instances/tutorial/first.lurd"
)
@problem_and_plan_options
@click.option("--steps", type=STEPS, metavar="N", help="Demand exactly N-1 actions.")
@click.option("--ignore-case", is_flag=True, help="Read moves without case; playing shows which of them push.")
@rows_option("file level solution plan valid lines pushes moves slides units at reason error")
@click.pass_context
def command(
    ctx: click.Context, source: Source, plan: str | None, steps: int | None, ignore_case: bool, rows: Rows
) -> None:
    """Referee plans: PLAN is a file, - or moves such as rRR; without it the levels' own solutions are refereed.

    They are in the level's file, or beside it in NAME.sol, NAME.lurd or NAME.sok. A plan's file holds LURD (metadata lines and
    several solutions are fine), push/4 atoms, or a solver's raw output (plain text or clingo JSON). Says at which move or action
    a plan fails, and why. Exit codes: 0 all valid, 30 invalid, or no level has a solution. Facts with step/1 demand exactly n-1
    actions. The folder of a certificate goes to check-proof.
    """
    levels = only_one(source.levels(), plan and "PLAN")
    given = None if plan is None else plan_text(plan)
    tally: Counter[bool | str] = Counter()

    def act(level: Found) -> int:
        tally["without"] += 1
        texts, name = solutions_of(level) if given is None else given
        tally["without"] -= 1
        if ignore_case:
            texts = tuple(map(_without_case, texts))
        for text in texts:
            answers = len(re.findall(r'^Answer: |"Value": *\[', text, re.MULTILINE))
            if answers > 1 and "Optimization" not in text and '"Costs"' not in text:
                click.echo(f"note: {name} has {answers} answers, of which the last is refereed", err=True)
        head = "" if (level.alone or source.one_number) and not source.many else f"{level.heading}: "
        codes = []
        part = given is None and is_part(level, name)
        for number, answer in judged(level, texts, name, lambda one: (one, _referee(level, one, steps)), part=part):
            row = {**level.row, "plan": plan} | ({"solution": number} if number else {})
            label = f"{head}solution {number}: " if number else head
            codes.append(_told(level, answer, name, row, rows, label))
        tally.update(code == 0 for code in codes)
        return max(codes)

    code = each(levels, act, rows)
    refereed = tally[True] + tally[False]
    if refereed + tally["without"] > 1 and not rows and (source.many or plan is None):
        more = f"; {counted(tally['without'], 'levels')} without a solution" if tally["without"] else ""
        click.echo(f"{counted(refereed, 'solutions')}: {tally[True]:,} valid, {tally[False]:,} not{more}")
    ctx.exit(code)


def _without_case(text: str) -> str:
    """Return a text with its lines of moves in small letters."""
    return "".join(line.lower() if is_moves(line.strip()) else line for line in text.splitlines(keepends=True))


def _told(level: Found, answer: Any, name: str, row: dict[str, Any], rows: Rows, label: str) -> int:
    """Print the verdict on one solution: its plan with what it costs, or what is wrong with it."""
    if isinstance(answer, SokoaspError):
        if rows:
            rows.write(row | {"valid": False, "at": getattr(answer, "at", None), "reason": answer.message})
        else:
            click.echo(f"error: {label}{answer.located('' if label and name == level.file else name)}", err=True)
        return answer.exit_code
    found, counts = answer
    for remark in level.domain.remarks(level.problem, found):
        click.echo(f"warning: {label}{remark}", err=True)
    if rows:
        rows.write(row | {"valid": True, **counts})
    else:
        click.echo(f"{label}valid: " + ", ".join(counted(number, name) for name, number in counts.items()))
    return 0


def _referee(level: Found, plan: Any, steps: int | None) -> Any:
    """Return what the plan costs, objective → number.

    Raises:
        IllegalPlan: It is not valid, or has not the number of actions asked for by ``steps``, else by the file's own step/1.
    """
    domain, problem = level.domain, level.problem
    own = getattr(problem, "steps", None)
    if steps is not None or own is None:
        return domain.validate(problem, plan, steps)
    domain.validate(problem, plan, None)
    try:
        return domain.validate(problem, plan, own)
    except IllegalPlan as error:
        error.message += " (the steps are the file's own; but for their number the plan is valid)"
        raise
