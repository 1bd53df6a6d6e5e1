"""What docstrings and pages name is there: ``module.name``, ``folder/file.py``, ``Class.attribute``."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path

from tests.house import nodes, parsed

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = sorted((ROOT / "sokoasp").rglob("*.py"))
CODE = [*PACKAGE, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "docs").glob("*.py"))]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*/README.md"))]
HISTORY = {"changelog.md"}
"""Pages about what was: names that are gone may stand there."""
FOREIGN = "clingo numba numpy env gymnasium dask distributed Control os sys result view project plan"
"""First parts of names of other projects, and of variables in examples."""
MADE = {"results", "app", "report.md", "sokoban_back.lp"}
"""Folders and files that commands make, and another project's."""
DATA = "csv json xsb sok klotski kdb xml txt html js xz cnf typ pdf pddl svg lurd lrat v ml wasm"
"""Ends of file names that are no names of Python."""
SUFFIXES = {"py", "lp", "toml", "md"}
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
FILE = re.compile(r"[\w./-]+\.(?:py|lp|toml|md)")


@cache
def modules() -> dict[str, ast.Module]:
    """Every module by its dotted name."""
    found = {}
    for path in CODE:
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = parsed(path)
    return found


@cache
def files() -> list[str]:
    """Every file of the project, each with a slash before it."""
    folders = ("sokoasp", "tests", "docs", "encodings", "instances", ".ci")
    inside = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix[1:] in SUFFIXES]
    return [f"/{path.relative_to(ROOT)}" for path in [*inside, *ROOT.glob("*.*")]]


def members(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield what is defined in a module or class: names with their nodes."""
    for part in ast.walk(node) if isinstance(node, ast.ClassDef) else ast.iter_child_nodes(node):
        if isinstance(part, (ast.If, ast.Try)):
            yield from members(part)
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            yield part.name, part
        elif isinstance(part, ast.Assign):
            for target in part.targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        yield name.id, part
                    elif isinstance(name, ast.Attribute):
                        yield name.attr, part
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, (ast.Name, ast.Attribute)):
            yield (part.target.id if isinstance(part.target, ast.Name) else part.target.attr), part
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            for alias in part.names:
                yield alias.asname or alias.name, part


@cache
def classes() -> dict[str, list[ast.ClassDef]]:
    """Every class by its name."""
    found: dict[str, list[ast.ClassDef]] = {}
    for node in (node for path in CODE for node in nodes(path) if isinstance(node, ast.ClassDef)):
        found.setdefault(node.name, []).append(node)
    return found


@cache
def is_there(name: str) -> bool:
    """Whether a dotted name is a module's, or something's in a module or class; a module may be named by its last parts."""
    parts = name.split(".")
    if parts[0] in FOREIGN.split():
        return True
    for cut in range(len(parts), 0, -1):
        tail = "." + ".".join(parts[:cut])
        for module, tree in modules().items():
            if f".{module}".endswith(tail) and _inside(tree, parts[cut:]):
                return True
    return any(_inside(node, parts[1:]) for node in classes().get(parts[0], []))


@cache
def _table(node: ast.AST) -> dict[str, ast.AST]:
    return dict(members(node))


def _inside(node: ast.AST, parts: list[str]) -> bool:
    if not parts:
        return True
    here = _table(node).get(parts[0])
    if here is None:
        return False
    return len(parts) == 1 or not isinstance(here, ast.ClassDef) or _inside(here, parts[1:])


@cache
def file_is_there(name: str) -> bool:
    return any(path.endswith(f"/{name.removeprefix('./').removeprefix('../')}") for path in files())


def docstrings(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the docstrings of a module, of functions and classes, and of the constants and fields they stand below."""
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def said_of_arguments(nodes: Sequence[ast.AST]) -> tuple[set[str], set[str]]:
    """Names of arguments and variables of a file that are no module's, and of arguments alone."""
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    names = {node.id for node in nodes if isinstance(node, ast.Name)} | arguments
    return names - {name.rpartition(".")[2] for name in modules()}, arguments


@cache
def fields() -> set[str]:
    """Every name that is defined in some class."""
    return {name for nodes in classes().values() for node in nodes for name, _ in members(node)}


def missing(texts: list[str], known: Collection[str] = (), arguments: Collection[str] = ()) -> list[str]:
    """Return the names in these quoted texts that lead nowhere; ``argument.field`` may be a field of any class."""
    lost = []
    for text in texts:
        bare = text.strip().removesuffix("()")
        if FILE.fullmatch(bare):
            found = file_is_there(bare) or bare.split("/")[0] in MADE
        elif DOTTED.fullmatch(bare) and bare.rpartition(".")[2] not in DATA.split():
            first, _, field = bare.partition(".")
            found = first in known or (first in arguments and field in fields()) or is_there(bare)
        else:
            continue
        if not found:
            lost.append(bare)
    return lost


def test_docstrings_name_what_there_is() -> None:
    """One test, as each process would parse all files anew."""
    lost = []
    for path in PACKAGE:
        quoted = [
            part for text in docstrings(nodes(path)) for part in re.findall(r"``([^`]+)``|:\w+:`~?([^`]+)`", text)
        ]
        lost += [(path, name) for name in missing([one or two for one, two in quoted], *said_of_arguments(nodes(path)))]
    assert lost == []


def test_pages_name_what_there_is() -> None:
    pages = {path: re.sub(r"(?ms)^```.*?^```", "", path.read_text(encoding="utf-8")) for path in PAGES}
    lost = {path.name: missing(re.findall(r"`([^`\n]+)`", prose)) for path, prose in pages.items()}
    assert {name: gone for name, gone in lost.items() if gone and name not in HISTORY} == {}


def test_sections_that_are_named_are_there() -> None:
    found, count = [], 0
    for path in [*PAGES, *PACKAGE]:
        text = " ".join(path.read_text(encoding="utf-8").split())
        named = re.findall(r'([\w-]+)\.md\)?,? "([A-Z][^"]+)"', text)
        named += [(page, title) for title, page in re.findall(r'"([A-Z][^"]+)" (?:of|in) \[([\w-]+)\.md', text)]
        for page, title in named:
            heads = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
            count += 1
            if not re.search(rf"^(#+ |\*\*){re.escape(title)}", heads, re.MULTILINE):
                found.append((path.name, page, title))
    assert found == [] and count > 6


def test_what_is_gone_is_noticed() -> None:
    there = ["guard.need", "core.guard", "Clock.over", "search.exact.astar", "deadlock/local.py", "rules.State.boxes"]
    gone = "guard.needs core.guardian Clock.below compiled.lessons deadlock/global.py compiled/kernels.py"
    assert missing(there) == [] and missing(gone.split()) == gone.split()
