"""Loads the native engines' compiled code into a worker process, so that no run pays for it."""

from __future__ import annotations

import contextlib

from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.search.model import workspace
from sokoasp.sokoban.search.model.options import Options

_LEVEL = level_from_rows(["#######", "#.  $@#", "#  $  #", "# .   #", "#######"])

for _engine in DOMAIN.native.values():
    for _objective in DOMAIN.objectives:
        with contextlib.suppress(SokoaspError, ImportError, ValueError):
            _engine(_LEVEL, _objective, Limits(seconds=30))

with contextlib.suppress(ImportError):
    _code = workspace.compiled(Options())
    _ = _code.pattern_search, _code.breadth_first_kernels, _code.move_layers_kernels
