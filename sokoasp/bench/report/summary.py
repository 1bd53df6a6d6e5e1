"""The report of a campaign: troubles first, then who decides what, how fast, and what the parts are worth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from sokoasp.bench.report import judge, page, plots, status, tables
from sokoasp.bench.report.page import Block, Figure, Heading, Table, Text
from sokoasp.bench.report.tables import Data, Point, Run
from sokoasp.bench.run import logs
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import Store, open_existing
from sokoasp.core.errors import counted

MOST_INSTANCES = 100
"""Instances up to which each gets a row of its own."""
_Runs = Mapping[str, Mapping[Point, Run]]


@dataclass(frozen=True, slots=True)
class Written:
    """What a report consists of."""

    files: tuple[Path, ...]
    alarming: bool
    """Whether there are wrong answers or unexplained errors."""


def write(
    folder: Path, output: Path | None = None, *, measure: str | None = None, width: str | None = "page"
) -> Written:
    """Write report.html, report.md, the tables (CSV, LaTeX) and the plots of the campaign in a folder, there or in ``output``.

    ``measure`` is ``wall``, ``cpu`` or ``total``: whose seconds are compared; default: those that the limits count.
    ``width`` is that of the plots, of ``plots.WIDTHS``; None draws none, so that matplotlib is not needed.

    Raises:
        SokoaspError: There is no campaign there.
        MissingExtra: matplotlib is not installed and plots are wanted.
    """
    output = output or folder
    with open_existing(folder) as store:
        title = store.description().get("title", folder.name)
        changed, measure = judge.verdicts(store), measure or tables.clock_of(store)
        data = tables.load(store, changed, measure)
        drawn_to = plots.Place(output / "plots", plots.WIDTHS[width]) if width else None
        blocks = [
            *_head(store, data, measure),
            *_troubles(store, changed, folder),
            *(block for objective in data.objectives for block in _objective(data, objective, measure, drawn_to)),
            *_machines(store),
        ]
        counts = judge.counts(store, changed)
    output.mkdir(parents=True, exist_ok=True)
    paths = (output / "report.html", output / "report.md")
    paths[0].write_text(page.html(title, blocks), encoding="utf-8")
    paths[1].write_text(page.markdown(title, blocks, output), encoding="utf-8")
    figures = [block.path.with_suffix(end) for end in (".svg", ".pdf") for block in blocks if isinstance(block, Figure)]
    files = (*paths, *figures, *_table_files(blocks, output))
    _remove_earlier(output, files)
    return Written(files, judge.alarming(counts))


def _remove_earlier(output: Path, files: Sequence[Path]) -> None:
    """Remove the tables and plots of an earlier report that this one has not, and list its own for the next."""
    listed, kept = output / "report.files", [path.relative_to(output).as_posix() for path in files]
    for name in set(listed.read_text("utf-8").split() if listed.exists() else ()).difference(kept):
        if re.fullmatch(r"(tables|plots)/[^/]+", name):
            (output / name).unlink(missing_ok=True)
    listed.write_text("\n".join(kept), "utf-8")


def _table_files(blocks: Sequence[Block], folder: Path) -> Iterator[Path]:
    """Write every table as CSV and LaTeX and yield the paths."""
    for block in blocks:
        if isinstance(block, Table):
            (folder / "tables").mkdir(exist_ok=True)
            for suffix, text in (("csv", page.csv_text(block)), ("tex", page.latex(block))):
                path = folder / "tables" / f"{block.file}.{suffix}"
                path.write_text(text, encoding="utf-8")
                yield path


def _head(store: Store, data: Data, measure: str) -> Iterator[Block]:
    about = store.description()
    shown = "; ".join(sorted({run.limits for run in data.runs}))
    earlier = len(store.keys()) - len(data.runs)
    others = f" Left out: {counted(earlier, 'runs')} of other limits, systems or instances." if earlier else ""
    left = status.status(store).left
    others += f" {counted(left, 'runs')} of the suite {'is' if left == 1 else 'are'} still to be made." if left else ""
    yield Text(
        f"{counted(len(data.runs), 'runs')} of {counted(len(data.systems), 'systems')} on "
        f"{counted(len(data.shapes), 'instances')}, begun "
        f"{about.get('started', '')[:10]}. Limits of a run: {shown}. Seconds are {tables.MEASURES[measure].about}.{others}"
    )


def _troubles(store: Store, changed: Mapping[str, judge.RunVerdict], folder: Path) -> Iterator[Block]:
    """Yield wrong answers, then unexplained errors, then explained ones; one line when there are none.

    A row for each outcome, system and objective: how many runs, the first instances, what the first run says, and its log.
    """
    found = tables.troubles(store, changed)
    if not found:
        yield Text("No wrong answer, no error.", "good")
        return
    of_suite = f"{Path(store.description().get('path', '')).parent}/"
    kinds = ("Wrong answers (disagreements)", "Unexplained errors", "Explained errors")
    for rank, kind in enumerate(kinds):
        rows = [row for row in found if OUTCOMES[row[0]].rank == rank]
        if not rows:
            continue
        yield Heading(kind)
        yield Text(f"{counted(len(rows), 'runs')} of {counted(len({row[1] for row in rows}), 'systems')}.", "bad")
        head = ("outcome", "system", "objective", "runs", "such as", "what the first says")
        cells, reported = [], []
        for place, count, examples, message, key in tables.grouped(rows):
            cells.append((*place, str(count), examples, message.replace(of_suite, "")))
            reported.append(logs.read(folder, key) or message)
        file = _file_name(kind.partition(" (")[0].lower())
        yield Table(kind, head, cells, words=True, logs=reported, file=file)


def _objective(data: Data, objective: str, measure: str, plotted: plots.Place | None) -> Iterator[Block]:
    """Yield tables, and plots if there is a folder for them, of one objective."""
    runs, seconds = data.of(objective), tables.MEASURES[measure].short
    name = _file_name(objective)
    yield Heading(f"Objective: {objective}")
    yield _score_table(data, objective, seconds)
    if plotted:
        yield Figure(
            plots.cactus(runs, plotted, f"cactus-{name}", seconds), f"Questions decided over time, {objective}"
        )
    if len(runs) > 1:
        yield _ratio_table(runs, objective, seconds)
    yield from _ablations(data, objective, runs)
    if plotted:
        for one, two in plots.pairs(tuple(runs), data.bases):
            file = f"scatter-{name}-{_file_name(one)}-{_file_name(two)}"
            yield Figure(plots.scatter(one, two, runs, plotted, file, seconds), f"{one} against {two}, {objective}")
    if plotted and len(runs) > 4:
        yield Text("Of all pairs six are drawn: ablations beside their bases, then in the order of the suite.")
    yield from _sets(data, objective)
    yield from _instances(data, objective, runs)


def _file_name(words: str) -> str:
    """Return words as a part of a file's name."""
    return re.sub(r"\W+", "-", words).strip("-")


