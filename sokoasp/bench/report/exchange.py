"""Campaigns in the files of other tools, both ways: BenchExec's results, and evaluations of Potassco's benchmark-tool.

What these formats have no place for travels in columns or measures of ours (``outcome``, ``value``, ``bound``, ``instance``),
which their own tools show like any other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from xml.etree import ElementTree as Xml

from sokoasp.bench.report import judge
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import COLUMNS, FILE, Store
from sokoasp.core.errors import CampaignError

_STATUS = {"time_out": "TIMEOUT", "memory_out": "OUT OF MEMORY", "interrupted": "KILLED", "unknown": "unknown"}
_CATEGORY = {0: "wrong", 1: "error", 2: "error", 3: "correct", 4: "unknown", 5: "unknown"}
"""Rank of an outcome → BenchExec's category."""
_DTD = (
    '<!DOCTYPE result PUBLIC "+//IDN sosy-lab.org//DTD BenchExec result 3.25//EN" '
    '"https://www.sosy-lab.org/benchexec/result-3.25.dtd">'
)


@dataclass(frozen=True, slots=True)
class Exchanged:
    """One run as other tools report it."""

    name: str
    """``file:level``, or what a foreign tool calls it."""
    system: str
    objective: str
    outcome: str
    wall: float
    cpu: float
    memory_mb: float | None = None
    value: int | None = None
    bound: int | None = None
    instance: str = ""
    """Id of the instance in our stores; empty for runs of other programs."""
    seed: int = 0
    repetition: int = 0
    limit: float = 0.0


_COLUMN = {"memory_mb": "peak_mb", "bound": "lower_bound", "limit": "limit_seconds"}
"""Fields of ``Exchanged`` whose column in the store has another name."""


def runs(store: Store) -> list[Exchanged]:
    """Return the runs of a campaign, outcomes as judged by comparing all runs."""
    names = {row[0]: f"{row[1]}:{row[2]}" for row in store.connection.execute("SELECT id, file, level FROM instance")}
    columns = {one.name: _COLUMN.get(one.name, one.name) for one in fields(Exchanged) if one.name != "name"}
    return [
        Exchanged(names.get(row["instance"], row["instance"]), **{name: row[key] for name, key in columns.items()})
        for row in judge.rows(store, columns.values())
    ]


