#!/usr/bin/env bash
# clintest, Potassco's library for testing programs: the second Record() of a process records nothing.
#
# One would guess: each Record() is a test of its own.
# What happens: its default test is one object, made when the class is defined. The first solve call finishes it, so for every
#   later Record() the outcome is certain before the first model, and no model is looked at.
# For whom: whoever looks at several programs or seeds in one process (pytest, a notebook) and takes an empty recording for no model.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q clintest==0.4.0 clingo==5.8.0

cat >twice.py <<'END'
from clintest.solver import Clingo
from clintest.test import Record, True_


def models(record):
    Clingo(arguments=["0"], program="{a}.").solve(record)
    return str(record).count("on_model")


print("Record() twice:", models(Record()), models(Record()))
print("Record(True_(lazy=False)) twice:", models(Record(True_(lazy=False))), models(Record(True_(lazy=False))))
END
venv/bin/pip list 2>/dev/null | grep -iE '^(clintest|clingo) '
venv/bin/python twice.py | tee out
grep -q "Record(True_(lazy=False)) twice: 2 2" out
grep -q "Record() twice: 2 0" out || {
  echo "each Record() records now"
  exit 1
}
