"""What is made from the catalogues: ``python -m tests.encodings.page`` writes it anew.

The tables of docs/encodings.md (programs) and docs/encodings-ideas.md, and the root files ``encodings/<game>/<name>.lp``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from sokoasp.asp import catalogue, export
from sokoasp.bench.report import markdown_table
from tests.instances import FOLDER

PAGES = {
    name: FOLDER.parent / "docs" / page
    for name, page in (("programs", "encodings.md"), ("ideas", "encodings-ideas.md"))
}
"""Where the tables of both games stand, by what they list."""
GAMES = ("sokoban", "klotski")


def _names(paths: Iterable[Path], game: str) -> str:
    inside = catalogue.folder() / game
    return " ".join(f"`{path.relative_to(inside).with_suffix('')}`" for path in paths)


def _programs(game: str) -> Iterator[str]:
    rows = []
    for one in catalogue.encodings().values():
        if one.game == game:
            pruned = {path for idea in one.ideas for path in idea.files}
            rules = _names((path for path in one.files if path not in pruned), game)
            rows.append((f"`{one.name}`", rules, " ".join(f"`{idea.name}`" for idea in one.ideas) or "none"))
    return markdown_table.lines(("program", "the game", "ideas"), rows)


def _ideas(game: str) -> Iterator[str]:
    ideas = {idea.name: idea for one in catalogue.encodings().values() if one.game == game for idea in one.ideas}
    rows = ((f"`{name}`", one.claim, _names(one.files, game), ", ".join(one.tables)) for name, one in ideas.items())
    return markdown_table.lines(("idea", "what it claims", "files", "tables"), rows)


def written(name: str) -> str:
    """Return a page with its tables as the catalogues have them; each stands between two comments with its name."""
    text = PAGES[name].read_text(encoding="utf-8")
    for game in GAMES:
        rows = {"programs": _programs, "ideas": _ideas}[name](game)
        begin, end = f"<!-- {game} {name} -->\n", f"<!-- end of {game} {name} -->"
        before, found, rest = text.partition(begin)
        assert found and end in rest, f"the page has no place for the {name} of {game}"
        text = before + found + "\n" + "\n".join(rows) + "\n\n" + end + rest.partition(end)[2]
    return text


def root(encoding: catalogue.Encoding) -> str:
    """Return the root file of a program: ``encodings/<game>/<name>.lp``, which includes all of it."""
    files = [f'#include "{export.place(path)}".' for path in export.for_plain_clingo(encoding).files]
    return "\n".join([*export._heads(encoding), *export.declared(encoding), *files, *export._loop(encoding)]) + "\n"


def asp_core_2(encoding: catalogue.Encoding) -> str:
    """Return the rules of a program that is solved once in the standard language, for solvers beside clingo: nothing is shown."""
    heads = [line for line in export._heads(encoding) if not line.startswith("% Derived")]
    heads += [
        "% ASP-Core-2 (the input language of the ASP competitions since 2013): no pools, no directives of one solver."
    ]
    parts = (
        f"% ---- {export.place(path)}\n{path.read_text(encoding='utf-8').rstrip()}" for path in encoding.files[:-1]
    )
    return "\n\n".join(["\n".join(heads), *parts]) + "\n"


def roots() -> dict[Path, str]:
    """Return the root file of each catalogued program, for plain clingo in a clone."""
    every = catalogue.encodings()
    files = {catalogue.folder() / one.game / f"{name}.lp": root(one) for name, one in every.items()}
    return files | {catalogue.folder() / "sokoban" / "competition-asp-core-2.lp": asp_core_2(every["competition"])}


if __name__ == "__main__":
    for path, text in roots().items():
        path.write_text(text, encoding="utf-8")
    for name, page in PAGES.items():
        page.write_text(written(name), encoding="utf-8")
