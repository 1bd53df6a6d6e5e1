"""Measures what a site computes in the browser: ``python tests/web/measure_site.py SECONDS FILES`` (needs node).

Runs the page's own search (``static/search.js``) on each level, fewest pushes, and reports how many it proves within the seconds.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

STATIC = Path(__file__).parents[2] / "sokoasp" / "web" / "static"
SCRIPT = """
    import {readFileSync} from "node:fs";
    import {openText} from "./reader.js";
    import {search} from "./search.js";
    const {seconds, texts} = JSON.parse(readFileSync(0, "utf8")), counts = {};
    let levels = 0;
    for (const [name, text] of texts) for (const problem of openText(text, name).problems) {
      levels++;
      const status = problem.error ? "faulty" : search(problem, "pushes", seconds).status;
      counts[status] = (counts[status] ?? 0) + 1;
    }
    console.log(JSON.stringify({levels, ...counts}));"""


def main(seconds: float, files: list[str]) -> None:
    """Search and print the counts by status."""
    texts = [(Path(name).name, Path(name).read_text(encoding="utf-8", errors="replace")) for name in files]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "package.json").write_text('{"type": "module"}')
        for path in STATIC.glob("*.js"):
            shutil.copy(path, folder)
        command = ["node", "--input-type=module", "-e", SCRIPT]
        data = json.dumps({"seconds": seconds, "texts": texts})
        subprocess.run(command, cwd=folder, input=data, text=True, check=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
