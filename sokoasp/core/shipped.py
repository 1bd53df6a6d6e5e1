"""Where the files that come with the package lie."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
SHIPPED = _PACKAGE / "instances" if (_PACKAGE / "instances").is_dir() else _PACKAGE.parent / "instances"
"""The folder with the instances: inside the installed package, else in the checkout."""
