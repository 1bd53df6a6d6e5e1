"""The cache of compiled kernels: cold, warm, damaged, not writable, and without numba. One small kernel stands for all."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sokoasp.core import kernels
from sokoasp.core.kernels import compiler, numba_cache
from sokoasp.core.limits import paused
from tests.levels import some_now

TOY = """
from sokoasp.core.kernels import kernel

@kernel("i8(i8)")
def twice(number):
    return 2 * number
"""
USE = """
import sys
from sokoasp.core import kernels
(toy,) = kernels.load(["toy_kernels"], lambda text: print("progress:", text))
print("answer:", toy.twice(21), type(toy.twice).__name__)
"""


def run(place: Path, cache: Path | str, code: str = USE, **more: str) -> str:
    (place / "toy_kernels.py").exists() or (place / "toy_kernels.py").write_text(TOY)
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(place), *sys.path]),
        "SOKOASP_CACHE_DIR": str(cache),
        "SOKOASP_BACKEND": "jit",
        **more,
    }
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a toy kernel and its cache; each test leaves a cache behind that serves the source."""
    pytest.importorskip("numba")
    place = tmp_path_factory.mktemp("warm")
    assert "progress: compiling" in run(place, place / "cache")
    return place


def cached(place: Path, suffix: str) -> list[Path]:
    return sorted((place / "cache").rglob(f"*{suffix}"))


def test_a_second_process_takes_the_compiled_code(warm: Path) -> None:
    stamps = {p: p.stat().st_mtime_ns for p in cached(warm, ".nbc")}
    assert stamps
    text = run(warm, warm / "cache")
    assert "answer: 42 CPUDispatcher" in text and "progress" not in text
    assert {p: p.stat().st_mtime_ns for p in cached(warm, ".nbc")} == stamps


