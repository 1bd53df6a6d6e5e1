"""Mutation test: plant faults in the kernels and the referee, one at a time, and see whether a test fails.

``python -m tests.mutate -o faults.csv`` plants 50 (``--faults``, ``--seed``) in a copy of the project. A table that exists is
continued, so a campaign may be cut in pieces (``--seconds``). Faults are small changes that a slip of the pen would make: ``<``
for ``<=``, ``+`` for ``-``, a number one too large, ``and`` for ``or``, a condition turned round, an assignment left out.

Kernels are first tried as plain Python, which takes no compiling (``NUMBA_DISABLE_JIT``), with the tests of their file and with
whole searches of small levels; with ``--compile`` what survives is compiled and tried with all tests of searches.
"""

from __future__ import annotations

import argparse
import ast
import csv
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SEARCH = "tests/sokoban/search"
SETS = {
    "kernels/primitives": (f"{SEARCH}/test_kernels.py",),
    "kernels/hash_set": (f"{SEARCH}/test_kernels.py",),
    "kernels/freeze": (f"{SEARCH}/test_kernels.py",),
    "bounds/database_kernels": (f"{SEARCH}/test_pattern_databases.py::test_penalties_against_a_search_on_sets",),
    "bounds/cost_partitioning": (
        f"{SEARCH}/test_pattern_databases.py::test_penalties_against_a_search_on_sets",
        f"{SEARCH}/test_pattern_databases.py::test_patterns_after_a_move_are_those_of_the_whole_state",
        f"{SEARCH}/test_pattern_databases.py::test_cost_partitioning_against_all_subsets",
    ),
    "bounds/cost_covering": (
        f"{SEARCH}/test_cost_covering.py::test_coverings_against_all_payments",
        f"{SEARCH}/test_cost_covering.py::test_five_pairs_in_a_ring",
    ),
    "bounds/pattern_search": (f"{SEARCH}/test_learned_patterns.py::test_learned_patterns_against_a_search_on_sets",),
    "bounds/pattern_index": (
        f"{SEARCH}/test_learned_patterns.py::test_learned_patterns_against_a_search_on_sets",
        f"{SEARCH}/test_learned_patterns.py::test_learned_patterns_that_hold_are_recalled_with_their_boxes_and_penalties",
    ),
    "exact/breadth_first_kernels": (f"{SEARCH}/test_breadth_first.py::test_answers_agree_with_the_oracle",),
    "exact/bitboard_kernels": (
        f"{SEARCH}/test_breadth_first.py::test_three_bits_of_a_board_of_two_words",
        f"{SEARCH}/test_breadth_first.py::test_forward_states_with_frozen_boxes_are_left_out",
        f"{SEARCH}/test_breadth_first.py::test_answers_agree_with_the_oracle",
    ),
    "exact/beam": (
        f"{SEARCH}/test_beam.py::test_in_every_second_sweep_unfamiliar_states_come_first",
        f"{SEARCH}/test_beam.py::test_the_first_state_alone_above_the_horizon_is_no_end",
        f"{SEARCH}/test_beam.py::test_pairs_are_noted_by_their_bound",
    ),
    "exact/move_layers_kernels": (
        f"{SEARCH}/test_move_layers.py::test_layers_are_those_of_a_plain_search",
        f"{SEARCH}/test_move_layers.py::test_box_sets_are_found_where_they_collide",
        f"{SEARCH}/test_move_layers.py::test_the_cell_where_the_sides_meet_may_be_any",
        f"{SEARCH}/test_move_layers.py::test_it_stops_for_more_room_when_any_array_is_full",
        f"{SEARCH}/test_move_layers.py::test_frozen_boxes_off_goal_are_left_out",
        f"{SEARCH}/test_move_layers.py::test_answers_on_boards_of_two_words_agree_with_the_oracle",
        f"{SEARCH}/test_move_layers.py::test_answers_of_few_states_agree_with_the_oracle",
    ),
    "bounds/frozen_walls": (f"{SEARCH}/test_walls.py",),
    "satisficing/advisors": (
        f"{SEARCH}/satisficing/test_advisors.py::test_advisors_name_what_their_rules_say",
        f"{SEARCH}/satisficing/test_advisors.py::test_features_of_children_are_those_of_their_states",
    ),
}
"""Tests of kernels against sets, by the file of kernels."""
SEARCHES = (
    f"{SEARCH}/test_small_golden.py",
    f"{SEARCH}/test_corral.py::test_random_states_against_the_rule_on_sets",
    f"{SEARCH}/test_agreement.py::test_more_boxes_than_goals",
)
"""Whole searches of small levels, and the pruning that is easiest to spoil unseen: a quarter of a minute without compiling."""
COMPILED = tuple(
    f"{SEARCH}/test_{name}.py"
    for name in ("golden", "kernels", "corral", "pattern_databases", "learned_patterns", "breadth_first", "agreement")
)
KERNELS = {
    "kernels/primitives": 4,
    "kernels/hash_set": 1,
    "kernels/freeze": 1,
    "kernels/corral": 6,
    "bounds/database_kernels": 7,
    "bounds/cost_partitioning": 4,
    "bounds/cost_covering": 2,
    "exact/open_list": 4,
    "exact/expand": 4,
    "bounds/pattern_index": 2,
    "bounds/pattern_search": 3,
    "exact/breadth_first_kernels": 3,
    "exact/bitboard_kernels": 4,
    "exact/beam": 2,
    "exact/move_layers_kernels": 3,
    "bounds/frozen_walls": 4,
    "satisficing/advisors": 2,
}
"""Faults of fifty by the file of kernels."""
PLAIN = 120
"""CPU seconds of the tests that take no compiling: more means that they do not end."""
REFEREE = {
    "sokoasp/sokoban/rules.py": (4, ("tests/sokoban/test_validate.py", "tests/sokoban/test_perft.py")),
    "sokoasp/sokoban/validate.py": (4, ("tests/sokoban/test_validate.py", "tests/sokoban/test_fuzz.py")),
    "sokoasp/klotski/slide_rules.py": (2, ("tests/klotski/test_validate.py", "tests/klotski/test_agreement.py")),
    "sokoasp/klotski/referee.py": (2, ("tests/klotski/test_validate.py",)),
}
_OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.And: ast.Or, ast.Or: ast.And,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """One change of one line of a file, and what became of it: ``plain`` or ``compiled`` tests, or nothing, caught it."""

    file: str
    line: int
    before: str
    after: str
    caught: str = ""
    by: str = ""


