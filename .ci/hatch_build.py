"""Puts the library of kernels that $SOKOASP_KERNELS names into the wheel, which is then for the platform $SOKOASP_TAG.

Without it the wheel is for any platform and brings no compiled search: nothing is compiled at installation.
"""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelsHook(BuildHookInterface):  # type: ignore[type-arg]
    """One wheel a platform, for all Python versions."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the library and the platform's tag."""
        library = os.environ.get("SOKOASP_KERNELS")
        if library and version != "editable":
            build_data["force_include"][library] = "sokoasp/core/kernels/kernels.so"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{os.environ['SOKOASP_TAG']}"
