"""Ways in which only the container of an honest certificate is changed: how the claim is spelt, how files are packed.

Most leave the claim true. So what matters is that all checkers say the same: either reading is sound, but two are a fault.
"""

from __future__ import annotations

import json
import lzma
import random
import re
from collections.abc import Callable
from dataclasses import replace

from sokoasp.proof import folder as folders
from tests.proof.packing import STREAMS
from tests.proof.ways import Forged, Way

Spelling = Callable[[str], str | bytes]
_NUMBER = re.compile(r"(?<=[:\[ ])-?\d+(?=[,\]}])")


def _first(pattern: str, new: str) -> Spelling:
    return lambda text: re.sub(pattern, lambda _: new, text, count=1)


def _in_version(signs: str | bytes) -> Spelling:
    """Put signs into the words of ``version``."""
    key = b'"version": "'
    added = signs if isinstance(signs, bytes) else signs.encode()
    return lambda text: text.encode().replace(key, key + added, 1)


def _value(key: str, new: str) -> Spelling:
    """Write another value of a key, ``\\g<0>`` for what stands there."""
    return lambda text: re.sub(rf'(?<="{key}": )("[^"]*"|\[[^]]*\]|[^,{{]*)', new, text, count=1)


_TEXTS = {
    "escaped": '\\b\\f\\n\\r\\t\\/\\\\\\"\\u0000\\u2028\\u0085',
    "one half of a pair": "\\ud800",
    "other half of a pair": "\\udc00x",
    "a pair": "\\ud83d\\ude00",
    "large signs": "\U0001f600\uffff\x7f",
    "a control sign": "\x01",
    "a tab": "\t",
    "a line separator": "\u2028",
    "a next line": "\x85",
    "bad escapes": "\\x41",
    "a short escape": "\\u12",
    "a sign in an escape": "\\u+123",
    "a bar in an escape": "\\u1_23",
    "half a million signs": "x" * 500_000,
}
_BYTES = {
    "no UTF-8": b"\xff",
    "too long a sign": b"\xc0\xa0",
    "another one": b"\xe0\x80\xa0",
    "a half in UTF-8": b"\xed\xa0\x80",
    "half a sign": b"\xe2\x82",
    "beyond Unicode": b"\xf4\x90\x80\x80",
    "far beyond": b"\xf5\x80\x80\x80",
    "a continuation alone": b"\x80",
}
_NUMBERS = (
    "{}.0",
    "{}e0",
    "-0",
    "-{}",
    "+{}",
    "0{}",
    "{}.",
    ".{}",
    "{}_0",
    "{}n",
    '"{}"',
    "{} 1",
    "0x{}",
    "true",
    "null",
    "NaN",
)
_LARGE = ("1" + "0" * 400, "1" * 5000, "0" * 5000, "1e400", "Infinity", "-Infinity", "\u0661", "\uff11")
_WRAPS = (1 << 16, 1 << 31, 1 << 32, 1 << 53, 1 << 62, 1 << 63, 1 << 64)
_VALUES = ("null", "true", "false", "0", "{}", "[]", "[[]]", '""', "[0]", '[{"a": 0}]', "[" * 60 + "]" * 60, "-0")

SPELLINGS: dict[str, Spelling] = {
    **{f"version with {name}": _in_version(signs) for name, signs in {**_TEXTS, **_BYTES}.items()},
    **{
        f"{key} as {new[:9]}": _value(key, new)
        for key in ("value", "prices", "boxes", "groups", "kind")
        for new in _VALUES
    },
    **{f"{key} in a list": _value(key, r"[\g<0>]") for key in ("value", "format", "game", "kind", "objective")},
    **{
        f"format {form}": _value("format", f'"sokoasp certificate {form}"')
        for form in ("1", "2", "3", "4", "5", "6", "7", "2 ")
    },
    "a mark of order": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "blanks around": lambda text: f" \t\n{text} \n\t",
    "a zero byte behind": lambda text: text + "\0",
    "a form feed": _first(" ", "\f"),
    "a carriage return": _first(" ", "\r"),
    "a hard blank": _first(" ", "\xa0"),
    "twice": lambda text: text + text,
    "in a list": lambda text: f"[{text}]",
    "a comma more": _first("}}", "},}"),
    "a comment": _first(" ", " /* */ "),
    "single quotes": lambda text: text.replace('"', "'"),
    "a key escaped": _first('"game"', '"g\\u0061me"'),
    "a file's name escaped": _first('"level.', '"lev\\u0065l\\u002e'),
    "a key twice, escaped": _first("{", '{"v\\u0061lue": 1, '),
    "a file twice, escaped": _first('"files": {', '"files": {"lev\\u0065l.xsb": "0", '),
    "a prototype": _first("{", '{"__proto__": {}, '),
    "a prototype for a key": _first('"version"', '"__proto__"'),
    "a prototype for a file": _first('"files": {', '"files": {"__proto__": "x", '),
    "a file more": _first('"files": {', '"files": {"claim.json": "x", '),
    "a file by its path": _first('"level.', '"./level.'),
    "a sum in capitals": lambda text: re.sub(r'"[0-9a-f]{64}"', lambda one: one[0].upper(), text, count=1),
    "a sum with a blank": lambda text: re.sub(r'("[0-9a-f]{64})"', r'\1 "', text, count=1),
    "no sum": _first(r'"[0-9a-f]{64}"', "null"),
}
"""By name: how the text of a claim is changed."""


