"""The checker in JavaScript against ``docs/check_proof.py``: forged folders, refutations, packed files, planted faults."""

from __future__ import annotations

import hashlib
import lzma
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("numba")

from sokoasp.engine.proving import Request, certify
from sokoasp.klotski import notation
from sokoasp.sokoban.rules import plan_from_lurd
from tests.proof import campaign, javascript
from tests.proof.forging import package_says, standalone_says
from tests.proof.makers import resign, solvable

pytestmark = pytest.mark.skipif(javascript.NODE is None, reason="no node on this machine")
Said = list[tuple[str, Path, str | None]]
"""What a folder is, where it lies, and why ``check_proof.py`` refuses it."""


def _campaign(most: int, place: Path, seed: int) -> Said:
    found: Said = []
    for name, forged in campaign._forged(random.Random(seed), place):
        folder = forged.put(place / str(len(found)))
        found.append((name, folder, standalone_says(folder)))
        if len(found) == most:
            break
    return found


def _differ(said: Said, checker: Path = javascript.CHECKER) -> list[str]:
    answers = javascript.says([folder for _, folder, _ in said], checker)
    return [
        f"{name}, {folder}: Python {alone!r}, JavaScript {script!r}"
        for (name, folder, alone), script in zip(said, answers, strict=True)
        if (alone is None) != (script is None)
    ]


@pytest.fixture(scope="module")
def forged(tmp_path_factory: pytest.TempPathFactory) -> Said:
    return _campaign(190, tmp_path_factory.mktemp("forged"), 5)


def test_both_checkers_say_the_same_of_forged_folders(forged: Said) -> None:
    assert _differ(forged) == []
    accepted = [name for name, _, alone in forged if alone is None]
    assert "honest" in accepted and "honest (board)" in accepted and len(accepted) < len(forged) / 2