def faults_of(file: str) -> Iterator[tuple[Fault, str]]:
    """Yield every fault of a file with the whole changed text."""
    text = (ROOT / file).read_text()
    for node in _planted(ast.parse(text)):
        old, new = node
        if old.lineno != old.end_lineno:
            continue
        lines = text.splitlines(keepends=True)
        line = lines[old.lineno - 1]
        raw = line.encode()
        before = raw[old.col_offset : old.end_col_offset].decode()
        changed = (raw[: old.col_offset] + new.encode() + raw[old.end_col_offset :]).decode()
        lines[old.lineno - 1] = changed
        yield Fault(file, old.lineno, before, new), "".join(lines)


def _planted(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in (inner for statement in function.body for inner in ast.walk(statement)):
            if isinstance(node, ast.Compare) and type(node.ops[0]) in _OTHER:
                other = ast.Compare(node.left, [_OTHER[type(node.ops[0])](), *node.ops[1:]], node.comparators)
                yield node, ast.unparse(other)
            elif isinstance(node, ast.BinOp) and type(node.op) in _OTHER:
                yield node, f"({ast.unparse(ast.BinOp(node.left, _OTHER[type(node.op)](), node.right))})"
            elif isinstance(node, ast.BoolOp):
                yield node, f"({ast.unparse(ast.BoolOp(_OTHER[type(node.op)](), node.values))})"
            elif isinstance(node, ast.Constant) and type(node.value) is int:
                yield node, str(node.value + 1)
            elif isinstance(node, ast.If | ast.While):
                yield node.test, f"not ({ast.unparse(node.test)})"
            elif isinstance(node, ast.Assign | ast.AugAssign) and isinstance(_target(node), ast.Subscript):
                yield node, "pass"


def _target(node: ast.Assign | ast.AugAssign) -> ast.expr:
    return node.target if isinstance(node, ast.AugAssign) else node.targets[0]


def chosen(number: int, seed: int) -> list[tuple[Fault, str]]:
    """Return a number of faults, shared out among the files as in ``KERNELS`` and ``REFEREE``."""
    folder = "sokoasp/sokoban/search"
    shares = {f"{folder}/{name}.py": share for name, share in KERNELS.items()}
    shares |= {file: share for file, (share, _) in REFEREE.items()}
    found = []
    for file, share in shares.items():
        every = list(faults_of(file))
        random.Random(f"{seed} {file}").shuffle(every)
        found += every[: max(1, round(share * number / sum(shares.values())))]
    return found


def plain_tests(file: str) -> tuple[str, ...]:
    """Return the tests of a file that take no compiling."""
    name = "/".join(Path(file).with_suffix("").parts[-2:])
    return REFEREE[file][1] if file in REFEREE else (*SETS.get(name, ()), *SEARCHES)


class Copy:
    """A copy of the project in which files are changed and tests run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("sokoasp", "encodings", "instances", "tests"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)

    def passes(self, tests: tuple[str, ...], *, compiled: bool, seconds: int) -> tuple[bool, str]:
        """Run tests until one fails, for a number of CPU seconds at most; return whether all pass, and which failed."""
        cache = {"SOKOASP_CACHE_DIR": str(self.folder / "cache"), "PYTHONPATH": str(self.folder)}
        plain = {} if compiled else {"NUMBA_DISABLE_JIT": "1"}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-W",
            "ignore",
            "-p",
            "no:cacheprovider",
            "--timeout=0",
            *tests,
        ]
        shutil.rmtree(self.folder / "cache", ignore_errors=True)
        done = subprocess.run(
            ["bash", "-c", f'ulimit -t {seconds}; exec "$@"', "tests", *command],
            cwd=self.folder,
            env=os.environ | cache | plain,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return False, "did not end"
        failed = [line.split(" - ")[0] for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return done.returncode == 0, failed[0].split("::")[-1] if failed else f"exit {done.returncode}"

    def judge(self, fault: Fault, text: str, *, compiling: bool) -> Fault:
        """Plant one fault, run the tests, mend it."""
        path = self.folder / fault.file
        whole = path.read_text()
        path.write_text(text)
        try:
            fine, by = self.passes(plain_tests(fault.file), compiled=False, seconds=PLAIN)
            if not fine:
                return Fault(*astuple(fault)[:4], "plain", by)
            if fault.file in REFEREE or not compiling:
                return Fault(*astuple(fault)[:4], "no")
            fine, by = self.passes(COMPILED, compiled=True, seconds=900)
            return Fault(*astuple(fault)[:4], "no" if fine else "compiled", "" if fine else by)
        finally:
            path.write_text(whole)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no fault after this many")
    parser.add_argument("--only", default="", help="only files whose path holds this")
    parser.add_argument("--compile", action="store_true", help="compile what survives, and try all tests of searches")
    parser.add_argument("-o", type=Path, required=True, dest="table", help="the table, continued if it exists")
    asked = parser.parse_args()
    names = [field.name for field in fields(Fault)]
    known: list[Fault] = []
    if asked.table.exists():
        with asked.table.open(newline="") as file:
            known = [Fault(**{**row, "line": int(row["line"])}) for row in csv.DictReader(file)]
    done = {astuple(fault)[:4] for fault in known}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, asked.table.open("a", newline="") as file:
        copy, writer = Copy(Path(folder)), csv.writer(file)
        if not known:
            writer.writerow(names)
        faults = [one for one in chosen(asked.faults, asked.seed) if asked.only in one[0].file]
        for whole in dict.fromkeys(fault.file for fault, _ in faults):
            # tests that are too slow, or fail anyway, would notice every fault
            fine, by = copy.passes(plain_tests(whole), compiled=False, seconds=PLAIN // 2)
            if not fine:
                parser.error(f"the tests of {whole} do not pass without a fault within {PLAIN // 2} s: {by}")
        for fault, text in faults:
            if astuple(fault)[:4] in done or time.monotonic() - began > asked.seconds:
                continue
            judged = copy.judge(fault, text, compiling=asked.compile)
            writer.writerow(astuple(judged))
            file.flush()
            known.append(judged)
            print(
                f"{judged.caught:9} {judged.file}:{judged.line}  {judged.before} -> {judged.after}  {judged.by}",
                flush=True,
            )
    caught = sum(fault.caught != "no" for fault in known)
    print(f"{caught} of {len(known)} faults caught")


if __name__ == "__main__":
    main()
