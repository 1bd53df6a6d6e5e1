"""The technical report: its tables and figure made from what the repository holds, and its pages by Typst."""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from sokoasp.bench.report.plots import figure_and_axes
from sokoasp.bench.studies.optima_check import against_values
from sokoasp.core.errors import MissingExtra, SokoaspError
from sokoasp.core.shipped import instances
from sokoasp.sokoban import optima_table
from sokoasp.sokoban.optima_table import Optimum

Rows = list[list[str]]
OBJECTIVES = ("lines", "pushes", "moves", "pushes+moves")


def build(source: Path, output: Path | None = None) -> Path:
    """Make the report's data anew and its PDF, and return the PDF's path.

    Args:
        source: The folder of ``report.typ``, below the repository's ``docs``.
        output: The PDF; default: ``report.pdf`` in that folder.

    Raises:
        SokoaspError: There is no report, or Typst refuses it.
        MissingExtra: typst or matplotlib is not installed.
    """
    if not (source / "report.typ").is_file():
        raise SokoaspError("there is no report.typ here: run this in a clone of the repository", source=str(source))
    make_data(source / "data", source.parent)
    try:
        import typst
    except ImportError as error:
        raise MissingExtra("the report", "report") from error
    pdf = output or source / "report.pdf"
    try:
        typst.compile(str(source / "report.typ"), output=str(pdf))
    except RuntimeError as error:
        raise SokoaspError(f"Typst: {error}", source=str(source / "report.typ")) from error
    return pdf


def make_data(folder: Path, docs: Path) -> None:
    """Write the tables of the report as CSV, and its figure."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = optima_table.rows_of(optima_table.shipped())
    measured = measured_table(docs / "native-measured.md", "| level | board | plan | bound |")
    tables = {
        "optima.csv": by_collection(rows),
        "programs.csv": measured_table(docs / "encodings-measured.md", "| program | proved | s, 27 files |")[:5],
        "xsokoban.csv": [[*row[:1], *row[2:]] for row in measured],
        "ablation.csv": _after(docs / "encodings-measured.md", "`lines-remaining`, limit 10 s"),
        "ablation-moves.csv": _after(docs / "encodings-measured.md", "`moves-forward`, limit 10 s"),
        "microban.csv": measured_table(docs / "native-measured.md", "| objective | proved | within 1 s each |"),
        "certificates.csv": certified(docs / "certificates-measured.md"),
        "decision.csv": measured_table(docs / "encodings-measured.md", "| CPU s", "The files' own questions"),
        "planners.csv": measured_table(docs / "planning.md", "| system | solved |"),
    }
    ratios = price_of_pushes(rows)
    tables["counts.csv"] = [["what", "number"], *counts(rows, ratios, len(measured) - 1)]
    for name, table in tables.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as lines:
            csv.writer(lines, lineterminator="\n").writerows(table)
    _draw(ratios, folder / "costs.svg")


def measured_table(path: Path, head: str, after: str = "") -> Rows:
    """Return a table of the documentation, found by how its head begins (after a line with some words), without emphasis.

    Raises:
        SokoaspError: There is no such table.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    first = next((place for place, line in enumerate(lines) if after in line), len(lines))
    at = next((place for place, line in enumerate(lines) if place >= first and line.startswith(head)), None)
    if at is None:
        raise SokoaspError(f"no table that begins with {head!r}", source=str(path))
    found = []
    for line in lines[at:]:
        if not line.startswith("|"):
            break
        found.append([re.sub(r"[*`]", "", cell).strip() for cell in line.strip("|").split("|")])
    return [found[0], *found[2:]]


def _after(path: Path, words: str) -> Rows:
    """Return the leave-one-out table that follows a line with these words."""
    return measured_table(path, "| variant | proved |", words)


def certified(path: Path) -> Rows:
    """Return level, value, kind and kilobytes of the certificates that were made and accepted."""
    table = measured_table(path, "| XSokoban | pushes | shown by |")
    return [row[:4] for row in table]


def by_collection(rows: Iterable[Optimum]) -> Rows:
    """Return proved rows of rows tried for each collection and cost; folders of ours are one collection each."""
    tried: dict[str, Counter[str]] = defaultdict(Counter)
    settled: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        name = row.collection.partition("/")[0]
        tried[name][row.objective] += 1
        settled[name][row.objective] += row.status != "open"
    table = [["collection", *(word for name in OBJECTIVES for word in (name, "of"))]]
    for name in sorted(tried):
        cells = [
            word
            for objective in OBJECTIVES
            for word in (
                (str(settled[name][objective]), str(tried[name][objective])) if tried[name][objective] else ("", "")
            )
        ]
        table.append([name, *cells])
    return table


def price_of_pushes(rows: Iterable[Optimum]) -> list[float]:
    """Return, over the levels with both rows proved, moves of the best plan with the fewest pushes / fewest moves, sorted."""
    proved: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        if row.status == "proved":
            proved[row.board][row.objective] = row.value
    found = []
    for values in proved.values():
        if "moves" in values and "pushes+moves" in values and int(values["moves"]):
            found.append(optima_table.parse(values["pushes+moves"])[1] / int(values["moves"]))
    return sorted(found)


def counts(rows: Sequence[Optimum], ratios: Sequence[float], xsokoban: int) -> Rows:
    """Return the numbers that the text names."""
    status = Counter(row.status for row in rows)
    beside = Counter(
        row.verdict for row in against_values(instances() / "optima" / "elsewhere.csv", optima_table.shipped())
    )
    numbers = {
        "rows": len(rows),
        "proved": status["proved"],
        "unsolvable": status["unsolvable"],
        "boards": len({row.board for row in rows if row.status == "proved"}),
        "elsewhere": sum(beside.values()),
        "agree": beside["agrees"],
        "disagree": beside["DISAGREES"],
        "solutions": sum(row.status == "proved" and not row.has_plan for row in rows),
        "certified": sum(row.certificate != "" for row in rows),
        "verified": sum(row.verified != "" for row in rows if row.status == "proved"),
        "verifiedboards": len({row.board for row in rows if row.status == "proved" and row.verified}),
        "tied": len(ratios),
        "equal": sum(ratio == 1 for ratio in ratios),
        "dearest": round(100 * (max(ratios, default=1) - 1)),
        "xsokoban": xsokoban,
    }
    return [[name, f"{number:,}"] for name, number in numbers.items()]


def _draw(ratios: Sequence[float], path: Path) -> None:
    figure, axes = figure_and_axes(5.5, 2.6)
    axes.step(range(1, len(ratios) + 1), ratios, where="post", color="#0072b2")
    axes.set(xlabel="levels, sorted", ylabel="moves / fewest moves", ylim=(0.98, None))
    axes.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path('docs/report'), Path(sys.argv[1]) if sys.argv[1:] else None)}\n")
