"""Measures a site.

``python tests/web/measure_site.py SECONDS FILES`` (needs node) runs the page's own search (``static/search.js``) on each level,
fewest pushes, and reports how many it proves within the seconds.

``python tests/web/measure_site.py browser CLINGO_WASM`` (needs chromium and chromedriver) makes the site, serves it by Python's
plain web server and reports, for five browsers that have kept nothing: seconds until the page can be played and until the first
step is on the board, whom it asked, and seconds from *Run* to the proved plan of the tutorial's first level in the ASP window.
"""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

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


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


def in_the_browser(clingo: Path) -> None:
    """Open the site in new browsers and print what each took."""
    from sokoasp.web import static_site
    from tests.web.hands import Page, browser, size

    with tempfile.TemporaryDirectory() as name:
        static_site.build(Path(name) / "site", clingo=static_site.clingo_files(clingo))
        handler = functools.partial(_Quiet, directory=str(Path(name) / "site"))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
            threading.Thread(target=host.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{host.server_address[1]}/"
            for number in range(5):
                driver = browser(str(Path(name) / f"profile-{number}"))
                try:
                    size(driver, "desktop")
                    print(json.dumps(_visit(driver, url, Page)), flush=True)
                finally:
                    driver.quit()
            host.shutdown()


def _visit(driver: Any, url: str, page_of: Any) -> dict[str, Any]:
    began = time.perf_counter()
    driver.get(url)
    page = page_of.__new__(page_of)
    page.driver, page.url = driver, url.rstrip("/")
    page.ready()
    ready = time.perf_counter() - began
    page.keys("d")
    page.wait(lambda: page.js("return sokoasp.page.game.done.length > 0"))
    first = time.perf_counter() - began
    page.click("tab-asp")
    page.wait(lambda: page.js("return document.getElementById('asp-facts').textContent.length > 0"))
    began = time.perf_counter()
    page.click("asp-run")
    page.wait(lambda: "proved optimal" in page.text("asp-answer"))
    asked = page.js("return performance.getEntriesByType('resource').map((one) => one.name)")
    elsewhere = [one for one in asked if not one.startswith((url, "blob:", "data:"))]
    answer = round(time.perf_counter() - began, 2)
    return {
        "ready": round(ready, 2),
        "first step": round(first, 2),
        "asked elsewhere": len(elsewhere),
        "first plan by ASP": answer,
    }


if __name__ == "__main__" and sys.argv[1] == "browser":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    in_the_browser(Path(sys.argv[2]))
elif __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
