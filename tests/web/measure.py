"""Measures what docs/web.md says of speed; run it by hand: ``python tests/web/measure.py``."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2 as httpx

sys.path.insert(0, str(Path(__file__).parents[2]))

from sokoasp.bench.studies.mazes import FAMILIES, ends
from sokoasp.sokoban.level import DIRECTIONS, Cell, reachable
from sokoasp.sokoban.walk import Matrix
from tests.web.conftest import SERVE
from tests.web.hands import SIZES, Page, browser

WALKS = 60
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


def walks(url: str) -> dict[str, list[float]]:
    """Time taps on 50x50 maps of every family, request to answer, in milliseconds."""
    rng = random.Random(50)
    times: dict[str, list[float]] = {}
    with httpx.Client(base_url=url) as client:
        for family, make in FAMILIES.items():
            for _ in range(WALKS):
                matrix = make(48, rng)
                start, target = ends(matrix, rng)
                problem = {"game": "sokoban", "rows": level(matrix, start, target)}
                body = {"problem": problem, "to": [target.row + 1, target.col + 1]}
                began = time.perf_counter()
                answer = client.post("/api/walk", json=body).json()
                times.setdefault(family, []).append(1000 * (time.perf_counter() - began))
                assert answer.get("lurd"), answer
    return times


def level(matrix: Matrix, start: Cell, target: Cell) -> list[str]:
    """Write a map as a level with a wall around it, and a box on a goal in a dead end, where it is in nobody's way."""
    every = {Cell(row, col) for row in range(matrix.height) for col in range(matrix.width)}
    free = every - set(matrix.obstacles)
    ways = {cell: sum(cell.step(d) in free for d in DIRECTIONS) for cell in reachable(start, free) - {start, target}}
    box = min(ways, key=lambda cell: (ways[cell], cell))
    picture = dict.fromkeys(free, " ") | {box: "*", start: "@"}
    rows = ["".join(picture.get(Cell(row, col), "#") for col in range(48)) for row in range(48)]
    return ["#" * 50, *(f"#{row}#" for row in rows), "#" * 50]


def paint(driver: Any, url: str) -> list[float]:
    """Load the page afresh and return its first contentful paints in milliseconds."""
    script = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
    found = []
    for _ in range(5):
        page = Page(driver, url)
        found.append(page.wait(lambda: driver.execute_script(script)))
    return found


def frames(driver: Any, url: str) -> tuple[int, list[float]]:
    """Play a 500-move plan at 32 moves a second and return its length and the milliseconds of every frame."""
    page = Page(driver, url)
    page.open("\n".join(HALL) + "\n")
    script = """
        const [plan, done] = arguments;
        const problem = sokoasp.page.game.problem();
        fetch("/api/replay", {method: "POST", headers: {"content-type": "application/json"},
          body: JSON.stringify({problem, plan})}).then((answer) => answer.json()).then(({timeline}) => {
            const animator = new SokoaspAnimator(document.querySelector("#board svg"), timeline);
            animator.speed = 32;
            const times = [];
            let last = null;
            const tick = (now) => {
              if (last !== null) times.push(now - last);
              last = now;
              if (animator.playing) requestAnimationFrame(tick); else done([timeline.moves.length, times]);
            };
            animator.play();
            requestAnimationFrame(tick);
          });"""
    driver.set_script_timeout(120)
    length, times = driver.execute_async_script(script, PLAN)
    return int(length), list(times)


def main() -> None:
    """Serve, measure, print."""
    server = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        url = server.stdout.readline().strip().rstrip("/")
        for family, times in walks(url).items():
            print(f"tap to path, 50x50 {family}: median {statistics.median(times):.1f} ms, slowest {max(times):.1f} ms")
        for name, (width, height) in SIZES.items():
            with tempfile.TemporaryDirectory() as profile:
                driver = browser(profile)
                metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
                paints = paint(driver, url)
                print(f"first paint, {name}: {', '.join(f'{ms:.0f}' for ms in paints)} ms")
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
    main()
