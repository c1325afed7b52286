"""Test files run again and again, each time in a process forked from one that has loaded what never changes.

`python -m tests.validity.forked_tests` reads a line for each run, the arguments of pytest as JSON, and answers with a
line. What is tested is imported by the forked process alone, as it is found by its path at that time: the packages
`CHANGING`. All else of Proctor may have been loaded before.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Literal, NamedTuple

Outcome = Literal["passed", "failed", "not importable", "stopped", "broken"]
"""`stopped`: it did not end within its limits; `broken`: pytest itself could not do what it was asked."""

MAX_CPU_SECONDS = 180
"""Many times what all tests of one module take; counted in a process's own time, whatever else the machine does."""
MAX_BYTES = 8 << 30
BROKEN = 70
_EXIT: dict[int, Outcome] = {0: "passed", 1: "failed", 2: "not importable"}
"""What the exit codes of pytest say under `-x`: 2 is an error while tests were collected."""
CHANGING = ("proctor.instruments", "proctor.stats")
_LOADED = (
    "hypothesis.strategies",
    "msgspec",
    "numpy",
    "proctor.evidence.evidence",
    "proctor.evidence.store.store",
    "proctor.guard",
    "proctor.plugins.registry",
    "proctor.pytest_plugin",
    "proctor.spec.frozen",
    "proctor.spec.rules",
    "pytest",
    "scipy.sparse.csgraph",
    "scipy.stats",
    "sklearn.feature_extraction.text",
    "sklearn.metrics",
    "statsmodels.regression.mixed_linear_model",
    "statsmodels.stats.inter_rater",
    "statsmodels.stats.proportion",
)
_ARGUMENTS = (
    "-Wignore:Module already imported:pytest.PytestAssertRewriteWarning",
    *("-x", "-q", "--tb=line", "--no-header", "--hypothesis-seed=0", "-m", "not slow"),
    *(part for plugin in ("cacheprovider", "xdist", "langsmith_plugin", "anyio") for part in ("-p", f"no:{plugin}")),
)


class Ran(NamedTuple):
    """What came of some test files."""

    outcome: Outcome
    said: str
    """The first failure, or the last line."""


class ForkedTests:
    """Runs the tests of this repository with the package that lies in a folder of its own. A context manager."""

    def __init__(self, repository: Path, sources: Path) -> None:
        self._scratch = tempfile.TemporaryDirectory()
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (sources, repository))),
            "HYPOTHESIS_STORAGE_DIRECTORY": self._scratch.name,
            # Processes that have more than one thread cannot be forked safely.
            **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            cwd=repository,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> ForkedTests:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()
        self._scratch.cleanup()

    def run(self, files: Sequence[str]) -> Ran:
        """Run these test files in this order until one test fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(list(files)), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        assert answer, "the process that forks has ended"
        return Ran(*json.loads(answer))


def _forked(files: Sequence[str]) -> Ran:
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            _tests(files, said.fileno())
        _, status = os.waitpid(child, 0)
        said.seek(0)
        lines = [line for line in said.read().decode(errors="replace").splitlines() if line.strip()]
    code = os.waitstatus_to_exitcode(status)
    outcome = "stopped" if code < 0 else _EXIT.get(code, "broken")
    failures = [line for line in lines if line.startswith(("FAILED", "ERROR", "E  "))]
    return Ran(outcome, (failures or lines or [""])[0 if failures else -1])


def _tests(files: Sequence[str], said: int) -> None:
    """Never returns: this process is the run."""
    code = BROKEN
    try:
        os.dup2(said, 1)
        os.dup2(said, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
        pytest = import_module("pytest")
        code = int(pytest.main([*_ARGUMENTS, *files]))
        sys.stdout.flush()
    except BaseException:
        os.write(said, traceback.format_exc().encode())
    os._exit(code)


def main() -> None:
    """Answer until nothing more is asked."""
    for name in _LOADED:
        import_module(name)
    loaded = [name for name in sys.modules if name.startswith(CHANGING)]
    assert not loaded, f"loaded before any change could be seen: {loaded}"
    for line in sys.stdin:
        print(json.dumps(_forked(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
