"""Certificates that are dropped on the page: checked in the browser by check_proof.js, folder or zip file."""

from __future__ import annotations

import base64
import io
import lzma
import zipfile
from pathlib import Path

from sokoasp.proof import folder as folders
from tests.proof.forging import write
from tests.web.hands import MARKS, Page

pytestmark = MARKS
STUCK = "#####\n#$  #\n#  .#\n#@  #\n#####\n"
DROP = """
    const data = new DataTransfer();
    for (const [name, text] of arguments[0])
      data.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));"""


def listed(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def drop(page: Page, files: dict[str, bytes]) -> None:
    page.js(DROP, [[name, base64.b64encode(data).decode()] for name, data in files.items()])


def stuck(folder: Path) -> dict[str, bytes]:
    """Return a certificate that the box in the corner never comes to the goal: the list of all places it can be brought to."""
    least = 1  # the box takes cell 0; the least cell of the player's region is the next
    record = bytes([1, 0]) + least.to_bytes(2, "little") + bytes(2)
    return listed(write(folder, STUCK, states=record))


def test_a_certificate_that_is_dropped_is_checked(page: Page, tmp_path: Path) -> None:
    files = stuck(tmp_path)
    drop(page, files)
    page.wait(lambda: page.text("proof-verdict") == "Valid: there is no plan.")
    assert page.find("proof-verdict").get_attribute("data-state") == "good"
    assert f"SHA-256 of this level.xsb: {folders.sha256(tmp_path / 'level.xsb')}" in page.text("proof-lines")
    assert "the list of 1 states is closed" in page.text("proof-lines")
    drop(page, {**files, "states.xz": lzma.compress(b"")})
    page.wait(lambda: page.text("proof-verdict") == "Invalid: states.xz: another file")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(f"stuck/{name}", data)
    drop(page, {"certificate.zip": packed.getvalue()})
    page.wait(lambda: page.text("proof-verdict") == "Valid: there is no plan.")
    drop(page, {"certificate.zip": b"PK no zip at all, but long enough"})
    page.says("This is no zip archive.")
