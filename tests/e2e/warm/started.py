"""The warm interpreter of this process: started when it is first needed, gone when this process is."""

from __future__ import annotations

import atexit
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_CLIENT = [sys.executable, "-I", "-S", str(_HERE / "client.py")]
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_ANY_TIME = frozenset({"PYTHONUNBUFFERED", "PYTHONPATH"})


@cache
def _address() -> str:
    folder = tempfile.mkdtemp(prefix="warm-")
    address = f"{folder}/socket"
    interpreter = subprocess.Popen(
        [sys.executable, _HERE / "interpreter.py", address],
        env={**os.environ, **_ONE_THREAD},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert interpreter.stdout is not None
    assert interpreter.stdout.readline() == b"ready\n", "the warm interpreter did not start"

    def end() -> None:
        interpreter.kill()
        interpreter.communicate()
        shutil.rmtree(folder)

    atexit.register(end)
    return address


def fits(environment: Mapping[str, str]) -> bool:
    """Whether a command with this environment may come from an interpreter that was started with ours.

    Another `PYTHONPATH` is no hindrance, unless Python would read something from there when it starts.
    """
    read = ("sitecustomize.py", "usercustomize.py")
    added = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    if any(Path(folder, name).exists() for folder in added for name in read):
        return False

    def read_at_start(variables: Mapping[str, str]) -> dict[str, str]:
        return {
            name: value
            for name, value in variables.items()
            if name.startswith(("PYTHON", "LC_", "LANG", "TZ")) and name not in _ANY_TIME
        }

    return read_at_start(environment) == read_at_start(os.environ)


def module_command(folder: Path) -> list[str]:
    """What `python -m proctor.cli.main` would be, run in this folder."""
    return [*_CLIENT, _address(), str(folder), "proctor"]


def make_program(folder: Path) -> None:
    """Put a program `proctor` there, for shells that have the folder on their PATH.

    With another `PYTHONPATH` than ours it is the installed one: a warm interpreter has read it already.
    """
    here = Path(sys.executable).parent
    warm = shlex.join([*_CLIENT, _address(), str(here), "proctor"])
    installed = shlex.join([str(here / "proctor")])
    ours = shlex.quote(os.environ.get("PYTHONPATH", ""))
    program = folder / "proctor"
    program.write_text(f'#!/bin/sh\n[ "${{PYTHONPATH-}}" = {ours} ] || exec {installed} "$@"\nexec {warm} "$@"\n')
    program.chmod(0o755)
