"""What the sandbox promises, it promises to plain users too: its own tests run again as one, where they ran as root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.command import ALONE
from tests.without_root import PLAIN_USER, as_plain_user

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="the sandbox's own tests ran as a plain user already")


def run_plainly(home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A Python command as a plain user, in this project's folder."""
    os.chown(home, PLAIN_USER, PLAIN_USER)
    for folder in (home, *home.parents):
        if folder.stat().st_uid == 0 and not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o011)
    env = {"HOME": str(home), "TMPDIR": str(home), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    command = (sys.executable, *command)
    shown = (Path(sys.prefix), Path(sys.base_prefix), ROOT)
    return subprocess.run(as_plain_user(command, shown), cwd=ROOT, env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def home() -> Path:
    """A folder that a plain user can reach; pytest's own cannot be."""
    import tempfile

    return Path(tempfile.mkdtemp(prefix="proctor-plain-", dir="/tmp"))


@pytest.mark.parametrize(
    "tests",
    [
        "tests/unit/worlds/test_sandbox_hostile.py",
        "tests/unit/agents_process/test_isolation.py",
        pytest.param("tests/unit/worlds/test_sandbox.py", marks=pytest.mark.slow),
        pytest.param("tests/unit/agents_process/test_process_host.py", marks=pytest.mark.slow),
        pytest.param("tests/unit/agents_process/test_prefork.py", marks=pytest.mark.slow),
    ],
)
def test_the_sandbox_keeps_its_promises_to_a_plain_user(tests: str, home: Path) -> None:
    try:
        reason = run_plainly(home, "-c", "from proctor.worlds.sandbox import available; print(available() or '')")
        assert reason.returncode == 0, reason.stderr
        if reason.stdout.strip():
            pytest.skip(f"not evaluable: {reason.stdout.strip()}")
        ended = run_plainly(home, "-m", "pytest", "-q", "-x", *ALONE, tests)
    finally:
        shutil.rmtree(home)
    assert ended.returncode == 0, ended.stdout[-4000:]
    assert " passed" in ended.stdout
