"""Streams of xz in every shape the format has, whole and spoilt: what one unpacker takes and another may not."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MAGIC, FOOT = b"\xfd7zXZ\0", b"YZ"
LENGTHS = (0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64)
"""Bytes of a block's sum by the number of its kind; 0, 1, 4 and 10 mean something."""
LZMA2: dict[str, Any] = {"id": lzma.FILTER_LZMA2, "preset": 1, "dict_size": 1 << 16}
DELTA, X86 = {"id": lzma.FILTER_DELTA, "dist": 2}, {"id": lzma.FILTER_X86}


def crc(data: bytes) -> bytes:
    """Return a CRC-32 as it is written."""
    return struct.pack("<I", zlib.crc32(data))


def number(value: int) -> bytes:
    """Return a number seven bits a byte from the lowest on."""
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


@dataclass(frozen=True, slots=True)
class Shape:
    """How a stream is written."""

    check: int = 4
    """Kind of sum."""
    blocks: int = 1
    sized: bool = False
    """Whether each block names its sizes."""
    filters: tuple[dict[str, Any], ...] = (LZMA2,)
    named: bytes = b"\x21\x01\x08"
    """The filters as a block names them."""
    padding: int = 0
    """Bytes more in each block's header."""
    counted: int = 0
    """Blocks more in the index than there are."""
    flag: int = 0
    """First byte of the flags, 0 by the format."""
    index: bytes = b""
    """The numbers of the index, if they are others."""

    def stream(self, data: bytes) -> bytes:
        """Return such a stream."""
        flags = bytes([self.flag, self.check])
        out, records = MAGIC + flags + crc(flags), []
        for i in range(self.blocks):
            part = data[len(data) * i // self.blocks : len(data) * (i + 1) // self.blocks]
            block, own = self._block(part)
            records.append(number(own) + number(len(part)))
            out += block
        index = b"\0" + (self.index or number(len(records) + self.counted) + b"".join(records))
        index += bytes(-len(index) % 4)
        foot = struct.pack("<I", len(index) // 4) + flags
        return out + index + crc(index) + crc(foot) + foot + FOOT

    def _block(self, part: bytes) -> tuple[bytes, int]:
        body = lzma.compress(part, lzma.FORMAT_RAW, filters=self.filters)
        sizes = number(len(body)) + number(len(part)) if self.sized else b""
        head = bytes([len(self.filters) - 1 | 0xC0 * self.sized]) + sizes + self.named
        size = (len(head) + 8) // 4 * 4 + self.padding
        head = (bytes([size // 4 - 1]) + head).ljust(size - 4, b"\0")
        head += crc(head)
        total = self._sum(part)
        return head + body + bytes(-len(body) % 4) + total, len(head) + len(body) + len(total)

    def _sum(self, part: bytes) -> bytes:
        if self.check == lzma.CHECK_CRC64:
            whole = lzma.compress(part, check=lzma.CHECK_CRC64)
            end = len(whole) - 12 - 4 * (int.from_bytes(whole[-8:-4], "little") + 1)
            return whole[end - 8 : end] if part else bytes(8)
        known = {1: crc, 10: lambda data: hashlib.sha256(data).digest()}
        return known[self.check](part) if self.check in known else bytes(LENGTHS[self.check])


def _named(dictionary: int) -> Shape:
    """Return a shape that asks for a larger dictionary (by its code) than it needs."""
    return Shape(named=bytes([0x21, 1, dictionary]))


_SHAPES = {
    **{f"sum {kind}": Shape(check=kind) for kind in range(16)},
    **{f"dictionary {code}": _named(code) for code in (7, 8, 30, 31, 32, 33, 40, 41, 63, 255)},
    "two blocks": Shape(blocks=2),
    "seven blocks with sizes": Shape(blocks=7, sized=True),
    "no block": Shape(blocks=0),
    "delta": Shape(filters=(DELTA, LZMA2), named=b"\x03\x01\x01\x21\x01\x08"),
    "x86": Shape(filters=(X86, LZMA2), named=b"\x04\x00\x21\x01\x08"),
    "delta in two blocks": Shape(blocks=2, filters=(DELTA, LZMA2), named=b"\x03\x01\x01\x21\x01\x08"),
    "a larger header": Shape(padding=8),
    "one block too many": Shape(counted=1),
    "another flag": Shape(flag=1),
    "a block beyond everything": Shape(index=number(2) + number(1 << 62) + number(5) + number(1 << 62) + number(5)),
    "a number without end": Shape(index=b"\xff" * 5000),
    "numbers of 10 bytes": Shape(index=number(1 << 69) * 4),
}

STREAMS: dict[str, Callable[[bytes], bytes]] = {
    **{name: shape.stream for name, shape in _SHAPES.items()},
    "two streams": lambda data: lzma.compress(data[:9]) + lzma.compress(data[9:]),
    "an empty stream behind": lambda data: lzma.compress(data) + lzma.compress(b""),
    "an empty stream before": lambda data: lzma.compress(b"") + lzma.compress(data),
    "padding behind": lambda data: lzma.compress(data) + bytes(4),
    "padding before": lambda data: bytes(4) + lzma.compress(data),
    "a byte behind": lambda data: lzma.compress(data) + b"x",
    "without its last byte": lambda data: lzma.compress(data)[:-1],
    "without its foot": lambda data: lzma.compress(data)[:-12],
    "another last byte": lambda data: lzma.compress(data)[:-1] + b"z",
    "nothing": lambda _: b"",
    "not packed": lambda data: data,
    "lzma alone": lambda data: lzma.compress(data, lzma.FORMAT_ALONE),
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "a zero more": lambda data: lzma.compress(data + b"\0"),
    "a thousand zeros more": lambda data: lzma.compress(data + bytes(1000)),
    "a byte less": lambda data: lzma.compress(data[:-1]),
    "other properties": lambda data: lzma.compress(data, filters=[{**LZMA2, "lc": 0, "lp": 4, "pb": 4}]),
}
"""By name: how data is packed."""
