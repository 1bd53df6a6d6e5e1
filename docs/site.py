"""A hook of MkDocs: README and CONTRIBUTING become pages, and links to files that are not on the site become plain text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md"}
"""Pages of the site made of files beside docs/."""
_LINK = re.compile(r"\[([^\[\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are no files of docs/."""
    for page, source in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Lead links to pages of the site, and leave out those to other files of the repository.

    Raises:
        PluginError: A link leads to no file at all.
    """
    source = page.file.src_uri
    folder = ROOT if source in PAGES else (ROOT / "docs" / source).parent
    pages = {ROOT / own: name for name, own in PAGES.items()}

    def link(found: re.Match[str]) -> str:
        target, _, anchor = found[2].partition("#")
        path = (folder / target).resolve()
        if not path.exists():
            raise PluginError(f"{source}: a link to {found[2]}, which does not exist")
        if path in pages:
            name = pages[path]
        elif path.is_file() and path.is_relative_to(ROOT / "docs") and path.suffix != ".py":
            name = path.relative_to(ROOT / "docs").as_posix()
        else:
            return found[1]
        return f"[{found[1]}]({'../' * source.count('/')}{name}{'#' + anchor if anchor else ''})"

    return _LINK.sub(link, markdown)
