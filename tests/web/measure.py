"""Measures what docs/web.md says of speed; run it by hand: ``python tests/web/measure.py desktop phone``."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from sokoasp import render
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.level import DIRECTIONS, Cell, reachable
from sokoasp.sokoban.rules import plan_from_lurd
from sokoasp.sokoban.walk import Matrix
from tests.studies.mazes import FAMILIES, ends
from tests.web.conftest import SERVE
from tests.web.hands import SIZES, Page, browser

HALL = [
    "#" * 20,
    "#@" + " " * 17 + "#",
    "# $." + " " * 15 + "#",
    *(["#" + " " * 18 + "#", "#  * * * * * * * * #"] * 5),
    "#" + " " * 18 + "#",
    "#" * 20,
]
LAP = "r" * 17 + "d" * (len(HALL) - 3) + "l" * 17 + "u" * (len(HALL) - 3)
PLAN = LAP * 8 + "rl" * ((498 - 8 * len(LAP)) // 2) + "dR"
"""500 moves through a hall of 41 boxes: laps along the walls, to and fro, one push."""


TAPS = """
    const [rows, targets, boxes] = arguments;
    sokoasp.begin({game: "sokoban", title: "map", rows}, {fresh: true});
    const board = document.getElementById("board"), svg = board.querySelector("svg"), times = [];
    const tap = ([row, col]) => {
      const point = new DOMPoint((col + .5) * 48, (row + .5) * 48).matrixTransform(svg.getScreenCTM());
      const at = {clientX: point.x, clientY: point.y, pointerId: 1, bubbles: true, button: 0};
      const began = performance.now();
      board.setPointerCapture = () => {};
      svg.dispatchEvent(new PointerEvent("pointerdown", at));
      svg.dispatchEvent(new PointerEvent("pointerup", at));
      times.push(performance.now() - began);
      sokoasp.board.finish();
    };
    for (const target of boxes ? targets.flatMap(() => [boxes]) : targets) tap(target);
    return times;"""
"""Taps as the page gets them: from the pointer's events to the walk (or a box's routes) found, played and remembered."""
FRAMES = """
    const done = arguments[arguments.length - 1], times = [];
    let last = null;
    const tick = (now) => {
      if (last !== null) times.push(now - last);
      last = now;
      if (STEP) requestAnimationFrame(tick); else done(times);
    };
    START;
    requestAnimationFrame(tick);"""


def taps(driver: Any, url: str) -> dict[str, list[float]]:
    """Time taps on 50x50 maps of every family, in milliseconds: walks to random cells, and the routes of a box."""
    rng = random.Random(50)
    times: dict[str, list[float]] = {}
    page = Page(driver, url)
    for family, make in FAMILIES.items():
        for _ in range(6):
            matrix = make(48, rng)
            start, target = ends(matrix, rng)
            rows = level(matrix, start, target)
            targets = [[target.row + 1, target.col + 1]]
            targets += [[cell.row + 1, cell.col + 1] for cell in (ends(matrix, rng)[1] for _ in range(9))]
            times.setdefault(f"walk, {family}", []).extend(page.js(TAPS, rows, targets, None))
            row = next(number for number, text in enumerate(rows) if "*" in text)
            times.setdefault(f"box, {family}", []).extend(page.js(TAPS, rows, [0], [row, rows[row].index("*")]))
    hall = ["#" * 50, *["#" + " " * 48 + "#"] * 48, "#" * 50]
    hall[25] = "#" + " " * 20 + "@$" + " " * 25 + ".#"
    times["box, empty hall"] = page.js(TAPS, hall, [0] * 10, [25, 22])
    return times


def walking(driver: Any, url: str) -> list[float]:
    """Walk a lap on a 50x50 map that the view has to follow, and return the milliseconds of every frame."""
    page = Page(driver, url, speed="normal")
    hall = ["#" * 50, *["#" + " $" * 12 + " " * 24 + "#"] * 48, "#" * 50]
    hall[1], hall[48] = "#@" + " " * 47 + "#", "#" + "." * 48 + "#"
    page.js("sokoasp.begin({game: 'sokoban', title: 'hall', rows: arguments[0]}, {fresh: true})", hall)
    start = """
        const moves = [...'r'.repeat(46) + 'd'.repeat(20)].map((letter) => sokoasp.page.game.play(letter)).filter(Boolean);
        for (let n = 0; n < moves.length; n += 4) setTimeout(() => sokoasp.board.animate(moves.slice(n, n + 4)), n * 71)"""
    return list(driver.execute_async_script(FRAMES.replace("START", start).replace("STEP", "times.length < 280")))


def scrolling(driver: Any, url: str) -> list[float]:
    """Scroll through the list of 1,000 levels, 60 px a frame, and return the milliseconds of every frame."""
    page = Page(driver, url)
    page.js("""
        const problems = Array.from({length: 1000}, (_, n) => ({number: n + 1, game: "sokoban", head: "", title: "",
          rows: ["#".repeat(20), ...Array(12).fill("#@$.  $. # $ . #  ##"), "#".repeat(20)]
            .map((row) => row + "#".repeat(n % 9))}));
        sokoasp.openCollection({name: "thousand.xsb", problems, more: 0});
        document.getElementById("levels").click();""")
    step = "(document.getElementById('list').scrollTop += 60, times.length < 300)"
    return list(driver.execute_async_script(FRAMES.replace("START", "").replace("STEP", step)))


def level(matrix: Matrix, start: Cell, target: Cell) -> list[str]:
    """Write a map as a level with a wall around it, and a box on a goal in a dead end, where it is in nobody's way."""
    every = {Cell(row, col) for row in range(matrix.height) for col in range(matrix.width)}
    free = every - set(matrix.obstacles)
    ways = {cell: sum(cell.step(d) in free for d in DIRECTIONS) for cell in reachable(start, free) - {start, target}}
    box = min(ways, key=lambda cell: (ways[cell], cell))
    picture = dict.fromkeys(free, " ") | {box: "*", start: "@"}
    rows = ["".join(picture.get(Cell(row, col), "#") for col in range(48)) for row in range(48)]
    return ["#" * 50, *(f"#{row}#" for row in rows), "#" * 50]


