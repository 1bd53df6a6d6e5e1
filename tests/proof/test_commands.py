"""``certify`` and ``check-proof`` as they are called: what they say, and no traceback ever."""

import json
import lzma
import os
import shutil
from pathlib import Path
from zlib import crc32

import pytest
from click.testing import CliRunner, Result

from sokoasp.cli import root as command
from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import group_bounds, level_text
from sokoasp.proof.refusals import Refused
from sokoasp.proof.unpack import Unpacked
from sokoasp.sokoban import formats
from sokoasp.sokoban.canonical import board_hash
from tests.commands import run
from tests.proof.forging import package_says, packed_words, says, write
from tests.proof.makers import resign

ROW = "#######\n#@ $ .#\n#######\n"


def _run(*words: str) -> Result:
    result = CliRunner().invoke(command, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit | Refused), result.output
    return result


@pytest.fixture
def made(tmp_path: Path, root: Path) -> Path:
    """A certificate of the tutorial's first level."""
    folder = tmp_path / "made"
    done = _run("certify", str(root / "instances/tutorial/first.xsb"), "--objective", "pushes", "-o", str(folder))
    assert done.exit_code == 0, done.output
    return folder


def test_the_report_shows_the_level_and_its_hash(made: Path, root: Path) -> None:
    (level,) = formats.read((root / "instances/tutorial/first.xsb").read_bytes())
    for name in ("check-proof", "check"):
        reported = _run(name, str(made))
        assert reported.exit_code == 0
        assert board_hash(level) in reported.output
        assert all(f"            {row}\n" in reported.output for row in ROW.splitlines())
    assert _run("check-proof", str(made.parent)).output == f"{made}:\n{reported.output}", "a folder of them"
    (made.parent / "other").mkdir()
    (made.parent / "other" / "claim.json").touch()
    assert _run("check-proof", str(made.parent)).exit_code == 30
    row = json.loads(_run("check", str(made), "--json").output)
    assert (row["level"], row["picture"], row["valid"]) == (board_hash(level), ROW.rstrip(), True)


def test_a_level_and_a_plan_of_ones_own_are_not_overwritten(tmp_path: Path) -> None:
    """They may have the names that a certificate's have."""
    (level,) = formats.read(ROW)
    own = {"level.xsb": f"; Mine\n{ROW}", "plan.lurd": "rRR\n"}
    for name, text in own.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(SokoaspError, match=r"holds other files \(level.xsb\)"):
        certify(level, tmp_path, Request("pushes"))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == own


def test_an_old_certificate_stays_until_a_new_one_is_made(tmp_path: Path, root: Path) -> None:
    (level,), place = formats.read(ROW), tmp_path / "made"
    assert certify(level, place, Request("pushes", Limits(0.0001))).exit_code == 20
    assert not place.exists()
    file = str(root / "instances" / "tutorial" / "first.xsb")
    for said in ("", ", in place of an older one"):
        assert f"certificate in {place}{said}: " in _run("certify", file, "-o", str(place)).output
    kept = {path.name: path.read_bytes() for path in place.iterdir()}
    (place / ".making").mkdir()  # as of somebody who was killed
    assert certify(level, place, Request("pushes", Limits(0.0001))).exit_code == 20
    assert {path.name: path.read_bytes() for path in place.iterdir()} == kept