@pytest.mark.parametrize(
    ("suffix", "damage"),
    some_now([(".nbc", "truncated"), (".nbi", "truncated"), (".nbc", "flipped"), ("manifest.json", "gone")], 1),
)
def test_a_damaged_cache_is_rebuilt(warm: Path, suffix: str, damage: str) -> None:
    (victim,) = cached(warm, suffix)
    data = victim.read_bytes()
    if damage == "gone":
        victim.unlink()
    elif damage == "truncated":
        victim.write_bytes(data[: len(data) // 2])
    else:
        victim.write_bytes(data[:-9] + bytes(255 - b for b in data[-9:]))
    text = run(warm, warm / "cache")
    assert "answer: 42" in text and "progress: compiling" in text
    assert "progress" not in run(warm, warm / "cache"), "the rebuilt cache serves the next process"


def test_a_changed_source_is_compiled_anew(warm: Path) -> None:
    # of another length: within a second Python would take the bytecode of a source that is as long
    (warm / "toy_kernels.py").write_text(TOY.replace("2 * number", "number * 3 + 0"))
    text = run(warm, warm / "cache")
    (warm / "toy_kernels.py").write_text(TOY)
    assert "answer: 63" in text and "progress: compiling" in text
    assert "answer: 42" in run(warm, warm / "cache")


def test_places_that_cannot_be_written(warm: Path) -> None:
    file = warm / "a file"
    file.write_text("")
    spare = warm / "tmp"
    spare.mkdir()
    text = run(warm, file / "cache", TMPDIR=str(spare))
    assert "answer: 42" in text
    assert list(spare.rglob("*.nbc")), "the system's temporary directory is used instead"
    code = "import tempfile; tempfile.tempdir = '/dev/null'\n" + USE
    text = run(warm, file / "cache", code)
    assert "answer: 42" in text and "no cache directory" in text


def test_without_numba_it_says_how_to_install_it(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["numba"] = None
from sokoasp.core import errors, kernels
assert not kernels.status().there
for use in (lambda: kernels.load(["toy_kernels"]), lambda: kernels.kernel("i8(i8)")):
    try:
        use()
    except errors.MissingExtra as error:
        print(error)
"""
    assert run(tmp_path, tmp_path, code).count("pip install 'sokoasp[jit]'") == 2


def test_importing_the_search_imports_neither_numpy_nor_numba(tmp_path: Path) -> None:
    code = """
import sys
import sokoasp.sokoban.search
print(sorted({"numpy", "numba", "llvmlite"} & set(sys.modules)))
"""
    assert run(tmp_path, tmp_path, code).strip() == "[]"


def test_load_seconds_is_a_time() -> None:
    assert kernels.load_seconds() >= 0


def test_what_is_loaded_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What learns asks for its kernels each time; a search of the import path took 45 microseconds of 49."""
    monkeypatch.setattr(kernels.importlib.util, "find_spec", lambda name: pytest.fail(f"{name} is looked for"))
    monkeypatch.setitem(kernels._loaded, "loaded_before", kernels)
    assert kernels.load(("loaded_before",)) == (kernels,)


def test_waiting_for_another_process_that_compiles_counts_against_no_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []

    @contextmanager
    def waiting(_directory: Path) -> Iterator[None]:
        counted.append(not paused())
        yield

    monkeypatch.setattr(numba_cache, "_locked", waiting)
    numba_cache._rebuild([], tmp_path, None)
    assert counted == [False] and not paused()


def test_kernels_are_for_any_processor_and_numba_keeps_its_own_settings(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    (tmp_path / "toy_kernels.py").write_text(
        "from sokoasp.core.kernels import kernel\n\n\n@kernel('i8(i8[::1])')\ndef total(row):\n    value = 0\n"
        "    for i in range(len(row)):\n        value += row[i]\n    return value\n"
    )
    code = """
from numba import config
names = ("CPU_NAME", "CPU_FEATURES", "LOOP_VECTORIZE", "CACHE_DIR")
before = [getattr(config, name) for name in names]
from sokoasp.core import kernels
(toy,) = kernels.load(["toy_kernels"])
(made,) = toy.total.overloads.values()
print("vectors:", "vector.body" in str(made.library.get_llvm_str()), "for:", made.library.codegen.magic_tuple()[2] == "")
print("kept:", [getattr(config, name) for name in names] == before)
"""
    said = run(tmp_path, tmp_path / "cache", code)
    assert "vectors: False for: True" in said and "kept: True" in said


PAIR = """
from sokoasp.core.kernels import kernel

@kernel("i8(i8)")
def once(number):
    return number + 1

@kernel("i8(i8)")
def thrice(number):
    return once(once(once(number)))
"""


def test_processes_side_by_side_leave_nothing_to_compile(tmp_path: Path) -> None:
    """Both processes take part, a kernel waits for those it calls, and the process that asked only loads what they made."""
    pytest.importorskip("numba")
    (tmp_path / "toy_kernels.py").write_text(PAIR)
    code = """
from sokoasp.core import kernels
from sokoasp.core.kernels import numba_cache
numba_cache._LARGE = 0
kernels.reporters.append(lambda text: print("said:", text))
(toy,) = kernels.load(["toy_kernels"])
print("answer:", toy.thrice(39), "hits:", sum(toy.thrice.stats.cache_hits.values()), sum(toy.once.stats.cache_hits.values()))
"""
    said = run(tmp_path, tmp_path / "cache", code)
    assert "answer: 42 hits: 1 1" in said
    assert (
        "once for this version): about 1 s; no time limit counts it, and it is given up after 900 s" in said
        and "compiling toy_kernels: 12% done" in said
        and "compiled the native" in said
    )


def test_a_process_that_compiles_for_one_that_has_ended_says_nothing(tmp_path: Path) -> None:
    """Nobody reads what it prints: it ends, without a traceback among the answers."""
    pytest.importorskip("numba")
    (tmp_path / "toy_kernels.py").write_text(TOY)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]), "SOKOASP_BACKEND": "jit"}
    command = [sys.executable, "-m", "sokoasp.core.child", str(os.getpid()), "compiling"]
    with subprocess.Popen(
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as one:
        assert one.stdin and one.stdout and one.stderr
        pickle.dump((compiler._work, ([("toy_kernels", str(tmp_path / "cache"))], {})), one.stdin)
        one.stdin.flush()
        assert "toy_kernels.twice" in pickle.load(one.stdout)[0]
        one.stdout.close()
        pickle.dump(0, one.stdin)
        one.stdin.close()
        assert one.stderr.read() == b""
    assert one.returncode == 1


def test_compiling_has_a_limit_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    code = """
from sokoasp.core import kernels
from sokoasp.core.kernels import numba_cache
numba_cache._LARGE = numba_cache.LIMIT = 0
try:
    kernels.load(["toy_kernels"])
except numba_cache.TooLong as error:
    print(error)
"""
    assert "`sokoasp warm` compiles them without a limit" in run(tmp_path, tmp_path / "cache", code)
