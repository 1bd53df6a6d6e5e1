"""Groups of boxes: larger ones where smaller say too little, none that overlap; a planted fault in each is seen."""

import json
import lzma
from pathlib import Path

import sokoasp
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import group_bounds, level_text
from sokoasp.sokoban.rules import plan_from_lurd
from tests.proof.forging import lax_says, says, write
from tests.proof.makers import optimum, resign
from tests.proof.plain import Board

CROWD = """
#######
#   # #
#  *$ #
# * $ #
# @ ..#
#######
"""
"""A list of few states is enough, for what three boxes cost together."""
PAIRS = """
#######
# .   #
#.@ # #
# *$$ #
#     #
#######
"""
"""Seven pushes; pairs that share a box would add up to nine."""
CORNER = """
######
#    #
# $$##
## .+#
 #####
"""
"""No plan: what the two boxes need depends on which side of them the player is."""
FAULTS = {
    "overlapping groups": ("used |= int(items[0, at])", "used |= 0 * int(items[0, at])"),
    "the player anywhere": ("size + 1, group, player, t, s.some", "size + 1, group, 0, t, s.some"),
    "no group of three": ("for size in range(1, min(largest, k)):", "for size in range(1, min(2, largest, k)):"),
}
"""What is wrong in ``bound_kernel``, and how."""


def _certified(text: str, folder: Path) -> Path:
    (level,) = sokoasp.read(text)
    found = optimum(level, "pushes")
    certify(level, folder, Request("pushes", known=plan_from_lurd(level, found[1])))
    return folder


def _too_dear(folder: Path) -> Path:
    """Claim that nine pushes are needed: a plan of nine, and no state, as if the bound of the start excluded fewer."""
    text = PAIRS.lstrip()
    bounds = group_bounds.build(level_text.read(text), (0, 0, 0), 2, lines=False)
    assert bounds is not None and Board(text).plan(7) is not None
    stored = group_bounds.stored_bytes(bounds)
    return write(folder, text, lurd=Board(text).plan(9), tables=stored, groups=2, prices=[0, 0, 0], value=9)


def _without_triples(folder: Path) -> Path:
    """Let triples of boxes say what the boxes say alone."""
    _certified(CROWD, folder)
    level = level_text.read((folder / "level.xsb").read_text())
    claim = json.loads((folder / "claim.json").read_text())
    pairs = group_bounds.build(level, claim["prices"], 2, lines=False)
    assert pairs is not None and claim["groups"] == 3
    kept = lzma.decompress(group_bounds.stored_bytes(pairs))
    words = lzma.decompress((folder / "tables.xz").read_bytes())
    assert words.startswith(kept) and len(words) > len(kept)
    (folder / "tables.xz").write_bytes(lzma.compress(kept + bytes(len(words) - len(kept))))
    resign(folder)
    return folder


def _lax(fault: str, folder: Path) -> str | None:
    return lax_says(folder, "bound_kernel", *FAULTS[fault])


def test_groups_that_share_a_box_are_not_added(tmp_path: Path) -> None:
    folder = _too_dear(tmp_path / "dear")
    assert "states: the start" in str(says(folder))
    assert _lax("overlapping groups", folder) is None


def test_larger_groups_are_looked_up_where_smaller_say_too_little(tmp_path: Path) -> None:
    folder, without = _certified(CROWD, tmp_path / "crowd"), _without_triples(tmp_path / "without")
    assert says(folder) is None
    assert "states: " in str(says(without))
    assert _lax("no group of three", folder) is not None


def test_groups_are_looked_up_where_the_player_is(tmp_path: Path) -> None:
    (level,) = sokoasp.read(CORNER)
    certify(level, tmp_path / "corner", Request("pushes"))
    assert says(tmp_path / "corner") is None
    assert _lax("the player anywhere", tmp_path / "corner") is not None
