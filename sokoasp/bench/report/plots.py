"""Cactus, scatter and growth plots as SVG and PDF, by matplotlib."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from math import log10
from pathlib import Path
from typing import Any

from sokoasp.bench.report.anytime_profiles import Curve
from sokoasp.bench.report.tables import Point, Row, Run
from sokoasp.core.errors import MissingExtra

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999")
_STYLES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "x", "+", "*")
_MOST_STEPS = 1_000
"""Steps of a cactus curve; longer ones are thinned out."""
_PER_DECADE = 40
"""Points of a scatter nearer than this part of a decade to each other are drawn once."""
MOST_SCATTERS = 6


WIDTHS = {"column": 3.35, "page": 6.9}
"""Inches of a figure's width in a paper."""


@contextmanager
def drawing(width: str = "page") -> Iterator[None]:
    """Let what is drawn meanwhile be for papers: of a width of ``WIDTHS``, the same each time, with fonts that can be searched.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtra("drawing plots", "bench") from error
    # TrueType (42) in PDF: publishers refuse matplotlib's usual Type 3
    settings: dict[str, Any] = {"svg.hashsalt": "sokoasp", "pdf.fonttype": 42, "ps.fonttype": 42, "font.size": 9}
    with matplotlib.rc_context({**settings, "figure.figsize": (WIDTHS[width], 0.62 * WIDTHS[width])}):
        yield


def _figure_and_axes(*, square: bool = False) -> tuple[Any, Any]:
    """Return a matplotlib figure and its axes."""
    import matplotlib
    from matplotlib.figure import Figure

    width, height = matplotlib.rcParams["figure.figsize"]
    width, height = (min(width, 4.2), min(width, 4.2)) if square else (width, height)
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.grid(alpha=0.3)
    return figure, axes


def _plain_numbers(*axes: Any) -> None:
    """Write the numbers of axes as they are, not as powers of ten."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    for axis in axes:
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())


def _whole_numbers(axis: Any) -> None:
    """Mark whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def _saved(figure: Any, folder: Path, name: str) -> Path:
    """Write a figure as SVG and PDF and return the SVG's path."""
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.pdf", metadata={"CreationDate": None})
    return folder / f"{name}.svg"


