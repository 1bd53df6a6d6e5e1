"""Measures a site in Chromium, from Python's plain web server (needs chromium and chromedriver).

``python tests/web/measure_site.py visit CLINGO_WASM`` reports, for five browsers that have kept nothing: seconds until the page
can be played and until the first step is on the board, whom it asked, and seconds from *Run* to the proved plan of the tutorial's
first level in the ASP window.

``python tests/web/measure_site.py prove CLINGO_WASM ENGINE SECONDS FILES`` has each level solved in the tab, fewest pushes, by
``native``, ``asp`` or ``both`` side by side as the page does it, and reports how many are proved within that many seconds of the
whole browser's processor time. It prints a line a level.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from sokoasp.web import static_site
from tests.web.hands import Page, browser, hosting, size

SOLVE = """
    const [text, name, engines, seconds] = arguments, from = document.querySelector("script[type=module]").src;
    const load = (name) => import(from.replace("app.js", name)), stop = window.stopAll = new AbortController();
    window.found = null;
    Promise.all([load("reader.js"), load("api.js")]).then(async ([reader, api]) => {
      const problem = reader.openText(text, name).problems[0], signal = stop.signal;
      const one = (engine) => new Promise((done, failed) => {
        const body = {problem, objective: "pushes", engine, seconds}, proved = ["optimal", "unsolvable"];
        const hear = ({event, result}) => event === "result" && (proved.includes(result.status) ? done : failed)(result);
        api.follow("solve", body, signal, hear).catch(failed);
      });
      const proof = await Promise.any(engines.map(one)).catch(({errors}) => errors[0]);
      stop.abort();
      window.found = {status: proof.status ?? proof.message, value: proof.value, engine: proof.engine};
    });"""


@contextmanager
def site(clingo: Path) -> Iterator[tuple[str, Path]]:
    """Make the site and serve it; give its address and a folder for profiles."""
    with tempfile.TemporaryDirectory() as name:
        static_site.build(Path(name) / "site", clingo=static_site.clingo_files(clingo))
        with hosting(Path(name) / "site") as url:
            yield url, Path(name)


def visit(clingo: Path) -> None:
    """Open the site in new browsers and print what each took."""
    with site(clingo) as (url, folder):
        for number in range(5):
            driver = browser(str(folder / f"profile-{number}"))
            try:
                size(driver, "desktop")
                print(json.dumps(_visit(driver, url)), flush=True)
            finally:
                driver.quit()


def _visit(driver: Any, url: str) -> dict[str, Any]:
    began = time.perf_counter()
    driver.get(url)
    page = Page.__new__(Page)
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


def prove(clingo: Path, engine: str, seconds: float, files: list[str]) -> None:
    """Have each level solved in one tab after the other and print what was proved within the seconds of processor time."""
    engines = ["asp", "native"] if engine == "both" else [engine]
    counts: Counter[str] = Counter()
    with site(clingo) as (url, folder):
        driver = browser(str(folder / "profile"))
        try:
            page = Page(driver, url)
            for file in files:
                found = _prove(page, Path(file), engines, seconds)
                counts[found["status"]] += 1
                print(json.dumps({"level": Path(file).stem, **found}), flush=True)
        finally:
            driver.quit()
    print(json.dumps({"levels": len(files), "seconds": seconds, "engine": engine, **counts}))


def _prove(page: Page, file: Path, engines: list[str], seconds: float) -> dict[str, Any]:
    began = _used(page.driver.service.process.pid)
    page.js(SOLVE, file.read_text(encoding="utf-8", errors="replace"), file.name, engines, 20_000)
    while True:
        found, used = page.js("return window.found"), _used(page.driver.service.process.pid) - began
        if found or used > seconds:
            break
        time.sleep(0.05)
    page.js("stopAll.abort()")
    return {**(found or {"status": "time_out"}), "processor": round(used, 2)}


def _used(pid: int) -> float:
    """Return the processor seconds of a process and of all that it has started."""
    times: dict[int, float] = {}
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(path.parent.name))
        times[int(path.parent.name)] = sum(map(int, fields[11:15])) / 100
    pending, total = [pid], 0.0
    while pending:
        one = pending.pop()
        total += times.get(one, 0.0)
        pending += children.get(one, [])
    return total


if __name__ == "__main__":
    what, package, *rest = sys.argv[1:]
    if what == "visit":
        visit(Path(package))
    else:
        prove(Path(package), rest[0], float(rest[1]), rest[2:])
