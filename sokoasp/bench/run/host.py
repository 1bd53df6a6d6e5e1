"""What a result was measured with: the machine and the versions."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import subprocess
from functools import cache
from pathlib import Path

from sokoasp import __version__
from sokoasp.bench.define.systems import Command, System

_VERSION_SECONDS = 10


@cache
def describe() -> tuple[str, str]:
    """Return a short name of this machine and its description as JSON: processor, cores, memory, system, versions."""
    facts = {
        "host": platform.node(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "turbo": _turbo(),
        "governor": _text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "memory_mb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e6),
        "system": platform.platform(),
        "python": platform.python_version(),
        "sokoasp": __version__,
        **{name: _installed(name) for name in ("clingo", "numba", "distributed")},
    }
    text = json.dumps(facts, sort_keys=True)
    return f"{facts['host']}-{hashlib.sha256(text.encode()).hexdigest()[:6]}", text


def _cpu() -> str:
    lines = (_text("/proc/cpuinfo") or "").splitlines()
    named = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _turbo() -> str | None:
    """Return whether the processor may raise its clock, ``on`` or ``off``; None where the system does not say."""
    off = _text("/sys/devices/system/cpu/intel_pstate/no_turbo")
    if off is None:
        return {"1": "on", "0": "off"}.get(_text("/sys/devices/system/cpu/cpufreq/boost") or "")
    return "on" if off == "0" else "off"


def _text(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return None


def load() -> float | None:
    """Return how many processes wanted a processor in the last minute, on the average; None where the system does not say."""
    try:
        return round(os.getloadavg()[0], 2)
    except (OSError, AttributeError):
        return None


def _installed(package: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def version_of(system: System) -> str:
    """Return the version of a system: of a command what its version command prints first, else ours and the solver's."""
    if not isinstance(system.how, Command):
        solver = {"encoding": "clingo", "sat": "python-sat"}.get(system.kind, "numba")
        return f"sokoasp {__version__}, {solver} {_installed(solver)}"
    if system.how.version is None:
        return ""
    try:
        done = subprocess.run(
            shlex.split(system.how.version), capture_output=True, text=True, timeout=_VERSION_SECONDS, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return f"not known: {error}"
    return next((line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()), "")
