#!/usr/bin/env bash
# Potassco's benchmark tool: its parser of clingo's JSON fills the column `sum` with the number of equivalences.
#
# One would guess: `clasp` and `clasp_json`, the two parsers of results that come with the tool, give the same measures for the
#   same run; only the output format of clingo differs. All other measures that both give agree.
# What happens: in clingo's statistics, "Sum" under "Bodies" is the number of sum aggregates, and `clasp` reads that. The JSON
#   has the same figure in the same place, but `clasp_json` takes the Sum of "Equivalences", which is how many atoms and bodies
#   clingo merged. Below, the program with sum aggregates gets sum 7 instead of 2, and one without any gets 10. The
#   measure choice_rules is lost from the JSON (it stands one level deeper than it is looked for). Nothing warns.
# For whom: whoever compares encodings by what clingo made of them, or joins a system read from text with one read from JSON.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --no-deps potassco-benchmark-tool==2.2.9 # the parsers need no tables
venv/bin/pip install -q clingo==5.8.0

cat >runs.py <<'END'
import json
import pathlib
import subprocess
import sys
from types import SimpleNamespace

from benchmarktool.resultparser import clasp, clasp_json

PROGRAMS = {
    "sums": "{ take(1..4) }. :- #sum { X : take(X) } != 5. some :- take(X). fine :- some.",
    "none": "{ take(1..4) }. some :- take(X). fine :- some. good :- fine.",
}
project = SimpleNamespace(job=SimpleNamespace(timeout=100))
job = SimpleNamespace(project=project, system=SimpleNamespace(name="clingo", version="5.8"))
for name, program in PROGRAMS.items():
    measures = {}
    for parser, form in ((clasp, 0), (clasp_json, 2)):
        folder = pathlib.Path(f"{name}-{form}")
        folder.mkdir()
        (folder / "program.lp").write_text(program)
        command = [sys.executable, "-m", "clingo", folder / "program.lp", "--stats", f"--outf={form}"]
        text = subprocess.run(command, capture_output=True, text=True).stdout
        (folder / "runsolver.solver").write_text(text)
        (folder / "runsolver.watcher").write_text("[runlim] status:\tok\n[runlim] real:\t0.1 seconds\n")
        parsed = parser.parse(str(folder), job, SimpleNamespace(name=name), 1)
        measures[form] = {key: value for key, (_, value) in parsed.items()}
    rules = json.loads(text)["Stats"]["LP"]
    bodies = rules["Bodies"] if isinstance(rules["Bodies"], dict) else {}
    sums = bodies.get("Sum", {"Original": 0})["Original"]
    print(f"{name}: clingo's JSON has {sums} sums, {rules['Equivalences']['Sum']} equivalences,", end=" ")
    print(f"{rules['Rules']['Choice']['Original']} choice rules")
    keys = ("sum_o", "choice_rules_o")
    print(f"{name}: clasp {[measures[0].get(key) for key in keys]}, clasp_json {[measures[2].get(key) for key in keys]}")
    both = [key for key in measures[0] if key in measures[2] and not key.startswith("sum")]
    print(f"{name}: {all(measures[0][key] == measures[2][key] for key in both)} that the other measures agree")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(potassco.benchmark.tool|clingo) '
venv/bin/python runs.py | tee out

for program in "sums" "none"; do
  grep -qx "$program: True that the other measures agree" out
done
grep -qx "sums: clingo's JSON has 2 sums, 7 equivalences, 4 choice rules" out
grep -qx "none: clingo's JSON has 0 sums, 10 equivalences, 4 choice rules" out
if ! grep -qxF "sums: clasp [2.0, 4.0], clasp_json [7.0, None]" out ||
  ! grep -qxF "none: clasp [None, 4.0], clasp_json [10.0, None]" out; then
  echo "sums are sums in both now"
  exit 1
fi
