"""The import contracts, the public names, and what the start of the command may not import."""

from __future__ import annotations

import ast
import graphlib
import re
import tomllib
from pathlib import Path

import pytest

import sokoasp
from sokoasp.domain import domain_for
from tests import house
from tests.commands import python


def test_import_contracts(root: Path) -> None:
    done = python("from importlinter.cli import lint_imports_command; lint_imports_command()", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports within functions count, those for types alone do not; the door of the kernels and its rooms are one thing."""
    trees = {".".join(path.relative_to(house.ROOT).with_suffix("").parts): tree for path, tree in house.trees().items()}
    ahead: dict[str, set[str]] = {name.removesuffix(".__init__"): set() for name in trees}
    for name, tree in trees.items():
        for_types = [node for node in tree if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
        passed_over = [one for node in for_types for one in node.body]
        found = [one for one in tree if isinstance(one, ast.ImportFrom) and one not in passed_over]
        for module, what in ((one.module, what.name) for one in found for what in one.names):
            if not str(module).startswith("sokoasp.core.kernels"):
                ahead[name.removesuffix(".__init__")].add(
                    inner if (inner := f"{module}.{what}") in ahead else str(module)
                )
    graphlib.TopologicalSorter(ahead).prepare()  # raises CycleError, which names the circle


def test_the_chain_that_is_told_is_the_one_that_holds(root: Path) -> None:
    """docs/architecture.md lists the layers of the contracts in the same order, each with the names that share it."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    held = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    section = (root / "docs/architecture.md").read_text().split("## What may import what")[1].split("\n## ")[0]
    reported = [block.strip().splitlines() for block in re.findall(r"```\n(.*?)```", section, re.S)]
    names = [[re.sub(r"sokoasp\.(?:\w+\.)*|[()]", "", layer) for layer in layers] for layers in held]
    assert reported == names


def test_the_tree_has_every_folder(root: Path) -> None:
    tree = (root / "docs/architecture.md").read_text().split("```")[1]
    folders = {path.name for path in (root / "sokoasp").iterdir() if path.is_dir() and list(path.glob("*.py"))}
    assert set(re.findall(r"^  (\w+)/ ", tree, re.MULTILINE)) == folders


def test_the_tour_calls_its_functions_in_order(root: Path) -> None:
    """The functions of the ten-minute tour are first called in the order of its rows; compiled ones are not seen."""
    pytest.importorskip("numba", reason="the extra [jit] is not installed")
    told = re.findall(r"^\| \d+ \| `([\w.]+)`", (root / "docs/architecture.md").read_text(), re.MULTILINE)
    code = (
        f"import contextlib, io, sys\nfrom sokoasp.cli import run\nseen, told = [], {told}\n"
        "last = {one.rpartition('.')[2] for one in told}\n"
        "def note(frame, event, _):\n"
        "    if event != 'call' or frame.f_code.co_name not in last: return\n"
        "    name = f\".{frame.f_globals.get('__name__')}.{frame.f_code.co_qualname}\"\n"
        "    seen.extend(one for one in told if name.endswith(f'.{one}') and one not in seen)\n"
        "sys.setprofile(note)\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        "    run('solve instances/tutorial/tutorial.xsb --level 8 --engine native --objective pushes'.split())\n"
        "sys.setprofile(None)\nprint(*seen)"
    )
    done = python(code, cwd=root, check=True)
    compiled = ["search.exact.expand.run", "search.bounds.state_bound.bound"]
    assert done.stdout.split() == [name for name in told if name not in compiled] and len(told) == 12


def test_all_is_what_can_be_imported() -> None:
    assert sorted(sokoasp.__all__) == sorted(sokoasp._HOME)
    for name in sokoasp.__all__:
        assert getattr(sokoasp, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        _ = sokoasp.nothing


def imported(code: str, *names: str) -> list[str]:
    """Run code in a process of its own; return those of the modules that it has imported."""
    code = f"import sys\n{code}\nprint(*sorted({set(names)} & set(sys.modules)), sep='\\n')"
    done = python(code)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line in names]


def test_help_imports_nothing_heavy() -> None:
    code = "from sokoasp.cli import root\nroot(['--help'], standalone_mode=False)"
    heavy = ("clingo", "numpy", "numba", "rich", "distributed", "matplotlib", "starlette")
    assert imported(code, "sokoasp.cli", *heavy) == ["sokoasp.cli"]


def test_the_asp_path_does_not_import_numba(root: Path) -> None:
    code = (
        f"import sokoasp\none = sokoasp.read(open({str(root / 'instances/tutorial/first.xsb')!r}).read())[0]\n"
        "assert sokoasp.solve(one, cross_check=False).value == 1\n"
    )
    assert imported(code, "clingo", "numba") == ["clingo"]


def test_a_suite_is_read_without_detectors_and_walks() -> None:
    """They are 20 ms of each bench command; the names are looked up when a suite gives one."""
    assert imported("import sokoasp.bench.define.suite", "sokoasp.sokoban") == []


def test_encodings_folder_is_no_package(root: Path) -> None:
    assert not list((root / "encodings").rglob("__init__.py"))


def test_no_print_or_exit_outside_the_command_line(root: Path) -> None:
    for path in (root / "sokoasp").rglob("*.py"):
        if "cli" in path.parts:
            continue
        text = path.read_text(encoding="utf-8")
        assert "sys.exit(" not in text, path
        assert "\nprint(" not in text, path
        assert " print(" not in text.replace("pprint(", ""), path


def test_competition_facts_ask_no_other_game() -> None:
    code = "from sokoasp.domain import domain_for\n"
    code += "facts = b'right(a,b). right(b,c).\\nbox(b).\\nsolution(c). sokoban(a).'\n"
    code += "assert domain_for(facts, 'x.lp').name == 'sokoban'\n"
    assert imported(code, "sokoasp.domain.klotski", "importlib.metadata") == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("% sokoban(a).\nAAB.\nAAB.\n", "klotski"),
        ("title: sokoban(a).\ngoal: A 0,1\nAA.\nAA.\n", "klotski"),
        ('init("A",0). cell(0). covers("A",0,0). % sokoban(a).\n', "klotski"),
        ("#@$.#\n", "sokoban"),
    ],
)
def test_words_about_a_player_are_no_fact_about_him(text: str, name: str) -> None:
    assert domain_for(text.encode(), "<stdin>").name == name


