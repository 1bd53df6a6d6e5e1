"""Damaged input: whatever bytes come, readers give levels, plans, or one sentence with a place."""

import json
import random
from collections.abc import Callable

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import facts, formats
from sokoasp.sokoban.formats import lurd, pddl
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from tests.sokoban.strategies import random_level

TIMES = 400
TOKENS = b'# $ @ * 9( ) | \t \x00 \xff \xc2\xa0 99999999 %* Title: box( ). .. X :- " { ] < & -1 \r e999 0 push('.split(
    b" "
)
TOKENS += b"step(1..99999999).,\xef\xbb\xbf,\xff\xfe,\n,\n\n,Comment:\n,Game: Hexoban\n,<!DOCTYPE x>,Answer: 1\n".split(
    b","
)


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Change a few bytes, insert, delete, repeat or move pieces, or cut the end off."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(out) + 1)
        match rng.randrange(6):
            case 0 if out:
                out[at % len(out)] = rng.randrange(256)
            case 1:
                out[at:at] = rng.choice(TOKENS)
            case 2:
                del out[at : at + rng.choice((1, 2, 10, 80))]
            case 3:
                piece = out[at : at + rng.choice((1, 5, 40))]
                out[at:at] = piece * rng.choice((1, 2, 20))
            case 4:
                del out[at:]
            case _:
                other = rng.randrange(len(out) + 1)
                out[at : at + 5], out[other : other + 5] = out[other : other + 5], out[at : at + 5]
    return bytes(out)


def files() -> dict[str, tuple[str, bytes]]:
    """Valid files of every notation, by name of the notation."""
    rng = random.Random(7)
    levels = [random_level(rng, title=f"Level {n}", author="Us") for n in range(4)]
    plan = "3r2(lu)D\n\n"
    sok = (
        "Collection: All\n\nNotes\nof two lines\n\n"
        + formats.write(levels, "sok")
        + f"Comment:\nx\nComment-End:\n\n{plan}"
    )
    facts_text = facts.write(levels[1], steps=3) + "%* a\nblock *%"
    return {
        "xsb": ("a.xsb", formats.write(levels, "xsb").encode()),
        "sok": ("a.sok", sok.encode()),
        "rle": ("a.rle", (formats.write(levels, "rle") + "2(2#)#|#@$.#|5#\n").encode()),
        "slc": ("a.slc", formats.write(levels, "slc").encode()),
        "json": ("a.json", formats.write(levels, "json").encode()),
        "facts": ("a.lp", facts_text.encode()),
        "guessed": ("a", sok.encode()),
        "guessed-facts": ("a.txt", facts_text.encode()),
    }


def check_error(error: SokoaspError, source: str) -> None:
    """One sentence, with the place."""
    assert error.exit_code == 30
    assert error.place.startswith(source)
    assert error.code.startswith("E-")
    assert "\n" not in str(error)
    assert len(str(error)) < 600


@pytest.mark.parametrize("name", sorted(files()))
def test_damaged_level_files(name: str) -> None:
    source, data = files()[name]
    assert all(isinstance(found, Level) for found in formats.read_each(data, source=source))
    rng = random.Random(name)
    outcomes = {"level": 0, "error": 0}
    for _ in range(TIMES):
        found = list(formats.read_each(mutate(data, rng), source=source))
        assert found
        for item in found:
            if isinstance(item, Level):
                outcomes["level"] += 1
                assert len(item.rows()) == item.height
            else:
                outcomes["error"] += 1
                check_error(item, source)
    assert min(outcomes.values()) > 10


LEVEL = formats.read("########\n#@ $  .#\n#  $ . #\n########\n")[0]
PUSHES = plan_from_lurd(LEVEL, "rRRRdlLdR".replace("dlLdR", "")).actions
ATOMS = facts.push_atoms(LEVEL, PUSHES * 5)
OUTPUT = json.dumps(
    {"Call": [{"Witnesses": [{"Value": ATOMS.replace(".", "").split()}]}], "Result": "SATISFIABLE"}, indent=1
)
PLANS: dict[str, tuple[str, Callable[[str], object]]] = {
    "lurd": ("3r2(ldR)\nrrUU lluu 12(d2(r)L)", lambda text: lurd.read(text, source="p")),
    "solution": ("rRRR", lambda text: lurd.check_solution(LEVEL, text, source="p")),
    "atoms": (ATOMS, lambda text: facts.read_pushes(LEVEL, text, source="p")),
    "clingo": (f"clingo\nSolving...\nAnswer: 1\n{ATOMS.replace(chr(10), ' ').replace('.', '')}\nSATISFIABLE\n",
               lambda text: facts.read_pushes(LEVEL, text, source="p")),
    "json": (OUTPUT, lambda text: facts.read_pushes(LEVEL, text, source="p")),
    "set": ("{" + ATOMS.replace(".\n", ", ") + "}", lambda text: facts.read_pushes(LEVEL, text, source="p")),
    "pddl": ("(move c2r2 c3r2 right)\n(push c3r2 c4r2 c5r2 right)\n; cost = 1\n" * 3,
             lambda text: pddl.read_plan(text, LEVEL, source="p")),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANS)
def test_damaged_plans(name: str) -> None:
    text, read = PLANS[name]
    rng = random.Random(name)
    refused = 0
    for _ in range(TIMES):
        try:
            read(mutate(text.encode(), rng).decode("latin-1"))
        except SokoaspError as error:
            refused += 1
            check_error(error, "p")
    assert refused > 30
