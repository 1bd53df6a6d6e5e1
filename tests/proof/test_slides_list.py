"""Klotski's closed lists: the successors are those of the game, and no list with a record less, or a wrong one, is taken."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from sokoasp.engine import closing
from sokoasp.klotski import notation, slide_rules
from sokoasp.klotski.board import Board, BoardCell
from sokoasp.proof.board_layout import kinds_of
from sokoasp.proof.refusals import Refused
from sokoasp.proof.slides_list import SlidesList
from tests.klotski import boards as klotski_boards
from tests.proof.makers import best_slides, boards


def _listed(board: Board, units: bool) -> SlidesList:
    value, _ = best_slides(board, "units" if units else "slides")
    listed = SlidesList(board, value, units=units)
    assert closing.close_slides(listed, lambda states, left: None) is None
    return listed


def _records(listed: SlidesList, path: Path) -> list[bytes]:
    listed.write(path)
    data, width = lzma.decompress(path.read_bytes()), len(listed.start) + 2
    return [data[begin : begin + width] for begin in range(0, len(data), width)]


def _refusal(board: Board, units: bool, records: list[bytes], path: Path) -> str:
    path.write_bytes(lzma.compress(b"".join(records)))
    value, _ = best_slides(board, "units" if units else "slides")
    again = SlidesList(board, value, units=units)
    try:
        again.read(path)
        again.verify()
    except Refused as error:
        return str(error)
    return ""


@pytest.mark.parametrize("units", [True, False])
def test_every_record_is_needed_and_none_may_be_dearer(units: bool, tmp_path: Path) -> None:
    path = tmp_path / "states.xz"
    for board in boards():
        records = _records(_listed(board, units), path)
        assert _refusal(board, units, records, path) == ""
        assert _refusal(board, units, records[::-1], path) == ""
        for number, record in enumerate(records):
            fewer = records[:number] + records[number + 1 :]
            assert "not in" in _refusal(board, units, fewer, path)
            dearer = record[:-2] + (int.from_bytes(record[-2:], "little") + 1).to_bytes(2, "little")
            assert _refusal(board, units, [*fewer, dearer], path)


@pytest.mark.parametrize("units", [True, False])
def test_records_that_are_no_states(units: bool, tmp_path: Path) -> None:
    path = tmp_path / "states.xz"
    for board in boards():
        listed = _listed(board, units)
        records = _records(listed, path)
        assert "twice" in _refusal(board, units, [*records, records[0]], path)
        assert "no place" in _refusal(board, units, [*records, b"\xff" * len(listed.start) + b"\0\0"], path)
        assert "middle" in _refusal(board, units, [*records, b"\0"], path)
        alike = [n for n in range(1, len(listed.kind)) if listed.kind[n] == listed.kind[n - 1]]
        for n in alike:
            forged = bytearray(records[0])
            forged[n] = forged[n - 1]
            assert "on one place" in _refusal(board, units, [*records, bytes(forged)], path)


def test_pieces_that_overlap_are_no_state(tmp_path: Path) -> None:
    """A record on two places of which each is one: the refusal is of the overlap, and not by chance of its successors."""
    path = tmp_path / "states.xz"
    board = notation.read("goal: A 0,2\nAA..\nb...\n")[0]
    records = _records(_listed(board, units=True), path)
    pieces = SlidesList(board, None, units=True).lay.kinds
    corner = [kind.places.index(BoardCell(0, 0)).to_bytes(1, "little") for kind in pieces]
    assert (
        _refusal(board, True, [*records, b"".join(corner) + b"\xff\xff"], path)
        == "two pieces of a listed state overlap"
    )


@pytest.mark.parametrize("units", [True, False])
def test_a_list_of_everything_has_the_positions_of_the_game(units: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SlidesList, "solved", lambda self, key: False)
    for board in boards():
        listed = SlidesList(board, None, units=units)
        assert closing.close_slides(listed, lambda states, left: None) is None
        assert sorted(listed.cost.values()) == sorted(_reachable(board, units).values())


def _reachable(board: Board, units: bool) -> dict[frozenset[tuple[int, BoardCell]], int]:
    """Return the positions by the game's own rules, and how far each is."""
    kind = {name: k for k, of in enumerate(kinds_of(board)) for name in of.names}
    start = slide_rules.start(board)
    far, queue = {frozenset((kind[name], at) for name, at in start.items()): 0}, [start]
    for state in queue:
        here = far[frozenset((kind[name], at) for name, at in state.items())]
        for slide in (klotski_boards.units if units else klotski_boards.slides)(board, state):
            after = {**state, slide.piece: slide.to_cell}
            key = frozenset((kind[name], at) for name, at in after.items())
            if key not in far:
                far[key] = here + 1
                queue.append(after)
    return far
