"""Options that choose what a command does, and those that go with each of them."""

from __future__ import annotations

from collections.abc import Mapping, Set

import click
from click.core import ParameterSource

_ALWAYS = {"files", "wanted", "recursive", "as_json", "as_csv"}
"""Which levels are read and how rows are printed is never passed over."""


def refuse_ignored(ctx: click.Context, takes: Mapping[str, Set[str]], alone: Set[str] = frozenset()) -> None:
    """Refuse options that would be passed over.

    Args:
        ctx: Of the running command.
        takes: Mode, the name of a flag → the parameters that it listens to.
        alone: Parameters that only modes listen to.

    Raises:
        click.UsageError: There is such an option.
    """
    given = {name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    modes = [mode for mode in takes if ctx.params[mode]]
    for mode in modes:
        if others := given - takes[mode] - _ALWAYS - {mode}:
            raise click.UsageError(f"--{mode} has no {_flags(ctx, others)}")
    if not modes and (others := given & alone):
        able = [mode for mode in takes if others <= takes[mode]] or list(takes)
        raise click.UsageError(f"{_flags(ctx, others)} goes with {' or '.join(f'--{mode}' for mode in able)}")


def _flags(ctx: click.Context, names: Set[str]) -> str:
    return ", ".join(sorted(max(option.opts, key=len) for option in ctx.command.params if option.name in names))
