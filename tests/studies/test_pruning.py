import random

from sokoasp.sokoban.search.exact import reference
from tests.studies.labels import labels
from tests.studies.pruning import search_back
from tests.studies.samples import random_level


def test_the_closed_region_changes_no_optimum_of_the_reverse_search() -> None:
    rng = random.Random(53)
    solved = dropped = 0
    while solved < 25:
        level = random_level(rng)
        if level is None or labels(level, states=300) is None:
            continue
        expected = reference.solve(level, "pushes").value
        without, states = search_back(level, closed_region=False)
        within, fewer = search_back(level, closed_region=True)
        assert without == within == expected
        assert fewer <= states
        solved += expected is not None
        dropped += states - fewer
    assert dropped > 0
