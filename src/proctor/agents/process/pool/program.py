"""The command that starts a warm interpreter, and what it is handed on a descriptor."""

from __future__ import annotations

import marshal
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any, Final

from proctor.worlds.bubblewrap import memory_file

_INSIDE: Final = Path(__file__).parent / "inside"
_MODULES: Final = {"zygote": ("calls", "room", "leave", "zygote"), "prefork": ("leave", "prefork")}
_BOOT: Final = (
    "import marshal,sys;f=open(int(sys.argv[1]),'rb',closefd=False);f.seek(0);then=marshal.load(f);"
    "exec(then[0],{'payload':then});del f,marshal;(lambda code,leave:(exec(code,globals()),leave()))(*then)"
)


def command(like: list[str], payload: int, control: int) -> list[str]:
    """A command as long as the one that its forks are to show, where that is long enough."""
    own = [*like[: like.index("-c") + 1], _BOOT, str(payload), str(control)]
    missing = _length(like) - _length(own) - 1
    return [*own, "-" * missing] if missing >= 0 else own


def payload(program: str, setup: dict[str, Any]) -> int:
    """A descriptor from which a warm interpreter reads its program; the caller closes it."""
    codes = {name: _code(name) for name in _MODULES[program]}
    return memory_file(marshal.dumps([_code("boot"), setup, codes, program]))


def _length(parts: list[str]) -> int:
    return sum(len(part.encode(errors="surrogateescape")) + 1 for part in parts)


@cache
def _code(name: str) -> CodeType:
    source = _INSIDE / f"{name}.py"
    return compile(source.read_bytes(), f"proctor/{name}.py", "exec", dont_inherit=True)
