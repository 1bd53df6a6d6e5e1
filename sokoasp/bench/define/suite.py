"""The suite file (TOML): which instances, which systems, which questions, under which limits."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sokoasp.asp import catalogue
from sokoasp.bench.define import suite_keys
from sokoasp.bench.define.places import lines_of
from sokoasp.bench.define.suite_keys import REQUIRED, Key, TableSource, checked
from sokoasp.core.errors import NotationError
from sokoasp.core.shipped import instances
from sokoasp.domain import domains

KINDS = ("encoding", "native", "external")
OUTPUTS = ("push", "lurd", "clingo", "pddl")
PLACEHOLDERS: Mapping[str, str] = {
    "folder": "folder of the suite file",
    "encodings": "folder of the catalogue's programs",
    "facts": "file with the instance as competition (or Klotski) facts",
    "xsb": "file with the level in XSB",
    "board": "file with the level or board as its first notation",
    "pddl_domain": "PDDL domain file (Sokoban; a push costs 1, a step 0)",
    "pddl_problem": "PDDL problem file",
    "plan": "file the command writes its plan to; without it the plan is read from its standard output",
    "seconds": "the wall limit",
    "memory_mb": "the memory limit",
    "seed": "the seed",
    "objective": "the objective",
    "steps": "the competition's number of steps",
    "bound": "steps - 1, the number of actions",
    "python": "the Python that runs the campaign",
    "fast_downward": "the driver of Fast Downward from the extra [planners]",
}

SUITE: Mapping[str, Key] = {
    "title": Key(suite_keys.text, REQUIRED, "Heading of the report."),
    "objectives": Key(
        suite_keys.several(suite_keys.text, 1), None, "What is minimised; default: the game's first objective."
    ),
    "repetitions": Key(suite_keys.whole(1), 1, "How often each run is repeated with the same seed."),
    "seeds": Key(suite_keys.several(suite_keys.whole(0), 1), [0], "One run per seed."),
    "limits": Key(suite_keys.table, {}, "Table of limits of each run."),
    "instances": Key(suite_keys.several(suite_keys.table, 1), REQUIRED, "Tables of instance sets."),
    "systems": Key(suite_keys.several(suite_keys.table, 1), REQUIRED, "Tables of systems."),
}
LIMITS: Mapping[str, Key] = {
    "seconds": Key(suite_keys.number, 60, "Wall seconds."),
    "cpu_seconds": Key(
        suite_keys.number, None, "CPU seconds of each process of the run; default: no limit of its own."
    ),
    "memory_mb": Key(suite_keys.number, 2048, "Resident memory of all processes of the run together, in MB."),
}
INSTANCES: Mapping[str, Key] = {
    "name": Key(suite_keys.text, None, "Name of the set in the report; default: the folder or the generator's wish."),
    "files": Key(suite_keys.several(suite_keys.text, 1), None, "Globs of level, fact or board files, "
                 "from the suite file's folder; {instances} stands for --instances."),
    "levels": Key(suite_keys.several(suite_keys.whole(1), 1), None, "Numbers of the levels to take of each file; default: all."),
    "generate": Key(suite_keys.table, None, "Levels made on the spot: rows, cols, boxes, min_lines, max_lines, fill, seed, "
                    "states, attempts, unsolvable, and count."),
    "optional": Key(suite_keys.flag, False, "Whether the globs may match nothing."),
}  # fmt: skip
SYSTEMS: Mapping[str, Key] = {
    "name": Key(suite_keys.text, REQUIRED, "Name in the report; unique."),
    "kind": Key(suite_keys.one_of(*KINDS), REQUIRED, "encoding (clingo by our driver), native, or external (any command)."),
    "objectives": Key(suite_keys.several(suite_keys.text, 1), None, "Only these of the suite's objectives."),
    "encoding": Key(suite_keys.text, None, "encoding: catalogue name, or a file from the suite file's "
                "folder; default: the game's."),
    "engine": Key(suite_keys.text, "native", "native: name of the engine."),
    "options": Key(suite_keys.several(suite_keys.text), [], "encoding: more clasp options."),
    "configuration": Key(suite_keys.text, "auto", "encoding: clasp configuration."),
    "threads": Key(suite_keys.whole(1), 1, "encoding: threads of clasp."),
    "constraints": Key(suite_keys.several(suite_keys.text), [], "encoding: files with constraints of your own."),
    "steps": Key(suite_keys.whole(1), None, "The competition's number of steps; default: what the instance's facts say."),
    "command": Key(suite_keys.either(suite_keys.text, suite_keys.several(suite_keys.text, 1)), None,
                   "external: a list of words, or one text for /bin/sh; with {placeholders}."),
    "output": Key(suite_keys.one_of(*OUTPUTS), "push", "external: notation of the plan it gives."),
    "plan": Key(suite_keys.text, None, "external: regular expression whose first group is the plan; default: the whole output."),
    "optimal": Key(suite_keys.either(suite_keys.flag, suite_keys.text), False,
                   "external: whether every plan is claimed optimal, or a regular expression that says so in the output."),
    "value": Key(suite_keys.text, None, "external: regular expression whose first group is the claimed cost."),
    "unsolvable": Key(suite_keys.text, None, "external: regular expression that claims there is no plan at all."),
    "no_plan": Key(suite_keys.text, None, "external: regular expression that claims there is no plan within the steps."),
    "version": Key(suite_keys.text, None, "external: a command that prints its version."),
    "requires": Key(suite_keys.several(suite_keys.text), [], "external: programs that must be on the PATH "
                    "(or fast_downward); without them the system is left out with a warning."),
    "base": Key(suite_keys.text, None, "Name of the system this one is an ablation of."),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one run may use."""

    seconds: float = 60
    """Wall time."""
    cpu_seconds: float | None = None
    memory_mb: float = 2048


