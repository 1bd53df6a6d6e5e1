"""The suite file (TOML): which instances, which systems, which questions, under which limits."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sokoasp.asp import catalogue
from sokoasp.bench.define import overrides, suite_keys, variants
from sokoasp.bench.define.suite_keys import TableSource
from sokoasp.bench.define.systems import System, system_of
from sokoasp.bench.define.toml_lines import lines_of
from sokoasp.core.errors import NotationError, not_toml
from sokoasp.core.limits import CpuLimits, Limits
from sokoasp.core.nearest import did_you_mean, nearest_or_all
from sokoasp.core.shipped import SHIPPED
from sokoasp.core.text_file import read_text
from sokoasp.domain import domains

READY_SUITES = SHIPPED / "suites"


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one run may use."""

    seconds: float = 60
    cpu_seconds: float | None = None
    memory_mb: float = 2048
    clock: str = "wall"
    """``wall`` or ``cpu``: whose seconds."""
    cores: int | None = None
    """Processors of a run, None without a bound."""
    by: str = "sokoasp"
    """Who limits and measures commands: ``sokoasp``, or ``runexec``: BenchExec, by cgroups."""

    def wall(self, extra: float = 0.0) -> float:
        """Return the seconds on the wall: a limit of CPU seconds is backed up by ten times as many, and a minute."""
        seconds = self.seconds + extra
        return seconds if self.clock == "wall" else 10 * seconds + 60

    def kernel_seconds(self, extra: float = 0.0) -> float | None:
        """Return the CPU seconds after which the kernel ends a process of ours that does not stop by itself."""
        return self.cpu_seconds if self.clock == "wall" else 1.05 * (self.seconds + extra) + 2

    @property
    def most_cpu(self) -> float | None:
        """Return the CPU seconds that a command may use, None without a bound."""
        found = [self.cpu_seconds, self.seconds if self.clock == "cpu" else None]
        return min((one for one in found if one is not None), default=None)

    def of_engine(self, seconds: float | None = None) -> Limits:
        """Return what an engine of ours is given, or ``seconds`` of the same clock."""
        kind = Limits if self.clock == "wall" else CpuLimits
        return kind(seconds=self.seconds if seconds is None else seconds, memory_mb=self.memory_mb)


@dataclass(frozen=True, slots=True)
class InstanceSet:
    """One table of instances."""

    name: str | None
    files: tuple[str, ...]
    levels: tuple[int, ...]
    optional: bool
    claims: Path | None
    index: int
    """Its place in the suite, for error messages."""


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
    view: str | None


def find_suite(name: str) -> Path:
    """Return the path of a suite file, or of a ready suite by its bare name; NotationError if there is neither."""
    return _named_file("suite", name, [Path(name)], READY_SUITES, ".toml")


def find_view(name: str, beside: Path | None = None) -> Path:
    """Return the path of a view: a file, one in the folder ``beside``, or a shipped one by its bare name.

    Raises NotationError: there is none.
    """
    own = [Path(name)] if beside is None else [Path(name), beside / name]
    return _named_file("view", name, own, SHIPPED / "views", ".sql")


def _named_file(what: str, name: str, own: list[Path], folder: Path, suffix: str) -> Path:
    """Return the first of the user's own places that is a file, else the ready file of that name; NotationError if none is."""
    for path in (*own, folder / f"{name}{suffix}"):
        if path.is_file():
            return path
    ready = sorted(path.stem for path in folder.glob(f"*{suffix}"))
    message = f"there is no {what} file or ready {what} of this name{nearest_or_all(name, ready)}"
    raise NotationError(message, source=name, code=f"E-{what.upper()}")


def read_suite(path: Path, changes: overrides.Changes = overrides.NO_CHANGES) -> Suite:
    """Read and check a suite file, with what a command line puts in place of its values.

    Raises:
        NotationError: It is not valid TOML, or a key or value is wrong; the message has file and line.
        WrongOption: A value of the command line is wrong.
    """
    content = read_text(path, NotationError, "E-SUITE")
    try:
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise not_toml(error, str(path), "E-SUITE") from error
    source = TableSource(str(path), lines_of(content), (*changes.values, *["systems"] * bool(changes.systems)))
    data = changes.made(data)
    top = suite_keys.checked(source, (), data, suite_keys.SUITE)
    limits = suite_keys.checked(source, ("limits",), top["limits"], suite_keys.LIMITS)
    sets = [_instance_set(source, path, index, table) for index, table in enumerate(top["instances"])]
    systems = [
        one for index, table in enumerate(top["systems"]) for one in variants.each(_system(source, path, index, table))
    ]
    _check_names(source, systems)
    if top["view"]:
        try:
            find_view(top["view"], path.parent)
        except NotationError as error:
            source.fail(("view",), f"{top['view']!r}: {error.message}")
    return Suite(
        title=top["title"],
        objectives=top["objectives"] and tuple(dict.fromkeys(top["objectives"])),
        repetitions=top["repetitions"],
        seeds=tuple(dict.fromkeys(top["seeds"])),
        limits=RunLimits(**limits),
        instances=tuple(sets),
        systems=tuple(systems),
        path=path,
        text=content,
        source=source,
        view=top["view"],
    )