@pytest.mark.parametrize("name", ["claim.json", "plan.lurd", "states.xz"])
def test_the_command_waits_for_no_pipe_and_reads_no_device(name: str, tmp_path: Path) -> None:
    level, _, lurd = next(iter(solvable(10, "pushes", 4)))
    certify(level, tmp_path, Request("pushes", known=plan_from_lurd(level, lurd), kind="states"))
    for put in (os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir, lambda path: path.symlink_to(path)):
        path = tmp_path / name
        path.rmdir() if path.is_dir() else path.unlink()
        put(path)
        command = [str(javascript.NODE), str(javascript.CHECKER), str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (30, "")
        assert done.stdout.splitlines()[-1].startswith("INVALID: ")


FAULTS = (
    ("value === NEVER ? least === NEVER : value <= MOST && value <= least", "true", "no inequality of the tables"),
    (": known <= cost + 1,", ": true,", "a list that is not closed"),
    ('if (object.has(key)) fail("claim.json has a key twice");', "", "a key twice"),
    ("sha256(folder.bytes(name)) === files.get(name)", "true", "another file"),
    (
        'demand(!listed.has(keyOf(cells, player)), "states: one is there twice");',
        "",
        "a record twice",
    ),
    (
        'demand(!file.take(1).length, "tables: too many entries");',
        "",
        "more entries",
    ),
    ('demand(at === bytes.length, "it goes on behind its stream");', "", "bytes behind the stream"),
)


@pytest.mark.parametrize(("text", "wrong", "why"), FAULTS, ids=[why for *_, why in FAULTS])
def test_a_fault_in_the_checker_is_seen(forged: Said, tmp_path: Path, text: str, wrong: str, why: str) -> None:
    whole = javascript.CHECKER.read_text(encoding="utf-8")
    assert text in whole
    faulty = tmp_path / "faulty.js"
    faulty.write_text(whole.replace(text, wrong), encoding="utf-8")
    lists = (folder / "states.xz" for name, folder, _ in forged if name == "honest")
    honest = next(path for path in lists if path.exists() and path.stat().st_size > 32).parent
    packed = (honest / "states.xz").read_bytes()
    spoilt = {
        "a record twice": lzma.compress(2 * lzma.decompress(packed)),
        "bytes behind the stream": packed + b"\0\0\0\0",
        "a key twice": packed,
        "another file": lzma.compress(lzma.decompress(packed), check=lzma.CHECK_CRC32),
    }
    more: Said = []
    if why in spoilt:
        folder = shutil.copytree(honest, tmp_path / "spoilt")
        (folder / "states.xz").write_bytes(spoilt[why])
        if why != "another file":
            resign(folder)
        if why == "a key twice":
            claim = (folder / "claim.json").read_text()
            (folder / "claim.json").write_text(claim.rstrip()[:-1] + ', "version": "again"}')
        more = [(why, folder, standalone_says(folder))]
        assert more[0][2] is not None and _differ(more) == []
        assert why != "a record twice" or "states: one is there twice" in str(more[0][2])
    assert _differ(more or forged, faulty), why


def test_pieces_of_any_script_are_refuted_before_all_checkers(tmp_path: Path) -> None:
    pytest.importorskip("pysat", reason="python-sat is not installed")
    (board,) = notation.read("title: 橫刀立馬\ngoal: é 2,2; 橫 1,0\né.#\n.橫.\n...\n")
    for objective in ("slides", "units"):
        folder = tmp_path / objective
        assert certify(board, folder, Request(objective, kind="refutation")).claim is not None
        assert javascript.every_checker_says(folder) == [None, None, None]
        formula = folder / "claim.cnf"
        formula.write_bytes(formula.read_bytes().replace(b"\\xe9", "é".encode()))
        resign(folder)
        assert None not in javascript.every_checker_says(folder), "comments are ASCII"


EDGES = {
    "a byte too many": (b"d\xfe\xff\xff\x80\x00\x00", "length === 1 || bytes[at - 1] > 0"),
    "eight bytes": (b"d" + b"\xfe" * 7 + b"\x01\x00", "at < bytes.length && length < 7"),
}
"""Steps that would do no harm to a binary proof, and what in the checker refuses them."""


@pytest.mark.parametrize("edge", EDGES)
def test_binary_proofs_are_read_alike_and_a_fault_is_seen(edge: str, tmp_path: Path) -> None:
    pytest.importorskip("pysat", reason="python-sat is not installed")
    level, _, lurd = next(one for one in solvable(10, "pushes", 4) if one[1] > 1)
    request = Request("pushes", known=plan_from_lurd(level, lurd), kind="refutation", binary=True)
    certify(level, tmp_path / "honest", request)
    step, test = EDGES[edge]
    spoilt = shutil.copytree(tmp_path / "honest", tmp_path / "spoilt")
    (spoilt / "proof.lrat").write_bytes(b"d\0" + step + (spoilt / "proof.lrat").read_bytes())
    resign(spoilt)
    said = [(edge, folder, standalone_says(folder)) for folder in (tmp_path / "honest", spoilt)]
    assert said[0][2] is None and "is not one of binary LRAT" in str(said[1][2]) and _differ(said) == []
    assert "is not one of binary LRAT" in str(package_says(spoilt))
    whole = javascript.CHECKER.read_text(encoding="utf-8")
    assert whole.count(test) == 1
    faulty = tmp_path / "faulty.js"
    faulty.write_text(whole.replace(test, "true"), encoding="utf-8")
    assert len(_differ(said, faulty)) == 1


def test_text_of_a_refutation_is_spelt_in_one_way(tmp_path: Path) -> None:
    """It would do no harm; but what one checker accepts no other may refuse."""
    pytest.importorskip("pysat", reason="python-sat is not installed")
    level, _, lurd = next(one for one in solvable(10, "pushes", 4) if one[1] > 1)
    honest = tmp_path / "honest"
    certify(level, honest, Request("pushes", known=plan_from_lurd(level, lurd), kind="refutation"))
    proof, cnf = ((honest / name).read_bytes() for name in ("proof.lrat", "claim.cnf"))
    said = []
    for number, (name, data, holds) in enumerate(
        (
            ("proof.lrat", proof + b"\xff what follows is not read", True),
            ("proof.lrat", proof.replace(b" d ", b" d"), True),
            ("proof.lrat", "\ufeff".encode() + proof, False),
            ("proof.lrat", proof.replace(b"\n", b"\r\n"), False),
            ("proof.lrat", proof.replace(b" ", b"\t"), False),
            ("claim.cnf", cnf.replace(b"\n", b"\r\n"), False),
            ("claim.cnf", cnf.rstrip(b"\n"), False),
        )
    ):
        folder = shutil.copytree(honest, tmp_path / str(number))
        (folder / name).write_bytes(data)
        resign(folder)
        assert (package_says(folder) is None) is (standalone_says(folder) is None) is holds, (number, name)
        said.append((name, folder, standalone_says(folder)))
    assert _differ(said) == []


def test_a_board_is_written_in_one_way(tmp_path: Path) -> None:
    """What is harmless but not as the package writes it: whatever one checker refuses no other accepts."""
    (board,) = notation.read("title: T\nauthor: x y\ngoal: b 1,0\nmask: ??./???\nbd.\nef.\n")
    honest = tmp_path / "honest"
    certify(board, honest, Request("units"))
    text = (honest / "level.klotski").read_text()
    spoilt = [text.rstrip("\n"), text.replace("x y", "x  y"), text.replace("title: T", "title: ")]
    spoilt += [text.replace("./", ".?/"), text.replace("??./???", "??./???/???"), text.replace("??./???", "??.")]
    spoilt += ["author: x y\n" + text.replace("author: x y\n", ""), text.replace("1,0", "01,0")]
    spoilt += [text.replace("bd.", f"moves: {ways}\nbd.") for ways in ("b udlr", "d rl", "f -; d -")]
    spoilt += [text.replace("x y", "x\u00a0y"), text.replace("x y", "x \u3000y"), text.replace("x y", "\x1fx y")]
    spoilt += [text.replace("??./???", "???/???"), text.replace("??./???", "??./#??")]
    said = []
    signs = text.replace("x y", "\ufeffx\u200by\ufeff")  # no blanks in Python
    for number, other in enumerate([text, signs, *spoilt]):
        folder = shutil.copytree(honest, tmp_path / str(number))
        (folder / "level.klotski").write_text(other)
        resign(folder)
        said.append((other, folder, standalone_says(folder)))
        assert (package_says(folder) is None) is (said[-1][2] is None) is (other in (text, signs)), other
    assert _differ(said) == []


def test_a_clause_of_a_new_variable_is_refused_by_all(tmp_path: Path) -> None:
    """It would do no harm; the campaign once found it accepted by two and refused by one."""
    pytest.importorskip("pysat", reason="python-sat is not installed")
    level, _, lurd = next(one for one in solvable(10, "pushes", 4) if one[1] > 1)
    certify(level, tmp_path, Request("pushes", known=plan_from_lurd(level, lurd), kind="refutation"))
    clauses = int((tmp_path / "claim.cnf").read_text().partition("p cnf ")[2].split()[1])
    proof = (tmp_path / "proof.lrat").read_text()
    first = int(proof.split()[0])
    assert first == clauses + 1
    rows = [line.split(" ", 1) for line in proof.splitlines()]
    new = next(row[1].split(" 0 ", 1) for row in rows if " d " not in " ".join(row))
    # the first clause once more, now with a literal that is in no clause of the formula, before all others
    moved = [f"{first} {new[0]} 9999 0 {new[1]}", *(_later(line, first) for line in proof.splitlines())]
    for text, refused in (
        (proof, False),
        ("\n".join(moved).replace(" 9999", "") + "\n", False),
        ("\n".join(moved) + "\n", True),
    ):
        (tmp_path / "proof.lrat").write_text(text)
        resign(tmp_path)
        said = (package_says(tmp_path), standalone_says(tmp_path), *javascript.says([tmp_path]))
        assert [("not a variable" in (why or ""), why is not None) for why in said] == [(refused, refused)] * 3


def _later(line: str, first: int) -> str:
    """Return a line of a proof with the numbers of derived clauses one higher."""
    words = line.split()
    start = 2 if words[1] == "d" else words.index("0") + 1
    for at in (0, *range(start, len(words) - 1)):
        words[at] = str(int(words[at]) + (int(words[at]) >= first))
    return " ".join(words)


def test_packed_files_are_read_as_liblzma_reads_them(tmp_path: Path) -> None:
    rng = random.Random(7)
    noise, text = rng.randbytes(70_000), b"".join(b"push(%d,%d). " % (rng.randrange(40), n % 97) for n in range(4_000))
    long = text * 100  # 4.8 MB: longer than the window, so that it slides
    ways = [
        (lzma.CHECK_CRC64, {"preset": 1}, text + noise),
        (lzma.CHECK_CRC32, {"preset": 9 | lzma.PRESET_EXTREME}, text),
        (lzma.CHECK_SHA256, {"preset": 6}, noise + bytes(5_000)),
        (lzma.CHECK_NONE, {"filters": [{"id": lzma.FILTER_LZMA2, "preset": 3, "lc": 0, "lp": 2, "pb": 4}]}, text),
        (lzma.CHECK_CRC64, {"filters": [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 5_000, "pb": 0}]}, long),
        (lzma.CHECK_CRC64, {"preset": 0}, b""),
    ]
    files, sums = [], []
    for number, (check, how, data) in enumerate(ways):
        files.append(tmp_path / f"{number}.xz")
        files[-1].write_bytes(lzma.compress(data, check=check, **how))
        sums.append(hashlib.sha256(data).hexdigest())
    assert javascript.unpacked_sums(files) == sums
    packed, spoilt = lzma.compress(text[:400], preset=1), []
    for at in range(len(packed)):
        spoilt.append(tmp_path / f"spoilt-{at}.xz")
        spoilt[-1].write_bytes(packed[:at] + bytes([packed[at] ^ 1 << rng.randrange(8)]) + packed[at + 1 :])
    assert hashlib.sha256(text[:400]).hexdigest() not in javascript.unpacked_sums(spoilt), "each bit is under some sum"


def test_it_is_a_command_with_the_exit_codes_of_the_other(forged: Said) -> None:
    good = next(folder for name, folder, _ in forged if name == "honest")
    bad = next(folder for _, folder, alone in forged if alone is not None)
    for folder, code, last in ((good, 0, "valid"), (bad, 30, "INVALID: ")):
        done = subprocess.run(
            ["node", str(javascript.CHECKER), str(folder)], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout.splitlines()[-1][: len(last)]) == (code, last)
    assert subprocess.run(["node", str(javascript.CHECKER)], capture_output=True, check=False).returncode == 2
