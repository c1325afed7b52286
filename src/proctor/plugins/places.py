"""Where in somebody's own code an exception comes from: for messages to its author, never for anything recorded.

The same mistake has to leave the same evidence on every machine, whatever lies beside it there.
"""

from __future__ import annotations

import sys
import sysconfig
from functools import cache
from pathlib import Path

from proctor.plugins import registry
from proctor.plugins.sources import OWN, package_folder

_SITES = frozenset({"site-packages", "dist-packages"})


def place_of(error: BaseException, package: str = "") -> str:
    """`at match.py:142 in instance`: the last frame in a file of the user's or of a plug-in; empty where there is none.

    `package` is a plug-in's that is not loaded yet.
    """
    place = ""
    seen: BaseException | None = error
    while seen is not None and not place:
        trace = seen.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if _is_theirs(code.co_filename, package):
                place = f"at {Path(code.co_filename).name}:{trace.tb_lineno} in {code.co_name}"
            trace = trace.tb_next
        seen = seen.__cause__
    return place


def with_place(text: str, error: BaseException, package: str = "") -> str:
    """A text about an exception, and its place where there is one."""
    return f"{text} {place_of(error, package)}".rstrip()


def _is_theirs(file: str, package: str) -> bool:
    path = Path(file)
    if not path.is_absolute() or any(path.is_relative_to(folder) for folder in _ours()):
        return False
    for number, part in enumerate(path.parts):
        if part in _SITES:
            # Of what is installed only plug-ins are somebody's own; the rest is what they build on.
            installed = path.parts[number + 1].removesuffix(".py") if number + 1 < len(path.parts) else ""
            return installed in {package, *registry.loaded_packages()} - {""}
    return not any(path.is_relative_to(folder) for folder in _standard())


@cache
def _ours() -> tuple[Path, ...]:
    folder = package_folder(OWN)
    return () if folder is None else (folder,)


@cache
def _standard() -> tuple[Path, ...]:
    names = ("stdlib", "platstdlib")
    return tuple({Path(path) for name in names if (path := sysconfig.get_path(name))} | {Path(sys.base_prefix) / "lib"})
