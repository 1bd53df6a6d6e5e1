"""``sokoasp bench optima``: the table of proved optima made and certified."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from sokoasp.cli import complete
from sokoasp.cli.campaigns import complaints, progress
from sokoasp.cli.modes import refuse_ignored
from sokoasp.cli.options import IN_FILE, OUT_FOLDER, POSITIVE, time_option
from sokoasp.core.errors import counted

_TAKES = {"certify": {"files", "output", "time_limit", "objectives", "again", "keep"}}
_OBJECTIVES = ("lines", "pushes", "moves", "pushes+moves", "lines+moves", "moves+pushes")


@click.command("optima", hidden=True, epilog="Example: sokoasp bench optima instances/tutorial/first.xsb -o optima")
@click.argument("files", nargs=-1, required=True, type=IN_FILE)
@click.option("-o", "--output", type=OUT_FOLDER, required=True, help="The table's folder.")
@click.option(
    "--objective",
    "objectives",
    multiple=True,
    type=click.Choice(_OBJECTIVES),
    default=["pushes"],
    show_default=True,
    help="Repeatable; pushes+moves: of the plans with the fewest pushes the fewest moves.",
)
@click.option("--engine", shell_complete=complete.engines, default="native", show_default=True, help="A native engine.")
@click.option("--collection", help="Name of the collection; default: from the files' names.")
@time_option("CPU seconds a row.", 5.0)
@click.option(
    "--known", is_flag=True, help="Search from the solution that came with a level; its cost is kept, not its moves."
)
@click.option(
    "--campaign",
    type=OUT_FOLDER,
    metavar="DIR",
    help="Folder of the campaign; default: the table's with .campaign after it.",
)
@click.option("--shorten", type=POSITIVE, metavar="S", help="Seconds to shorten the plan that a search begins with.")
@click.option(
    "--certify", is_flag=True, help="Make and check certificates of settled rows that have none; keep hashes."
)
@click.option(
    "--again",
    is_flag=True,
    help="With --certify: also those of rows that have one, unless it is in the folder of --keep.",
)
@click.option("--keep", type=OUT_FOLDER, metavar="DIR", help="With --certify: keep the folders as DIR/BOARD/OBJECTIVE.")
@click.pass_context
def optima(
    ctx: click.Context,
    /,
    files: tuple[Path, ...],
    output: Path,
    objectives: tuple[str, ...],
    time_limit: float,
    **wishes: Any,
) -> None:
    """Add FILES to a table of proved optima, by a campaign of the ready suite optima; the same command again goes on.

    Settled rows are left; an open one is tried again when it was given less time.

    --certify makes a certificate of every settled row without one, easy rows first, checks it and keeps its hash and size; a
    row that it cannot certify is tried again when it is given more time. With --again the rows that have a certificate get the
    one that this version makes, and are named where it is another.

    Exit codes: 0 done, 1 a certificate of a row is wrong, 30 bad input.
    """
    refuse_ignored(ctx, _TAKES, {"again", "keep"})
    certify, keep, again = (wishes.pop(name) for name in ("certify", "keep", "again"))
    if certify:
        ctx.exit(_certify(files, output, time_limit, objectives, keep=keep, again=again))
    ctx.exit(_make(files, output, {"objectives": list(objectives), "seconds": time_limit}, wishes))


def _make(files: tuple[Path, ...], table: Path, values: dict[str, Any], wishes: dict[str, Any]) -> int:
    from functools import partial

    from sokoasp.bench.define.overrides import Changes
    from sokoasp.bench.run import local, store
    from sokoasp.bench.studies.optima_campaign import TableCampaign, make

    values |= {name: wishes[name] for name in ("engine", "shorten", "known") if wishes[name]}
    folder = wishes["campaign"] or Path(f"{table}.campaign")
    asked = TableCampaign(table, folder, Changes(values, files=files), wishes["collection"])
    kinds = () if wishes["engine"] == "reference" else ("native",)
    made: Counter[str] = Counter()
    with progress("optima") as on_run:
        rows = make(asked, partial(local.execute, kinds=kinds), on_run)
    for row in rows:
        made[row.status] += 1
        click.echo(f"{row.origin} {row.objective}: {row.status} {row.value or '-'} (at least {row.bound or '-'})")
    with store.open_existing(folder) as opened:
        code = complaints(opened)
    click.echo(_sums(made) or "nothing to add")
    return code


def _certify(files: tuple[Path, ...], folder: Path, seconds: float, objectives: tuple[str, ...], **how: Any) -> int:
    from sokoasp.bench.studies.optima_certificates import add_certificates
    from sokoasp.sokoban import optima_table

    made: Counter[str] = Counter()
    for certified in add_certificates(files, folder, seconds, objectives, **how):
        verdict = {"refused": "WRONG", "open": "not made"}.get(certified.verdict, certified.verdict)
        made[verdict] += 1
        click.echo(f"{certified.row.origin} {certified.row.objective}: {verdict}: {certified.reported}")
    click.echo(_sums(made) or "nothing to certify")
    rows = [row for row in optima_table.rows_of(optima_table.read(folder)) if row.status != "open"]
    sizes = [int(row.certificate_bytes or 0) for row in rows if row.certificate]
    click.echo(
        f"{len(sizes):,} of {counted(len(rows), 'settled rows')} have a certificate, {counted(sum(sizes), 'bytes')}"
    )
    return 1 if made["WRONG"] else 0


def _sums(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