@dataclass(frozen=True, slots=True)
class InstanceSet:
    """One table of instances."""

    name: str | None
    files: tuple[str, ...]
    levels: tuple[int, ...]
    generate: Mapping[str, Any] | None
    optional: bool
    index: int
    """Its place in the suite, for error messages."""


@dataclass(frozen=True, slots=True)
class System:
    """One competitor, as its table in the suite says (see ``SYSTEMS``)."""

    name: str
    kind: str
    objectives: tuple[str, ...] | None = None
    encoding: str | None = None
    engine: str = "native"
    options: tuple[str, ...] = ()
    configuration: str = "auto"
    threads: int = 1
    constraints: tuple[str, ...] = ()
    steps: int | None = None
    command: str | tuple[str, ...] | None = None
    output: str = "push"
    plan: str | None = None
    optimal: bool | str = False
    value: str | None = None
    unsolvable: str | None = None
    no_plan: str | None = None
    version: str | None = None
    requires: tuple[str, ...] = ()
    base: str | None = None
    programs: str = ""
    """Hash over the program files: a changed encoding is another system. Files they include are not followed."""

    @property
    def digest(self) -> str:
        """Return a hash of everything that decides what this system does."""
        spec = {key: value for key, value in asdict(self).items() if key not in ("base", "objectives")}
        return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Suite:
    """A whole campaign's plan."""

    title: str
    objectives: tuple[str, ...] | None
    repetitions: int
    seeds: tuple[int, ...]
    limits: RunLimits
    instances: tuple[InstanceSet, ...]
    systems: tuple[System, ...]
    path: Path
    text: str
    source: TableSource


def ready_suites() -> Path:
    """Return the folder of the suites that come with the package."""
    return instances() / "suites"


def find_suite(name: str) -> Path:
    """Return the path of a suite file, or of a ready suite by its bare name.

    Raises:
        NotationError: There is neither.
    """
    path = Path(name)
    if path.is_file():
        return path
    ready = ready_suites() / f"{name}.toml"
    if ready.is_file():
        return ready
    names = ", ".join(sorted(p.stem for p in ready_suites().glob("*.toml")))
    raise NotationError(f"no suite file or ready suite of this name; ready are {names}", source=name, code="E-SUITE")


def read_suite(path: Path) -> Suite:
    """Read and check a suite file.

    Raises:
        NotationError: It is not valid TOML, or a key or value is wrong; the message has file and line.
    """
    try:
        content = path.read_text(encoding="utf-8")
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise _toml_error(path, error) from error
    except (OSError, UnicodeDecodeError) as error:
        raise NotationError(f"cannot be read: {error}", source=str(path), code="E-SUITE") from error
    source = TableSource(str(path), lines_of(content))
    top = checked(source, (), data, SUITE)
    limits = checked(source, ("limits",), top["limits"], LIMITS)
    sets = [_instance_set(source, index, table) for index, table in enumerate(top["instances"])]
    systems = [_system(source, path, index, table) for index, table in enumerate(top["systems"])]
    _check_names(source, systems)
    return Suite(
        title=top["title"],
        objectives=None if top["objectives"] is None else tuple(top["objectives"]),
        repetitions=top["repetitions"],
        seeds=tuple(dict.fromkeys(top["seeds"])),
        limits=RunLimits(**limits),
        instances=tuple(sets),
        systems=tuple(systems),
        path=path,
        text=content,
        source=source,
    )


