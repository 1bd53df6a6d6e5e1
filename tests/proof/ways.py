"""The ways in which an honest certificate is spoilt."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sokoasp.proof import folder as folders
from sokoasp.proof import group_bounds, level_text
from tests.levels import random_level
from tests.proof.forging import CLAIM, STORED_NEVER, packed_words


@dataclass(frozen=True, slots=True)
class Forged:
    """A folder in memory: its claim, its files, and how many bytes a record of its list has."""

    claim: dict[str, Any]
    files: dict[str, bytes]
    width: int = 0
    text: str | bytes | None = None
    """What stands in ``claim.json`` instead of the claim."""
    sums: bool = True
    """Whether the sums are written anew."""

    def put(self, folder: Path) -> Path:
        """Write the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        claim = dict(self.claim)
        if self.sums:
            claim["files"] = {name: folders.sha256(folder / name) for name in self.files}
        text = json.dumps(claim) if self.text is None else self.text
        (folder / "claim.json").write_bytes(text if isinstance(text, bytes) else text.encode())
        return folder

    @property
    def field(self) -> level_text.Field:
        """Return the level."""
        return level_text.read(self.files["level.xsb"].decode())

    def units(self, name: str) -> list[bytes]:
        """Return what stands one after the other in a packed file, records, areas or numbers; none without the file."""
        packed = self.files.get(name, lzma.compress(b""))
        if name == folders.CORRALS:
            return [_area(cells) for cells in areas_of(packed)]
        data = lzma.decompress(packed)
        if name == folders.WALLS:  # the bits of the first record, then its numbers
            bits = self.width - 4
            return [data[:bits], *(data[i : i + 2] for i in range(bits, len(data), 2))] if data else []
        size = 2 if name == folders.TABLES else self.width
        return [data[i : i + size] for i in range(0, len(data), size)]

    def having(self, **change: Any) -> Forged:
        """Return it with another claim."""
        return replace(self, claim={**self.claim, **change})

    def holding(self, name: str, data: bytes) -> Forged:
        """Return it with another file."""
        return replace(self, files={**self.files, name: data})

    def packing(self, name: str, units: list[bytes]) -> Forged:
        """Return it with another packed file."""
        return self.holding(name, lzma.compress(b"".join(units), preset=1))


Way = Callable[[random.Random, Forged], Forged | None]
Change = Callable[[random.Random, list[bytes]], object]
PACKED = (folders.TABLES, folders.STATES, folders.PATTERNS, folders.CORRALS, folders.WALLS)
Areas = list[list[int]]
"""By state the cells that name its corral's area."""


def areas_of(packed: bytes) -> Areas:
    """Unpack a file of corrals."""
    data, found = lzma.decompress(packed), Areas()
    while data:
        end = 1 + 2 * data[0]
        found.append([int.from_bytes(data[i : i + 2], "little") for i in range(1, end, 2)])
        data = data[end:]
    return found


def _area(cells: list[int]) -> bytes:
    return bytes([len(cells)]) + b"".join(cell.to_bytes(2, "little") for cell in cells)


def packed_areas(areas: Areas) -> bytes:
    """Pack them."""
    return lzma.compress(b"".join(map(_area, areas)), preset=1)


def _number(change: Callable[[random.Random, int], int], behind: int = 0) -> Change:
    """Change the last number of a unit, or the one that has so many bytes behind it."""

    def change_one(rng: random.Random, units: list[bytes]) -> None:
        able = [i for i, one in enumerate(units) if len(one) >= behind + 2]
        if able:
            i = rng.choice(able)
            end = len(units[i]) - behind
            word = change(rng, int.from_bytes(units[i][end - 2 : end], "little"))
            units[i] = units[i][: end - 2] + max(0, min(word, 0xFFFF)).to_bytes(2, "little") + units[i][end:]

    return change_one


def _swap(rng: random.Random, units: list[bytes]) -> None:
    i, j = rng.randrange(len(units)), rng.randrange(len(units))
    units[i], units[j] = units[j], units[i]


def _swap_numbers(rng: random.Random, units: list[bytes]) -> None:
    i, j = rng.randrange(len(units)), rng.randrange(len(units))
    units[i], units[j] = units[i][:-2] + units[j][-2:], units[j][:-2] + units[i][-2:]


def _raise_all(rng: random.Random, units: list[bytes]) -> None:
    more = rng.choice((1, 2, STORED_NEVER))
    for i, one in enumerate(units):
        word = int.from_bytes(one[-2:], "little")
        units[i] = one[:-2] + min(word + more, STORED_NEVER).to_bytes(2, "little")


def _stray(rng: random.Random, units: list[bytes]) -> None:
    width = len(units[0])
    more = bytes(rng.randrange(256) for _ in range(width))
    units.insert(rng.choice((0, len(units))), rng.choice((more, units[0], b"\0" * width, more[:-1])))


def _flip(rng: random.Random, data: bytes) -> bytes:
    data = data or b" "
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def _flip_one(rng: random.Random, units: list[bytes]) -> None:
    i = rng.randrange(len(units))
    units[i] = _flip(rng, units[i])


CHANGES: dict[str, Change] = {
    "raise a number": _number(lambda rng, word: word + rng.choice((1, 1, 2, 20))),
    "lower a number": _number(lambda rng, word: word - rng.choice((1, 2))),
    "another number": _number(lambda rng, _: rng.choice((0, STORED_NEVER, 30_001, 32_767, 65_535))),
    "the number before": _number(lambda rng, word: word + rng.choice((-2, -1, 1, 2)), behind=2),
    "the highest bit": _number(lambda _, word: word ^ 1 << 15),
    "raise all": _raise_all,
    "swap": _swap,
    "swap numbers": _swap_numbers,
    "drop": lambda rng, units: units.pop(rng.randrange(len(units))),
    "cut": lambda rng, units: units.__delitem__(slice(-rng.choice((1, 2)), None)),
    "stray": _stray,
    "a bit": _flip_one,
    "nothing": lambda _, units: units.clear(),
}
"""What is done to the units of a packed file."""


def _packed(change: Change, name: str) -> Way:
    def forge(rng: random.Random, base: Forged) -> Forged | None:
        units = base.units(name)
        if not units:
            return None
        change(rng, units)
        return base.packing(name, units)

    return forge


def _state_and_area(rng: random.Random, base: Forged) -> Forged | None:
    """Leave out a state with its area."""
    areas, records = base.units(folders.CORRALS), base.units(folders.STATES)
    if not areas:
        return None
    at = rng.randrange(len(areas))
    del areas[at], records[at]
    return base.packing(folders.CORRALS, areas).packing(folders.STATES, records)


def _larger_area(rng: random.Random, base: Forged) -> Forged | None:
    areas = areas_of(base.files.get(folders.CORRALS, lzma.compress(b"")))
    if not areas:
        return None
    rng.choice([one for one in areas if one] or areas).append(rng.randrange(base.field.size))
    return base.holding(folders.CORRALS, packed_areas(areas))


def _elsewhere(rng: random.Random, base: Forged) -> Forged:
    """Claim the same of another objective, in another format, without tables, of a level with a goal less, or without a file."""
    form = f"{folders.FORMAT} {rng.randrange(1, 8)}"
    changes: tuple[dict[str, Any], ...] = (
        {"objective": rng.choice(("lines", "pushes", "moves", "moves+pushes"))},
        {"groups": 0, "prices": []},
        {"format": form},
        {"format": form, "objective": "pushes", "value": rng.choice((1, 2, 5))},
        {"kind": rng.choice(("solved", "word"))},
        {},
    )
    text = base.files["level.xsb"].decode()
    forged = base.having(**rng.choice(changes))
    if rng.random() < 0.2:
        gone = rng.choice(sorted(base.files))
        return replace(forged, files={name: data for name, data in base.files.items() if name != gone})
    changed = rng.choice((text, text, text.replace(".", " ", 1), text.replace("*", "$", 1)))
    return forged.holding("level.xsb", changed.encode())


def _value(rng: random.Random, base: Forged) -> Forged:
    if base.claim["value"] is None:
        return base.having(value=rng.choice((0, 1, 3, 60_001, 10**30)))
    if base.claim["objective"] == folders.TIES:
        pushes, moves = base.claim["value"]
        wrong = [pushes, moves + 1], [pushes, moves - 1], [pushes + 2, moves], [pushes - 2, moves], [pushes], [0, moves]
        return base.having(value=rng.choice((*wrong, pushes, [moves, pushes], [pushes, 60_001], [pushes, moves, 0])))
    return base.having(value=base.claim["value"] + rng.choice((-2, -1, 1, 2, 3)))


def _longer(rng: random.Random, base: Forged) -> Forged | None:
    """Claim a plan with two moves more, and say so; the list may say of all states that they cost more, too."""
    if base.claim["objective"] != folders.TIES:
        return None
    field_, (pushes, moves) = base.field, base.claim["value"]
    ways = [way for way, cell in zip("lrud", field_.beside[field_.player], strict=True) if cell >= 0]
    free = [way for way in ways if field_.beside[field_.player]["lrud".index(way)] not in field_.boxes]
    if not free or not pushes:
        return None
    way = rng.choice(free)
    lurd = way + "lrud"["lrud".index(way) ^ 1] + base.files["plan.lurd"].decode()
    forged = base.having(value=[pushes, moves + 2]).holding("plan.lurd", lurd.encode())
    later = [
        one[:-2] + (int.from_bytes(one[-2:], "little") + 2).to_bytes(2, "little") for one in base.units(folders.STATES)
    ]
    return forged if rng.random() < 0.3 else forged.packing(folders.STATES, later)


def _no_plan(rng: random.Random, base: Forged) -> Forged | None:
    if base.claim["value"] is None:
        return None
    files = {name: data for name, data in base.files.items() if name != "plan.lurd"}
    forged = replace(base, files=files).having(value=None)
    return forged if rng.random() < 0.5 else forged.holding("states.xz", lzma.compress(b""))


def _never(rng: random.Random, base: Forged) -> Forged | None:
    """Claim that there is no plan, with tables that say so everywhere."""
    forged = _no_plan(rng, base)
    if forged is None or "tables.xz" not in forged.files:
        return None
    return forged.holding("tables.xz", packed_words([STORED_NEVER] * len(base.units(folders.TABLES))))


def _prices(rng: random.Random, base: Forged) -> Forged | None:
    if not base.claim["groups"]:
        return base.having(prices=[0] * 2)
    count = len(base.claim["prices"])
    price = rng.choice((0, 1, 2000, 2001, 30_000, 10**9, float("inf"), float("nan"), 0.5, True, -1, "2", None))
    forged = base.having(prices=rng.choice(([price] * count, [price], [*base.claim["prices"], price])))
    tables: list[Way] = [lambda _, f: f, _packed(_raise_all, folders.TABLES), _never]
    return rng.choice(tables)(rng, forged)


def _priced_tables(rng: random.Random, base: Forged) -> Forged | None:
    """Honest tables for large prices, and an empty list."""
    if not base.claim["groups"] or base.claim["objective"] == "moves":
        return None
    prices = [rng.choice((0, 1, 1000, 2000)) for _ in base.claim["prices"]]
    bounds = group_bounds.build(base.field, prices, base.claim["groups"], lines=base.claim["objective"] == "lines")
    forged = base.having(prices=prices).holding("tables.xz", group_bounds.stored_bytes(bounds))
    again = rng.choice((forged, _no_plan(rng, forged), _value(rng, forged)))
    return None if again is None else again.holding("states.xz", lzma.compress(b""))


def _other_level(rng: random.Random, base: Forged) -> Forged:
    level = random_level(rng.randrange(10**6), width=4, height=4)
    return base.holding("level.xsb", level_text.write(level).encode())


def _level_signs(rng: random.Random, base: Forged) -> Forged:
    text = base.files["level.xsb"].decode()
    ways = [
        lambda: text.replace("\n", rng.choice(("\u2028", "\x1c", "\x0b", "\r\n", "\r", "\x85")), rng.choice((1, -1))),
        lambda: text.replace("$", " ", 1),
        lambda: text.replace(".", " ", 1),
        lambda: text.replace(" ", "$", 1),
        lambda: text.replace(" ", ".", 1),
        lambda: text.replace("#", " ", 1),
        lambda: text.replace("@", " ") + "@\n",
        lambda: text + "$",
    ]
    return base.holding("level.xsb", rng.choice(ways)().encode())


def _plan(rng: random.Random, base: Forged) -> Forged | None:
    if len(base.files.get("plan.lurd", b"")) < 2:
        return None
    lurd = base.files["plan.lurd"].decode().strip()
    at = rng.randrange(len(lurd))
    new = rng.choice(
        (lurd[:at] + lurd[at + 1 :], lurd[:at] + lurd[at].swapcase() + lurd[at + 1 :], lurd + "lr", "\u2028" + lurd)
    )
    return base.holding("plan.lurd", (new + rng.choice(("\n", "", " \n"))).encode())


