"""The page as a folder for any web host: levels, programs and the table of optima beside the scripts, and no server behind it.

In the browser a worker answers what elsewhere the server answers (``static/site_worker.js``); clingo comes as WebAssembly from
the npm package clingo-wasm (Apache-2.0), whose version and checksum are pinned here.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sokoasp import render
from sokoasp.asp import catalogue, export
from sokoasp.asp.vocabulary import bridges, vocabulary
from sokoasp.core.errors import SokoaspError
from sokoasp.core.shipped import instances
from sokoasp.domain import domains
from sokoasp.sokoban import optima_table, rules
from sokoasp.sokoban.default_programs import CONSTRAINED
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.tables.ends import ENDS
from sokoasp.web import asp_window, assets, examples, first_page, serialization

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
TABLES = frozenset(("windows", "pairs"))
"""Those that ``static/tables.js`` makes."""
_FACTS = frozenset((("right", 2), ("top", 2), ("box", 1), ("solution", 1), ("sokoban", 1)))
_JSON = "application/json"
Content = dict[str, tuple[bytes, str]]
"""File name → content and media type."""


@dataclass(frozen=True, slots=True)
class Site:
    """What was made: number of files, their bytes, number of collections, and whether clingo is in it."""

    files: int
    size: int
    collections: int
    clingo: bool


def build(folder: Path, own: Sequence[tuple[str, str]] = (), *, clingo: Content | None = None) -> Site:
    """Write the site into a folder, which is made if it is not there; files of another version in it are left alone.

    Args:
        folder: Where it goes.
        own: Collections of one's own as (name, text), put before the bundled ones; the first is opened first.
        clingo: The files of ``clingo_files``; without them the site has no ASP window.

    Raises:
        SokoaspError: A text holds no level, with its name.
    """
    opened = {name: serialization.open_text(text, name) for name, text in [*own, *examples.load().items()]}
    first = own[0][0] if own else examples.FIRST
    more: Content = {f"levels/{number}.json": _json(one) for number, one in enumerate(opened.values())}
    more |= {"programs.json": _json(_programs()), "pages.json": _json(_pages())}
    more |= {f"optima/{shard}.json": _json(rows) for shard, rows in _shards().items()}
    more |= {f"clingo/{name}": entry for name, entry in (clingo or {}).items()}
    licences = instances() / "optima" / "LICENSE"
    more["optima/LICENSE"] = (licences.read_bytes(), "text/plain")
    parts = assets.load(more)
    state = {
        "own": bool(own),
        "examples": list(opened),
        "games": {name: _abilities(domain, clingo is not None) for name, domain in domains().items()},
        "site": {
            "clingo": clingo is not None,
            "levels": {name: f"levels/{number}.json" for number, name in enumerate(opened)},
        },
    }
    page = first_page.fill(parts.page.replace("<title>", _policy(parts) + "<title>", 1), opened[first], state)
    page = page.replace(f'"{parts.folder}server.js"', f'"{parts.folder}local.js"')
    written: Content = {**parts.files, "index.html": (page.encode(), "text/html")}
    for name, (content, _) in written.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    size = sum(len(content) for content, _ in written.values())
    return Site(len(written), size, len(opened), clingo is not None)


def _abilities(domain: Any, clingo: bool) -> dict[str, Any]:
    """Return objectives, and the engines there are in the browser."""
    return {"objectives": list(domain.objectives), "engines": ["asp", "native"] if clingo else ["native"]}


def _policy(parts: assets.Assets) -> str:
    """Return the page's own content security policy: nothing but the site's own files is ever asked for."""
    rules = (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' '{parts.script_hash}'; "
        f"style-src 'self' '{parts.style_hash}'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; "
        "worker-src 'self'; base-uri 'none'; form-action 'none'"
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{rules}">\n'


def _json(value: Any) -> tuple[bytes, str]:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace"), _JSON


def _programs() -> dict[str, Any]:
    """Return what the ASP window shows, by game and objective, with the bridges that public predicates need."""
    found: dict[str, Any] = {}
    for game, domain in domains().items():
        found[game] = {objective: _window(game, objective) for objective in domain.objectives}
    return found


def _window(game: str, objective: str) -> dict[str, Any]:
    window = asp_window.about(game, objective)
    encoding = catalogue.find(objective, game, objective)
    texts: dict[str, str] = {}
    for word in window["vocabulary"]:
        one = next(
            p for (name, arity), p in vocabulary(game).items() if (name, arity) == (word["name"], len(word["args"]))
        )
        needed = bridges(encoding, (one.signature,), _FACTS)
        word["bridge"] = [path.name for path in needed]
        texts |= {path.name: path.read_text(encoding="utf-8") for path in needed}
    return {**window, "bridges": texts, "pruned": _pruned(objective) if game == "sokoban" else None}


def _pruned(objective: str) -> dict[str, Any] | None:
    """Return the program with tables that the site solves by: its text for plain clingo, and the names of the ends of a plan.

    Only what reads the tables that the browser makes (``static/tables.js``) is in it; for moves there is none.
    """
    if objective == "moves":
        return None
    encoding = pruned(objective)
    text = "\n".join(path.read_text(encoding="utf-8") for path in export.for_plain_clingo(encoding).files)
    return {"name": encoding.name, "program": text, "ends": ENDS[encoding.index]._asdict()}


def pruned(objective: str) -> catalogue.Encoding:
    """Return the program that takes constraints, without the ideas whose tables the browser does not make."""
    encoding = catalogue.named(CONSTRAINED[objective])
    return encoding.without(*(idea.name for idea in encoding.ideas if not TABLES.issuperset(idea.tables)))


def _pages() -> dict[str, str]:
    """Return the style of a picture, and the page that plays a plan with marks in the places of title, picture and timeline."""
    level = level_from_rows(("#####", "#@$.#", "#####"), title="@title@")
    plan = rules.plan_from_lurd(level, "R")
    style = re.search(r"<style>(.*?)</style>", render.svg(level), re.DOTALL)
    page = render.html_player(level, plan)
    page = re.sub(r"<figure>.*</figure>", "<figure>@picture@</figure>", page, flags=re.DOTALL)
    page = re.sub(r'(id="timeline">).*?(</script>)', r"\1@timeline@\2", page, flags=re.DOTALL)
    return {"style": style.group(1) if style else "", "html": page}


def _shards() -> dict[str, dict[str, Any]]:
    """Return the settled rows of the table of optima by the first digit of the board's hash."""
    shards: dict[str, dict[str, Any]] = {}
    for board, rows in optima_table.shipped().items():
        found = [_settled(row) for row in rows.values() if row.status != "open" and "+" not in row.objective]
        if found:
            shards.setdefault(board[:1], {})[board] = found
    return shards


