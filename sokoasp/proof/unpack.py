"""The packed files of a certificate, unpacked piece by piece: never more at once than the reader asks for."""

from __future__ import annotations

import lzma
from io import BytesIO
from pathlib import Path
from typing import IO

from sokoasp.proof.refusals import Refused

MEMORY = 1 << 28
"""Bytes an unpacker may need for itself."""
CHECKS = (lzma.CHECK_NONE, lzma.CHECK_CRC32, lzma.CHECK_CRC64, lzma.CHECK_SHA256, lzma.CHECK_UNKNOWN)
"""Sums of a stream, not known before its head is read; liblzma passes over the numbers that are kept for later."""
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

    def take(self, count: int) -> bytes:
        """Return the next bytes, fewer only at the end.

        Raises Refused: it is no xz stream, is cut short, needs more memory than is given, or something follows it.
        """
        parts, wanted = [], count
        try:
            while wanted and not self.stream.eof:
                packed = self.file.read(PIECE) if self.stream.needs_input else b""
                if self.stream.needs_input and not packed:
                    raise Refused(f"{self.name} ends in the middle of the xz stream")
                parts.append(self.stream.decompress(packed, wanted))
                wanted -= len(parts[-1])
                if self.stream.check not in CHECKS:
                    raise Refused(f"{self.name} has a checksum of an unknown kind")
        except (lzma.LZMAError, OSError) as error:
            raise Refused(f"{self.name} cannot be unpacked: {error}") from None
        if self.stream.eof and (self.stream.unused_data or self.file.read(1)):
            raise Refused(f"something follows the xz stream of {self.name}")
        return b"".join(parts)

    def end(self) -> None:
        """Demand that there is nothing more; Refused if there is."""
        if self.take(1):
            raise Refused(f"{self.name} unpacks to more than the level calls for")