def paint(driver: Any, url: str, *, cold: bool) -> list[float]:
    """Load the page and return its first contentful paints in milliseconds; cold: with nothing kept from before."""
    script = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
    found = []
    for _ in range(6):
        if cold:
            driver.get(f"{url}/icon.svg")
            driver.execute_async_script(FORGET)
            driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        page = Page(driver, url)
        page.wait(lambda page=page: page.js(script) is not None)  # type: ignore[misc]
        found.append(float(page.js(script)))
    return found[1:]


FORGET = """
    const done = arguments[0];
    Promise.all([navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister()))),
      caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))]).then(() => done());"""


class Work:
    """The processor time the page's main thread needs, whatever else the machine does."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})

    def milliseconds(self) -> float:
        """Return what the page has used since it was loaded: script, style, layout, paint."""
        found = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return 1000 * next(float(one["value"]) for one in found if one["name"] == "TaskDuration")


def frames(driver: Any, url: str) -> tuple[int, list[float]]:
    """Play a 500-move plan at 32 moves a second and return its length and the milliseconds of every frame."""
    page = Page(driver, url)
    page.open("\n".join(HALL) + "\n")
    script = """
        const [timeline, done] = arguments, animator = new SokoaspAnimator(document.querySelector("#board svg"), timeline);
        animator.speed = 32;
        const times = [];
        let last = null;
        const tick = (now) => {
          if (last !== null) times.push(now - last);
          last = now;
          if (animator.playing) requestAnimationFrame(tick); else done([timeline.moves.length, times]);
        };
        animator.play();
        requestAnimationFrame(tick);"""
    driver.set_script_timeout(120)
    level = level_from_rows(HALL)
    timeline = render.timeline(level, plan_from_lurd(level, PLAN))
    length, times = driver.execute_async_script(script, timeline)
    return int(length), list(times)


def main(sizes: list[str]) -> None:
    """Serve, measure at the sizes of the window that are named, print."""
    server = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        url = server.stdout.readline().strip().rstrip("/")
        for name in sizes or list(SIZES):
            width, height = SIZES[name]
            with tempfile.TemporaryDirectory() as profile:
                driver = browser(profile)
                metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
                work = Work(driver)
                for cold in (True, False):
                    paints = paint(driver, url, cold=cold)
                    kind = "nothing kept" if cold else "loaded before"
                    print(f"first paint, {name}, {kind}: {', '.join(f'{ms:.0f}' for ms in paints)} ms")
                    print(f"  main thread of the last load: {work.milliseconds():.0f} ms of processor time")
                for what, times in taps(driver, url).items():
                    print(
                        f"tap, {name}, 50x50 {what}: median {statistics.median(times):.1f} ms, slowest {max(times):.1f} ms"
                    )
                for what, run in (("walk on 50x50", walking), ("list of 1,000", scrolling)):
                    times = run(driver, url)
                    late = sum(ms > 25 for ms in times)
                    rate = 1000 * len(times) / sum(times)
                    each = work.milliseconds() / len(times)
                    reported = f"{rate:.1f} frames a second, {late} of {len(times)} over 25 ms"
                    print(f"{what}, {name}: {reported}; {each:.1f} ms of work each")
                length, times = frames(driver, url)
                late = sum(ms > 25 for ms in times)
                print(
                    f"{length}-move plan, {name}: {len(times)} frames, {1000 * len(times) / sum(times):.1f} a second, "
                    f"median {statistics.median(times):.1f} ms, {late} frames over 25 ms"
                )
                driver.quit()
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    main(sys.argv[1:])