def test_a_folder_is_tied_to_a_level(made: Path, tmp_path: Path) -> None:
    turned = "#####\n# @ #\n#   #\n# $ #\n#   #\n# . #\n#####\n"
    column = "###\n#@#\n# #\n#$#\n# #\n#.#\n###\n"
    other = "###\n#@#\n#$#\n# #\n# #\n#.#\n###\n"
    file = tmp_path / "levels.xsb"
    for text, code, word in (
        (f"{ROW}\n{turned}", 0, "level 1 of those"),
        (f"{other}\n{column}", 0, "level 2 of those"),
        (f"{turned}\n{other}", 30, "none of the 2 levels"),
        (other, 30, "is not the level asked for"),
    ):
        file.write_text(text)
        for name in ("check-proof", "check"):
            reported = _run(name, str(made), "--level", str(file))
            assert (reported.exit_code, word in reported.output) == (code, True), reported.output
    for text, fault in (("", "E-NOLEVEL"), (ROW.replace("@ ", "@@"), ":2:3: E-PLAYERS")):
        file.write_text(text)
        reported = run("check-proof", made, "--level", file)
        assert (reported.returncode, fault in reported.stderr, "INVALID" in reported.stdout) == (30, True, False)


def test_entries_are_counted(made: Path) -> None:
    """The number of table entries that ``check-proof`` prints is that of the words in the file."""
    count = len(lzma.decompress((made / "tables.xz").read_bytes())) // 2
    assert f"inequalities of all {count:,} entries" in _run("check-proof", str(made)).output


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("claim.json", b"[" * 100_000),
        ("claim.json", b'{"format": ' * 50_000),
        ("claim.json", b"\xff"),
        ("claim.json", b"1" * 10_000),
        ("tables.xz", lzma.compress(b"")),
        ("tables.xz", lzma.compress(b"\0")),
        ("tables.xz", lzma.compress(b"\0\0\0")),
        ("tables.xz", b""),
        ("states.xz", b"\xfd7zXZ"),
        ("states.xz", lzma.compress(b"\0" * 3)),
        ("plan.lurd", b"\xc3\x28"),
        ("level.xsb", b""),
        ("level.xsb", b"@"),
    ],
)
def test_no_traceback_whatever_is_there(name: str, data: bytes, made: Path) -> None:
    (made / name).write_bytes(data)
    if name != "claim.json":
        resign(made)
    done = run("check-proof", made)
    assert (done.returncode, done.stderr) == (30, ""), done
    assert done.stdout.splitlines()[-1].lstrip().startswith("INVALID: ")
    assert says(made) is not None


@pytest.mark.parametrize("name", ["claim.json", "level.xsb", "states.xz"])
def test_pipes_and_devices_are_not_waited_for(name: str, made: Path) -> None:
    """A folder that somebody else has sent: a link to a device has no end, a pipe no beginning."""
    for put in (os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir):
        other = made.with_name("other")
        shutil.copytree(made, other)
        (other / name).unlink()
        put(other / name)
        assert f"{name} is missing, or no plain file" in str(says(other))
        shutil.rmtree(other)


@pytest.mark.parametrize("sign", ["\u2028", "\xe4", "\x1c", "\x0b", "\x7f", "\t", "\r", "\r\n", "\0"])
def test_texts_are_rows_of_ascii(sign: str, tmp_path: Path) -> None:
    for level, lurd, version in ((ROW + sign, "rRR", ""), (ROW, f"r{sign}RR", ""), (ROW, "rRR", f"a{sign}b")):
        write(tmp_path, level, lurd=lurd, value=2, version=version)
        claim = (tmp_path / "claim.json").read_bytes()
        (tmp_path / "claim.json").write_bytes(claim.replace(json.dumps(sign)[1:-1].encode(), sign.encode()))
        assert "neither ASCII" in str(says(tmp_path))
    with pytest.raises(LevelError, match="no sign of a level"):
        level_text.read(ROW + sign)


def test_unpacking_is_bounded(tmp_path: Path) -> None:
    """60 MB packed in 9 kB: not more than what the level calls for is unpacked."""
    bomb = lzma.compress(b"\0" * 60_000_000, preset=1)
    file = Unpacked(bomb)
    assert len(file.take(1000)) == 1000
    with pytest.raises(Refused, match="more than the level calls for"):
        file.end()
    write(tmp_path, ROW, tables=bomb, groups=1, prices=[0])
    assert "more than" in str(says(tmp_path))
    write(tmp_path, ROW)
    (tmp_path / "states.xz").write_bytes(bomb)
    resign(tmp_path)
    assert "another number of boxes" in str(says(tmp_path))