def write_benchexec(found: list[Exchanged], title: str, folder: Path) -> list[Path]:
    """Write a BenchExec result file for each system and objective, and ``table.xml`` for its table-generator."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    table = Xml.Element("table")
    for system, objective in sorted({(run.system, run.objective) for run in found}):
        name = re.sub(r"\W+", "-", f"{system}.{objective}")
        mine = [run for run in found if (run.system, run.objective) == (system, objective)]
        head = {"benchmarkname": title, "name": f"{title}.{objective}", "tool": system, "toolmodule": "sokoasp"}
        limits = {"timelimit": f"{max(run.limit for run in mine):g}s", "displayName": f"{system}, {objective}"}
        result = Xml.Element("result", {**head, **limits, "version": "", "options": objective})
        for run in mine:
            result.append(_benchexec_run(run))
        path = folder / f"{name}.results.xml"
        if path in written:  # of another system whose name differs in signs alone
            path = folder / f"{name}.{len(written)}.results.xml"
        _save(result, path, _DTD)
        Xml.SubElement(table, "result", {"filename": path.name})
        written.append(path)
    _save(table, folder / "table.xml")
    return [*written, folder / "table.xml"]


def _benchexec_run(run: Exchanged) -> Xml.Element:
    # a name stands for one run: seeds and repetitions are distinguished in it
    extra = f"#{run.seed}.{run.repetition}" if run.seed or run.repetition else ""
    element = Xml.Element("run", {"name": run.name + extra, "files": f"[{run.name}]", "properties": run.objective})
    kind = OUTCOMES[run.outcome]
    status = _STATUS.get(run.outcome, "done" if kind.proper else f"ERROR ({run.outcome.replace('_', ' ')})")
    columns = {
        "status": status,
        "category": _CATEGORY[kind.rank],
        "cputime": f"{run.cpu:g}s",
        "walltime": f"{run.wall:g}s",
        "memory": "" if run.memory_mb is None else f"{run.memory_mb * 1e6:.0f}B",
        "outcome": run.outcome,
        "value": "" if run.value is None else str(run.value),
        "bound": "" if run.bound is None else str(run.bound),
        "instance": run.instance,
    }
    for title, value in columns.items():
        if value:
            Xml.SubElement(element, "column", {"title": title, "value": value})
    return element


def benchmark_tool(found: list[Exchanged], title: str) -> str:
    """Return a campaign as ``btool eval`` writes it: machine, systems, classes of instances, runs with their measures."""
    root = Xml.Element("result")
    Xml.SubElement(root, "machine", {"name": "here", "cpu": "", "memory": ""})
    Xml.SubElement(root, "config", {"name": "sokoasp", "template": ""})
    systems = sorted({run.system for run in found})
    objectives = sorted({run.objective for run in found})
    for system in systems:
        about = {"name": system, "version": "1", "measures": "sokoasp", "config": "sokoasp"}
        element = Xml.SubElement(root, "system", about)
        for objective in objectives:
            Xml.SubElement(element, "setting", {"name": objective, "cmdline": "", "tag": ""})
    timeout = f"{max((run.limit for run in found), default=0):.0f}"
    Xml.SubElement(root, "seqjob", {"name": "job", "timeout": timeout, "runs": "1", "parallel": "1"})
    benchmark = Xml.SubElement(root, "benchmark", {"name": title})
    names = sorted({run.name for run in found})
    kind = Xml.SubElement(benchmark, "class", {"name": "all", "id": "0"})
    for number, name in enumerate(names):
        Xml.SubElement(kind, "instance", {"name": name, "id": str(number)})
    project = Xml.SubElement(root, "project", {"name": title, "job": "job"})
    where = {"machine": "here", "version": "1", "benchmark": title}
    for system in systems:
        for objective in objectives:
            mine = [run for run in found if (run.system, run.objective) == (system, objective)]
            if mine:
                spec = Xml.SubElement(project, "runspec", {**where, "system": system, "setting": objective})
                _classes(Xml.SubElement(spec, "class", {"id": "0"}), mine, names)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _classes(element: Xml.Element, mine: list[Exchanged], names: list[str]) -> None:
    for number, name in enumerate(names):
        same = sorted((run for run in mine if run.name == name), key=lambda run: (run.seed, run.repetition))
        if not same:
            continue
        instance = Xml.SubElement(element, "instance", {"id": str(number)})
        for place, run in enumerate(same, 1):
            reported = Xml.SubElement(instance, "run", {"number": str(place)})
            measures = [
                ("time", "float", f"{run.wall:g}"),
                ("timeout", "float", str(int(run.outcome == "time_out"))),
                ("memout", "float", str(int(run.outcome == "memory_out"))),
                ("cpu", "float", f"{run.cpu:g}"),
                ("outcome", "string", run.outcome),
                ("instance", "string", run.instance),
            ]
            measures += [("value", "float", str(run.value))] if run.value is not None else []
            measures += [("bound", "float", str(run.bound))] if run.bound is not None else []
            for measure, sort, value in measures:
                Xml.SubElement(reported, "measure", {"name": measure, "type": sort, "val": value})


def _save(root: Xml.Element, path: Path, doctype: str = "") -> None:
    Xml.indent(root)
    head = '<?xml version="1.0" encoding="utf-8"?>\n' + (doctype + "\n" if doctype else "")
    path.write_text(head + Xml.tostring(root, encoding="unicode") + "\n", encoding="utf-8")


def read(path: Path) -> list[Exchanged]:
    """Read a result file of BenchExec, an evaluation of benchmark-tool, or properties of Lab.

    Raises:
        CampaignError: It is none of these, with the place.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    if text.lstrip().startswith("{"):
        from sokoasp.bench.report import lab

        return lab.read(text, str(path))
    try:
        root = Xml.parse(path).getroot()
    except Xml.ParseError as error:
        raise CampaignError(f"no XML: {error}", source=str(path), line=error.position[0]) from error
    if root.tag == "result" and root.find("project") is not None:
        return list(_of_benchmark_tool(root))
    if root.tag == "result" and root.find("run") is not None:
        return [_of_benchexec(root, run) for run in root.findall("run")]
    raise CampaignError("neither a result of BenchExec nor an evaluation of benchmark-tool", source=str(path), line=1)


def _of_benchexec(root: Xml.Element, run: Xml.Element) -> Exchanged:
    columns = {column.get("title", ""): column.get("value", "") for column in run.findall("column")}
    name, _, numbers = run.get("name", "").partition("#")
    seed, _, repetition = numbers.partition(".")
    return Exchanged(
        name=name,
        system=root.get("displayName", root.get("tool", "")).rpartition(", ")[0] or root.get("tool", ""),
        objective=run.get("properties", "") or root.get("name", ""),
        outcome=columns.get("outcome") or _outcome(columns.get("status", ""), columns.get("category", "")),
        wall=_number(columns.get("walltime")) or 0.0,
        cpu=_number(columns.get("cputime")) or 0.0,
        memory_mb=(_number(columns.get("memory")) or 0.0) / 1e6 or None,
        value=_whole(columns.get("value")),
        bound=_whole(columns.get("bound")),
        instance=columns.get("instance", ""),
        seed=_whole(seed) or 0,
        repetition=_whole(repetition) or 0,
        limit=_number(root.get("timelimit")) or 0.0,
    )


