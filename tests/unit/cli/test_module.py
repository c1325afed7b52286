"""`python -m proctor` is the command line."""

from __future__ import annotations

import subprocess
import sys


def test_the_package_runs_as_a_module() -> None:
    ran = subprocess.run([sys.executable, "-m", "proctor", "--version"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "") and ran.stdout.startswith("proctor ")
