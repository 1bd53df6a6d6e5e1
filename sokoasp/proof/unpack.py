"""The packed files of a certificate, unpacked piece by piece: never more at once than the reader asks for."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import IO

from sokoasp.proof.refusals import Refused

MEMORY = 1 << 28
"""Bytes an unpacker may need for itself."""
CHECKS = (lzma.CHECK_NONE, lzma.CHECK_CRC32, lzma.CHECK_CRC64, lzma.CHECK_SHA256)
"""Sums of a stream; the numbers of others are kept for later, and liblzma passes over what it does not know."""
PIECE = 1 << 16


class Unpacked:
    """One xz stream, read from its beginning."""

    def __init__(self, packed: Path | bytes) -> None:
        self.file: IO[bytes]
        if isinstance(packed, bytes):
            self.name, self.file = "tables", BytesIO(packed)
        else:
            self.name = packed.name
            try:
                self.file = packed.open("rb")
            except OSError as error:
                raise Refused(f"{self.name} cannot be read: {error}") from None
        self.stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)
        if not _is_plain(self.file):
            raise Refused(f"{self.name} has other filters than LZMA2, or a sum of a kind that is not known")

    def take(self, count: int) -> bytes:
        """Return the next bytes, fewer only at the end.

        Raises:
            Refused: It is no xz stream, is cut short, needs more memory than is given, or something follows it.
        """
        parts, wanted = [], count
        try:
            while wanted and not self.stream.eof:
                packed = self.file.read(PIECE) if self.stream.needs_input else b""
                if self.stream.needs_input and not packed:
                    raise Refused(f"{self.name} ends in the middle of the xz stream")
                parts.append(self.stream.decompress(packed, wanted))
                wanted -= len(parts[-1])
        except (lzma.LZMAError, OSError) as error:
            raise Refused(f"{self.name} cannot be unpacked: {error}") from None
        if self.stream.eof and (self.stream.unused_data or self.file.read(1)):
            raise Refused(f"something follows the xz stream of {self.name}")
        return b"".join(parts)

    def end(self) -> None:
        """Demand that there is nothing more.

        Raises:
            Refused: There is.
        """
        if self.take(1):
            raise Refused(f"{self.name} unpacks to more than the level calls for")


LONGEST = 56
"""Bits before the last byte of a number."""


def _is_plain(file: IO[bytes]) -> bool:
    """Return whether a stream has a sum of a known kind, and each block by its index one filter, which can only be LZMA2.

    What is no stream, or has an index that is not that of its blocks, is refused when it is unpacked.
    """
    head, length = file.read(8), file.seek(0, SEEK_END)
    file.seek(max(0, length - 8))
    back = 4 * (int.from_bytes(file.read(4), "little") + 1)
    if len(head) < 8 or back > length - 24:
        file.seek(0)
        return True  # it is no stream, which is said when it is unpacked
    if head[7] not in CHECKS:
        return False
    file.seek(length - 12 - back)
    sizes, at = list(_numbers(file.read(back)[1:])), 12
    for block in sizes[1 : 1 + 2 * sizes[0] : 2] if sizes else ():
        file.seek(min(at, length))
        if file.read(2)[1:] not in (b"\0", b"\x40", b"\x80", b"\xc0"):
            return False
        at += (block + 3) // 4 * 4
    file.seek(0)
    return True


def _numbers(data: bytes) -> Iterator[int]:
    """Yield the numbers that stand in an index, seven bits a byte from the lowest on, up to one that is too long."""
    value = shift = 0
    for byte in data:
        if shift > LONGEST:
            return
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0
