"""The page's own modules in Node: walks against Python, routes against brute force, drawings against the server, memory."""

import heapq
import random
import re
from typing import Any

import pytest

from sokoasp import render
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.level import Cell
from sokoasp.sokoban.walk import Matrix, find_path, lurd
from sokoasp.web import site
from sokoasp.web.faulty_examples import CORRIDOR
from tests.studies.mazes import FAMILIES
from tests.web.conftest import STATIC, Run


def test_modules_are_short_and_plain() -> None:
    for path in STATIC.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) < 300, path.name
        assert not re.search(r"""from ["'](?!\./)|https?://(?!www\.w3\.org/2000/svg)""", text), path.name


def _maps(count: int, seed: int) -> list[tuple[list[str], list[int], list[int]]]:
    rng = random.Random(seed)
    cases = []
    for number in range(count):
        size = rng.randint(2, 24 if number % 20 == 0 else 9)
        matrix = rng.choice(list(FAMILIES.values()))(size, rng)
        rows = [
            "".join("#" if Cell(row, col) in matrix.obstacles else " " for col in range(matrix.width))
            for row in range(matrix.height)
        ]
        ends = [[rng.randrange(matrix.height), rng.randrange(matrix.width)] for _ in range(2)]
        cases.append((rows, ends[0], ends[1]))
    return cases


WALKS = """
    import {walk} from "./walk.js";
    answer = data.map(([rows, start, target]) => ["touch", "shortest"].map((method) =>
      walk(rows[0].length, rows.length, (row, col) => rows[row][col] === " ", start, target, method)));"""


