"""Looks of `proctor watch` that are killed in a stage which provably was not finished."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

from tests.e2e.command import PROCTOR
from tests.unit.pipeline.small_quality import SUITE

LOOKING = ("watch", SUITE, "--agent", "oracle", "--rehearsal", "--once")
HELD = '''

class HeldFamily(ScenarioFamily):
    """Does not come past its tenth episode while there is a file `hold`, and says so with a file `waiting`."""

    episodes = 0

    def oracle(self, instance):
        # When a run is frozen its families are tried out first: those episodes do not count.
        frame, probed = sys._getframe(), False
        while frame is not None:
            probed, frame = probed or "probing" in frame.f_code.co_filename, frame.f_back
        self.episodes += not probed
        while self.episodes == 10 and Path("hold").exists():
            Path("waiting").touch()
            time.sleep(0.01)
        return super().oracle(instance)

'''


def killed_in(project: Path, stage: str, *, when: Path | None = None) -> None:
    """A look that is killed once it says that it is in this stage, and once there is the file `when`."""
    look = subprocess.Popen(
        [*PROCTOR, *LOOKING], cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    with look:
        assert look.stderr is not None
        assert any(line == f"{stage} …\n" for line in look.stderr), "it never came there"
        while when is not None and not when.exists():
            assert look.poll() is None, "it ended before anybody killed it"
            time.sleep(0.01)
        look.send_signal(signal.SIGKILL)
        assert look.wait(timeout=300) == -signal.SIGKILL


def finished_stages(project: Path) -> list[str]:
    (pipeline,) = (project / ".proctor" / "pipeline").iterdir()
    return sorted(path.name[0] for path in pipeline.glob("[1-7]-*.json"))
