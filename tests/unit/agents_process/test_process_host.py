"""What a confined process finds around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.agents.process.memory import NOTHING
from proctor.agents.process.options import Options
from proctor.agents.process.process_host import Program, SandboxedHost
from proctor.worlds.sandbox import Limits

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left")


def seen(project: Path, script: str) -> list[bytes]:
    options = Options(project, project, False, (), False, Limits(seconds=None), False, {}, None)
    host = SandboxedHost(Program(lambda view: ["/bin/sh", "-c", script]), options)
    child = host.start(NOTHING)
    lines = []
    while not child.output_closed:
        child.wait_now(5)
        while (line := child.lines.take()) is not None:
            lines.append(line)
    child.release_now()
    host.close()
    return lines


def test_a_project_inside_what_every_sandbox_shows_is_covered(tmp_path: Path) -> None:
    # An existing folder stands in for a project in /usr/src/app: nothing has to be written there.
    assert int(seen(tmp_path, "ls /usr/share | wc -l")[0]) > 0
    assert seen(Path("/usr/share"), "ls /usr/share | wc -l") == [b"0"]


def test_proctor_is_not_there_but_other_packages_are(tmp_path: Path) -> None:
    script = "python3 -c 'import encodings; print(1)'; python3 -c 'import proctor.suites' 2>&1 | tail -1"
    first, second = seen(tmp_path, script)
    assert first == b"1"
    assert second.startswith(b"ModuleNotFoundError: No module named 'proctor")


def test_the_first_process_of_the_sandbox_shows_no_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNDECLARED", "environment-canary")
    lines = seen(tmp_path, "cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; echo end")
    assert b"end" in lines
    assert not any(b"environment-canary" in line for line in lines)
