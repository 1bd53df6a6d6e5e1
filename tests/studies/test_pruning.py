import random
from pathlib import Path

from sokoasp.bench.define.overrides import Changes
from sokoasp.bench.define.suite import find_suite, read_suite
from sokoasp.bench.run.job_child import answer
from sokoasp.sokoban.search.exact import reference
from tests.bench.conftest import job
from tests.studies.labels import labels
from tests.studies.pruning import search_back
from tests.studies.samples import random_level

CHOICES = {one.name: one for one in read_suite(find_suite("pruned"), Changes({}, files=(Path("no.xsb"),))).systems}
"""The systems of the suite, from no detectors to all."""


def test_pruning_changes_no_optimum() -> None:
    rng = random.Random(51)
    solved = 0
    for number in range(60):
        level = random_level(rng, spare=number % 4 == 0)
        if level is None or labels(level, states=300) is None:
            continue
        expected = reference.solve(level, "pushes").value
        solved += expected is not None
        states = {}
        for choice, system in CHOICES.items():
            found = answer(job(system, level, "pushes"))
            states[choice] = found.counters["states"]
            assert found.value == expected, choice
        assert states["all"] <= states["+ freeze, matching"] <= states["dead squares"] <= states["none"]
    assert solved > 10


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
