"""Write instances/known.csv anew: ``python -m tests.known``. Every value is proved by ASP and by the reference search."""

import csv
from collections.abc import Iterator
from pathlib import Path

from sokoasp import Limits, Status, solve
from sokoasp.sokoban.plan import OBJECTIVES
from sokoasp.sokoban.search.exact import reference
from tests.instances import FOLDER, levels

TABLE = FOLDER / "known.csv"
FIELDS = ("instance", "level", "objective", "value", "source")
SETS = ("tutorial", "regression", "unsolvable", "generated")


def files() -> list[str]:
    """Return the level files the table covers."""
    return [str(path.relative_to(FOLDER)) for name in SETS for path in sorted((FOLDER / name).glob("*.[jx]s*"))]


def rows() -> Iterator[dict[str, object]]:
    """Prove every level in every objective by both engines, which must agree."""
    for name in files():
        for number, level in enumerate(levels(name), 1):
            for objective in OBJECTIVES:
                truth = reference.solve(level, objective, Limits(states=3_000_000))
                found = solve(
                    level,
                    objective=objective,
                    limits=Limits(seconds=20 if truth.value is None else 600),
                    cross_check=False,
                    probes=False,
                )
                if found.stopped_by == "time" and truth.status is Status.UNSOLVABLE:
                    found = solve(level, objective=objective, cross_check=False)
                assert (found.status, found.value) == (truth.status, truth.value), (name, number, objective)
                value = "unsolvable" if truth.value is None else truth.value
                source = f"asp ({found.encoding}) and reference"
                if found.status is Status.UNSOLVABLE and "native search" in (found.proof or ""):
                    source = "reference"
                yield {"instance": name, "level": number, "objective": objective, "value": value, "source": source}


def main(path: Path = TABLE) -> None:
    """Write the table."""
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
        writer.writeheader()
        for row in rows():
            writer.writerow(row)
            out.flush()


if __name__ == "__main__":
    main()