def _score_table(data: Data, objective: str, seconds: str) -> Table:
    scores = tables.scores(data, objective)
    others = [name for name in OUTCOMES if any(score.outcomes.get(name) for score in scores)]
    rows = [
        (
            score.system,
            str(score.runs),
            str(score.decided),
            str(score.plans),
            f"{score.par2:.2f}",
            "" if score.contribution is None else f"{score.contribution:.2f}",
            str(score.alone or ""),
            *(str(score.outcomes.get(name, 0) or "") for name in others),
        )
        for score in scores
    ]
    gains = ("contribution to VBS (s)", "unique")
    head = ("system", "runs", "decided", "plans", "PAR2 (s)", *gains, *(name.replace("_", " ") for name in others))
    caption = (
        f"Questions that each system decides ({objective}): a plan proved best, or a proof that there is none; where "
        f"steps are asked for, also a plan of that length. PAR2: mean {seconds}, an undecided run counted as twice its limit. "
        "VBS: the fastest system on each question. Unique: decided by no other"
    )
    return Table(caption, head, rows, file=f"scores-{_file_name(objective)}")


def _ratio_table(runs: _Runs, objective: str, seconds: str) -> Table:
    rows = [(one, *("" if one == two else tables.ratio(runs[one], runs[two]).text for two in runs)) for one in runs]
    caption = (
        f"How many times as long the row's system takes as the column's ({objective}): geometric mean of {seconds} over the "
        "questions that both decide, with their number"
    )
    return Table(caption, ("", *runs), rows, file=f"ratios-{_file_name(objective)}")


