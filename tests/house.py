"""Measure the house: ``python -m tests.house`` prints lines, tokens, imports with budgets (``house.toml``) and targets."""

import ast
import re
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from tests.commands import python

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "sokoasp"
REASON = re.compile(r"^\s*(Long|Wide): \w.{20,}", re.MULTILINE)
"""A function of more parameters (lines) than its budget says why in its docstring, in a paragraph that begins so."""
SEARCH = PACKAGE / "sokoban" / "search"
"""Where comments are needed most."""
FOR_TOOLS = re.compile(r"noqa|type: ignore")
SHAPE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
"""Tokens that are not counted."""
ENTERED = """
import os, sys
seen = set()
def note(frame, event, _):
    file = frame.f_code.co_filename
    if event == "call" and frame.f_code.co_name != "<module>" and f"{os.sep}sokoasp{os.sep}" in file:
        seen.add(file)
sys.setprofile(note)
from sokoasp.cli import run
run(["solve", "instances/tutorial/first.xsb"])
sys.setprofile(None)
print(len(seen))
print(*sorted(seen), sep="\\n")
"""


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method, its number of parameters (``self`` too), its lines and its docstring."""

    file: str
    name: str
    parameters: int
    lines: int
    doc: str


@cache
def budgets() -> dict[str, Any]:
    """Return ``house.toml``."""
    return tomllib.loads(Path(__file__).with_name("house.toml").read_text(encoding="utf-8"))


@cache
def text(path: Path) -> str:
    """Return what is in a file."""
    return path.read_text(encoding="utf-8")


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(text(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return what is in that tree."""
    return tuple(ast.walk(parsed(path)))


@cache
def trees() -> dict[Path, tuple[ast.AST, ...]]:
    """What is in every file of the package."""
    return {path: nodes(path) for path in sorted(PACKAGE.rglob("*.py"))}


def lines_of(paths: Iterator[Path] | list[Path]) -> int:
    """Count the lines of files."""
    return sum(len(text(path).splitlines()) for path in paths)


def tokens_of(paths: Iterator[Path] | list[Path]) -> int:
    """Count what Python's own scanner finds in files, without comments, ends of lines and indentation."""
    return sum(
        one.type not in SHAPE for path in paths for one in tokenize.generate_tokens(StringIO(text(path)).readline)
    )


@cache
def sizes() -> dict[str, dict[str, int]]:
    """Return lines and tokens by folder: those of the package, its own files, the tests and the pages."""
    files: dict[str, list[Path]] = defaultdict(list)
    for path in trees():
        inside = path.relative_to(PACKAGE).parts
        files[f"sokoasp/{inside[0]}" if len(inside) > 1 else "sokoasp"].append(path)
    files["tests"] = sorted((ROOT / "tests").rglob("*.py"))
    found = {name: {"lines": lines_of(its), "tokens": tokens_of(its)} for name, its in sorted(files.items())}
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    return {**found, "pages": {"lines": lines_of(pages)}}


def same_classes() -> dict[str, list[str]]:
    """Names of classes used more than once in one folder, with their files."""
    found: dict[tuple[Path, str], list[str]] = defaultdict(list)
    for path, tree in trees().items():
        for node in tree:
            if isinstance(node, ast.ClassDef):
                found[path.parent, node.name].append(str(path.relative_to(ROOT)))
    return {name: its for (_, name), its in found.items() if len(its) > 1}


@cache
def functions() -> tuple[Function, ...]:
    """Every function and method of the package."""
    return tuple(_functions())


def _functions() -> Iterator[Function]:
    for path, tree in trees().items():
        for node in tree:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = node.args
                parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                doc = ast.get_docstring(node) or ""
                yield Function(
                    str(path.relative_to(ROOT)), node.name, sum(p is not None for p in parameters), lines, doc
                )


def imported_names() -> dict[str, int]:
    """Return how many names each file of the package imports."""
    return {
        str(path.relative_to(ROOT)): sum(
            len(node.names)
            for node in tree
            if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module != "__future__")
        )
        for path, tree in trees().items()
    }


@cache
def _imports() -> dict[str, set[str]]:
    """Return what each module of the package imports."""
    found = {}
    for path, tree in trees().items():
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        names = set()
        for node in tree:
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
        found[name] = names
    return found


def reached(module: str) -> set[str]:
    """Return the modules outside ``core`` that a module imports, directly or not, and the packages they are in."""
    found, ahead = set(), [module]
    while ahead:
        one = ahead.pop()
        if one not in found and one in _imports() and not one.startswith("sokoasp.core"):
            found.add(one)
            ahead += _imports()[one]
    parents = {one.rsplit(".", depth)[0] for one in found for depth in range(1, one.count(".") + 1)}
    return found | (parents & _imports().keys())


@cache
def entered() -> tuple[str, ...]:
    """Return the files of the package in which ``solve`` of one box calls a function."""
    done = python(ENTERED, cwd=ROOT, check=True)
    return tuple(line for line in done.stdout.splitlines() if line.endswith(".py"))


def comments(folder: Path) -> float:
    """Return the share of lines of a folder that have a comment, other than one for a tool."""
    paths = sorted(folder.rglob("*.py"))
    having = sum(
        one.type == tokenize.COMMENT and not FOR_TOOLS.search(one.string)
        for path in paths
        for one in tokenize.generate_tokens(StringIO(text(path)).readline)
    )
    return having / lines_of(paths)


@cache
def measured() -> dict[str, int]:
    """Return the figures of the table: what it holds by its name."""
    found = {f"{name}: {unit}": size for name, its in sizes().items() for unit, size in its.items()}
    package = [its for name, its in sizes().items() if name.startswith("sokoasp")]
    found |= {f"package: {unit}": sum(its[unit] for its in package) for unit in ("lines", "tokens")}
    every = functions()
    limits = budgets()["limits"]
    return {
        **found,
        "files that import more names than they may": sum(n > limits["names"] for n in imported_names().values()),
        "functions of more lines than they may have": sum(one.lines > limits["lines"] for one in every),
        "functions of more parameters than they may have": sum(one.parameters > limits["parameters"] for one in every),
        "files entered by solve of one box": len(entered()),
        "modules imported to change A*": len(reached("sokoasp.sokoban.search.exact.astar")),
        "modules imported to change a roster": len(reached("sokoasp.sokoban.search.rosters")),
    }


def main() -> None:
    table, targets, limits = budgets()["budget"], budgets()["target"], budgets()["limits"]
    print(f"{'':50} {'now':>9} {'budget':>9} {'target':>9}")
    for name, now in measured().items():
        over = "  over its budget" if now > table.get(name, 0) else ""
        print(f"{name:50} {now:9,} {table.get(name, 0):9,} {targets.get(name, ''):>9}{over}")
    print(f"comments in search: {comments(SEARCH):.2%}")
    for name, its in same_classes().items():
        print(f"class name used twice in a folder: {name}, {', '.join(its)}")
    for file, names in sorted(imported_names().items(), key=lambda one: -one[1]):
        if names > limits["names"]:
            print(f"{names:4} names imported   {file}")
    for f in sorted(functions(), key=lambda f: (-f.parameters, -f.lines)):
        if f.parameters > limits["parameters"] or f.lines > limits["lines"]:
            print(f"{f.parameters:4} parameters {f.lines:4} lines  {f.file} {f.name}")


if __name__ == "__main__":
    main()
