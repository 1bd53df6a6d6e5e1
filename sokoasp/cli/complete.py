"""What the shell is offered for values: notations, engines, objectives, encodings, suites, levels by their titles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from sokoasp.domain import Domain

_LEVELS = 300
"""Most levels offered."""


def _item(value: str, **more: Any) -> CompletionItem:
    from click.shell_completion import CompletionItem

    return CompletionItem(value, **more)


def matching(words: Iterable[str | tuple[str, str]], incomplete: str) -> list[CompletionItem]:
    """Return the words, each with a help text or alone, that begin as what is typed."""
    pairs = (word if isinstance(word, tuple) else (word, "") for word in words)
    return [_item(word, help=text or None) for word, text in pairs if word.startswith(incomplete)]


def _file(ctx: click.Context) -> str | None:
    """Return the FILE typed so far: an option that still lacks its value leaves it among the words not yet parsed."""
    words = [*(ctx.params.get("files") or ()), ctx.params.get("file"), *ctx.args]
    return next((str(word) for word in words if word and Path(str(word)).is_file()), None)


def _from_games(ctx: click.Context, names: Callable[[Domain[Any, Any]], Iterable[str]]) -> list[str]:
    """Return names that the record of the file's game has; those of all games where the file does not say the game."""
    from sokoasp.domain import domain_for, domains

    found = list(domains().values())
    if file := _file(ctx):
        with suppress(OSError):
            found = [domain_for(Path(file).read_bytes(), file)]
    return list(dict.fromkeys(word for domain in found for word in names(domain)))


def notations(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete --to."""
    return matching(_from_games(ctx, lambda game: game.texts.write), incomplete)


def engines(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete --engine."""
    return matching(["asp", "sat", "portfolio", *_from_games(ctx, lambda game: game.search.native)], incomplete)


def objectives(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete --objective."""
    return matching(_from_games(ctx, lambda game: game.objectives), incomplete)


def encodings(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a catalogued encoding, or of a file."""
    from sokoasp.asp.catalogue import encodings as catalogue

    found = matching(((name, encoding.summary) for name, encoding in catalogue().items()), incomplete)
    return found or [_item(incomplete, type="file")]


def suites(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a ready suite, or of a file."""
    from sokoasp.bench.define.suite import ready_suites

    names = sorted(path.stem for path in ready_suites().glob("*.toml"))
    return matching(names, incomplete) or [_item(incomplete, type="file")]


def levels(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete --level by number or title; the titles are shown beside the numbers."""
    from sokoasp.core.errors import SokoaspError
    from sokoasp.domain import domain_for

    file = _file(ctx)
    if file is None:
        return []
    try:
        data = Path(file).read_bytes()
        domain = domain_for(data, file)
        numbered = [
            (str(number), domain.texts.title(problem))
            for number, problem in enumerate(islice(domain.texts.read(data, file), _LEVELS), 1)
            if not isinstance(problem, SokoaspError)
        ]
    except (OSError, SokoaspError):
        return []
    wanted = incomplete.lower()
    titled = [_item(n, help=title) for n, title in numbered if wanted and title.lower().startswith(wanted)]
    return titled or matching(numbered, incomplete)
