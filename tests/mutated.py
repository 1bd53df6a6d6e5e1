"""Damaged files through the commands themselves: ``python -m tests.mutated [COUNT [SEED]]``; exits 1 if one misbehaves.

Files of every notation (levels, boards, facts, PDDL, plans, solver output, programs) are mutated, and a command that reads such
files is run on each, in a process of its own. It may not end by a traceback or an undocumented exit code, use more CPU
seconds than ``SECONDS`` or more memory than ``MEGABYTES``, and what it refuses it refuses in a sentence.
"""

import os
import random
import resource
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from sokoasp.asp.catalogue import named
from sokoasp.domain import load
from sokoasp.klotski import notation
from sokoasp.sokoban import formats
from tests.commands import PRELOAD
from tests.sokoban.test_fuzz import PLANS, files, mutate

SECONDS = 40.0
"""CPU seconds of one command: some files hold dozens of levels, each with a limit of its own."""
WALL = 600.0
MEGABYTES = 330.0
CODES = (0, 2, 10, 11, 12, 20, 21, 30)
LIMITS = ["--time-limit", "0.3", "--memory-limit", "300"]
LEVEL = "########\n#@ $  .#\n#  $ . #\n########\n"
FILE, OUT, OTHER = "{file}", "{out}", "{level}"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: an example of it, its suffix, and the commands that read such files."""

    data: bytes
    suffix: str
    commands: tuple[tuple[str, ...], ...]


def kinds() -> dict[str, Kind]:
    """List the kinds by name."""
    klotski = load("klotski")
    boards = notation.read(Path("instances/klotski/hua-rong-dao.klotski").read_text(encoding="utf-8"))[:3]
    each = ("xsb", "sok", "rle", "slc", "facts", "pddl", "json")
    reading: tuple[tuple[str, ...], ...] = (
        ("stats", FILE, *LIMITS),
        ("check", FILE),
        ("check", FILE, "rRR"),
        ("deadlock", FILE, *LIMITS),
        ("solve", FILE, "--json", *LIMITS),
        ("render", FILE, "-o", f"{OUT}/x.svg"),
        ("walk", FILE, "--to", "1,1"),
        ("units", FILE),
        ("optima", FILE),
        *(("translate", FILE, "--to", to, "-o", f"{OUT}/") for to in each),
    )
    of_boards = (
        ("stats", FILE),
        ("solve", FILE, *LIMITS),
        ("render", FILE, "-o", f"{OUT}/x.svg"),
        ("check", FILE, "A 3,1"),
        *(("translate", FILE, "--to", to, "-o", f"{OUT}/") for to in ("klotski", "line", "facts")),
    )
    of_plans = (
        ("check", OTHER, FILE),
        ("check", OTHER, FILE, "--steps", "4"),
        ("render", OTHER, FILE, "-o", f"{OUT}/x.svg"),
        ("solve", OTHER, "--plan", FILE, *LIMITS),
    )
    found = {name: Kind(data, Path(file).suffix, reading) for name, (file, data) in files().items()}
    paste = "> hello\n> " + formats.write(formats.read(LEVEL), "xsb").replace("\n", "\n> ")
    found["paste"] = Kind(f"<pre>{LEVEL}</pre>\n{paste}".encode(), ".txt", reading)
    for to in ("klotski", "line"):
        found[f"klotski-{to}"] = Kind(klotski.texts.write[to](boards, None).encode(), ".klotski", of_boards)
    found |= {f"plan-{name}": Kind(text.encode(), ".txt", of_plans) for name, (text, _) in PLANS.items()}
    pddl = Path("instances/pddl/first.pddl").read_bytes()
    found["pddl-problem"] = Kind(pddl, ".pddl", (("plan", "instances/pddl/domain.pddl", FILE, *LIMITS),))
    domain = Path("instances/pddl/domain.pddl").read_bytes()
    found["pddl-domain"] = Kind(domain, ".pddl", (("plan", FILE, "instances/pddl/first.pddl", *LIMITS),))
    of_programs = (("solve", OTHER, "--encoding", FILE, *LIMITS), ("encodings", "ground", FILE, OTHER, "--bound", "2"))
    program = b"\n".join(path.read_bytes() for path in named("competition").files)
    found["program"] = Kind(program, ".lp", of_programs)
    rules = b":- push(B,D,C,T), T > 9.\n#minimize { 1@2,T : push(_,right,_,T) }.\n"
    found["constraints"] = Kind(rules, ".lp", (("solve", OTHER, "--constraints", FILE, *LIMITS),))
    return found


def run(arguments: list[str], folder: Path) -> tuple[int, float, float, str]:
    """Run a command in a process of its own; return exit code, CPU seconds, peak MB and what it said on stderr."""
    said = folder / "stderr"
    child = os.fork()
    if child == 0:
        _command(arguments, said)
    began = time.monotonic()
    while True:
        done, status, used = os.wait4(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() - began > WALL:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.005)
    cpu = used.ru_utime + used.ru_stime
    return os.waitstatus_to_exitcode(status), cpu, used.ru_maxrss * 1024 / 1e6, said.read_text("utf-8", "replace")


def _command(arguments: list[str], said: Path) -> None:
    """Be the command; never returns."""
    code = 99
    try:
        sink = os.open(os.devnull, os.O_RDWR)
        os.dup2(sink, 0)
        os.dup2(sink, 1)
        os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        resource.setrlimit(resource.RLIMIT_CPU, (int(2 * SECONDS), int(2 * SECONDS)))
        from sokoasp.cli import run as answer

        code = answer(arguments)
    except BaseException as error:
        print(f"Traceback: {error!r}", file=sys.stderr)
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def campaign(count: int, seed: int = 0) -> tuple[list[str], dict[int, int]]:
    """Run a number of commands on damaged files; return what misbehaved, one line each, and how often each exit code came."""
    rng = random.Random(seed)
    for name in PRELOAD:  # here, not in every command
        import_module(name)
    every = kinds()
    names = sorted(every)
    bad: list[str] = []
    codes: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "level.xsb").write_text(LEVEL)
        for number in range(count):
            kind = every[names[number % len(names)]]
            file = folder / f"damaged{kind.suffix}"
            file.write_bytes(mutate(kind.data, rng))
            words = rng.choice(kind.commands)
            places = {FILE: str(file), OTHER: str(folder / "level.xsb")}
            arguments = [places.get(word, word.replace(OUT, str(folder / "out"))) for word in words]
            (folder / "out").mkdir(exist_ok=True)
            code, cpu, peak, said = run(arguments, folder)
            codes[code] = codes.get(code, 0) + 1
            fault = _fault(code, cpu, peak, said)
            if fault:
                kept = Path(tempfile.gettempdir()) / f"mutated-{seed}-{number}{kind.suffix}"
                kept.write_bytes(file.read_bytes())
                bad.append(f"{fault}: sokoasp {' '.join(arguments).replace(str(file), str(kept))}")
    return bad, codes


def _fault(code: int, cpu: float, peak: float, said: str) -> str:
    """Say what is wrong with how a command ended; empty if nothing is."""
    if code not in CODES or "Traceback" in said or "internal error" in said:
        return f"exit code {code}, {said.strip()[-300:]!r}"
    if code in (2, 30) and not said.strip():
        return f"exit code {code} without a word"
    if cpu > SECONDS:
        return f"{cpu:.1f} CPU seconds"
    return f"{peak:.0f} MB" if peak > MEGABYTES else ""


if __name__ == "__main__":
    faults, ends = campaign(*map(int, sys.argv[1:] or ["2000"]))
    print("\n".join([*faults, f"exit codes {dict(sorted(ends.items()))}, {len(faults)} commands misbehaved"]))
    raise SystemExit(1 if faults else 0)
