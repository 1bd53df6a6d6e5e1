"""The cache of compiled kernels: cold, warm, damaged, not writable, and without numba. One small kernel stands for all."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sokoasp.core import jit
from sokoasp.core.limits import paused

TOY = """
from sokoasp.core.jit import kernel

@kernel("i8(i8)")
def twice(number):
    return 2 * number
"""
USE = """
import sys
from sokoasp.core import jit
(toy,) = jit.load(["toy_kernels"], lambda text: print("progress:", text))
print("answer:", toy.twice(21), type(toy.twice).__name__)
"""


def run(place: Path, cache: Path | str, code: str = USE, **more: str) -> str:
    (place / "toy_kernels.py").exists() or (place / "toy_kernels.py").write_text(TOY)
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(place), *sys.path]),
        "SOKOASP_CACHE_DIR": str(cache),
        **more,
    }
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def warm(tmp_path: Path) -> Path:
    pytest.importorskip("numba")
    assert "progress: compiling" in run(tmp_path, tmp_path / "cache")
    return tmp_path


def cached(place: Path, suffix: str) -> list[Path]:
    return sorted((place / "cache").rglob(f"*{suffix}"))


def test_a_second_process_takes_the_compiled_code(warm: Path) -> None:
    stamps = {p: p.stat().st_mtime_ns for p in cached(warm, ".nbc")}
    assert stamps
    text = run(warm, warm / "cache")
    assert "answer: 42 CPUDispatcher" in text and "progress" not in text
    assert {p: p.stat().st_mtime_ns for p in cached(warm, ".nbc")} == stamps


@pytest.mark.parametrize(
    ("suffix", "damage"), [(".nbi", "truncated"), (".nbc", "truncated"), (".nbc", "flipped"), ("manifest.json", "gone")]
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
    (warm / "toy_kernels.py").write_text(TOY.replace("2 *", "3 *"))
    text = run(warm, warm / "cache")
    assert "answer: 63" in text and "progress: compiling" in text


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
from sokoasp.core import errors, jit
assert not jit.available()
for use in (lambda: jit.load(["toy_kernels"]), lambda: jit.kernel("i8(i8)")):
    try:
        use()
    except errors.MissingExtra as error:
        print(error)
"""
    assert run(tmp_path, tmp_path, code).count("pip install 'sokoasp[native]'") == 2


def test_importing_the_search_imports_neither_numpy_nor_numba(tmp_path: Path) -> None:
    code = """
import sys
import sokoasp.sokoban.search
print(sorted({"numpy", "numba", "llvmlite"} & set(sys.modules)))
"""
    assert run(tmp_path, tmp_path, code).strip() == "[]"


def test_load_seconds_is_a_time() -> None:
    assert jit.load_seconds() >= 0


def test_waiting_for_another_process_that_compiles_counts_against_no_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []

    @contextmanager
    def waiting(_directory: Path) -> Iterator[None]:
        counted.append(not paused())
        yield

    monkeypatch.setattr(jit, "_locked", waiting)
    jit._rebuild([], tmp_path, None)
    assert counted == [False] and not paused()