def _of_benchmark_tool(root: Xml.Element) -> Iterator[Exchanged]:
    limits = {
        job.get("name"): _number(job.get("timeout")) or 0.0
        for job in (*root.findall("seqjob"), *root.findall("distjob"))
    }
    names = {
        (bench.get("name"), kind.get("id"), instance.get("id")): instance.get("name", "")
        for bench in root.findall("benchmark")
        for kind in bench.findall("class")
        for instance in kind.findall("instance")
    }
    for project in root.findall("project"):
        for spec in project.findall("runspec"):
            for kind in spec.findall("class"):
                for instance in kind.findall("instance"):
                    place = (spec.get("benchmark"), kind.get("id"), instance.get("id"))
                    name = names.get(place) or "/".join(map(str, place))
                    for run in instance.findall("run"):
                        reported = {measure.get("name"): measure.get("val", "") for measure in run.findall("measure")}
                        yield _measured(name, spec, run, reported, limits.get(project.get("job"), 0.0))


def _measured(
    name: str, spec: Xml.Element, run: Xml.Element, reported: dict[str | None, str], limit: float
) -> Exchanged:
    late, large = _number(reported.get("timeout")) == 1, _number(reported.get("memout")) == 1
    status = "TIMEOUT" if late else "OUT OF MEMORY" if large else reported.get("status", "")
    seconds = _number(reported.get("time")) or 0.0
    return Exchanged(
        name=name,
        system=spec.get("system", ""),
        objective=spec.get("setting", ""),
        outcome=reported.get("outcome") or _outcome(status, "unknown" if late or large else "correct"),
        wall=seconds,
        cpu=_number(reported.get("cpu")) or seconds,
        value=_whole(reported.get("value")),
        bound=_whole(reported.get("bound")),
        instance=reported.get("instance", ""),
        repetition=(_whole(run.get("number")) or 1) - 1,
        limit=limit,
    )


def _outcome(status: str, category: str) -> str:
    """Return our word for what another tool says; what it calls correct has decided the question, by nobody's referee here."""
    if status.startswith("TIMEOUT"):
        return "time_out"
    if status.startswith("OUT OF MEMORY"):
        return "memory_out"
    return {"correct": "optimal", "wrong": "wrong_claim", "error": "error"}.get(category, "unknown")


def _number(text: str | None) -> float | None:
    found = re.match(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text or "")
    return float(found[0]) if found else None


def whole(number: float | None) -> int | None:
    """Return a count, None where there is none that the store can keep."""
    return None if number is None or not abs(number) < 2**63 else int(number)


def _whole(text: str | None) -> int | None:
    return whole(_number(text))


def keep(found: list[Exchanged], folder: Path, title: str) -> int:
    """Put runs of other tools into a campaign of their own in ``folder`` and return how many are new.

    Such a campaign can be reported and compared. Its plans were not refereed here, which the message of each run says.

    Raises:
        SokoaspError: The folder cannot be written, or holds something else.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with Store(folder / FILE) as store:
        if store.description().get("suite"):
            raise CampaignError("this folder holds a campaign of a suite: choose another -o", source=str(folder))
        store.describe({"title": title, "suite": "", "path": "", "started": ""})
        added = sum(store.add_run(_row(run)) for run in found)
        known = {run.instance or run.name: run.name for run in found}
        rows = [(key, title, *_split(name), "", "sokoban", None, None, "{}") for key, name in known.items()]
        store.connection.executemany("INSERT OR REPLACE INTO instance VALUES (?,?,?,?,?,?,?,?,?)", rows)
        systems = [(system, system, "imported", None, "{}", "") for system in sorted({run.system for run in found})]
        store.connection.executemany("INSERT OR REPLACE INTO system VALUES (?,?,?,?,?,?)", systems)
    return added


def _split(name: str) -> tuple[str, int]:
    file, _, level = name.rpartition(":")
    return (file, int(level)) if file and level.isdecimal() else (name, 1)


def _row(run: Exchanged) -> tuple[object, ...]:
    spec = (run.name, run.system, run.objective, run.seed, run.repetition, run.limit)
    values: dict[str, object] = {
        **dict.fromkeys(COLUMNS),
        **{_COLUMN.get(name, name): value for name, value in asdict(run).items()},
        **dict.fromkeys(("question", "worker", "finished"), ""),
        "key": hashlib.sha256(repr(spec).encode()).hexdigest()[:24],
        "instance": run.instance or run.name,
        "digest": run.system,
        "limit_memory_mb": 0.0,
        "decided": int(run.outcome in OUTCOMES and OUTCOMES[run.outcome].rank == 3),
        "message": "imported; plans were not refereed here",
        "exit_code": 0,
        "attempts": 1,
        "machine": "imported",
    }
    return tuple(values[name] for name in COLUMNS)
