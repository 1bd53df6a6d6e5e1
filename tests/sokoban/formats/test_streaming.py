"""Large collections are read and written level by level: what is held besides their text does not grow with them."""

import tracemalloc
from collections.abc import Callable

import pytest

from sokoasp.core.errors import LevelError
from sokoasp.sokoban import formats
from sokoasp.sokoban.formats.text import text_lines
from sokoasp.sokoban.level import Level

ROWS = "#########\n#  @    #\n# $$ .. #\n#       #\n#########\n"


def collection(count: int) -> bytes:
    return "".join(f"; Level {n} of 5 & more\n\n{ROWS}\nAuthor: me\n\n" for n in range(count)).encode()


def peak(act: Callable[[bytes], object], data: bytes) -> int:
    """Return the most bytes held at a time while ``act`` runs."""
    tracemalloc.start()
    try:
        act(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def read_all(data: bytes) -> int:
    found = sum(isinstance(one, Level) for one in formats.read_each(data, source="a.sok"))
    assert found == data.count(b"@")
    return found


def write_all(to: str) -> Callable[[bytes], object]:
    def act(data: bytes) -> str:
        levels = (one for one in formats.read_each(data, source="a.sok") if isinstance(one, Level))
        return formats.write(levels, to)

    return act


@pytest.mark.parametrize(("act", "most"), [(read_all, 9), (write_all("rle"), 10), (write_all("slc"), 18)])
def test_memory_grows_by_the_text_alone(act: Callable[[bytes], object], most: float) -> None:
    """Levels of this size take thirty times the bytes of their text."""
    few, many = collection(50), collection(250)
    act(few)
    assert peak(act, many) - peak(act, few) < most * (len(many) - len(few))


def test_levels_before_a_fault_of_the_file_are_read() -> None:
    found = list(formats.read_each(collection(3) + b"Comment:\nnever closed\n", source="a.sok"))
    assert [isinstance(one, Level) for one in found] == [True, True, False]
    assert isinstance(found[-1], LevelError) and found[-1].code == "E-COMMENT"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines(end: str) -> None:
    written = ["", "# ", "\t a\t", "", "b\x85c\u2028", ""]
    assert text_lines(end.join(written)) == [line.rstrip(" \t") for line in written] and text_lines("") == [""]