def text_of(base: Forged) -> str:
    """Return ``claim.json`` of a folder."""
    sums = {name: folders.hashlib.sha256(data).hexdigest() for name, data in base.files.items()}
    return json.dumps({**base.claim, "files": sums})


def _spelt(rng: random.Random, base: Forged) -> Forged:
    """Spell the claim in another way."""
    return replace(base, text=SPELLINGS[rng.choice(sorted(SPELLINGS))](text_of(base)))


def _numbered(rng: random.Random, base: Forged) -> Forged | None:
    """Spell one number of the claim in another way, or write one that is the same in few bits."""
    text = text_of(base)
    one = rng.choice([*_NUMBER.finditer(text)] or [None])
    if one is None:
        return None
    wraps = [str(int(one[0]) + wrap) for wrap in _WRAPS]
    new = rng.choice((*(form.format(one[0]) for form in _NUMBERS), *_LARGE, *wraps))
    return replace(base, text=text[: one.start()] + new + text[one.end() :])


def _packed(rng: random.Random, base: Forged) -> Forged | None:
    """Pack a file in another way."""
    names = sorted(name for name in base.files if name.endswith(".xz"))
    if not names:
        return None
    name = rng.choice(names)
    return base.holding(name, STREAMS[rng.choice(sorted(STREAMS))](lzma.decompress(base.files[name])))


def _exchanged(rng: random.Random, base: Forged) -> Forged | None:
    """Put one packed file in place of another, or leave nothing in it."""
    names = sorted(name for name in base.files if name.endswith(".xz"))
    if not names:
        return None
    return base.holding(rng.choice(names), rng.choice((base.files[rng.choice(names)], lzma.compress(b""))))


def _refuted(rng: random.Random, base: Forged) -> Forged | None:
    """Write the same formula, or the same proof, in another way."""
    if "claim.cnf" not in base.files:
        return None
    name = rng.choice(("claim.cnf", "proof.lrat"))
    lines = base.files[name].split(b"\n")[:-1]
    at = rng.randrange(len(lines))
    other = rng.randrange(len(lines))
    words = lines[at].split(b" ")
    spelt = (
        b" ".join([*words[-2::-1], *words[-1:]]),
        b" " + lines[at],
        lines[at] + rng.choice((b" ", b"\r", b"\t", b"\x0b", b"\n", b"\nc", b"\n%", b"\xff")),
        lines[at].replace(b" ", rng.choice((b"  ", b"\t", b" 0", b" +", b" -")), 1),
        words[0] + b"_0 " + b" ".join(words[1:]),
        b" ".join([*words[:-1], rng.choice((b"5", b"-0", b"00", b""))]),
        words[0] + b" d " + b"9" * rng.choice((14, 15, 16, 18, 19, 40, 5000)) + b" 0\n" + lines[at],
        b"c " + rng.choice((b"hello", b"\xc3\xa9", b"\xff", b"")) + b"\n" + lines[at],
        b"p cnf 1 1",
        lines[other],
    )
    lines[at] = rng.choice(spelt)
    return base.holding(name, b"\n".join(lines) + b"\n")


CONTAINER_WAYS: dict[str, Way] = {
    "the claim spelt otherwise": _spelt,
    "a number spelt otherwise": _numbered,
    "packed otherwise": _packed,
    "files exchanged": _exchanged,
    "a refutation written otherwise": _refuted,
}
"""Those that leave what is claimed, and what shows it, mostly as they are."""
