"""The first thing a warm interpreter runs: makes modules of the code it was handed, and calls one of them.

Runs with `payload` in its names: [this code, setup, {module: code}, the module whose `main` to call].
"""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    payload: list[Any] = []

_PACKAGE = "proctor.agents.process.pool.inside"


def run() -> None:
    """Returns in an agent's process, and leaves in `payload` the code to go on with and what to call after it."""
    _, setup, codes, program = payload
    package = sys.modules[_PACKAGE] = ModuleType(_PACKAGE)
    for name, code in codes.items():
        module = sys.modules[f"{_PACKAGE}.{name}"] = ModuleType(f"{_PACKAGE}.{name}")
        setattr(package, name, module)
        exec(code, module.__dict__)  # noqa: S102
    # Before the fork: whatever is done after it is done for every lifetime.
    for name in (_PACKAGE, *(f"{_PACKAGE}.{name}" for name in codes)):
        del sys.modules[name]
    text = setup["command"][setup["command"].index("-c") + 1]
    payload[:] = [compile(f"del then; {text}", "<string>", "exec"), package.leave.leave]
    getattr(package, program).main(setup, int(sys.argv[2]))


run()
