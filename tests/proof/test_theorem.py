"""The theorem of docs/certificates.md: every step names what ensures it, and those names are there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("numba")

NAME = re.compile(r"`(\w+(?:\.\w+)+)`")
FILES = (".json", ".xz", ".xsb")


def _section(root: Path) -> str:
    text = (root / "docs" / "certificates.md").read_text()
    return text[text.index("## The theorem") : text.index("## By hand")]


def _steps(root: Path) -> list[str]:
    return re.split(r"(?m)^\d+\. ", _section(root))[1:]


def _there(name: str) -> bool:
    module, *parts = name.split(".")
    try:
        found = importlib.import_module(f"sokoasp.proof.{module}")
    except ImportError:
        return False
    for part in parts:
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def test_every_name_is_there(root: Path) -> None:
    names = {name for name in NAME.findall(_section(root)) if not name.endswith(FILES) and name != "sokoasp.proof"}
    assert len(names) > 25
    assert [name for name in sorted(names) if not _there(name)] == []
    assert not _there("closed_kernel.nothing")


def test_every_step_names_what_ensures_it(root: Path) -> None:
    steps = _steps(root)
    assert len(steps) == 14
    assert [number for number, step in enumerate(steps, 1) if not NAME.findall(step)] == []


def test_the_numbers_of_the_steps(root: Path) -> None:
    """29,999 an entry and 60 boxes keep below 2^21 and far below "never"; 60 boxes leave at most 181 components."""
    kernel, closed = (importlib.import_module(f"sokoasp.proof.{name}") for name in ("group_kernel", "closed"))
    reported = " ".join(_section(root).split())
    assert f"{kernel.MOST:,}" in reported
    assert closed.MOST_BOXES * kernel.MOST < 2**21 < kernel.NEVER == 2**30
    assert "2^21" in reported
    assert "2^30" in reported
    assert f"{3 * closed.MOST_BOXES + 1} components" in reported
    assert 3 * closed.MOST_BOXES + 1 < 254
