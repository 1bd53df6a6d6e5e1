"""Measure the house: names, functions with many parameters or lines. ``python -m tests.house`` prints it all."""

from __future__ import annotations

import ast
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "sokoasp"
PARAMETERS, LINES = 8, 45
"""One of more parameters (lines) says why in its docstring, in a paragraph that begins with ``Wide:`` (``Long:``)."""
REASON = re.compile(r"^\s*(Long|Wide): \w.{20,}", re.MULTILINE)
SEARCH, LEAST_COMMENTS = PACKAGE / "sokoban" / "search", 0.02
"""Where comments are needed most, and the least share of its lines that has one."""
FOR_TOOLS = re.compile(r"noqa|type: ignore")
MOST_LONG, MOST_WIDE = 11, 1
"""Functions of more lines (parameters) than that, reasons or not."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method, its number of parameters (``self`` too), its lines and its docstring."""

    file: str
    name: str
    parameters: int
    lines: int
    doc: str

    @property
    def large(self) -> bool:
        return self.parameters > PARAMETERS or self.lines > LINES


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def trees() -> dict[Path, ast.Module]:
    """Every file of the package, parsed once."""
    return {path: parsed(path) for path in sorted(PACKAGE.rglob("*.py"))}


def same_classes() -> dict[str, list[str]]:
    """Names of classes used more than once in one folder, with their files."""
    found: dict[tuple[Path, str], list[str]] = defaultdict(list)
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found[path.parent, node.name].append(str(path.relative_to(ROOT)))
    return {name: its for (_, name), its in found.items() if len(its) > 1}


@cache
def functions() -> tuple[Function, ...]:
    """Every function and method of the package."""
    return tuple(_functions())


def _functions() -> Iterator[Function]:
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = node.args
                parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                doc = ast.get_docstring(node) or ""
                yield Function(
                    str(path.relative_to(ROOT)), node.name, sum(p is not None for p in parameters), lines, doc
                )


def comments(folder: Path) -> float:
    """Return the share of lines of a folder that have a comment, other than one for a tool."""
    lines = having = 0
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines += len(text.splitlines())
        tokens = tokenize.generate_tokens(StringIO(text).readline)
        having += sum(one.type == tokenize.COMMENT and not FOR_TOOLS.search(one.string) for one in tokens)
    return having / lines


def main() -> None:
    every = functions()
    print(f"lines {sum(len(path.read_text(encoding='utf-8').splitlines()) for path in trees())}")
    print(f"comments in search {comments(SEARCH):.2%}")
    print(f"files {len(trees())}, functions {len(every)}")
    print(f"class names used twice in a folder {len(same_classes())}")
    for name, its in same_classes().items():
        print(f"  {name}: {', '.join(its)}")
    print(f"most parameters {max(f.parameters for f in every)}, most lines {max(f.lines for f in every)}")
    print(f"over {PARAMETERS} parameters {sum(f.parameters > PARAMETERS for f in every)}")
    print(f"over {LINES} lines {sum(f.lines > LINES for f in every)}")
    for f in sorted(filter(lambda f: f.large, every), key=lambda f: (-f.parameters, -f.lines)):
        print(f"  {f.parameters:3} parameters {f.lines:4} lines  {f.file} {f.name}")


if __name__ == "__main__":
    main()
