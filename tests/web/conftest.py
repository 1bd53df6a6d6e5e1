"""A real server in a process of its own, for every test that talks to one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra [web] is not installed")
pytest.importorskip("uvicorn", reason="the extra [web] is not installed")

SERVE = """
from sokoasp.web import run
from sokoasp.web.settings import Settings
patient = Settings(deadlock_seconds=60, truth_seconds=600, generate_seconds=200, certify_seconds=300)
run(port=0, settings=patient, on_ready=lambda url: print(url, flush=True))
"""
"""Everything may take its time: what the tests are about is the answer."""


@contextmanager
def serving(script: str = SERVE) -> Iterator[subprocess.Popen[str]]:
    """Run a server; the first line it writes is its address."""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        finally:
            process.kill()


ASKS_NOBODY = frozenset(
    [
        "test_a_box_is_tapped_and_dragged_round_corners",
        "test_a_skin_that_is_dropped_is_put_on",
        "test_a_thousand_levels_are_listed_filtered_and_found",
        "test_animation_has_speeds_or_none_and_walks_may_be_the_shortest",
        "test_four_tabs_are_one_panel_and_menus_hold_the_rest",
        "test_keys_swipes_undo_redo_and_a_restart_that_is_undone",
        "test_moves_and_addresses_go_to_the_clipboard_or_a_box_to_copy_from",
        "test_nothing_jumps_from_the_first_move_to_the_end",
        "test_one_action_is_the_first_at_a_time",
        "test_played_backwards_and_seen_forwards",
        "test_solutions_and_positions_are_kept_under_names",
        "test_solves_are_logged_and_days_in_a_row_counted",
        "test_the_history_is_scrubbed_and_undo_goes_by_pushes",
        "test_the_next_unsolved_level_is_found",
        "test_the_page_speaks_the_language_that_is_chosen",
        "test_where_the_play_backwards_began_is_remembered",
    ]
)
"""What the page does by itself: on a site by the same scripts, with nobody to ask, as on the server."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make tests slow ones that a site has from the server's page: what asks nobody, and sizes other than a desktop's."""
    for item in items:
        if item.path.name == "test_site.py" and isinstance(item, pytest.Function):
            size = item.callspec.params.get("page", "desktop") if hasattr(item, "callspec") else "desktop"
            if size != "desktop" or item.originalname in ASKS_NOBODY:
                item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Yield the address of a running server."""
    with serving() as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), "the server says where it is"
        yield url.rstrip("/")


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A headless Chromium for all browser tests."""
    from tests.web import hands

    driver = hands.browser(str(tmp_path_factory.mktemp("profile")))
    yield driver
    driver.quit()


@pytest.fixture
def page(driver: Any, server: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """The page on a desktop or as the test asks; at the end nothing may have been logged or stick out sideways."""
    from tests.web import hands

    name = getattr(request, "param", "desktop")
    hands.size(driver, name)
    driver.get_log("browser")
    settings = request.node.get_closest_marker("settings")
    yield hands.Page(driver, server, **(settings.kwargs if settings else {}))
    assert driver.execute_script("return document.documentElement.scrollWidth") <= hands.SIZES[name][0]
    assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []
