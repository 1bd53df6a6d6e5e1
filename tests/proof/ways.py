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
from tests.proof.forging import CLAIM, STORED_NEVER, packed_words, words_of


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
    def words(self) -> list[int]:
        """Return the entries of the tables."""
        return words_of(self.files["tables.xz"])

    def records(self, name: str) -> list[bytes]:
        """Return the records of a list, none if there is none."""
        data = lzma.decompress(self.files.get(name, lzma.compress(b"")))
        return [data[i : i + self.width] for i in range(0, len(data), self.width)]

    def having(self, **change: Any) -> Forged:
        """Return it with another claim."""
        return replace(self, claim={**self.claim, **change})

    def holding(self, name: str, data: bytes) -> Forged:
        """Return it with another file."""
        return replace(self, files={**self.files, name: data})


Way = Callable[[random.Random, Forged], Forged | None]


def _words(change: Callable[[random.Random, list[int]], object]) -> Way:
    def forge(rng: random.Random, base: Forged) -> Forged | None:
        if "tables.xz" not in base.files:
            return None
        words = base.words
        change(rng, words)
        return base.holding("tables.xz", packed_words(words))

    return forge


def _records(change: Callable[[random.Random, list[bytes]], object], name: str = "states.xz") -> Way:
    def forge(rng: random.Random, base: Forged) -> Forged | None:
        records = base.records(name)
        if not records:
            return None
        change(rng, records)
        return base.holding(name, lzma.compress(b"".join(records), preset=1))

    return forge


Areas = list[list[int]]
"""By state the cells that name its corral's area."""


def areas_of(data: bytes) -> Areas:
    """Unpack a file of corrals."""
    data, found = lzma.decompress(data), Areas()
    while data:
        end = 1 + 2 * data[0]
        found.append([int.from_bytes(data[i : i + 2], "little") for i in range(1, end, 2)])
        data = data[end:]
    return found


def packed_areas(areas: Areas) -> bytes:
    """Pack them."""
    parts = [bytes([len(one)]) + b"".join(cell.to_bytes(2, "little") for cell in one) for one in areas]
    return lzma.compress(b"".join(parts), preset=1)


def _corrals(change: Callable[[random.Random, Areas, int], object]) -> Way:
    """Change the areas, half the time where there is one; the last argument is the number of floor cells."""

    def forge(rng: random.Random, base: Forged) -> Forged | None:
        areas = areas_of(base.files.get(folders.CORRALS, lzma.compress(b"")))
        if not areas:
            return None
        change(rng, areas, len(level_text.read(base.files["level.xsb"].decode()).cells))
        return base.holding(folders.CORRALS, packed_areas(areas))

    return forge


def _some(rng: random.Random, areas: Areas) -> list[int]:
    real = [one for one in areas if one]
    return rng.choice(real if real and rng.random() < 0.5 else areas)


def _elsewhere(rng: random.Random, areas: Areas, size: int) -> None:
    _some(rng, areas)[:] = [rng.choice((rng.randrange(size), rng.randrange(size), size, 65_535))]


def _state_and_area(rng: random.Random, base: Forged) -> Forged | None:
    """Leave out a state with its area."""
    areas, records = areas_of(base.files.get(folders.CORRALS, lzma.compress(b""))), base.records("states.xz")
    if not areas:
        return None
    at = rng.randrange(len(areas))
    del areas[at], records[at]
    return base.holding(folders.CORRALS, packed_areas(areas)).holding("states.xz", lzma.compress(b"".join(records)))


def _corrals_elsewhere(rng: random.Random, base: Forged) -> Forged | None:
    """Claim corrals where they are not sound or not of the format: other objectives, no tables, more boxes than goals."""
    if folders.CORRALS not in base.files:
        return None
    other = "lines" if base.claim["objective"] == "pushes" else "pushes"
    claims = (
        {"objective": other},
        {"objective": "moves"},
        {"groups": 0, "prices": []},
        {"format": f"{folders.FORMAT} 2"},
    )
    forged = base.having(**rng.choice((*claims, {"format": f"{folders.FORMAT} 3"}, {})))
    text = base.files["level.xsb"].decode()
    return forged.holding(
        "level.xsb", rng.choice((text, text.replace(".", " ", 1), text.replace("*", "$", 1))).encode()
    )


def _walls(change: Callable[[random.Random, bytearray, int], object]) -> Way:
    """Change the records of fixed boxes, as bytes; the last argument is how many bytes name boxes."""

    def forge(rng: random.Random, base: Forged) -> Forged | None:
        if folders.WALLS not in base.files:
            return None
        data = bytearray(lzma.decompress(base.files[folders.WALLS]))
        change(rng, data, base.width - 4)
        return base.holding(folders.WALLS, lzma.compress(bytes(data), preset=1))

    return forge


def _dead_boxes(rng: random.Random, data: bytearray, width: int) -> None:
    """Put boxes in front of the records: where one stands on no goal, they are said to leave no plan."""
    data[:0] = (1 << rng.randrange(8 * width) | 1 << rng.randrange(8 * width)).to_bytes(width, "little")


def _raise_word(rng: random.Random, data: bytearray, width: int) -> None:
    at = width + 2 * rng.randrange(max(1, (len(data) - width) // 2))
    word = int.from_bytes(data[at : at + 2], "little") + rng.choice((1, 1, 2, 20))
    data[at : at + 2] = min(word, 0xFFFF).to_bytes(2, "little")


def _walls_elsewhere(rng: random.Random, base: Forged) -> Forged | None:
    """Claim fixed boxes where they are not of the format: moves, no tables, another format; or leave the file out."""
    if folders.WALLS not in base.files:
        return None
    others = ({"objective": "moves"}, {"groups": 0, "prices": []}, {"format": f"{folders.FORMAT} 4"})
    files = {name: data for name, data in base.files.items() if name != folders.WALLS}
    return rng.choice((*(base.having(**change) for change in others), replace(base, files=files)))


def _patterns(change: Callable[[random.Random, list[bytes]], object]) -> Way:
    return _records(change, folders.PATTERNS)


def _set(words: list[int], at: int, value: int) -> None:
    words[at] = max(0, min(value, 0xFFFF))


def _raise(rng: random.Random, words: list[int]) -> None:
    finite = [i for i, w in enumerate(words) if w < STORED_NEVER]
    if finite:
        at = rng.choice(finite)
        _set(words, at, words[at] + rng.choice((1, 1, 2, 10)))


def _raise_all(rng: random.Random, words: list[int]) -> None:
    more = rng.choice((1, 2, STORED_NEVER))
    words[:] = [w if w >= STORED_NEVER else min(w + more, STORED_NEVER) for w in words]


def _swap(rng: random.Random, items: list[Any]) -> None:
    i, j = rng.randrange(len(items)), rng.randrange(len(items))
    items[i], items[j] = items[j], items[i]


def _swap_costs(rng: random.Random, records: list[bytes]) -> None:
    i, j = rng.randrange(len(records)), rng.randrange(len(records))
    records[i], records[j] = records[i][:-2] + records[j][-2:], records[j][:-2] + records[i][-2:]


def _cost(by: int) -> Callable[[random.Random, list[bytes]], None]:
    def change(rng: random.Random, records: list[bytes]) -> None:
        i = rng.randrange(len(records))
        cost = int.from_bytes(records[i][-2:], "little") + by
        records[i] = records[i][:-2] + max(0, min(cost, 0xFFFF)).to_bytes(2, "little")

    return change


def _flip(rng: random.Random, data: bytes) -> bytes:
    data = data or b" "
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


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
    text, (pushes, moves) = base.files["level.xsb"].decode(), base.claim["value"]
    field_ = level_text.read(text)
    ways = [way for way, cell in zip("lrud", field_.beside[field_.player], strict=True) if cell >= 0]
    free = [way for way in ways if field_.beside[field_.player]["lrud".index(way)] not in field_.boxes]
    if not free or not pushes:
        return None
    way = rng.choice(free)
    lurd = way + "lrud"["lrud".index(way) ^ 1] + base.files["plan.lurd"].decode()
    forged = base.having(value=[pushes, moves + 2]).holding("plan.lurd", lurd.encode())
    later = [
        one[:-2] + (int.from_bytes(one[-2:], "little") + 2).to_bytes(2, "little") for one in base.records("states.xz")
    ]
    return forged if rng.random() < 0.3 else forged.holding("states.xz", lzma.compress(b"".join(later), preset=1))


def _push_cost(rng: random.Random, records: list[bytes]) -> None:
    i = rng.randrange(len(records))
    cost = int.from_bytes(records[i][-4:-2], "little") + rng.choice((-2, -1, 1, 2))
    records[i] = records[i][:-4] + max(0, cost).to_bytes(2, "little") + records[i][-2:]


def _tie_elsewhere(rng: random.Random, base: Forged) -> Forged | None:
    """Claim a tie-break in another format, with another objective, with a number for a pair, without a plan."""
    if base.claim["objective"] != folders.TIES:
        return None
    forms = [f"{folders.FORMAT} {number}" for number in (2, 3, 4)]
    changes: tuple[dict[str, Any], ...] = (
        {"format": rng.choice(forms)},
        {"objective": rng.choice(("lines", "pushes", "moves", "moves+pushes"))},
        {"format": rng.choice(forms), "objective": "pushes", "value": base.claim["value"][0]},
        {"value": base.claim["value"][0]},
        {"value": None},
        {"kind": rng.choice(("solved", "word"))},
    )
    return base.having(**rng.choice(changes))


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
    return forged.holding("tables.xz", packed_words([STORED_NEVER] * len(base.words)))


def _prices(rng: random.Random, base: Forged) -> Forged | None:
    if not base.claim["groups"]:
        return base.having(prices=[0] * 2)
    count = len(base.claim["prices"])
    price = rng.choice((0, 1, 2000, 2001, 30_000, 10**9, float("inf"), float("nan"), 0.5, True, -1, "2", None))
    forged = base.having(prices=rng.choice(([price] * count, [price], [*base.claim["prices"], price])))
    tables: list[Way] = [lambda _, f: f, _words(_raise_all), _never]
    return rng.choice(tables)(rng, forged)


def _priced_tables(rng: random.Random, base: Forged) -> Forged | None:
    """Honest tables for large prices, and an empty list."""
    if not base.claim["groups"] or base.claim["objective"] == "moves":
        return None
    prices = [rng.choice((0, 1, 1000, 2000)) for _ in base.claim["prices"]]
    level, lines = level_text.read(base.files["level.xsb"].decode()), base.claim["objective"] == "lines"
    bounds = group_bounds.build(level, prices, base.claim["groups"], lines=lines)
    assert bounds is not None
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
    text = rng.choice(
        (
            "",
            "[",
            "[]",
            "{}",
            "[" * 100_000,
            "{" * 9,
            "null",
            "NaN",
            '"x"',
            "1" * 5000,
        )
    )
    if rng.random() < 0.5:
        return replace(base, text=text)
    name = rng.choice(sorted(base.files))
    return base.holding(
        name,
        rng.choice(
            (b"", b"\xff\xfe", b"#", base.files[name][:-3], base.files[name] + b"x", _flip(rng, base.files[name]))
        ),
    )


def _unsigned(rng: random.Random, base: Forged) -> Forged:
    name = rng.choice(sorted(base.files))
    return replace(base.holding(name, _flip(rng, base.files[name])), sums=False)


def _boxes(rng: random.Random, base: Forged) -> Forged:
    field_ = level_text.read(base.files["level.xsb"].decode())
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
    assert bounds is not None
    value = rng.choice((None, None, count, count + 2))
    files = {
        "level.xsb": text.encode(),
        "tables.xz": group_bounds.stored_bytes(bounds),
        "states.xz": lzma.compress(b""),
    }
    if value is not None:
        files["plan.lurd"] = ("u" + "rDu" * count + "\n").encode()
    return Forged({**CLAIM, "value": value, "groups": 1, "prices": [price] * count}, files)


def _said(change: Callable[[random.Random, int], int]) -> Way:
    """Let a pattern, half the time one that is packed, say something else."""

    def change_one(rng: random.Random, records: list[bytes]) -> None:
        packed = [i for i, one in enumerate(records) if one[-1] & 128]
        i = rng.choice(packed if packed and rng.random() < 0.5 else range(len(records)))
        word = int.from_bytes(records[i][-2:], "little")
        records[i] = records[i][:-2] + (word & 1 << 15 | change(rng, word & 32_767)).to_bytes(2, "little")

    return _patterns(change_one)


def _packing(rng: random.Random, records: list[bytes]) -> None:
    i = rng.randrange(len(records))
    records[i] = records[i][:-1] + bytes([records[i][-1] ^ 128])


def _stray(rng: random.Random, records: list[bytes]) -> None:
    width = len(records[0])
    more = bytes(rng.randrange(256) for _ in range(width))
    records.append(rng.choice((more, records[0], b"\0" * width, records[0][:-2] + b"\xff\xff", more[:-1])))


WAYS: dict[str, Way] = {
    "boxes said to be dead": _walls(_dead_boxes),
    "raise a number of walls": _walls(_raise_word),
    "a bit of walls": _walls(lambda rng, data, _: data.__setitem__(slice(None), _flip(rng, bytes(data)))),
    "cut walls": _walls(lambda rng, data, _: data.__delitem__(slice(-rng.choice((1, 2, 3)), None))),
    "walls twice": _walls(lambda _, data, __: data.extend(bytes(data))),
    "no walls": _walls(lambda _, data, __: data.clear()),
    "walls elsewhere": _walls_elsewhere,
    "honest": lambda _, base: base,
    "raise an entry": _words(_raise),
    "raise all entries": _words(_raise_all),
    "lower an entry": _words(lambda rng, words: _set(words, i := rng.randrange(len(words)), words[i] - 1)),
    "an entry is never": _words(lambda rng, words: _set(words, rng.randrange(len(words)), STORED_NEVER)),
    "an entry out of range": _words(
        lambda rng, words: _set(words, rng.randrange(len(words)), rng.choice((30_001, 65_535)))
    ),
    "swap entries": _words(_swap),
    "cut entries": _words(lambda rng, words: words.__delitem__(slice(-rng.choice((1, 2, 5)), None))),
    "more entries": _words(lambda rng, words: words.append(rng.choice((0, STORED_NEVER)))),
    "drop a record": _records(lambda rng, records: records.pop(rng.randrange(len(records)))),
    "raise a cost": _records(_cost(1)),
    "lower a cost": _records(_cost(-1)),
    "cost of 65,535": _records(_cost(65_535)),
    "swap costs": _records(_swap_costs),
    "swap records": _records(_swap),
    "a stray record": _records(_stray),
    "raise a pattern": _said(lambda rng, said: min(said + rng.choice((1, 1, 2, 50)), STORED_NEVER)),
    "a pattern is never": _said(lambda _, said: STORED_NEVER),
    "lower a pattern": _said(lambda _, said: max(said - 1, 0)),
    "a pattern out of range": _said(lambda rng, _: rng.choice((30_001, 32_767))),
    "drop a pattern": _patterns(lambda rng, records: records.pop(rng.randrange(len(records)))),
    "swap patterns": _patterns(_swap_costs),
    "pack a pattern or not": _patterns(_packing),
    "a stray pattern": _patterns(_stray),
    "an area elsewhere": _corrals(_elsewhere),
    "a larger area": _corrals(lambda rng, areas, size: _some(rng, areas).append(rng.randrange(size))),
    "no area": _corrals(lambda rng, areas, _: _some(rng, areas).clear()),
    "swap areas": _corrals(lambda rng, areas, _: _swap(rng, areas)),
    "cut areas": _corrals(lambda _, areas, __: areas.pop()),
    "more areas": _corrals(lambda rng, areas, _: areas.append(rng.choice(([], [0])))),
    "drop a state and its area": _state_and_area,
    "corrals elsewhere": _corrals_elsewhere,
    "a longer plan": _longer,
    "other pushes": _records(_push_cost),
    "a tie elsewhere": _tie_elsewhere,
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
    "sums of other files": _unsigned,
    "boxes": _boxes,
    "many boxes": _many_boxes,
}


def spoilt(rng: random.Random, base: Forged, count: int) -> Iterator[tuple[str, Forged]]:
    """Yield a certificate spoilt in some ways, chosen by chance, that apply to it."""
    for name in rng.sample(sorted(WAYS), count):
        forged = WAYS[name](rng, base)
        if forged is not None:
            yield name, forged
