"""The library of kernels: the same answers as numba's, refusals, libraries that are stale, damaged or another user's."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sokoasp.core import kernels
from sokoasp.core.kernels import shared_library as library_module
from sokoasp.core.kernels.shared_library import Library

HERE = Path(__file__).parent
BUILD = """
import sys
from pathlib import Path
from kernels import build
build.build({build.here(): Path(sys.argv[1])}, 2, lambda sentence: None, ["toy_kernels"])
"""
USE = "from sokoasp.core import kernels\n(toys,) = kernels.load(['toy_kernels'])\n"
USE += "r = toys.Counts(first=40)\nprint(kernels.status().source, toys.sum_of(20, 22), toys.counted(r, 2), r.first, r.second)\n"


def run(code: str, place: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(place), str(HERE.parents[1]), str(HERE.parents[1] / ".ci"), *filter(None, sys.path)])
    ours = {name: value for name, value in os.environ.items() if name != "SOKOASP_BACKEND"}
    env = {**ours, "PYTHONPATH": paths, "SOKOASP_CACHE_DIR": str(place), **more}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], env=env, capture_output=True, text=True, check=False, timeout=250
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the toys and their library, as a cache."""
    if importlib.util.find_spec("numba") is None or shutil.which("cc") is None:
        pytest.skip("needs numba and a C compiler")
    place = tmp_path_factory.mktemp("toys")
    shutil.copy(HERE / "toy_kernels.py", place)
    done = run(BUILD, place, str(place / "kernels.so"), SOKOASP_BACKEND="jit")
    assert done.returncode == 0, done.stderr
    return place


