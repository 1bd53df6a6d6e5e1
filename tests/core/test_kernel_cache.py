"""The cache of compiled kernels: cold, warm, changed, not writable, and without numba. One small kernel stands for all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sokoasp.core import kernels

TOY = """
from sokoasp.core.kernels import kernel
from sokoasp.core.limits import paused
counted = not paused()

@kernel("i8(i8)")
def twice(number):
    return 2 * number
"""
LOOP = """
@kernel("i8(i8[::1])")
def total(row):
    value = 0
    for i in range(len(row)):
        value += row[i]
    return value
"""
USE = """
from numba import config
names = ("CPU_NAME", "CPU_FEATURES", "LOOP_VECTORIZE", "CACHE_DIR")
before = [getattr(config, name) for name in names]
from sokoasp.core import kernels, progress
progress.reporters.append(lambda text: print("progress:", text))
(toy,) = kernels.load(["toy_kernels"])
assert not toy.counted, "loading kernels"
print("answer:", toy.twice(21), type(toy.twice).__name__)
print("kept:", [getattr(config, name) for name in names] == before)
"""
COMPILED = """
(made,) = toy.total.overloads.values()
print("vectors:", "vector.body" in str(made.library.get_llvm_str()), "for:", made.library.codegen.magic_tuple()[2] == "")
"""
FORKS = """
import os, sys, numba
for line in sys.stdin:
    child = os.fork()
    if not child:
        exec(sys.argv[1])
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
    print("end", flush=True)
"""
"""Its children stand for processes that begin anew: numba is imported, and nothing of ours."""


def begun(place: Path, cache: Path | str, *words: str) -> subprocess.Popen[str]:
    (place / "toy_kernels.py").exists() or (place / "toy_kernels.py").write_text(TOY)
    paths = {"PYTHONPATH": os.pathsep.join([str(place), *sys.path]), "SOKOASP_CACHE_DIR": str(cache)}
    env = {**os.environ, **paths, "SOKOASP_BACKEND": "jit"}
    return subprocess.Popen([sys.executable, "-c", *words], env=env, stdin=-1, stdout=-1, stderr=-1, text=True)


def run(place: Path, cache: Path | str, code: str = USE) -> str:
    with begun(place, cache, code) as process:
        out, errors = process.communicate()
    assert process.returncode == 0, errors
    return out


def test_another_process_takes_the_compiled_code_while_cache_and_source_are_whole(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    cache = tmp_path / "cache"
    with begun(tmp_path, cache, FORKS, USE) as process:
        assert process.stdin is not None and process.stdout is not None

        def again() -> str:
            print(file=process.stdin, flush=True)
            return "".join(iter(process.stdout.readline, "end\n"))

        assert "progress: compiling" in again()
        stamps = {p: p.stat().st_mtime_ns for p in cache.rglob("*.nbc")}
        text = again()
        assert "answer: 42 CPUDispatcher" in text and "progress" not in text
        assert stamps and {p: p.stat().st_mtime_ns for p in cache.rglob("*.nbc")} == stamps
        for suffix in (".nbi", ".nbc"):
            file, *_ = cache.rglob(f"*{suffix}")
            file.write_bytes(file.read_bytes()[:20])
            text = again()
            assert "answer: 42" in text and "progress: compiling" in text, "what was cut short is made afresh"
        # of another length: within a second Python would take the bytecode of a source that is as long
        (tmp_path / "toy_kernels.py").write_text(TOY.replace("2 * number", "number * 3 + 0"))
        text = again()
        assert "answer: 63" in text and "progress: compiling" in text
        process.stdin.close()


SHORT = """
import sys
from sokoasp.core import guard, kernels
from sokoasp.core.limits import Limits
guard.GRACE = 0.0
try:
    with guard.guarded(Limits(seconds=0.05).start()):
        kernels.load(["toy_kernels"])
except guard.LimitReached as reached:
    print(reached, "numba" in sys.modules)
(toy,) = kernels.load(["toy_kernels"])
print("answer:", toy.twice(21))
"""


def test_a_limit_that_strikes_while_numba_is_imported_waits_for_the_end_of_that(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    run(tmp_path, tmp_path / "cache")
    assert run(tmp_path, tmp_path / "cache", SHORT) == "time limit True\nanswer: 42\n"


def test_where_nothing_can_be_kept_kernels_are_compiled_for_one_process(tmp_path: Path) -> None:
    """For any processor, and numba keeps its own settings."""
    pytest.importorskip("numba")
    (tmp_path / "a file").write_text("")
    (tmp_path / "toy_kernels.py").write_text(TOY + LOOP)
    text = run(tmp_path, tmp_path / "a file" / "cache", USE + COMPILED)
    assert "answer: 42" in text and "no cache directory" in text
    assert "vectors: False for: True" in text and "kept: True" in text


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away")
def test_a_cache_of_another_user_is_never_read(tmp_path: Path) -> None:
    """Reading it would run what is in it."""
    numba_cache = pytest.importorskip("sokoasp.core.kernels.numba_cache")
    os.chown(tmp_path, 12345, 12345)
    assert numba_cache._writable(tmp_path) is None


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
    code = "import sys, sokoasp.sokoban.search; print(sorted({'numpy', 'numba', 'llvmlite'} & set(sys.modules)))"
    assert run(tmp_path, tmp_path, code).strip() == "[]"


def test_what_is_loaded_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What learns asks for its kernels each time; a search of the import path took 45 microseconds of 49."""
    monkeypatch.setattr(kernels.importlib.util, "find_spec", lambda name: pytest.fail(f"{name} is looked for"))
    monkeypatch.setitem(kernels._loaded, "loaded_before", kernels)
    assert kernels.load(("loaded_before",)) == (kernels,)
