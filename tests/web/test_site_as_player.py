"""The page of the site does what the player's page does: the tests of what both share, run once more on the site."""

from __future__ import annotations

import pytest

from tests.web.hands import MARKS
from tests.web.test_boards import (  # noqa: F401
    test_a_klotski_board_is_dragged_typed_and_finished,
    test_lost_slides_are_named_and_gone_back_to,
)
from tests.web.test_browser import (  # noqa: F401
    test_a_box_is_tapped_and_dragged_round_corners,
    test_a_plan_is_watched_left_and_taken,
    test_animation_has_speeds_or_none_and_walks_may_be_the_shortest,
    test_bad_text_is_answered_in_the_dialog,
    test_keys_swipes_undo_redo_and_a_restart_that_is_undone,
    test_moves_and_addresses_go_to_the_clipboard_or_a_box_to_copy_from,
    test_played_backwards_and_seen_forwards,
    test_where_the_play_backwards_began_is_remembered,
)
from tests.web.test_days import (  # noqa: F401
    test_a_collection_that_is_chosen_in_the_list_takes_the_place_of_the_other,
    test_solutions_and_positions_are_kept_under_names,
    test_solves_are_logged_and_days_in_a_row_counted,
    test_the_next_unsolved_level_is_found,
)
from tests.web.test_languages import TestInTheBrowser  # noqa: F401
from tests.web.test_layout import (  # noqa: F401
    test_four_tabs_are_one_panel_and_menus_hold_the_rest,
    test_nothing_jumps_from_the_first_move_to_the_end,
    test_one_action_is_the_first_at_a_time,
    test_the_history_is_scrubbed_and_undo_goes_by_pushes,
)
from tests.web.test_memory import test_a_thousand_levels_are_listed_filtered_and_found  # noqa: F401
from tests.web.test_site import folder, server  # noqa: F401
from tests.web.test_skins import test_a_skin_that_is_dropped_is_put_on  # noqa: F401

pytestmark = [*MARKS, pytest.mark.slow]
