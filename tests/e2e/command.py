"""Running the real command in a process of its own, the way a user does (see `tests.e2e.warm`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.e2e.warm.started import fits, module_command

PROCTOR = [sys.executable, "-m", "proctor.cli.main"]
"""The command in an interpreter of its own, for tests that send signals or look at processes."""
_NOT_OURS = ("cacheprovider", "randomly", "hypothesispytest", "xdist", "xdist.looponfail", "anyio", "langsmith_plugin")
ALONE = [option for name in _NOT_OURS for option in ("-p", f"no:{name}")]
"""Options for pytest in a process of its own: without other packages' plug-ins, which take seconds to load."""


def proctor(
    *arguments: str | Path, cwd: Path, env: dict[str, str] | None = None, code: int | None = 0, seconds: float = 300
) -> subprocess.CompletedProcess[str]:
    """The finished command; `code` is the exit code it must have (None: any)."""
    environment = {**os.environ, **(env or {})}
    command = module_command(cwd) if fits(environment) else PROCTOR
    done = subprocess.run(
        [*command, *map(str, arguments)],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )
    if code is not None:
        assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def proctor_json(*arguments: str | Path, cwd: Path, env: dict[str, str] | None = None, seconds: float = 300) -> Any:
    """What a command with `--json` printed."""
    return json.loads(proctor(*arguments, "--json", cwd=cwd, env=env, seconds=seconds).stdout)


def accept_baseline(project: Path, *arguments: str) -> None:
    """Accept runs as the baseline, signed with a key that is kept beside the project."""
    env = {"PROCTOR_KEY_FOLDER": str(project.parent / "keys-of-zoe")}
    if not (project / "proctor.keys" / "zoe.pub").exists():
        proctor("govern", "key", "zoe", cwd=project, env=env)
    proctor("baseline", "accept", *arguments, "--release", "1.0", "--key", "zoe", cwd=project, env=env)
