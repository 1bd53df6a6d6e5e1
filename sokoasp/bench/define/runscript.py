"""A runscript for Potassco's benchmark-tool: the suite's clingo systems on fact files of its instances.

Source: benchmark-tool documentation, "Runscripts for Benchmarking". The tool runs plain ``clingo``, so only systems that one
call of clingo can express are written: programs solved in a single call, with the instance's own number of steps.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Xml

from sokoasp.asp import catalogue
from sokoasp.asp.catalogue import Encoding
from sokoasp.bench.define import instances
from sokoasp.bench.define.instances import Instance
from sokoasp.bench.define.suite import Suite, System
from sokoasp.core.errors import EncodingError
from sokoasp.domain import domains
from sokoasp.sokoban.level import Level

FOLDER = "sokoasp-instances"
"""Where the fact files are expected, beside the runscript."""


def runscript(suite: Suite, instances_folder: Path | None = None) -> str:
    """Return the runscript of a suite as XML; what it leaves out is named in comments.

    Raises:
        SokoaspError: The instances cannot be read, or no system can be expressed.
    """
    found = instances.expand(suite, instances_folder)
    root = Xml.Element("runscript", output="output")
    root.append(Xml.Comment(f" {suite.title}: made by sokoasp bench runscript; fact files in {FOLDER}/ "))
    Xml.SubElement(root, "machine", name="here", cpu="", memory="")
    Xml.SubElement(root, "config", name="single", template="templates/seq-generic.sh")
    games = list(dict.fromkeys(instance.game for instance in found))
    counts = _settings(root, suite, games, stepped=any(getattr(i.problem, "steps", None) for i in found))
    if not any(counts.values()):
        message = "no system of this suite is a single call of clingo: nothing for a runscript"
        raise EncodingError(message, source=str(suite.path))
    limits = {"timeout": f"{max(1, round(suite.limits.seconds))}s", "memout": str(round(suite.limits.memory_mb))}
    Xml.SubElement(root, "seqjob", {"name": "job", **limits, "runs": str(suite.repetitions), "parallel": "1"})
    for game in (game for game in games if counts[game]):
        benchmark = Xml.SubElement(root, "benchmark", name=game)
        listed = Xml.SubElement(benchmark, "files", path=FOLDER)
        for instance in found:
            if instance.game == game:
                Xml.SubElement(listed, "add", file=file_name(instance))
        project = Xml.SubElement(root, "project", name=game, job="job")
        Xml.SubElement(project, "runtag", {"machine": "here", "benchmark": game, "tag": game})
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode") + "\n"


def file_name(instance: Instance) -> str:
    """Return the name of an instance's fact file, unique by its id."""
    return f"{Path(instance.file).stem.split(':')[0]}-{instance.level}-{instance.id}.lp"


def write_facts(suite: Suite, folder: Path, instances_folder: Path | None = None) -> int:
    """Write the fact files a runscript names into ``folder`` and return how many instances there are.

    Numbers of steps that systems give are files of their own; the instances then come without theirs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = instances.expand(suite, instances_folder)
    games = domains()
    given = _steps_given(suite)
    for instance in found:
        own = None if given else getattr(instance.problem, "steps", None)
        problem = instance.problem
        if given and isinstance(problem, Level):
            problem = replace(problem, steps=None)
        (folder / file_name(instance)).write_text(games[instance.game].facts(problem, own), encoding="utf-8")
    for steps in given:
        (folder / f"steps-{steps}.lp").write_text(
            f"step(1..{steps}).\nnext(S,S+1) :- step(S), step(S+1).\n", encoding="utf-8"
        )
    return len(found)


def _steps_given(suite: Suite) -> list[int]:
    return sorted(
        {system.steps for system in suite.systems if isinstance(system.steps, int) and system.kind == "encoding"}
    )


def _settings(root: Xml.Element, suite: Suite, games: list[str], *, stepped: bool) -> dict[str, int]:
    """Add the systems that one call of clingo can express and return how many settings there are for each game."""
    system = Xml.SubElement(
        root, "system", name="clingo", version="5", measures="clasp", config="single", cmdline="--outf=0"
    )
    counts = dict.fromkeys(games, 0)
    for one in suite.systems:
        before = sum(counts.values())
        for game in games:
            known = domains()[game].objectives
            for objective in one.objectives or suite.objectives or known[:1]:
                encoding = _encoding(one, game, objective) if objective in known else None
                if encoding is None or (not isinstance(one.steps, int) and (not stepped or _steps_given(suite))):
                    continue
                _add(system, suite, one, game, encoding)
                counts[game] += 1
        if sum(counts.values()) == before:
            root.append(Xml.Comment(f" left out: {one.name.replace('--', '- -')} (not a single call of clingo) "))
    return counts


def _add(system: Xml.Element, suite: Suite, one: System, game: str, encoding: Encoding) -> None:
    """Add the settings of one program, one for each seed."""
    for seed in suite.seeds:
        words = [*encoding.options, *one.options, f"--configuration={one.configuration}", f"--seed={seed}"]
        name = re.sub(r"[^A-Za-z_0-9-]", "_", f"{one.name}-{encoding.objective}-seed{seed}")
        setting = Xml.SubElement(system, "setting", {"name": name, "cmdline": " ".join(words), "tag": game})
        steps = [] if not isinstance(one.steps, int) else [Path(FOLDER) / f"steps-{one.steps}.lp"]
        for path in (*encoding.files, *map(Path, one.constraints), *steps):
            Xml.SubElement(setting, "encoding", file=str(path))


def _encoding(system: System, game: str, objective: str) -> Encoding | None:
    """Return the program of a system if a single call of clingo solves it."""
    if system.kind != "encoding" or system.encoding is None:
        return None
    try:
        encoding = catalogue.find(system.encoding, game, objective)
    except EncodingError:
        return None
    return encoding if encoding.mode == "single" and not encoding.tables else None