def _key(rng: random.Random, base: Forged) -> Forged:
    key = rng.choice([name for name in base.claim if name != "files"])
    wrong = rng.choice((None, True, 1.0, -1, "", [], {}, [[0]], 10**40, "states", "moves", base.claim[key]))
    if rng.random() < 0.2:
        return replace(base, claim={name: value for name, value in base.claim.items() if name != key})
    return base.having(**{key: wrong, **({"more": 1} if rng.random() < 0.2 else {})})


def _twice(rng: random.Random, base: Forged) -> Forged:
    """Name a key twice, the second time with another value (the last one counts in most readers)."""
    sums = {name: folders.hashlib.sha256(data).hexdigest() for name, data in base.files.items()}
    text = json.dumps({**base.claim, "files": sums})
    key, value = rng.choice((("value", "1"), ("kind", '"solved"'), ("prices", "[0]"), ("objective", '"moves"')))
    return replace(base, text=text[:-1] + f', "{key}": {value}' + "}")


def _rubbish(rng: random.Random, base: Forged) -> Forged:
    text = rng.choice(("", "[", "[]", "{}", "[" * 100_000, "{" * 9, "null", "NaN", '"x"', "1" * 5000))
    if rng.random() < 0.5:
        return replace(base, text=text)
    name = rng.choice(sorted(base.files))
    return base.holding(
        name,
        rng.choice(
            (b"", b"\xff\xfe", b"#", base.files[name][:-3], base.files[name] + b"x", _flip(rng, base.files[name]))
        ),
    )


def _boxes(rng: random.Random, base: Forged) -> Forged:
    field_ = base.field
    some = [list(field_.cells[b]) for b in field_.boxes if rng.random() < 0.5]
    named = rng.choice((some, some + some, [[0, 0]], [list(field_.cells[0])], [[1]], [1], [[True, 1]]))
    return (_no_plan(rng, base) or base).having(boxes=named, **rng.choice(({}, {"groups": 0, "prices": []})))


def _many_boxes(rng: random.Random, base: Forged) -> Forged:
    """Boxes in a row over their goals, large prices, honest tables, an empty list: the sums grow past all limits."""
    count, price = rng.choice((2, 8, 14, 15, 16, 20, 30)), rng.choice((0, 1000, 1999, 2000))
    wall = "#" * (count + 3)
    text = "\n".join(
        [wall, "#" + " " * (count + 1) + "#", "#@" + "$" * count + "#", "# " + "." * count + "#", wall, ""]
    )
    bounds = group_bounds.build(level_text.read(text), (price,) * count, 1, lines=False)
    value = rng.choice((None, None, count, count + 2))
    files = {
        "level.xsb": text.encode(),
        "tables.xz": group_bounds.stored_bytes(bounds),
        "states.xz": lzma.compress(b""),
    }
    if value is not None:
        files["plan.lurd"] = ("u" + "rDu" * count + "\n").encode()
    return Forged({**CLAIM, "value": value, "groups": 1, "prices": [price] * count}, files)


WAYS: dict[str, Way] = {
    **{f"{what} ({name})": _packed(change, name) for what, change in CHANGES.items() for name in PACKED},
    "honest": lambda _, base: base,
    "a larger area": _larger_area,
    "drop a state and its area": _state_and_area,
    "elsewhere": _elsewhere,
    "a longer plan": _longer,
    "another value": _value,
    "no plan": _no_plan,
    "never everywhere": _never,
    "prices": _prices,
    "priced tables": _priced_tables,
    "another level": _other_level,
    "signs of the level": _level_signs,
    "plan": _plan,
    "a key": _key,
    "a key twice": _twice,
    "rubbish": _rubbish,
    "boxes": _boxes,
    "many boxes": _many_boxes,
}


def spoilt(rng: random.Random, base: Forged, count: int) -> Iterator[tuple[str, Forged]]:
    """Yield a certificate spoilt in some ways, chosen by chance, that apply to it."""
    for name in rng.sample(sorted(WAYS), count):
        forged = WAYS[name](rng, base)
        if forged is not None:
            yield name, forged
