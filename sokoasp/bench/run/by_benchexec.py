"""Commands limited and measured by BenchExec's library, by cgroups."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

from sokoasp.bench.define.suite import RunLimits

_REASONS = {"walltime": "time", "cputime": "time", "memory": "memory"}


@cache
def lack() -> str | None:
    """Say why BenchExec cannot limit commands here, None if it can."""
    try:
        from benchexec.cgroups import Cgroups
    except ImportError:
        return "limits by runexec need BenchExec: pip install benchexec"
    found = Cgroups.initialize()
    if found.CPU in found and found.MEMORY in found:
        return None
    return "BenchExec may not use the cgroups for CPU and memory of this machine; by = 'sokoasp' needs none"


def run(command: str | list[str], folder: Path, limits: RunLimits) -> tuple[int, str | None, dict[str, float]]:
    """Run a command within cgroups of BenchExec; return its exit code, which limit ended it, CPU seconds and peak MB.

    Raises OSError: it cannot be started.
    """
    from benchexec.runexecutor import RunExecutor

    most = limits.kernel_seconds()
    found = RunExecutor(use_namespaces=False).execute_run(
        ["/bin/sh", "-c", command] if isinstance(command, str) else command,
        str(folder / "stdout"),
        error_filename=str(folder / "stderr"),
        write_header=False,
        workingDir=str(folder),
        walltimelimit=limits.wall(),
        hardtimelimit=None if most is None else math.ceil(most),
        memlimit=int(limits.memory_mb * 1e6),
    )
    if "exitcode" not in found:
        raise OSError(f"BenchExec could not start {command[0]!r}")
    stopped = _REASONS.get(found.get("terminationreason"))
    code = found["exitcode"]
    return (
        code.value if code.signal is None else -code.signal,
        stopped,
        {"cgroup_cpu": found["cputime"], "cgroup_mb": found["memory"] / 1e6},
    )
