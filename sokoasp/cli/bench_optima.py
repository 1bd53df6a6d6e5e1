"""``sokoasp bench optima``: what a campaign's runs add to a table of proved optima, and certificates of its rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from sokoasp.cli.options import IN_FOLDER, OUT_FOLDER, POSITIVE
from sokoasp.core.errors import counted


@click.command("optima", hidden=True, epilog="Example: sokoasp bench optima results -o instances/optima")
@click.argument("folder", type=IN_FOLDER)
@click.option("-o", "--output", type=OUT_FOLDER, required=True, help="The table's folder.")
@click.option("--certify", type=POSITIVE, metavar="S", help="CPU seconds for a certificate of each row without one.")
def optima(folder: Path, output: Path, certify: float | None) -> None:
    """Add what the runs of the campaign in FOLDER have found to a table of proved optima. Settled rows stay.

    With --certify the rows of its levels get certificates, easy rows first; the table keeps hash and size. A row that cannot be
    certified is tried again when it is given more time.

    Exit codes: 0 done, 1 a certificate of a row is wrong, 30 bad input.
    """
    from sokoasp.bench.run import store
    from sokoasp.bench.studies import optima_rows
    from sokoasp.sokoban import optima_table

    table = optima_table.read(output) if (output / optima_table.ROWS).exists() else {}
    made: Counter[str] = Counter()
    with store.open_existing(folder) as opened:
        for row in optima_rows.add_runs(opened, table):
            made[row.status] += 1
            click.echo(f"{row.origin} {row.objective}: {row.status} {row.value or '-'} (at least {row.bound or '-'})")
        optima_table.write(output, optima_table.rows_of(table))
        for certified in () if certify is None else optima_rows.add_certificates(opened, table, certify):
            verdict = {"refused": "WRONG", "open": "not made"}.get(certified.verdict, certified.verdict)
            made[verdict] += 1
            click.echo(f"{certified.row.origin} {certified.row.objective}: {verdict}: {certified.reported}")
            optima_table.write(output, optima_table.rows_of(table))
    click.echo(", ".join(f"{count} {name}" for name, count in sorted(made.items())) or "nothing to add")
    rows = [row for row in optima_table.rows_of(table) if row.status != "open"]
    sizes = [int(row.certificate_bytes or 0) for row in rows if row.certificate]
    click.echo(
        f"{len(sizes):,} of {counted(len(rows), 'settled rows')} have a certificate, {counted(sum(sizes), 'bytes')}"
    )
    click.get_current_context().exit(1 if made["WRONG"] else 0)