def _instance_set(source: TableSource, suite: Path, index: int, table: Any) -> InstanceSet:
    path = ("instances", index)
    keys = suite_keys.checked(source, path, table, suite_keys.INSTANCES)
    claims = keys["claims"] and _own_file(source, (*path, "claims"), suite, keys["claims"])
    return InstanceSet(keys["name"], tuple(keys["files"]), tuple(keys["levels"]), keys["optional"], claims, index)


def _system(source: TableSource, suite: Path, index: int, table: Any) -> System:
    path = ("systems", index)
    keys = suite_keys.checked(source, path, table, suite_keys.SYSTEMS)
    for name, kinds in suite_keys.ONLY_FOR.items():
        if name in table and keys["kind"] not in kinds:
            wanted = " or ".join(map(repr, kinds))
            source.fail((*path, name), f"{name} is for systems of kind {wanted}, this one is {keys['kind']!r}")
    for name, value in keys.items():
        keys[name] = tuple(value) if isinstance(value, list) else value
    keys["without"] = (variants.EACH,) if keys["without"] == variants.EACH else keys["without"]
    if keys["kind"] == "native":
        engines = sorted({name for game in domains().values() for name in game.search.native})
        if keys["engine"] not in engines:
            near = nearest_or_all(keys["engine"], engines)
            source.fail((*path, "engine"), f"there is no native engine {keys['engine']!r}{near}")
    found = [_own_file(source, (*path, "constraints"), suite, name) for name in keys["constraints"]]
    keys["constraints"] = tuple(map(str, found))
    question = f"{', '.join(file.name for file in found)} ({_hash(found)[:6]})" if found else ""
    if keys["kind"] == "external":
        keys["command"], found = _command(source, path, suite, keys["command"])
    if keys["encoding"] is not None:
        keys["encoding"], files = _program(source, path, suite, keys)
        found += files
        keys |= variants.asked_once(keys["encoding"], keys["steps"])
    if keys["configuration"] not in suite_keys.CONFIGURATIONS:
        names = suite_keys.CONFIGURATIONS
        found.append(_own_file(source, (*path, "configuration"), suite, keys["configuration"], names))
        keys["configuration"] = str(found[-1])
    if keys["shorten"] is not None and not keys["known"]:
        source.fail(
            (*path, "shorten"), "shorten is for the plan of 'known'; a plan that is found is shortened by 'improve'"
        )
    system = system_of(**keys, sources=_hash(found) if found else "", question=question, index=index)
    if wrong := variants.unknown_idea(system.how):
        source.fail((*path, "without"), wrong)
    return system


def _hash(files: list[Path]) -> str:
    found = hashlib.sha256()
    for file in files:
        with file.open("rb") as opened:
            hashlib.file_digest(opened, lambda: found)  # a planner's container has gigabytes
    return found.hexdigest()


def _own_file(
    source: TableSource, path: tuple[str | int, ...], suite: Path, name: str, names: tuple[str, ...] = ()
) -> Path:
    """Return the file of that name in the suite's folder; ``names`` are what might be meant instead."""
    file = (suite.parent / name).resolve()
    if not file.is_file():
        source.fail(path, f"there is no file {name!r} (looked for {file}){did_you_mean(name, names)}")
    return file


def _program(
    source: TableSource, path: tuple[str | int, ...], suite: Path, keys: dict[str, Any]
) -> tuple[str, list[Path]]:
    """Return what ``encoding`` names with the full paths of files, and all files of it."""
    names = variants.split(keys["encoding"])
    found: list[Path] = []
    for place, name in enumerate(names):
        if name.endswith(".lp"):
            found.append(_own_file(source, (*path, "encoding"), suite, name))
            names[place] = str(found[-1])
        elif name in catalogue.encodings():
            found += catalogue.encodings()[name].files
        else:
            source.fail((*path, "encoding"), variants.missing(name))
    return ",".join(names), found


def _command(
    source: TableSource, path: tuple[str | int, ...], suite: Path, command: str | tuple[str, ...] | None
) -> tuple[str | tuple[str, ...], list[Path]]:
    """Return a command with the suite's folder in it, its placeholders checked, and the files that it names to read."""
    if command is None:
        source.fail(path, "an external system lacks the key 'command'")
    known = suite_keys.PLACEHOLDERS
    text = command if isinstance(command, str) else "\n".join(command)
    for name in re.findall(r"\{(\w+)\}", text):
        if name not in known:
            source.fail((*path, "command"), f"there is no placeholder {{{name}}}, only {', '.join(known)}")
    folder = str(suite.resolve().parent)
    words = text.split("\n") + re.split(r"[\s'\"`|&;()<=]+", re.sub(r">+\s*\S+", " ", text))
    names = (word.replace("{folder}", ".").replace("{encodings}", str(catalogue.folder())) for word in words)
    files = [suite.parent / name for name in dict.fromkeys(names)]
    found = [file for file in files if os.path.isfile(file) and os.access(file, os.R_OK)]  # noqa: PTH113 (any text)
    if isinstance(command, str):
        return command.replace("{folder}", shlex.quote(folder)), found
    return tuple(word.replace("{folder}", folder) for word in command), found


def _check_names(source: TableSource, systems: list[System]) -> None:
    names = [system.name for system in systems]
    for index, system in enumerate(systems):
        if system.name in names[:index]:
            source.fail(("systems", system.index, "name"), f"there are two systems named {system.name!r}")
        if system.base is not None and (system.base not in names or system.base == system.name):
            source.fail(("systems", system.index, "base"), f"base {system.base!r} is not another system of this suite")
