"""Where the files that come with the package lie."""

from __future__ import annotations

from pathlib import Path


def instances() -> Path:
    """Return the folder with the instances: inside the installed package, else in the checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "instances"
    return inside if inside.is_dir() else package.parent / "instances"
