"""What the page is made of: its files with their media types, its style sheet and theme (inlined), the names it keeps offline.

The files live under a folder named by what is in them, so that browsers and the service worker may keep them for good: a page is
always made of files of one version, and a page that is loaded again asks for nothing but itself.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePath

from sokoasp.picture.theme import DARK, LIGHT, asset, declared

_KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
}
_SHARED = dict.fromkeys(("animator.js", "player.js"), "text/javascript") | {
    "board.css": "text/css",
    "controls.css": "text/css",
}
STYLES = ("theme.css", "board.css", "controls.css", "app.css", "panels.css")
"""One sheet, in this order, in the page itself: the first paint waits for no other request."""
THEME = "theme.js"
ROOTED = ("sw.js", "manifest.webmanifest", "icon.svg")
"""Files that live at the root: the service worker answers for all below it, browsers look for the others there."""
PLACE = "/at/"
"""What stands in ``index.html`` for the folder of the files."""
Content = dict[str, tuple[bytes, str]]
"""File name → content and media type."""

FOLDER = 12
"""Hexadecimal digits of the hash that names the folder."""


@dataclass(frozen=True, slots=True)
class Site:
    """The page's files; all paths are relative, so that the page can live in any folder of a web host."""

    files: Content
    """Path from the page → content and media type."""
    folder: str
    """Where the files lie that never change under their name."""
    policy: str
    """The content security policy."""
    collections: int = 0

    def write(self, folder: Path) -> int:
        """Write the files into a folder, which is made if it is not there; return their bytes.

        Files of another version that are in it are left alone.
        """
        for name, (content, _) in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return sum(len(content) for content, _ in self.files.values())


def load(more: Mapping[str, tuple[bytes, str]] | None = None) -> Site:
    """Read the files once, the page without its first level; ``more`` lies beside the scripts: name → content, media type."""
    static = files("sokoasp") / "web" / "static"
    found = {
        path.name: (path.read_text(encoding="utf-8"), kind)
        for path in static.iterdir()
        if (kind := _KINDS.get(PurePath(path.name).suffix)) is not None
    }
    found |= {name: (asset(name), kind) for name, kind in _SHARED.items()}
    found["theme.css"] = (f":root{{{declared(LIGHT)}}}:root[data-theme=dark]{{{declared(DARK)}}}", "text/css")
    style = "\n".join(found.pop(name)[0] for name in STYLES)
    script = found.pop(THEME)[0]
    page = (static / "index.html").read_text(encoding="utf-8")
    content = {name: (text.encode(), kind) for name, (text, kind) in found.items()} | dict(more or {})
    folder = f"{_stamp(content)}/"
    loaded = sorted(_imported("app.js", {name: text for name, (text, _) in found.items()}))
    modules = "".join(f'<link rel="modulepreload" href="{folder}{name}">\n' for name in loaded)
    page = page.replace(PLACE, folder).replace("<!--modules-->", modules)
    page = page.replace("<!--style-->", style).replace("<!--theme-->", script)
    placed = {(name if name in ROOTED else folder + name): entry for name, entry in content.items()}
    names = json.dumps({"folder": folder, "files": ["./", *sorted(set(placed) - {"sw.js"})]})
    placed["files.json"] = (names.encode(), "application/json")
    placed["index.html"] = (page.encode(), "text/html")
    return Site(placed, folder, _policy(_hash(style), _hash(script)))


def _policy(style_hash: str, script_hash: str) -> str:
    """Return the content security policy: nothing but the page's own files is ever asked for; hashes name what is inline."""
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' '{script_hash}'; "
        f"style-src 'self' '{style_hash}'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; "
        "worker-src 'self'; base-uri 'none'; form-action 'none'"
    )


def _imported(name: str, texts: Mapping[str, str]) -> set[str]:
    """Return a script and all that it imports: what the page needs before it can begin."""
    found, rest = {name}, [name]
    while rest:
        new = set(re.findall(r'^import (?:.* from )?"\./([\w.]+)";$', texts[rest.pop()], re.MULTILINE)) - found
        found |= new
        rest += new
    return found


def _stamp(found: Mapping[str, tuple[bytes, str]]) -> str:
    """Return a short name for these contents."""
    whole = hashlib.sha256()
    for name, (content, kind) in sorted(found.items()):
        whole.update(f"{name}\n{kind}\n{len(content)}\n".encode() + content)
    return whole.hexdigest()[:FOLDER]


def _hash(text: str) -> str:
    """Return how a content security policy names an inline text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
