"""One freeze, and perhaps one run, of whichever sources of Proctor are first on the path; its outcome as JSON.

Started in a process of its own by `source_copy`, with an edited copy of the sources on the path:

    python -m tests.validity.freezing '{"suite": "hello", "only": ["track"], "lives": false, "module": null}'

`module` is imported first, so that a copy that cannot even be imported is told from one that is refused. `lines` asks
which of some lines of that module's file are run after it was imported.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

AGENT, SEED = "oracle", 7


def main(asked: dict[str, Any]) -> dict[str, Any]:
    """What freezing comes to: `config_hash` (and `root`), `refused`, or `not_importable`; and whose code it was."""
    package = str(Path(str(importlib.import_module("proctor").__file__)).parent)
    try:
        module = importlib.import_module(asked["module"] or "proctor.engine.run")
    except Exception as error:
        return {"package": package, "not_importable": f"{type(error).__name__}: {error}"}
    reached: set[int] = set()
    if asked["lines"]:
        _watch(str(module.__file__), set(asked["lines"]), reached)
    try:
        outcome = _frozen(asked)
    except Exception as error:
        outcome = {"refused": f"{type(error).__name__}: {error}"}
    finally:
        sys.settrace(None)
    return {**outcome, "package": package, "reached": sorted(reached)}


def _frozen(asked: dict[str, Any]) -> dict[str, Any]:
    from proctor.engine.names import load_suite
    from proctor.engine.run import freeze

    only = tuple(asked["only"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if asked["lives"]:
            from proctor.api import run

            result = run(
                asked["suite"], agent=AGENT, seed=SEED, only=only, store=str(folder / "store.db"), folder=folder
            )
            return {"config_hash": result.config_hash, "root": result.root}
        frozen = freeze(suite=load_suite(asked["suite"], folder), agent=AGENT, folder=folder, seed=SEED, only=only)
        return {"config_hash": frozen.config_hash}


def _watch(file: str, wanted: set[int], reached: set[int]) -> None:
    """Note which lines of a file are run from now on; frames of other files are not traced."""

    def within(frame: FrameType, event: str, _argument: Any) -> Callable[..., Any]:
        if frame.f_lineno in wanted:
            reached.add(frame.f_lineno)
        return within

    def entered(frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        return within(frame, event, argument) if frame.f_code.co_filename == file else None

    threading.settrace(entered)
    sys.settrace(entered)


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
