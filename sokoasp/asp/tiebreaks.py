"""Tie-breaks: what is minimised among the plans that are equally good so far, as files added to a program."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

from sokoasp.asp.catalogue import Encoding, folder
from sokoasp.core.errors import WrongOption


def files(encoding: Encoding, order: Sequence[str]) -> tuple[Path, ...]:
    """Return the files that minimise these in turn. Raises WrongOption: the objective has no such tie-break."""
    path = folder() / encoding.game / "vocabulary.toml"
    tables = tomllib.loads(path.read_text(encoding="utf-8")).get("tie_break", []) if path.is_file() else []
    known = {table["name"]: table for table in tables if encoding.objective in table["objectives"]}
    if missing := [name for name in order if name not in known]:
        raise WrongOption(f"the programs of {encoding.game} for {encoding.objective} break no ties by {missing[0]}")
    return tuple(folder() / known[name]["file"] for name in order)


def priorities(order: Sequence[str]) -> dict[str, int]:
    """Return the priority of each tie-break: below the user's own preferences, the first above the second."""
    return {name: -1 - number for number, name in enumerate(order)}


def arguments(order: Sequence[str]) -> tuple[str, ...]:
    """Return the clingo options that set these priorities."""
    return tuple(f"--const=then_{name}={level}" for name, level in priorities(order).items())
