"""Cactus and scatter plots as SVG and PDF, by matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, cycle
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, NamedTuple

from sokoasp.bench.report.tables import Point, Run
from sokoasp.core.errors import MissingExtra

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999")
_STYLES = ("-", "--", "-.", ":")
_SETTINGS = {"svg.hashsalt": "sokoasp", "pdf.fonttype": 42}
"""The same file each time, and TrueType (42) in PDF: publishers refuse matplotlib's usual Type 3."""
WIDTHS = {"page": 6.9, "column": 3.4}
"""Inches of a figure over both columns of a paper, and of one in one column."""
_MOST_STEPS = 1_000
"""Steps of a cactus curve; longer ones are thinned out."""
_PER_DECADE = 40
"""Points of a scatter nearer than this part of a decade to each other are drawn once."""
MOST_SCATTERS = 6


class Place(NamedTuple):
    """Where plots are written to, and how wide they are."""

    folder: Path
    inches: float = WIDTHS["page"]


def _axes(inches: tuple[float, float]) -> Any:
    """Return the axes of a new figure. Raises MissingExtra: matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("drawing plots", "bench") from error
    axes: Any = Figure(figsize=inches, layout="constrained").add_subplot()
    axes.grid(alpha=0.3)
    return axes


def _save(axes: Any, folder: Path, name: str, *numbers: Any) -> Path:
    """Write SVG and PDF, with the numbers of these axes as they are, not as powers of ten; return the SVG's path."""
    import matplotlib
    from matplotlib.ticker import FuncFormatter, NullFormatter

    for axis in numbers:
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())
    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(_SETTINGS):
        axes.figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        axes.figure.savefig(folder / f"{name}.pdf", metadata={"CreationDate": None})
    return folder / f"{name}.svg"


def cactus(runs: Mapping[str, Mapping[Point, Run]], place: Place, name: str, seconds: str) -> Path:
    """Draw how many questions each system decides within how many seconds each; ``seconds`` says whose (CPU or wall)."""
    columns = 1 + (place.inches > WIDTHS["column"])
    axes = _axes((place.inches, max(2.5, 0.62 * place.inches) + 0.18 * len(runs) / columns))
    from matplotlib.ticker import MaxNLocator

    looks = cycle((colour, dashes) for dashes in _STYLES for colour in _COLOURS)
    for (system, found), (colour, dashes) in zip(runs.items(), looks, strict=False):
        times = sorted(max(run.seconds, 0.001) for run in found.values() if run.decided)
        shown = sorted({*range(0, len(times), 1 + len(times) // _MOST_STEPS), len(times) - 1}) if times else []
        values, label = [times[at] for at in shown], f"{system} ({len(times)})"
        axes.step([at + 1 for at in shown], values, where="pre", label=label, color=colour, linestyle=dashes)
    axes.set(xlabel="questions decided", ylabel=f"{seconds} of a question", yscale="log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    low, high = map(log10, axes.get_ylim())
    axes.set_ylim(10 ** floor(low), 10 ** ceil(high))  # each end of the axis has its number
    axes.figure.legend(fontsize="small", loc="outside lower center", ncols=columns)
    return _save(axes, place.folder, name, axes.yaxis)


def pairs(systems: Sequence[str], bases: Mapping[str, str]) -> list[tuple[str, str]]:
    """Choose which systems to draw against each other: ablations and their bases, then all pairs, ``MOST_SCATTERS`` at most."""
    chosen = [(name, base) for name, base in bases.items() if name in systems and base in systems]
    chosen += [pair for pair in combinations(systems, 2) if pair not in chosen and pair[::-1] not in chosen]
    return chosen[:MOST_SCATTERS]


def scatter(one: str, two: str, runs: Mapping[str, Mapping[Point, Run]], place: Place, name: str, seconds: str) -> Path:
    """Draw the seconds of two systems against each other; undecided runs lie on the edge of the limit.

    ``seconds`` says whose (CPU or wall).
    """
    axes = _axes((min(4.2, place.inches),) * 2)
    common = [(run, runs[two][point]) for point, run in runs[one].items() if point in runs[two]]
    limit = max((run.limit for pair in common for run in pair), default=1.0)
    places = sorted({(_place(a, limit), _place(b, limit)) for a, b in common})
    xs, ys = [x for x, _ in places], [y for _, y in places]
    axes.scatter(xs, ys, s=18, alpha=0.6, linewidths=0, color=_COLOURS[0])
    low = min([*xs, *ys, 0.01])
    axes.plot([low, limit], [low, limit], color="#888888", linewidth=0.8)
    for line in (axes.axvline, axes.axhline):
        line(limit, color="#bbbbbb", linewidth=0.8, linestyle="--")
    axes.set(xscale="log", yscale="log", xlabel=f"{one}, {seconds}", ylabel=f"{two}, {seconds}", aspect="equal")
    return _save(axes, place.folder, name, axes.xaxis, axes.yaxis)


def _place(run: Run, limit: float) -> float:
    seconds = max(run.seconds, 0.001) if run.decided else 1.3 * limit
    return float(10 ** (round(log10(seconds) * _PER_DECADE) / _PER_DECADE))
