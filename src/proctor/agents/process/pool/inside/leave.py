"""The end of an agent's process without the interpreter's full teardown, which would write to every page it shares.

What the user's code can notice of its end happens as it does at any end: threads are waited for, what was registered
with `atexit` runs, streams are flushed, modules that were loaded after the fork are cleared, and with them go the
objects they held.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from types import ModuleType
from weakref import ref

_before: frozenset[str] = frozenset()


def remember_modules() -> None:
    """Of what is loaded now, nothing belongs to an agent."""
    global _before
    _before = frozenset(sys.modules)


def leave() -> None:
    """End this process. Does not return."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    _flush()
    # As at any end: first what only modules hold together, while it is whole; then whatever else holds on to them.
    later = [sys.modules.pop(name) for name in list(sys.modules) if name not in _before]
    kept = [ref(module) for module in later if isinstance(module, ModuleType)]
    later.clear()
    gc.collect()
    held = [module for weak in reversed(kept) if (module := weak()) is not None]
    for module in held:
        _clear(module)
    held.clear()
    gc.collect()
    _flush()
    os._exit(0)


def _clear(module: ModuleType) -> None:
    """Names with an underscore go first, as the interpreter does it."""
    names = module.__dict__
    for private in (True, False):
        for name in list(names):
            if name.startswith("_") is private and name != "__builtins__":
                names[name] = None


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            continue
