"""Records calls of kernels while levels are solved: ``python -m tests.kernels.record FOLDER``, for ``replay.mjs``.

A call is its symbol, its numbers, its arrays before and after, and its answer. All arrays are in ``arrays.bin``.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from sokoasp.core.kernels.shared_library import Library, flat, kinds, symbol
from sokoasp.core.limits import Limits
from sokoasp.sokoban import formats
from tests.levels import warehouse

BOUND = Library.bound
MOST = 6
"""Calls recorded of each kernel, spread over the run: the 1st, 2nd, 4th, 8th ..."""


class Recorder:
    """Keeps calls."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.calls, self.seen = folder, [], Counter()
        self.file = (folder / "arrays.bin").open("wb")

    def make(self, library: Library, function: Any, signature: str) -> Any:
        """Wrap a kernel of the library."""
        call = BOUND(library, function, signature)
        name = f"{function.__module__}.{function.__qualname__}"
        result, _ = kinds(signature)

        def recorded(*given: Any) -> Any:
            self.seen[name] += 1
            count = self.seen[name]
            if count & (count - 1) or count >= 1 << MOST:
                return call(*given)
            arrays = flat(given)
            before = [self._kept(one) for one in arrays]
            answer = call(*given)
            after = [self._kept(one) for one in arrays]
            said = 0 if result == "void" else int(answer)
            row = {"symbol": symbol(name, objects=False), "before": before, "after": after, "answer": str(said)}
            self.calls.append(row)
            return answer

        return recorded

    def _kept(self, one: Any) -> Any:
        held = isinstance(one, np.ndarray)
        if not held and not isinstance(one, ctypes.Structure):
            return str(int(one))
        at, data = self.file.tell(), bytes(one)
        self.file.write(data)
        return {"at": at, "bytes": len(data), "shape": list(one.shape) if held else []}

    def close(self) -> None:
        """Write the calls down."""
        self.file.close()
        (self.folder / "calls.json").write_text(json.dumps(self.calls))


def main() -> None:
    recorder = Recorder(Path(sys.argv[1]))
    Library.bound = lambda library, function, signature: recorder.make(library, function, signature)
    from sokoasp.sokoban.search import Options, solve

    text = Path(__file__).parents[2].joinpath("instances/tutorial/tutorial.xsb").read_bytes()
    levels = list(formats.read(text))
    for engine in ("forward", "reverse", "any"):
        for level in (levels[7], levels[8], warehouse()):  # the last has room for packing orders
            solve(level, "pushes", Limits(seconds=5, states=20_000), engine=engine, options=Options())
    recorder.close()
    print(json.dumps(recorder.seen))


if __name__ == "__main__":
    main()
