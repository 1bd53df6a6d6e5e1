"""Mark a folder of encodings, each in a process of its own: one that runs for ever or breaks takes only itself along."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sokoasp.core.child import Parent
from sokoasp.core.child_processes import ChildProcesses
from sokoasp.core.errors import EncodingError, SokoaspError, counted
from sokoasp.core.limits import Limits
from sokoasp.engine.grading import Grade, Truth, mark

PATIENCE = 3
"""Levels in a row without an answer in time, after which the rest is not asked."""
GRACE = 10.0
"""Wall seconds beyond the limit of a level after which a process that gives no answer is ended."""


@dataclass(frozen=True, slots=True)
class Marks:
    """How one pupil's encoding did on all levels."""

    pupil: str
    """The path of the file in the folder, without ``.lp``."""
    levels: int
    """How many have a known truth: only these are marked."""
    asked: int
    """How many there are."""
    grades: tuple[Grade, ...] = ()
    """Those of the levels that were asked, in their order."""
    fault: str = ""
    """Why the encoding could not be asked, or not on all levels."""

    @property
    def right(self) -> int:
        """Return the number of levels that were answered truly."""
        return sum(grade.verdict == "right" for grade in self.grades)

    @property
    def mark(self) -> int:
        """Return the share of levels answered truly, in percent."""
        return round(100 * self.right / self.levels) if self.levels else 0

    @property
    def mistake(self) -> str:
        """Return the first mistake as one sentence with its level, else the first note on a plan; empty if there is neither.

        What the referee or the reference search has found comes before an answer that did not come in time.
        """
        wrong = late = note = ""
        for grade in self.grades:
            level = grade.place + f" ({grade.title})" * bool(grade.title)
            said = f"{level}: {grade.verdict}, {grade.reason}"
            if grade.verdict.endswith(" out"):
                late = late or said
            elif grade.verdict not in ("right", "no truth"):
                wrong = wrong or said
            elif grade.reason and grade.value is not None:  # it is right, and the plan has a note
                note = note or f"note on {level}: {grade.reason}"
        return "; ".join(filter(None, (wrong or late, self.fault))) or note


def pupils(folder: Path) -> list[Path]:
    """Return the encodings of a folder and of the folders in it, by name; EncodingError if there is none."""
    found = sorted(path for path in folder.rglob("*.lp") if not path.is_dir())
    if not found:
        raise EncodingError("there is no .lp file in this folder", source=str(folder))
    return found


def unmarked(folder: Path) -> list[str]:
    """Return the files of a folder that are no encodings by their names; hidden ones do not count."""
    found = (path.relative_to(folder) for path in folder.rglob("[!.]*") if path.is_file() and path.suffix != ".lp")
    return sorted(path.as_posix() for path in found)


def grade_folder(folder: Path, known: Sequence[Truth], limits: Limits) -> Iterator[Marks]:
    """Mark every encoding of a folder and yield the marks of each; EncodingError if there is none."""
    for path in pupils(folder):
        name = path.relative_to(folder).with_suffix("").as_posix()
        with ChildProcesses() as children:
            children.start(name, _work, (str(path), tuple(known), limits), quiet=True)
            found = _heard(children, Marks(name, sum(truth.decided for truth in known), len(known)), known, limits)
        yield replace(found, fault=found.fault.replace(str(path), path.name))


def _heard(children: ChildProcesses, marks: Marks, known: Sequence[Truth], limits: Limits) -> Marks:
    """Collect what the process of a pupil reports until it ends, or has to be ended."""
    wait = None if limits.seconds is None else limits.seconds + GRACE
    while len(marks.grades) < marks.asked:
        received = children.receive(wait)
        place = known[len(marks.grades)].place
        if received is None:
            return replace(marks, fault=f"{place}: no answer within the limit, its process was ended")
        message = received[1]
        if isinstance(message, Grade):
            marks = replace(marks, grades=(*marks.grades, message))
        elif isinstance(message, str):
            return replace(marks, fault=message)
        else:
            return replace(marks, fault=f"{place}: the encoding made its process break off")
        if given_up := _no_answers(marks.grades, marks.asked):
            return replace(marks, fault=given_up)
    return marks


def patiently(marks: Iterable[Grade], asked: int, tell: Callable[[str], object]) -> Iterator[Grade]:
    """Yield the marks, but no more once several levels in a row had no answer in time: then that is told."""
    found: list[Grade] = []
    for one in marks:
        found.append(one)
        yield one
        if given_up := _no_answers(found, asked):
            tell(given_up)
            return


def _no_answers(grades: Sequence[Grade], asked: int) -> str:
    """Return the sentence that ends the marking if the last levels had no answer in time, else nothing."""
    late = [grade for grade in grades[-PATIENCE:] if grade.verdict.endswith(" out")]
    if len(late) < PATIENCE or len(grades) == asked:
        return ""
    return f"{PATIENCE} levels in a row without an answer, {counted(asked - len(grades), 'levels')} not asked"


def _work(asked: tuple[str, tuple[Truth, ...], Limits], parent: Parent) -> None:
    """Mark one encoding, level by level."""
    parent.follow()
    program, known, limits = asked
    try:
        for truth in known:
            parent.send(mark(program, truth, limits))
    except SokoaspError as error:
        parent.send(str(error))
