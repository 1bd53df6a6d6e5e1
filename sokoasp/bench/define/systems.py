"""The systems a campaign compares: a record for each kind, whose fields are the keys of the kind's tables in a suite."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

DIGEST_VERSION = 3
"""Part of each system's digest: it changes when the meaning of a key does (that of a number of ``steps`` did last)."""


@dataclass(frozen=True, slots=True)
class Programs:
    """Logic programs, asked by our driver of clingo: one, several in turns or side by side."""

    encoding: str | None = None
    without: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    configuration: str = "auto"
    threads: int = 1
    constraints: tuple[str, ...] = ()
    steps: int | str | None = None
    fewest: bool = False
    """Whether it minimises within its steps, and so answers for at most so many."""
    sources: str = ""
    """Hash over the program files: a changed encoding is another system. Files they include are not followed."""


@dataclass(frozen=True, slots=True)
class Native:
    """An engine of our own that searches states."""

    engine: str = "native"
    without: tuple[str, ...] = ()
    known: bool | str = False
    shorten: float | None = None
    improve: float | None = None


@dataclass(frozen=True, slots=True)
class Sat:
    """SAT solvers, asked for rising bounds."""

    known: bool | str = False
    shorten: float | None = None


@dataclass(frozen=True, slots=True)
class Detectors:
    """Deadlock detectors, asked whether the level is dead."""

    detectors: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """Any command: placeholders in, output read and judged."""

    command: str | tuple[str, ...] = ""
    output: str = "push"
    plan: str | None = None
    optimal: bool | str = False
    value: str | None = None
    unsolvable: str | None = None
    no_plan: str | None = None
    version: str | None = None
    requires: tuple[str, ...] = ()
    steps: int | str | None = None
    fewest: bool = False
    sources: str = ""
    """Hash over the files that the command names."""


How = Programs | Native | Sat | Detectors | Command
KINDS: Mapping[str, type[How]] = {
    "encoding": Programs,
    "native": Native,
    "sat": Sat,
    "deadlock": Detectors,
    "external": Command,
}
"""What a suite calls each kind."""
_KIND_OF = {how: kind for kind, how in KINDS.items()}


@dataclass(frozen=True, slots=True)
class System:
    """One competitor."""

    name: str
    how: How
    objectives: tuple[str, ...] | None = None
    """Only these of the suite's; None: all."""
    base: str | None = None
    """Name of the system this one is an ablation of."""
    question: str = ""
    """Names and hash of its constraints; empty if it is asked what all are asked."""
    index: int = 0
    """Its table's place in the suite, for error messages."""

    @property
    def kind(self) -> str:
        """Return what a suite calls its kind."""
        return _KIND_OF[type(self.how)]

    @property
    def searches_natively(self) -> bool:
        """Return whether it is a native search that wants kernels for levels; the plain search wants none."""
        return isinstance(self.how, Native) and self.how.engine != "reference"

    @property
    def prepared(self) -> str:
        """Return the kind of runs that a worker prepares for before it forks one; empty if for none."""
        return self.kind if self.searches_natively or isinstance(self.how, Programs | Sat) else ""

    @property
    def steps(self) -> int | str | None:
        """Return the competition's number of steps that it is asked for, or ``own``."""
        return self.how.steps if isinstance(self.how, Programs | Command) else None

    @property
    def extra(self) -> float:
        """Return the seconds beyond the limit for plans that are shortened before and after."""
        shorten, improve = (getattr(self.how, name, None) for name in ("shorten", "improve"))
        return (shorten or 0.0) + (improve or 0.0)

    @property
    def digest(self) -> str:
        """Return a hash of everything that decides what this system does."""
        spec = {
            "version": DIGEST_VERSION + isinstance(self.steps, int),
            "name": self.name,
            "kind": self.kind,
            **asdict(self.how),
        }
        if isinstance(self.how, Command) and not self.how.sources:
            del spec["sources"]  # the digest of before there were any
        if not spec.get("fewest"):
            spec.pop("fewest", None)
        return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:16]

    def table(self) -> dict[str, Any]:
        """Return its keys and values, as they stand in a suite."""
        whole = {"name": self.name, "kind": self.kind, "objectives": self.objectives, "base": self.base}
        return whole | asdict(self.how)


def system_of(name: str, kind: str, **keys: Any) -> System:
    """Return the system of a table with these keys; those that are for other kinds are left out."""
    how = KINDS[kind]
    own = {one.name: keys[one.name] for one in fields(how) if one.name in keys}
    more = {key: keys[key] for key in ("objectives", "base", "question", "index") if key in keys}
    return System(name, how(**own), **more)
