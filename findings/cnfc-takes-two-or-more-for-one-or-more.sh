#!/usr/bin/env bash
# cnfc, a compiler to CNF: its RegexMatch reads 1{2,} as 1+, and 1{0,2} as "none or two, but not one".
#
# One would guess: a row matches what Python's own module matches. RegexMatch has the pattern parsed by Python, and refuses with an
#   error what it does not support (dots, anchors, lazy repetition).
# What happens: an open upper bound is built as one copy with a way back, whatever the lower bound, so {2,} and {3,} are +. With a
#   lower bound of zero the copies can only be passed over all at once, so {0,2} has no match with one. {2}, {1,2}, ?, * and +
#   are right, and the rows of nonograms, the use that the README names, need no more. Below, 28 rows of eight cells have one run
#   of at least two and nothing else; 36 pass. 16 have at most one run, of at most two; 8 pass, and a row with a single cell
#   is unsatisfiable. Spelled 111* and 1?1? both are right, so the answer depends on the spelling. Nothing warns.
# For whom: whoever plans with runs (at least two free days on end, at most two nights) or asks for gaps of at least some width.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q cnfc==2.1.0

cat >rows.py <<'END'
import itertools
import re
import warnings

warnings.simplefilter("ignore")
from cnfc import Formula, Or, RegexMatch, Tuple

CELLS = 8
ROWS = ["".join(cells) for cells in itertools.product("01", repeat=CELLS)]


def found(pattern):
    """All rows that match, by cnfc and its own solver: a row that was found is forbidden, until there is none."""
    formula = Formula()
    cells = formula.AddVars("x", CELLS)
    formula.Add(RegexMatch(Tuple(*cells), pattern))
    rows = set()
    while solution := formula.Solve():
        row = [solution[f"x:{at}"] for at in range(CELLS)]
        rows.add("".join("01"[value] for value in row))
        formula.Add(Or(*(~cell if value else cell for cell, value in zip(cells, row))))
    return rows


def runs(row):
    return [len(run) for run in row.split("0") if run]


def one_of_two_or_more(lengths):
    return len(lengths) == 1 and lengths[0] >= 2


def none_or_one_of_up_to_two(lengths):
    return sum(lengths) == 0 or one_of_up_to_two(lengths)


def one_of_up_to_two(lengths):
    return len(lengths) == 1 and lengths[0] <= 2


for pattern, rule in (
    ("0*1{2,}0*", one_of_two_or_more),
    ("0*111*0*", one_of_two_or_more),
    ("0*1{0,2}0*", none_or_one_of_up_to_two),
    ("0*1?1?0*", none_or_one_of_up_to_two),
    ("0*1{1,2}0*", one_of_up_to_two),
):
    right = {row for row in ROWS if rule(runs(row))}
    assert right == {row for row in ROWS if re.fullmatch(pattern, row)}
    rows = found(pattern)
    single = sum(runs(row) == [1] for row in rows)
    print(f"{pattern}: {len(right)} rows match, cnfc has {len(rows)}, {single} of them with a single cell")
END

venv/bin/pip list 2>/dev/null | grep -i '^cnfc '
venv/bin/python rows.py | tee out

grep -qxF "0*111*0*: 28 rows match, cnfc has 28, 0 of them with a single cell" out
grep -qxF "0*1?1?0*: 16 rows match, cnfc has 16, 8 of them with a single cell" out
grep -qxF "0*1{1,2}0*: 15 rows match, cnfc has 15, 8 of them with a single cell" out
if ! grep -qxF "0*1{2,}0*: 28 rows match, cnfc has 36, 8 of them with a single cell" out ||
  ! grep -qxF "0*1{0,2}0*: 16 rows match, cnfc has 8, 0 of them with a single cell" out; then
  echo "the bounds of a repetition are kept now"
  exit 1
fi