@pytest.mark.parametrize("backend", ["", "aot"])
def test_a_small_solve_imports_few_modules(root: Path, backend: str) -> None:
    """What starts a process is most of what a small level costs, and nearly all of that is imports: each one more is a choice."""
    code = (
        "import contextlib, io, sys\nbefore = set(sys.modules)\nfrom sokoasp.cli import run\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        f"    assert run(['solve', {str(root / 'instances/tutorial/first.xsb')!r}]) == 0\n"
        "new = set(sys.modules) - before\n"
        "print(sum(name.split('.')[0] == 'sokoasp' for name in new), len(new))\n"
        "late = ('hashlib', 'lzma', 'tomllib', 'pickle', 'subprocess', 'numpy', 'sokoasp.engine.engine_process',"
        " 'sokoasp.sat', 'sokoasp.proof', 'sokoasp.sokoban.walk', 'sokoasp.sokoban.tables.moves',"
        " 'sokoasp.core.kernels.shared_library', 'ctypes',"
        " 'sokoasp.core.atoms', 'sokoasp.sokoban.answers', 'sokoasp.sokoban.formats.plans')\n"
        "sys.exit(', '.join(sorted(set(late) & set(sys.modules))) or 0)"
    )
    done = python(code, SOKOASP_BACKEND=backend)
    assert done.returncode == 0, f"imported though nothing asks for it: {done.stderr}"
    ours, everything = map(int, done.stdout.split())
    assert ours <= 73, f"{ours} of our modules"
    assert everything <= 171, f"{everything} modules"