@pytest.fixture
def library(built: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.syspath_prepend(str(built))
    return Library(built / "kernels.so")


def executed(built: Path, name: str, monkeypatch: pytest.MonkeyPatch, made: Any) -> ModuleType:
    """The toys, each function as ``made(function, signature)`` makes it."""
    spec = importlib.util.spec_from_file_location(name, built / "toy_kernels.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as patched:
        patched.setattr(kernels, "kernel", lambda signature: lambda function: made(function, signature))
        spec.loader.exec_module(module)
    return module


@pytest.fixture
def toys(library: Library, built: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return executed(built, "toy_kernels", monkeypatch, library.bound)


@pytest.fixture
def plain(built: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The same functions, not compiled."""
    return executed(built, "plain_toys", monkeypatch, lambda function, signature: function)


def test_every_signature_answers_as_plain_python_does(toys: ModuleType, plain: ModuleType) -> None:
    expected, random = plain, np.random.default_rng(5)
    for _ in range(30):
        a, b = (int(one) for one in random.integers(-(1 << 40), 1 << 40, 2))
        assert toys.sum_of(a, b) == a + b
        for one, two in ((a, False), (a, True), (-a, np.int64(0))):
            assert toys.unlike(one, two) is bool(expected.unlike(one, two))
        rows, columns = (int(one) for one in random.integers(0, 5, 2))
        marks = random.integers(0, 256, rows).astype(np.uint8)
        table = random.integers(-(1 << 31), 1 << 31, (rows, columns)).astype(np.int32)
        assert toys.weighed(marks, table) == expected.weighed(marks.tolist(), table.astype(object))
    prices, big = np.array([7, 8, 9], dtype=np.int32), np.zeros((3, 2), dtype=np.int64)
    record = toys.Toys(np.array([1, 2, 3], dtype=np.uint8), prices, big)
    keys = np.array([5], dtype=np.uint64)
    assert toys.written(record, 2, keys) is None
    assert big.tolist() == [[0, 0], [0, 0], [0, 12]] and keys[0] == (1 << 63) + 5
    words = np.array([(1 << 63) + 5, (1 << 63) + 1], dtype=np.uint64)
    toys.folded(words)
    assert words.tolist() == [4, (1 << 63) + 1]


def test_a_campaign_that_asks_for_kernels_imports_no_arrays(built: Path) -> None:
    done = run(
        "import sys\nfrom sokoasp.core import kernels\nprint(kernels.status().source, 'numpy' in sys.modules)", built
    )
    assert done.stdout == "aot False\n", done.stderr


def test_other_numbers_are_refused(toys: ModuleType) -> None:
    """A kernel would write behind them: neither a class with fewer fields nor an array is taken."""
    for wrong in (toys.Fewer(), np.zeros(2, dtype=np.int64), 3):
        with pytest.raises(TypeError, match=r"argument 1 .* must be Counts"):
            toys.counted(wrong, 2)


def test_what_a_kernel_cannot_take_is_refused_by_its_place(toys: ModuleType) -> None:
    marks, table = np.ones(2, dtype=np.uint8), np.ones((2, 2), dtype=np.int32)
    wrong: list[tuple[Any, Any, str]] = [
        (marks.astype(np.int8), table, "argument 1 .* of uint8 with 1 dimensions, not int8 with 1"),
        (marks, table[0], "argument 2 .* not int32 with 1"),
        (marks, np.ones((2, 4), dtype=np.int32)[:, ::2], "argument 2 .* C-ordered"),
        ([1, 1], table, "argument 1 .* not list"),
        (marks, 3, "argument 2 .* not int"),
    ]
    for one, two, said in wrong:
        with pytest.raises(TypeError, match=said):
            toys.weighed(one, two)
    with pytest.raises(TypeError, match=r"argument 1 .* whole number of 64 bits, not 1\.5"):
        toys.sum_of(1.5, 2)
    with pytest.raises(TypeError, match="3 arrays, not 2"):
        toys.written((marks, table), 0, np.zeros(1, dtype=np.uint64))
    with pytest.raises(TypeError, match=r"toy_kernels\.either is called by kernels alone"):
        toys.either(np.uint64(1), np.uint64(2))
    with pytest.raises(RuntimeError, match=r"toy_kernels\.divided failed"):
        toys.divided(1, 0)


def test_an_array_may_move_between_two_calls(toys: ModuleType) -> None:
    """State stores grow their arrays in place: where the data lie is asked at each call."""
    marks, table = np.ones(2, dtype=np.uint8), np.ones((2, 2), dtype=np.int32)
    for rows in (2, 200_000, 3):
        table.resize((rows, 2), refcheck=False)
        marks.resize(rows, refcheck=False)
        table[:], marks[:] = 1, 2
        assert toys.weighed(marks, table) == 6 * rows


def test_no_buffer_and_no_thread_is_kept(toys: ModuleType) -> None:
    """A refused call gives back what it had taken before, and a kernel runs without the lock of the interpreter."""
    marks, table = np.ones(2, dtype=np.uint8), np.ones((2, 2), dtype=np.int32)
    held = [sys.getrefcount(marks), sys.getrefcount(table)]
    for _ in range(5):
        assert toys.weighed(marks, table) == 6
        with pytest.raises(TypeError):
            toys.weighed(marks, table[0])
    assert [sys.getrefcount(marks), sys.getrefcount(table)] == held


def test_a_library_in_the_cache_is_used(built: Path) -> None:
    done = run(USE, built)
    assert (done.stdout, done.returncode) == ("aot 42 42 40 42\n", 0), done.stderr


REPORT = "from sokoasp.core import kernels, progress\nprogress.reporters.append(lambda text: print('said:', text))\n"


def test_a_library_of_other_sources_never_runs(built: Path, tmp_path: Path) -> None:
    place = tmp_path / "changed"
    shutil.copytree(built, place)
    source = place / "toy_kernels.py"
    source.write_text(source.read_text().replace("return a + b", "return a + b + 1"))
    with_numba = run(REPORT + USE, place)
    assert with_numba.stdout.count("was compiled from other sources") == 1
    assert with_numba.stdout.endswith("jit 43 42 40 42\n"), with_numba.stdout + with_numba.stderr
    only = run(USE, place, SOKOASP_BACKEND="aot")
    assert "pip install 'sokoasp[jit]'" in only.stderr and not only.stdout


@pytest.fixture
def copied(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library in a cache of its own; it fails the test to load it."""
    shutil.copy(built / "kernels.so", tmp_path)
    monkeypatch.syspath_prepend(str(built))
    monkeypatch.setenv("SOKOASP_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(library_module.ctypes, "PyDLL", lambda path: pytest.fail("loaded"))
    return tmp_path / "kernels.so"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner here")
def test_a_library_that_others_may_write_is_never_loaded(copied: Path) -> None:
    """Loading runs what is in it: owner and modes of file and folder come first."""
    for place in (copied, copied.parent):
        mode = place.stat().st_mode
        place.chmod(0o777)
        with pytest.raises(library_module.Stale, match="other users may write"):
            Library(copied)
        place.chmod(mode)
    if os.getuid() == 0:
        os.chown(copied, 12345, 12345)
        with pytest.raises(library_module.Stale, match="belongs to another user"):
            Library(copied)


def test_the_hash_is_read_before_anything_is_loaded(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module, "digest", lambda modules: "another")
    with pytest.raises(library_module.Stale, match="other sources"):
        Library(copied)
    monkeypatch.undo()
    monkeypatch.setattr(library_module, "path_of", lambda module: copied.with_name("gone.py"))
    with pytest.raises(library_module.Stale, match="other sources"):
        Library(copied)


def test_a_damaged_library_is_left_alone(copied: Path) -> None:
    whole = copied.read_bytes()
    for left in (b"no library", whole[: len(whole) // 2], b""):
        copied.write_bytes(left)
        with pytest.raises(library_module.Stale, match="cannot be used"):
            Library(copied)


@pytest.mark.parametrize(
    ("backend", "said"),
    [
        ("aot", "aot 42 42 40 42"),
        ("jit", "jit 42 42 40 42"),
        ("none", "MissingExtra"),
        ("numba", "may be aot, jit, none"),
    ],
)
def test_the_backend_can_be_chosen(built: Path, backend: str, said: str) -> None:
    """With either kernels answer, and read and write numbers by name."""
    done = run(USE, built, SOKOASP_BACKEND=backend)
    assert said in done.stdout + done.stderr


def test_the_command_line_says_so_through_a_pipe(root: Path, tmp_path: Path) -> None:
    """One sentence about a library that cannot be used, then what is missing; nothing of it on stdout."""
    (tmp_path / "kernels.so").write_bytes(b"no library")
    level = str(root / "instances/tutorial/first.xsb")
    code = "import sys\nfrom sokoasp.cli import main\nmain(sys.argv[1:])"
    done = run(code, tmp_path, "solve", level, "--engine", "forward", SOKOASP_BACKEND="aot")
    first, second = done.stderr.splitlines()
    assert first.startswith("sokoasp: ") and "kernels.so cannot be used" in first
    assert second.endswith("install it with: pip install 'sokoasp[jit]'") and done.returncode == 2 and not done.stdout


@pytest.mark.parametrize(
    ("backend", "said"), [("aot", "from the library"), ("jit", "by numba"), ("none", "none, neither")]
)
def test_warm_says_where_kernels_come_from(built: Path, backend: str, said: str) -> None:
    done = run("from sokoasp.cli import main\nmain(['warm', '--check'])", built, SOKOASP_BACKEND=backend)
    assert done.stdout.startswith(f"kernels: {said}") and done.returncode == 0, done.stderr


def test_warm_has_nothing_to_do_where_a_library_fits(built: Path) -> None:
    done = run("from sokoasp.cli import main\nmain(['warm'])", built, SOKOASP_BACKEND="aot")
    assert done.stdout == f"kernels: from the library {built / 'kernels.so'}\n"


ALL = """
import importlib
from sokoasp.core import kernels
from kernels import compiler
from sokoasp.core.kernels import shared_library
found = []
kernels.kernel = lambda signature: lambda function: found.append((function, signature)) or function
for module in compiler.kernel_modules():
    importlib.import_module(module)
for function, signature in found:
    result, wanted = shared_library.kinds(signature)
    assert result in ("i8", "int64", "b1", "void") or shared_library.inner(signature), (function, signature)
    assert len(wanted) == function.__code__.co_argcount, (function, signature)
modules = compiler.kernel_modules()
sources = compiler.sources(modules)
assert set(modules) <= set(sources) and not [name for name in sources if name.startswith("sokoasp.core")]
print(len(found), *sources)
"""


def test_every_kernel_has_a_signature_that_the_library_takes(tmp_path: Path) -> None:
    done = run(ALL, tmp_path)
    assert done.returncode == 0, done.stderr
    number, *sources = done.stdout.split()
    assert int(number) >= 140
    # constants of a module that kernels import are compiled into them: it counts as a source of the library
    assert {"records", "macro_registers"} <= {name.rpartition(".")[2] for name in sources}
