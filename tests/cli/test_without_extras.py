"""Every command in a virtual environment that has what ``pip install sokoasp`` brings and no more: no command is a traceback."""

import json
import os
import re
import shlex
import subprocess
import venv
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import click
import pytest

from sokoasp.cli import root as cli
from tests.commands import python

ROOT = Path(__file__).resolve().parents[2]
EXPECTED = r"needs the extra \[\w+\]; install it with: pip install|does not exist|there is no folder"
WITHIN = (0, 2, 10, 11, 12, 20, 30)
"""Exit codes of the contract that are no internal error."""


def needed(name: str, seen: set[str] | None = None) -> set[str]:
    """The distributions a package needs without extras, itself included."""
    seen = set() if seen is None else seen
    try:
        requires = distribution(name).requires or []
    except PackageNotFoundError:
        return seen
    if name not in seen:
        seen.add(name)
        for line in requires:
            if "extra ==" not in line:
                needed(re.split(r"[\s;<>=!~\[(]", line)[0], seen)
    return seen


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the dependencies of the package alone, linked from this one."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = folder.glob("lib/*/site-packages")
    for name in needed("clingo") | needed("click") | needed("rich") | needed("numpy"):
        for file in distribution(name).files or ():
            top = file.parts[0]
            source = Path(str(distribution(name).locate_file(top)))
            if top not in ("..", "__pycache__") and source.exists() and not (site / top).exists():
                (site / top).symlink_to(source)
    return folder / "bin" / "python"


def run(bare: Path, arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [str(bare), "-m", "sokoasp", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=250, check=False, stdin=-3
    )


def commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))
        else:
            yield (*words, name), command


COMMANDS = list(commands(cli))


def test_the_environment_is_bare(bare: Path) -> None:
    probe = "import clingo, click, rich\nfor name in ('numba', 'starlette', 'gymnasium', 'pytest'):\n"
    probe += "    try:\n        __import__(name)\n        print(name)\n    except ImportError:\n        pass\n"
    done = subprocess.run([str(bare), "-c", probe], capture_output=True, text=True, check=True, cwd=bare.parent)
    assert (done.stdout, done.stderr) == ("", "")


def test_every_command_has_its_help(bare: Path) -> None:
    code = "import json, sys\nfrom sokoasp.cli import run\n"
    code += "print({run([*words, '--help']) for words in json.loads(sys.argv[1])})"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [str(bare), "-c", code, json.dumps([words for words, _ in COMMANDS])]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250, check=False)
    assert (done.stdout.splitlines()[-1], done.stderr) == ("{0}", "")
    assert done.stdout.count("Usage: ") == len(COMMANDS)


def _cases() -> Iterator[object]:
    for words, command in COMMANDS:
        marks = []
        if words[0] in ("bench", "klotski-db") or words == ("encodings", "bench"):
            marks.append(pytest.mark.slow)
        yield pytest.param(words, command, marks=marks, id=" ".join(words))


@pytest.mark.parametrize(("words", "command"), list(_cases()))
def test_a_command_answers_or_names_the_extra(
    words: tuple[str, ...], command: click.Command, bare: Path, tmp_path: Path
) -> None:
    for name in ("instances", "encodings", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    example = re.search(r"^Example: (sokoasp [^\n]+)", command.epilog or "")
    assert example is not None, words
    done = run(bare, shlex.split(example[1])[1:], tmp_path)
    assert done.returncode in WITHIN, (words, done.returncode, done.stderr[-2000:])
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr
    if done.returncode == 2:  # examples may name what another command makes first
        assert re.search(EXPECTED, done.stderr), done.stderr


def test_ctrl_c_while_the_command_line_is_loaded(tmp_path: Path) -> None:
    """A click that is interrupted while it is imported stands for the first tenth of a second."""
    (tmp_path / "click.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n", encoding="utf-8"
    )
    code = "import os, runpy, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "runpy.run_module('sokoasp', run_name='__main__', alter_sys=True)\n"
    done = python(code, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert (done.returncode, done.stderr) == (130, "interrupted\n")