def test_unpacking_takes_one_whole_stream() -> None:
    whole = lzma.compress(b"abc")
    for packed in (whole + b"x", whole[:-4], whole + whole, lzma.compress(b"abc", lzma.FORMAT_ALONE)):
        with pytest.raises(Refused):
            Unpacked(packed).take(4)
    assert Unpacked(whole).take(4) == b"abc"


def test_sums_of_a_stream_are_of_known_kinds(tmp_path: Path) -> None:
    """The number of a kind that is kept for later: liblzma would not compare such a sum. Filters are liblzma's business."""
    delta = [{"id": lzma.FILTER_DELTA, "dist": 2}, {"id": lzma.FILTER_LZMA2}]
    write(tmp_path, ROW, lurd="rRR", value=2, states=b"")
    for filters in (None, delta):
        (tmp_path / "states.xz").write_bytes(lzma.compress(b"", filters=filters))
        resign(tmp_path)
        assert says(tmp_path) is None
    stream = bytearray(lzma.compress(b"abc", check=lzma.CHECK_CRC32))
    footer = len(stream) - 12
    stream[7] = stream[footer + 9] = 2  # CRC-32's length, another number
    stream[8:12] = crc32(stream[6:8]).to_bytes(4, "little")
    stream[footer : footer + 4] = crc32(stream[footer + 4 : footer + 10]).to_bytes(4, "little")
    (tmp_path / "states.xz").write_bytes(bytes(stream))
    resign(tmp_path)
    assert "a checksum of an unknown kind" in str(says(tmp_path))


def test_a_hall_of_4900_cells(tmp_path: Path) -> None:
    """Binomial coefficients of this many cells do not fit into 64 bits; nothing needs them."""
    rows_ = [" " * 70 for _ in range(70)]
    rows_[0] = "@$." + " " * 67
    wall = "#" * 72
    level = tmp_path / "hall.xsb"
    level.write_text("\n".join([wall, *(f"#{row}#" for row in rows_), wall, ""]))
    folder = tmp_path / "made"
    done = _run("certify", str(level), "--objective", "pushes", "-o", str(folder))
    assert done.exit_code == 0, done.output
    assert _run("check-proof", str(folder), "--level", str(level)).exit_code == 0
    shutil.rmtree(folder)


def test_a_value_that_is_too_large_is_not_certified(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sokoasp.proof.folder.MOST_VALUE", 1)
    done = _run(
        "certify", str(root / "instances/tutorial/first.xsb"), "--objective", "pushes", "-o", str(tmp_path / "x")
    )
    assert "at most 1 pushes" in (done.output + str(done.exception))


def test_words_of_the_tables_say_what_they_say() -> None:
    """30,000 is never, 29,999 a number, and more is nothing."""
    field = level_text.read(ROW)
    honest = group_bounds.build(field, (0,), 1, lines=False)
    words = lzma.decompress(group_bounds.stored_bytes(honest))
    top = packed_words([30_001, *[0] * (len(words) // 2 - 1)])
    with pytest.raises(Refused, match="out of range"):
        group_bounds.build(field, (0,), 1, lines=False, stored=top)


def test_a_floor_has_65536_cells_at_most(tmp_path: Path) -> None:
    """A cell is 16 bits wherever it is written."""
    wide = "#" * 259
    level = "\n".join([wide, "#@$." + " " * 254 + "#", *["#" + " " * 257 + "#"] * 255, wide, ""])
    write(tmp_path, level, lurd="R", value=1)
    assert "more than 65,536 floor cells" in str(package_says(tmp_path))
    assert level_text.read(level.replace(wide, wide[1:]).replace(" #\n", "#\n")).size == 65_536
