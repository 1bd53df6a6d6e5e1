"""The instances of a suite: levels and boards of files found by globs, with what is known of them."""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from glob import glob
from pathlib import Path
from typing import Any

from sokoasp.bench.define.overrides import FILES
from sokoasp.bench.define.suite import READY_SUITES, InstanceSet, Suite
from sokoasp.core import errors, progress
from sokoasp.core.text_file import read_text
from sokoasp.domain import Problem, domain_for, domain_of, domains
from sokoasp.sokoban.formats import beside, lurd
from sokoasp.sokoban.formats.plans import solutions
from sokoasp.sokoban.level import Level

FOLDER = "{instances}"
"""In the globs of a suite: the folder of ``--instances``."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One level or board of a campaign."""

    id: str
    """Hash of its facts (and competition steps): the same board is the same instance wherever its file lies."""
    group: str
    """Name of its set."""
    file: str
    level: int
    title: str
    game: str
    problem: Problem
    known: Mapping[str, int]
    """Objective → proved optimum according to known.csv, ``plan:`` + objective → cost of a plan that came with the level.

    Also what ``claims`` of its set says of it: column → number.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """Return what reports and views call it."""
        path = Path(self.file)
        return f"{path.name}:{self.level}", short_name(self.file, self.level), f"{path.stem}:{self.level}"


def short_name(file: str | None, level: int | None) -> str:
    """Return how a view names a level: by its file, and by its number there unless it is the first."""
    stem = Path(file or "").stem
    return stem if level in (None, 1) else f"{stem}:{level}"


def expand(suite: Suite, folder: Path | None = None) -> list[Instance]:
    """Read every instance of a suite; a board that occurs twice is taken once. ``{instances}`` is the folder.

    Raises:
        SokoaspError: There is no level (a faulty one is told of and left out), or a glob matches nothing.
        WrongOption: There is a folder, and the suite asks for none.
    """
    if folder is not None and not any(FOLDER in pattern for group in suite.instances for pattern in group.files):
        raise errors.WrongOption("this suite asks for no folder of instances", source="--instances")
    root = READY_SUITES.parent
    known = known_values(root / "known.csv")
    found: dict[str, Instance] = {}
    same = ""
    for group in suite.instances:
        claims = claimed_values(group.claims) if group.claims else {}
        for name, file, level, problem in _read(suite, group, folder):
            instance = _instance(name, file, level, problem, known, claims, root)
            first = found.setdefault(instance.id, instance)
            if first is not instance and not same:
                same = f"{file}:{level} is the board of {first.file}:{first.level}: each board runs once"
                progress.report(same)
    if not found:
        raise errors.NotationError("the suite has no instances", source=str(suite.path), code="E-SUITE")
    return list(found.values())


_Known = dict[tuple[str, int, str], int]


def _read(suite: Suite, group: InstanceSet, folder: Path | None) -> Iterator[tuple[str, str, int, Problem]]:
    path = ("instances", group.index, "files")
    paths: list[Path] = []
    for pattern in group.files:
        if pattern == FILES and group.optional:
            continue
        if pattern == FILES:
            suite.source.fail(path, "this suite wants files of yours: name them after it")
        if FOLDER in pattern and folder is None:
            suite.source.fail(path, "this suite wants instances of yours: give --instances FOLDER")
        full = pattern.replace(FOLDER, str(folder.resolve()) if folder else "")
        matches = sorted(glob(str(suite.path.parent / full), recursive=True))  # noqa: PTH207 (patterns may be absolute)
        if not matches and not group.optional:
            suite.source.fail(path, f"no file matches {full!r}")
        paths += [Path(match) for match in matches if Path(match).is_file()]
    missing, solutions_only = set(group.levels if paths else ()), 0
    for file in dict.fromkeys(paths):
        data = file.read_bytes()
        every = list(domain_for(data, str(file)).texts.read(data, str(file)))
        for number, problem in enumerate(every, 1):
            if group.levels and number not in group.levels:
                continue
            missing.discard(number)
            if isinstance(problem, errors.SokoaspError):
                if file.suffix == ".sol":
                    solutions_only += 1
                else:
                    progress.report(f"left out: {problem.located(str(file))}")
                continue
            if isinstance(problem, Level):
                problem = with_solution(problem, file, number, alone=len(every) == 1)
            yield group.name or file.parent.resolve().name, str(file), number, problem
    if solutions_only:
        progress.report(f"left out: {errors.counted(solutions_only, '.sol files')} of solutions")
    if missing:
        suite.source.fail((*path[:2], "levels"), f"no file of these has a level {min(missing)}")


def with_solution(level: Level, file: Path, number: int = 1, *, alone: bool = True) -> Level:
    """Return a level with its solutions in the file of the same name with the suffix ``.sol``, if it brings none itself."""
    texts, path = beside.came_with(level, file, number, alone=alone, kinds=(".sol",))
    solved = tuple(one for text in texts for one in solutions(text) or (text,) if one)
    return level if path == file else replace(level, solutions=solved)


def solution(level: Level, file: Path) -> Any:
    """Return the first solution that came with a level, None if there is none. Raises IllegalPlan: it does not solve it."""
    texts = with_solution(level, file).solutions
    return lurd.check_solution(level, texts[0], source=str(file.with_suffix(".sol")))[0] if texts else None


def _instance(
    group: str, file: str, level: int, problem: Problem, known: _Known, claims: Mapping[str, Any], root: Path
) -> Instance:
    domain = domain_of(problem)
    facts = domain.asp.facts(problem, getattr(problem, "steps", None))
    digest = hashlib.sha256(f"{domain.name}\n{facts}".encode()).hexdigest()[:16]
    name = os.path.relpath(Path(file).resolve(), root.resolve())
    values = {
        objective: known[name, level, objective] for objective in domain.objectives if (name, level, objective) in known
    }
    carried, problem = _carried(problem, f"{file}:{level}")
    values |= carried
    group, file = (os.fsencode(name).decode("utf-8", "backslashreplace") for name in (group, file))
    title = domain.texts.title(problem)
    return Instance(digest, group, file, level, title, domain.name, problem, {**claims.get(title, {}), **values})


def _carried(problem: Any, place: str) -> tuple[dict[str, int], Problem]:
    """Return the least cost of the solutions that came with a level, per objective, and it without wrong ones, told of."""
    domain = domain_of(problem)
    best: dict[str, int] = {}
    for solution in getattr(problem, "solutions", ()):
        try:
            counts = domain.validate(problem, domain.texts.read_plan(problem, solution, ""), None)
            for objective, count in counts.items():
                best[f"plan:{objective}"] = min(count, best.get(f"plan:{objective}", count))
        except errors.SokoaspError as error:
            progress.report(f"{place}: a solution that came with it is left out: {error.message}")
            problem = replace(problem, solutions=tuple(one for one in problem.solutions if one != solution))
    return best, problem


def known_values(path: Path) -> _Known:
    """Read proved optima from a CSV file: instance (path below its folder), level, objective, value; none without a file."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {
            (row["instance"], int(row["level"]), row["objective"]): int(row["value"])
            for row in csv.DictReader(line for line in file if not line.startswith("#"))
            if (row.get("value") or "").isdecimal() and (row.get("level") or "").isdecimal()
        }


def claimed_values(path: Path) -> dict[str, dict[str, int]]:
    """Read the whole numbers of a CSV file by its column ``name``: name → column → number.

    Raises NotationError: it has no such column, or one is called as an objective, whose proved values are in known.csv.
    """
    rows = csv.DictReader(read_text(path, errors.NotationError, "E-SUITE").splitlines())
    columns = set(rows.fieldnames or ())
    stray = columns & {objective for domain in domains().values() for objective in domain.objectives}
    if "name" not in columns or stray:
        reason = f"a column is called {min(stray)!r}, as an objective" if stray else "there is no column 'name'"
        raise errors.NotationError(f"claims by name: {reason}", source=str(path), line=1, code="E-SUITE")
    return {
        row["name"]: {column: int(row[column]) for column in columns if (row[column] or "").isdecimal()} for row in rows
    }
