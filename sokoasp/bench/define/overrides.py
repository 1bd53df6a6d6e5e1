"""What a command line puts in place of a suite's values: ``KEY=VALUE``, and systems of its own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Any

from sokoasp.bench.define.suite_keys import COMMAND_LINE, LIMITS, LISTS, ONLY_FOR, SUITE, SYSTEMS, Key
from sokoasp.core.errors import WrongOption
from sokoasp.core.nearest import nearest_or_all

FILES = "{files}"


@dataclass(frozen=True, slots=True)
class Changes:
    """Values by key: of the suite, of its limits, or of every system of a kind that has the key."""

    values: Mapping[str, Any]
    systems: tuple[Mapping[str, Any], ...] = ()
    """Systems in place of the suite's; empty: its own."""
    files: tuple[Path, ...] = ()
    """What ``{files}`` stands for."""

    def made(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return a suite's data with these values.

        Raises WrongOption: a key is none, or no system has it; or there are files and no place for them.
        """
        new = dict(data)
        if self.files and isinstance(data.get("instances"), list):
            new["instances"] = [self._filled(one) for one in data["instances"]]
            if new["instances"] == data["instances"]:
                raise WrongOption("this suite has instances of its own and takes none", source="FILES")
        if self.systems:
            new["systems"] = list(self.systems)
        for key, value in self.values.items():
            if key in SUITE and SUITE[key].check is not SUITE["limits"].check:
                new[key] = _listed(SUITE[key], value)
            elif key in LIMITS:
                new["limits"] = {**new.get("limits", {}), key: _listed(LIMITS[key], value)}
            elif key in SYSTEMS:
                new["systems"] = _set(new.get("systems", ()), key, _listed(SYSTEMS[key], value))
            else:
                near = nearest_or_all(key, [*SUITE, *LIMITS, *SYSTEMS])
                raise WrongOption(f"a suite has no key {key!r}{near}", source="--set")
        return new

    def _filled(self, instances: Any) -> Any:
        """Return a table of instances with the files in place of ``{files}``."""
        if not isinstance(instances, dict) or not isinstance(patterns := instances.get("files"), list):
            return instances
        given = [escape(str(path.resolve())) for path in self.files]
        return {
            **instances,
            "files": [one for pattern in patterns for one in (given if pattern == FILES else [pattern])],
        }


NO_CHANGES = Changes({})


def read(pairs: Iterable[str]) -> dict[str, Any]:
    """Read ``KEY=VALUE`` pairs, values as TOML or text. Raises WrongOption: no ``=``, or a key is given twice."""
    found = {}
    for pair in pairs:
        key, equals, text = (part.strip() for part in pair.partition("="))
        if not equals:
            raise WrongOption(f"{pair!r} is not KEY=VALUE", source="--set")
        if key in found:
            raise WrongOption(f"{key!r} is given twice{LISTS}", source="--set")
        try:
            found[key] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            found[key] = text
    return found


def _listed(key: Key, value: Any) -> Any:
    """Return a value, as a list of one where a list is wanted; whether it is any good is for the suite's reader to say."""
    return [value] if "must be a list" in (key.check(value) or "") and not isinstance(value, list) else value


def _set(systems: Iterable[Any], key: str, value: Any) -> list[Any]:
    changed = [
        {**one, key: value}
        if isinstance(one, dict) and one.get("kind") in ONLY_FOR.get(key, (one.get("kind"),))
        else one
        for one in systems
    ]
    if not any(isinstance(one, dict) and key in one for one in changed):
        raise WrongOption(f"no system of this suite has the key {key!r}", source=COMMAND_LINE)
    return changed