def _look(index: int) -> dict[str, str]:
    """Return colour and dashes of the curve with a number."""
    return {"color": _COLOURS[index % len(_COLOURS)], "linestyle": _STYLES[index // len(_COLOURS) % len(_STYLES)]}


def _ascending(found: Mapping[str, Sequence[float]], what: str, folder: Path, name: str) -> Path:
    """Draw rising costs of the questions that each system decides, long curves thinned out."""
    figure, axes = _figure_and_axes()
    for index, (system, costs) in enumerate(found.items()):
        every = 1 + len(costs) // _MOST_STEPS
        shown = sorted({*range(0, len(costs), every), *range(max(0, len(costs) - 1), len(costs))})
        values = [costs[place] for place in shown]
        label = f"{system} ({len(costs)})"
        axes.step([place + 1 for place in shown], values, where="pre", label=label, **_look(index))
    axes.set(xlabel="questions decided", ylabel=what, yscale="log")
    _whole_numbers(axes.xaxis)
    _plain_numbers(axes.yaxis)
    return _legend(figure, axes, folder, name)


def _legend(figure: Any, axes: Any, folder: Path, name: str) -> Path:
    """Add the legend, and save."""
    axes.legend(fontsize="small")
    return _saved(figure, folder, name)


def cactus(runs: Mapping[str, Mapping[Point, Run]], folder: Path, name: str, seconds: str) -> Path:
    """Draw how many questions each system decides within how many seconds each; ``seconds`` says whose (CPU or wall)."""
    times = {
        system: sorted(max(run.seconds, 0.001) for run in found.values() if run.decided)
        for system, found in runs.items()
    }
    return _ascending(times, f"{seconds} of a question", folder, name)


def pairs(systems: Sequence[str], bases: Mapping[str, str]) -> list[tuple[str, str]]:
    """Choose which systems to draw against each other: ablations and their bases, then all pairs, a handful at most."""
    chosen = [(name, base) for name, base in bases.items() if name in systems and base in systems]
    chosen += [pair for pair in combinations(systems, 2) if pair not in chosen and pair[::-1] not in chosen]
    return chosen[:MOST_SCATTERS]


def scatter(
    one: str, two: str, runs: Mapping[str, Mapping[Point, Run]], folder: Path, name: str, seconds: str, page: str = ""
) -> Path:
    """Draw the seconds of two systems against each other; undecided runs lie on the edge of the limit.

    ``seconds`` says whose (CPU or wall). The points lead to ``page``, to the first question at their place (see ``anchor``).
    """
    figure, axes = _figure_and_axes(square=True)
    first, second = runs[one], runs[two]
    common = [(run, second[point]) for point, run in first.items() if point in second]
    limit = max((run.limit for pair in common for run in pair), default=1.0)
    places: dict[tuple[float, float], str] = {}
    for a, b in common:
        places.setdefault((_place(a, limit), _place(b, limit)), f"{page}#{anchor(a.point, a.objective)}")
    shown = sorted(places)
    xs, ys = [x for x, _ in shown], [y for _, y in shown]
    dots = axes.scatter(xs, ys, s=18, alpha=0.6, linewidths=0, color=_COLOURS[0])
    if page:
        dots.set_urls([places[place] for place in shown])
    low = min([*xs, *ys, 0.01])
    axes.plot([low, limit], [low, limit], color="#888888", linewidth=0.8)
    for line in (axes.axvline, axes.axhline):
        line(limit, color="#bbbbbb", linewidth=0.8, linestyle="--")
    axes.set(xscale="log", yscale="log", xlabel=f"{one}, {seconds}", ylabel=f"{two}, {seconds}")
    axes.set_aspect("equal")
    _plain_numbers(axes.xaxis, axes.yaxis)
    return _saved(figure, folder, name)


def anchor(point: Point, objective: str) -> str:
    """Return the name by which the page of runs can be linked to at a question."""
    return f"q-{point.instance}-{objective}-{point.seed}-{point.repetition}"


def _place(run: Run, limit: float) -> float:
    seconds = max(run.seconds, 0.001) if run.decided else 1.3 * limit
    return float(10 ** (round(log10(seconds) * _PER_DECADE) / _PER_DECADE))


def growth(rows: Sequence[Row], systems: Iterable[str], labels: tuple[str, str], folder: Path, name: str) -> Path:
    """Draw the median seconds (PAR2) of each system against a size of the instances; both have their label."""
    figure, axes = _figure_and_axes()
    for index, system in enumerate(systems):
        found = [(float(row.size), row.cells[system][2]) for row in rows if system in row.cells]
        xs, ys = [x for x, _ in found], [y for _, y in found]
        marker = _MARKERS[index % len(_MARKERS)]
        axes.plot(xs, ys, marker=marker, markersize=4, label=system, **_look(index))
    axes.set(xlabel=labels[0], ylabel=f"median {labels[1]}, undecided: twice the limit", yscale="log")
    _whole_numbers(axes.xaxis)
    _plain_numbers(axes.yaxis)
    return _legend(figure, axes, folder, name)


def anytime(curves: Mapping[str, tuple[Curve, Curve]], folder: Path, name: str) -> Path:
    """Draw how bounds (lines) and plans (dashes) come over time."""
    figure, axes = _figure_and_axes()
    for index, (system, (bounds, plans_)) in enumerate(curves.items()):
        colour = _COLOURS[index % len(_COLOURS)]
        for curve, style, label in ((bounds, "-", system), (plans_, "--", None)):
            shown = curve[:: 1 + len(curve) // _MOST_STEPS] + curve[-1:]
            xs, ys = [max(x, 0.001) for x, _ in shown], [y for _, y in shown]
            axes.step(xs, ys, where="post", color=colour, linestyle=style, label=label)
    axes.set(xlabel="wall seconds", ylabel="share of the best value known", xscale="log", ylim=(0, 1.03))
    _plain_numbers(axes.xaxis)
    return _legend(figure, axes, folder, name)


def memory(peaks: Mapping[str, Sequence[float]], folder: Path, name: str) -> Path:
    """Draw how many questions each system decides within how many megabytes each."""
    return _ascending(peaks, "peak megabytes of a question", folder, name)
