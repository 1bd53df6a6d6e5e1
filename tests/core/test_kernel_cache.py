"""The cache of compiled kernels: cold, warm, changed, not writable, and without numba. One small kernel stands for all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sokoasp.core import kernels

TOY = """
from sokoasp.core.kernels import kernel

@kernel("i8(i8)")
def twice(number):
    return 2 * number
"""
USE = """
import sys
from sokoasp.core import kernels, progress
progress.reporters.append(lambda text: print("progress:", text))
(toy,) = kernels.load(["toy_kernels"])
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


def test_a_second_process_takes_the_compiled_code_while_cache_and_source_are_whole(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    cache = tmp_path / "cache"
    assert "progress: compiling" in run(tmp_path, cache)
    stamps = {p: p.stat().st_mtime_ns for p in cache.rglob("*.nbc")}
    text = run(tmp_path, cache)
    assert "answer: 42 CPUDispatcher" in text and "progress" not in text
    assert stamps and {p: p.stat().st_mtime_ns for p in cache.rglob("*.nbc")} == stamps
    for suffix in (".nbi", ".nbc"):
        (file,) = cache.rglob(f"*{suffix}")
        file.write_bytes(file.read_bytes()[:20])
        text = run(tmp_path, cache)
        assert "answer: 42" in text and "progress: compiling" in text, "what was cut short is made afresh"
    assert "progress" not in run(tmp_path, cache)
    # of another length: within a second Python would take the bytecode of a source that is as long
    (tmp_path / "toy_kernels.py").write_text(TOY.replace("2 * number", "number * 3 + 0"))
    text = run(tmp_path, cache)
    assert "answer: 63" in text and "progress: compiling" in text


def test_where_nothing_can_be_kept_kernels_are_compiled_for_one_process(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    (tmp_path / "a file").write_text("")
    text = run(tmp_path, tmp_path / "a file" / "cache")
    assert "answer: 42" in text and "no cache directory" in text


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
    code = """
import sys
import sokoasp.sokoban.search
print(sorted({"numpy", "numba", "llvmlite"} & set(sys.modules)))
"""
    assert run(tmp_path, tmp_path, code).strip() == "[]"


def test_what_is_loaded_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What learns asks for its kernels each time; a search of the import path took 45 microseconds of 49."""
    monkeypatch.setattr(kernels.importlib.util, "find_spec", lambda name: pytest.fail(f"{name} is looked for"))
    monkeypatch.setitem(kernels._loaded, "loaded_before", kernels)
    assert kernels.load(("loaded_before",)) == (kernels,)


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
