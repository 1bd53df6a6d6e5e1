"""The root files ``encodings/<game>/<name>.lp`` of the catalogues: ``python -m tests.encodings.roots`` writes them anew."""

from pathlib import Path

from sokoasp.asp import catalogue, export


def asp_core_2(encoding: catalogue.Encoding) -> str:
    """Return the rules of a program that is solved once in the standard language, for solvers beside clingo: nothing is shown."""
    heads = [line for line in export.heads(encoding) if not line.startswith("% Derived")]
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
    files = {catalogue.folder() / one.game / f"{name}.lp": export.root(one) for name, one in every.items()}
    return files | {catalogue.folder() / "sokoban" / "competition-asp-core-2.lp": asp_core_2(every["competition"])}


if __name__ == "__main__":
    for path, text in roots().items():
        path.write_text(text, encoding="utf-8")