def _ablations(data: Data, objective: str, runs: _Runs) -> Iterator[Block]:
    pairs = [(name, base) for name, base in data.bases.items() if name in runs and base in runs]
    if not pairs:
        return
    rows = []
    for name, base in pairs:
        ratio = tables.ratio(runs[name], runs[base])
        times = ("–" if one is None else f"{one:.2f}" for one in (ratio.factor, ratio.conflicts))
        rows.append((base, name, *times, str(ratio.common), str(ratio.only_second), str(ratio.only_first)))
    yield Heading("Ablation: what a part is worth", 3)
    head = ("whole", "without the part", "time ×", "conflicts ×", "common", "only the whole", "only without")
    file = f"ablation-{_file_name(objective)}"
    yield Table(f"How many times as long a system takes without one of its parts ({objective})", head, rows, file=file)


def _sets(data: Data, objective: str) -> Iterator[Block]:
    """Yield what each system does on each set of instances, where there are several."""
    groups = tables.by_set(data, objective)
    if len(groups) < 2:
        return

    def cell(runs: Sequence[Run]) -> str:
        shares = f"{sum(run.decided for run in runs)}/{len(runs)}"
        return f"{shares}, {median(map(tables.cost, runs)):.2f}" if runs else ""

    rows = [(system, *(cell(of.get(system, ())) for of in groups.values())) for system in data.of(objective)]
    caption = (
        f"Each set ({objective}): decided / asked, and median seconds, an undecided run counted as twice its limit"
    )
    yield Table(caption, ("system", *groups), rows, file=_file_name(f"sets-{objective}"))


def _instances(data: Data, objective: str, runs: _Runs) -> Iterator[Block]:
    """Yield a table of single instances if there are few enough: the best value known and each system's first run."""
    if len(data.shapes) > MOST_INSTANCES:
        return
    seen: dict[str, dict[str, Run]] = {}
    for name, found in runs.items():
        for point, run in found.items():
            seen.setdefault(point.instance, {}).setdefault(name, run)
    rows = []
    for instance, by_system in sorted(seen.items(), key=lambda pair: data.shapes[pair[0]][1:3]):
        shape = data.shapes[instance]
        own = shape.known.get(f"plan:{objective.partition(',')[0]}")
        values = [value for value in (own, *(run.value for run in by_system.values())) if value is not None]
        about = (shape.boxes, min(values, default=None), own)
        cells = ("" if one is None else str(one) for one in about)
        rows.append(
            (f"{Path(shape.file).name}:{shape.level}", *cells, *(_run_cell(by_system.get(name)) for name in runs))
        )
    head, file = ("instance", "boxes", "best plan", "level's plan", *runs), f"instances-{_file_name(objective)}"
    what = (
        "Best plan: the least cost of a plan, found by a run or come with the level. Level's plan: the cost of the one that came "
        "with it. Below a system: the seconds of its first run if that decided, else how it ended and the cost of its plan"
    )
    caption = f"Single instances ({objective}). {what}"
    yield Table(caption, head, rows, file=file)


def _run_cell(run: Run | None) -> str:
    if run is None:
        return ""
    outcome = run.outcome.replace("_", " ")
    if run.decided:
        return f"{run.seconds:.2f}" + f" {outcome}" * (outcome != "optimal")
    return outcome if run.value is None else f"{outcome} {run.value}"


def _machines(store: Store) -> Iterator[Block]:
    yield Heading("Measured with")
    for machine in tables.machines(store):
        yield Text(", ".join(f"{key} {value}" for key, value in machine.items() if value is not None))
    loads = sorted(tables.loads(store))
    if loads:
        found = f"median {median(loads):.1f}, lowest {loads[0]:.1f}, highest {loads[-1]:.1f}."
        yield Text("Load of the machines in the minute before a run: " + found)
    yield Table("Systems", ("system", "version", "settings"), tables.systems(store), words=True, file="systems")