def _toml_error(path: Path, error: tomllib.TOMLDecodeError) -> NotationError:
    place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
    message = re.sub(r" \(at .*\)$", "", str(error))
    line, column = (int(place[1]), int(place[2])) if place else (None, None)
    return NotationError(f"not valid TOML: {message}", source=str(path), line=line, column=column, code="E-SUITE")


def _instance_set(source: TableSource, index: int, table: Any) -> InstanceSet:
    path = ("instances", index)
    keys = checked(source, path, table, INSTANCES)
    if (keys["files"] is None) == (keys["generate"] is None):
        source.fail(path, "an instance set has either files or generate")
    return InstanceSet(
        name=keys["name"],
        files=tuple(keys["files"] or ()),
        levels=tuple(keys["levels"] or ()),
        generate=keys["generate"],
        optional=keys["optional"],
        index=index,
    )


_ONLY_FOR = {
    "encoding": ("encoding", "options", "configuration", "threads", "constraints"),
    "native": ("engine",),
    "external": ("command", "output", "plan", "optimal", "value", "unsolvable", "no_plan", "version", "requires"),
}


def _system(source: TableSource, suite: Path, index: int, table: Any) -> System:
    path = ("systems", index)
    keys = checked(source, path, table, SYSTEMS)
    for kind, names in _ONLY_FOR.items():
        stray = [name for name in names if name in table and kind != keys["kind"]]
        if stray:
            source.fail((*path, stray[0]), f"{stray[0]} is for systems of kind {kind!r}, this one is {keys['kind']!r}")
    engines = sorted({name for game in domains().values() for name in game.native})
    if keys["engine"] not in engines:
        source.fail((*path, "engine"), f"there is no native engine {keys['engine']!r}, only {', '.join(engines)}")
    if keys["kind"] == "external" and keys["command"] is None:
        source.fail(path, "an external system lacks the key 'command'")
    for name in ("plan", "value", "unsolvable", "no_plan", "optimal"):
        _check_pattern(source, (*path, name), keys[name], groups=1 if name in ("plan", "value") else 0)
    _check_command(source, path, suite, keys)
    for name in ("options", "constraints", "command", "objectives", "requires"):
        keys[name] = tuple(keys[name]) if isinstance(keys[name], list) else keys[name]
    own = [*keys["constraints"], *([keys["encoding"]] if (keys["encoding"] or "").endswith(".lp") else [])]
    found = [(suite.parent / name).resolve() for name in own]
    for name, file in zip(own, found, strict=True):
        if not file.is_file():
            key = "constraints" if name in keys["constraints"] else "encoding"
            source.fail((*path, key), f"there is no file {name!r} (looked for {file})")
    count = len(keys["constraints"])
    keys["constraints"] = tuple(str(file) for file in found[:count])
    keys["encoding"] = str(found[count]) if found[count:] else keys["encoding"]
    if keys["encoding"] in catalogue.encodings():
        found += catalogue.encodings()[keys["encoding"]].files
    programs = hashlib.sha256(b"".join(file.read_bytes() for file in found)).hexdigest() if found else ""
    return System(**keys, programs=programs)


def _check_command(source: TableSource, path: tuple[str | int, ...], suite: Path, keys: dict[str, Any]) -> None:
    """Check the placeholders of a command and put the suite's folder in."""
    words = [keys["command"]] if isinstance(keys["command"], str) else keys["command"] or []
    for name in re.findall(r"\{(\w+)\}", " ".join(words)):
        if name not in PLACEHOLDERS:
            source.fail((*path, "command"), f"there is no placeholder {{{name}}}, only {', '.join(PLACEHOLDERS)}")
    folder = str(suite.resolve().parent)
    if isinstance(keys["command"], str):
        keys["command"] = keys["command"].replace("{folder}", shlex.quote(folder))
    elif keys["command"] is not None:
        keys["command"] = [word.replace("{folder}", folder) for word in words]


def _check_pattern(source: TableSource, path: tuple[str | int, ...], pattern: object, *, groups: int) -> None:
    if not isinstance(pattern, str):
        return
    try:
        count = re.compile(pattern).groups
    except re.error as error:
        source.fail(path, f"{path[-1]} is not a regular expression: {error}")
    if count < groups:
        source.fail(path, f"{path[-1]} has no group: put ( ) around the part that is meant")


def _check_names(source: TableSource, systems: list[System]) -> None:
    names = [system.name for system in systems]
    for index, system in enumerate(systems):
        if system.name in names[:index]:
            source.fail(("systems", index, "name"), f"there are two systems named {system.name!r}")
        if system.base is not None and (system.base not in names or system.base == system.name):
            source.fail(("systems", index, "base"), f"base {system.base!r} is not another system of this suite")