def _settled(row: optima_table.Optimum) -> dict[str, Any]:
    return {
        "objective": row.objective,
        "status": "unsolvable" if row.status == "unsolvable" else "optimal",
        "value": int(row.value) if row.value else None,
        "by": row.closed_by,
        "origin": row.origin,
        "plan": row.plan,
    }


def clingo_files(source: Path | None = None) -> Content:
    """Return clingo's files: from a folder or a package file, else from the npm registry by ``npm pack``.

    Raises:
        SokoaspError: They are not there, or the package is not the one whose checksum is pinned.
    """
    if source is not None and source.is_dir():
        return _from_folder(source)
    if source is not None:
        return _from_package(source.read_bytes(), str(source))
    npm = shutil.which("npm")
    if npm is None:
        raise SokoaspError("npm is not installed, which brings clingo for the browser")
    with TemporaryDirectory(prefix="sokoasp-") as name:
        command = [npm, "pack", f"{PACKAGE}@{VERSION}", "--silent", "--pack-destination", name]
        try:
            done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False, timeout=NPM_SECONDS)
        except subprocess.TimeoutExpired:
            raise SokoaspError(f"npm did not bring {PACKAGE} {VERSION} within {NPM_SECONDS:g} s") from None
        found = list(Path(name).glob("*.tgz"))
        if done.returncode != 0 or not found:
            raise SokoaspError(
                f"npm could not bring {PACKAGE} {VERSION}: {done.stderr.strip()[-200:] or 'no file came'}"
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


def _from_folder(folder: Path) -> Content:
    found: Content = {}
    for name, kind in CLINGO.items():
        path = next((path for path in (folder / name, folder / "src" / name) if path.is_file()), None)
        if path is None:
            raise SokoaspError(f"{folder}: there is no {name} in it")
        found[name] = (path.read_bytes(), kind)
    return found
