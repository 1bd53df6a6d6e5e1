"""Runs as Potassco's benchmark-tool has them: the evaluation that ``btool eval`` writes and ``btool conv`` reads.

Source: the parser of results in potassco-benchmark-tool 2.2.9, which says what attributes each element must have.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TextIO
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sokoasp.bench.report.export import ExportedRun, runs
from sokoasp.bench.run.store import Store


def write(store: Store, file: TextIO) -> None:
    """Write an evaluation: machine, systems with a setting an objective, instances, and runs with their measures."""
    title = store.description().get("title", "campaign")
    memory = max((limit for (limit,) in store.rows(("limit_memory_mb",), asked=True)), default=0)
    found: dict[tuple[str, str], dict[str, list[ExportedRun]]] = defaultdict(lambda: defaultdict(list))
    every = list(runs(store))
    for run in every:
        found[run.system, run.objective][f"{run.file}:{run.level}"].append(run)
    numbers = {name: str(at) for at, name in enumerate(sorted({name for its in found.values() for name in its}))}
    root = Element("result")
    SubElement(root, "machine", name="here", cpu="", memory="")
    SubElement(root, "config", name="sokoasp", template="")
    for system in sorted({system for system, _ in found}):
        element = SubElement(root, "system", name=system, version="1", measures="sokoasp", config="sokoasp")
        for objective in sorted(objective for of, objective in found if of == system):
            SubElement(element, "setting", {"name": objective, "cmdline": "", "tag": ""})
    seconds = max((run.limit_seconds for run in every), default=0)
    limits = {"timeout": f"{seconds:.0f}", "memout": f"{memory:.0f}"}
    SubElement(root, "seqjob", {"name": "job", "runs": "1", "parallel": "1", **limits})
    benchmark = SubElement(root, "benchmark", name=title)
    kind = SubElement(benchmark, "class", name="all", id="0")
    for name, number in numbers.items():
        SubElement(kind, "instance", name=name, id=number)
    project = SubElement(root, "project", name=title, job="job")
    for (system, objective), its in sorted(found.items()):
        who = {"system": system, "version": "1", "setting": objective}
        spec = SubElement(project, "runspec", {"machine": "here", "benchmark": title, **who})
        answers = SubElement(spec, "class", id="0")
        for name, same in sorted(its.items()):
            _add_runs(SubElement(answers, "instance", id=numbers[name]), same)
    indent(root)
    file.write('<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n")


def _add_runs(instance: Element, same: list[ExportedRun]) -> None:
    """Add the runs of one question, numbered by seed and repetition, each with its measures."""
    for number, run in enumerate(sorted(same, key=lambda run: (run.seed, run.repetition)), 1):
        measures = {
            "time": run.wall_seconds,
            "timeout": int(run.outcome == "time_out"),
            "memout": int(run.outcome == "memory_out"),
            "cpu": run.cpu_seconds,
            "value": run.value,
            "bound": run.bound,
        }
        element = SubElement(instance, "run", number=str(number))
        for name, value in measures.items():
            if value is not None:
                SubElement(element, "measure", name=name, type="float", val=f"{value:.10g}")
        SubElement(element, "measure", name="outcome", type="string", val=run.outcome)
