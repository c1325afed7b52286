"""Run a `proctor` command and write down which modules of Proctor it enters, in order of their first call.

A module is entered when one of its functions is called. What happens while a module is being imported does not count:
imports say what code needs, calls say what it does. Nor does what the modules of a given package call in turn, apart
from themselves: that is another walk.

    python entered.py OUT.json PACKAGE-OR-NOTHING run hello --agent clerk
"""

from __future__ import annotations

import inspect
import json
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any


class Tracer:
    """A profile function that notes first calls."""

    def __init__(self, apart: str) -> None:
        self.apart = apart
        self.entered: dict[str, None] = {}

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        module: str = frame.f_globals.get("__name__") or ""
        if module in self.entered or not module.startswith("proctor.") or not _is_function(frame):
            return
        if not self._passed_over(module, frame.f_back):
            self.entered[module] = None

    def _passed_over(self, module: str, caller: FrameType | None) -> bool:
        own = self._is_apart(module)
        while caller is not None:
            name: str = caller.f_globals.get("__name__") or ""
            if caller.f_code.co_name == "<module>" and name != "__main__":
                return True
            if not own and self._is_apart(name):
                return True
            caller = caller.f_back
        return False

    def _is_apart(self, module: str) -> bool:
        return bool(self.apart) and f"{module}.".startswith(f"{self.apart}.")


def _is_function(frame: FrameType) -> bool:
    """Bodies of modules and classes are called too; of all code, only functions have optimised locals."""
    return bool(frame.f_code.co_flags & inspect.CO_OPTIMIZED)


def main() -> None:
    """Run the command of the arguments under the tracer; its exit code is ours."""
    out, apart = Path(sys.argv[1]), sys.argv[2]
    sys.argv = ["proctor", *sys.argv[3:]]
    from proctor.cli.main import main as proctor

    tracer = Tracer(apart)
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    try:
        proctor()
    finally:
        sys.setprofile(None)
        out.write_text(json.dumps(list(tracer.entered)), encoding="utf-8")


if __name__ == "__main__":
    main()