@pytest.mark.parametrize("count", [1_500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_the_walk_is_pythons(run: Run, count: int) -> None:
    cases = _maps(count, 18)
    found = run(WALKS, cases)
    none = 0
    for (rows, start, target), answers in zip(cases, found, strict=True):
        walls = {Cell(r, c) for r, row in enumerate(rows) for c, char in enumerate(row) if char == "#"}
        matrix = Matrix(len(rows[0]), len(rows), walls)
        for method, answer in zip(("touch", "shortest"), answers, strict=True):
            path = find_path(matrix, Cell(*start), Cell(*target), method)
            expected = None if path is None else lurd(path)
            if method == "touch":
                assert answer == expected, (rows, start, target)
            else:
                assert (answer is None) == (expected is None)
                assert answer is None or len(answer) == len(expected or ""), (rows, start, target)
        none += answers[0] is None
    assert 0.05 < none / count < 0.95, "both kinds of answer are among the cases"


def test_a_fault_in_the_walk_is_seen(run: Run) -> None:
    cases = _maps(300, 3)
    assert run(WALKS, cases, ("walk.js", "(way + 3) % 4", "(way + 1) % 4")) != run(WALKS, cases)


def brute(rows: list[str], box: tuple[int, int], player: tuple[int, int]) -> dict[tuple[int, int], Any]:
    """Return the fewest (pushes, moves) that bring a box to every cell, by Dijkstra over box and player."""
    free = {(r, c) for r, row in enumerate(rows) for c, char in enumerate(row) if char == " "}
    best: dict[Any, tuple[int, int]] = {(box, player): (0, 0)}
    heap = [(0, 0, box, player)]
    while heap:
        pushes, moves, at, stand = heapq.heappop(heap)
        if best[at, stand] != (pushes, moves):
            continue
        for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            to = (stand[0] + dr, stand[1] + dc)
            if to not in free:
                continue
            options = []
            if to != at:
                options.append((pushes, moves + 1, at, to))
            elif (at[0] + dr, at[1] + dc) in free:
                options.append((pushes + 1, moves + 1, (at[0] + dr, at[1] + dc), to))
            for option in options:
                if option[2:] not in best or option[:2] < best[option[2:]]:
                    best[option[2:]] = option[:2]
                    heapq.heappush(heap, option)
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for (at, _), cost in best.items():
        found[at] = min(cost, found.get(at, cost))
    return found


ROUTES = """
    import {Routes} from "./routes.js";
    answer = data.map(([rows, box, player]) => {
      const routes = new Routes(rows[0].length, rows.length, (r, c) => rows[r][c] === " ", box, player);
      return routes.cells().map((cell) => [cell, routes.route(cell)]);
    });"""


def _boxes(count: int, seed: int) -> list[Any]:
    rng = random.Random(seed)
    cases: list[Any] = []
    while len(cases) < count:
        size = rng.randint(3, 8)
        rows = ["".join(rng.choice("  #" if rng.random() < 0.6 else "   ") for _ in range(size)) for _ in range(size)]
        free = [[r, c] for r in range(size) for c in range(size) if rows[r][c] == " "]
        if len(free) > 2:
            box, player = rng.sample(free, 2)
            cases.append([rows, box, player])
    return cases


@pytest.mark.parametrize("count", [120, pytest.param(400, marks=pytest.mark.slow)])
def test_routes_have_the_fewest_pushes_then_moves(run: Run, count: int) -> None:
    cases = _boxes(count, 7)
    reached = 0
    for (rows, box, player), found in zip(cases, run(ROUTES, cases), strict=True):
        best = brute(rows, tuple(box), tuple(player))
        best.pop(tuple(box), None)
        assert {tuple(cell) for cell, _ in found} == set(best), (rows, box, player)
        for cell, way in found:
            assert (sum(map(str.isupper, way)), len(way)) == best[tuple(cell)], (rows, box, player, cell, way)
        reached += len(found)
    assert reached > 4 * count


def test_a_fault_in_the_routes_is_seen(run: Run) -> None:
    cases = _boxes(150, 7)
    assert run(ROUTES, cases, ("routes.js", "?.moves <= way.moves", "?.moves >= way.moves")) != run(ROUTES, cases)


def _frame(svg: str) -> list[str]:
    return re.findall(r'viewBox="([^"]*)" width="(\d+)" height="(\d+)"', svg)


def test_a_drawing_is_the_servers(run: Run) -> None:
    rng = random.Random(4)
    boards = [
        ["#######", "#@ $ .#", "#     #", "#######"],
        ["  ####", "###  ####", "#     $ #", "# #  #$ #", "# . .#@ #", "#########"],
        list(CORRIDOR),
    ]
    for _ in range(20):
        inner = ["".join(rng.choice("  #") for _ in range(6)) for _ in range(4)]
        boards.append(["########", "#@$.   #", *(f"#{row}#" for row in inner), "########"])
    body = """
        import {level} from "./draw.js";
        import {Sokoban} from "./sokoban.js";
        answer = data.map((rows) => level(new Sokoban({game: "sokoban", rows, title: "T"})));"""
    for rows, drawn in zip(boards, run(body, boards), strict=True):
        svg = render.svg(level_from_rows(rows, title="T", spare_boxes=True), styled=False, trim=site.CUT)
        assert _frame(drawn) == _frame(svg), rows
        for pattern in (r'class="(?:wall|floor|tile)" d="([^"]*)"', r'class="goal" (\S+ \S+)'):
            assert re.findall(pattern, drawn) == re.findall(pattern, svg), rows
        things = r'<g class="((?:box|player)[^"]*)" data-id="(\w+)" transform="([^"]*)"|<(circle.*?)>'
        assert re.findall(things, drawn) == re.findall(things, svg)
        assert ('class="player on-goal"' in drawn) == (rows == boards[2])


STORAGE = """
    import {Store, identity} from "./store.js";
    class Storage {
      constructor(room = Infinity) { this.room = room; this.map = new Map(); }
      get length() { return this.map.size; }
      key(n) { return [...this.map.keys()][n]; }
      getItem(name) { return this.map.get(name) ?? null; }
      removeItem(name) { this.map.delete(name); }
      setItem(name, value) {
        const used = [...this.map].reduce((sum, [k, v]) => sum + (k === name ? 0 : k.length + v.length), 0);
        if (used + name.length + value.length > this.room) throw new Error("QuotaExceededError");
        this.map.set(name, value);
      }
    }
"""


def test_memory_is_kept_merged_and_never_in_the_way(run: Run) -> None:
    body = (
        STORAGE
        + """
        const reported = [], report = (words) => reported.push(words);
        const disk = new Storage();
        const one = new Store(() => disk, report);
        one.change("a", {bests: {pushes: {value: 9, plan: "R"}}, play: {done: "R", redo: ""}});
        const again = new Store(() => disk, report);
        const other = new Store(() => new Storage(), report);
        other.change("a", {bests: {pushes: {value: 7, plan: "L"}, moves: {value: 30, plan: "L"}}});
        const levels = again.import(other.export());
        const broken = [];
        for (const text of ["", "{}", '{"app":"sokoasp","version":99,"entries":{}}'])
          try { again.import(text); } catch (error) { broken.push(error.message); }
        const shut = new Store(() => { throw new Error("SecurityError"); }, report);
        shut.change("b", {play: {done: "ll", redo: ""}});
        const small = new Storage(260), full = new Store(() => small, report);
        full.change("old", {play: {done: "l".repeat(60), redo: ""}, bests: {moves: {value: 1, plan: "l"}}});
        full.change("new", {play: {done: "r".repeat(60), redo: ""}});
        const later = new Store(() => small, report);
        const future = new Storage();
        future.setItem("sokoasp.version", "7");
        future.setItem("sokoasp.settings", '{"skin":"unknown to us"}');
        new Store(() => future, report);
        answer = {version: again.get("version"), kept: again.level("a"),
          levels, broken, reported, shut: shut.level("b").play.done, old: later.level("old").bests,
          made: full.level("new").play.done.length, gone: later.level("new"),
          future: future.getItem("sokoasp.settings"), names: again.names("level."),
          same: identity({game: "sokoban", rows: ["#@$.#  "]}) === identity({game: "sokoban", rows: ["#@$.#"]}),
          ids: new Set(Array.from({length: 20000}, (_, n) => identity({game: "sokoban", rows: [n.toString(2)]}))).size};"""
    )
    found = run(body)
    assert found["version"] == 1
    assert found["kept"]["bests"] == {"pushes": {"value": 7, "plan": "L"}, "moves": {"value": 30, "plan": "L"}}
    assert found["kept"]["play"]["done"] == "R" and found["levels"] == 1
    assert len(found["broken"]) == 3 and "newer" in found["broken"][2]
    assert found["shut"] == "ll" and found["old"]["moves"]["value"] == 1
    assert found["made"] == 60 and found["gone"] == {}, "in memory until the page is closed"
    assert any("full" in words for words in found["reported"]) and any(
        "keeps nothing" in words for words in found["reported"]
    )
    assert found["future"] == '{"skin":"unknown to us"}' and any("newer page" in words for words in found["reported"])
    assert found["names"] == ["level.a"] and found["same"] and found["ids"] == 20_000


def test_history_is_written_and_read_and_a_restart_is_undone(run: Run) -> None:
    body = """
        import {Sokoban} from "./sokoban.js";
        import {Klotski} from "./klotski.js";
        const rows = ["#######", "#@ $ .#", "#     #", "#######"], start = {game: "sokoban", rows};
        const game = new Sokoban(start);
        for (const part of ["d", "ur", "R"]) { game.gesture++; for (const letter of part) game.play(letter); }
        game.undoGesture();
        const saved = game.saved(), copy = new Sokoban(start);
        const whole = copy.restore(saved);
        copy.redoGesture();
        const plan = copy.plan();
        copy.restart();
        const back = new Sokoban(start);
        back.restore(copy.before);
        const board = {game: "klotski", head: "goal: A 0,1\\n", rows: ["AAb.", "AAc."]}, slides = new Klotski(board);
        slides.play("b", "r"); slides.play("c", "r"); slides.undo();
        const other = new Klotski(board);
        other.restore(slides.saved());
        answer = {saved, whole, plan, empty: copy.plan(), back: back.plan(), klotski: other.saved()};"""
    found = run(body)
    assert found["saved"] == {"done": "d.ur", "redo": "R"} and found["whole"]
    assert found["plan"] == "durR" and found["empty"] == "" and found["back"] == "durR"
    assert found["klotski"] == {"done": "br", "redo": "cr"}
