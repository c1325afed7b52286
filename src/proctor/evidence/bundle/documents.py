"""Reading JSON members of a stranger's bundle: bounded in size and depth, and in no form but the canonical one."""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.core.canonical import canonical, decode
from proctor.core.errors import InputError
from proctor.evidence.bundle.report import Damage

MAX_DEPTH = 100


def read_json(data: bytes, *, where: str) -> Any:
    """The value in some RFC 8785 bytes; anything else is `Damage`."""
    try:
        value = decode(data)
        _require_shallow(value, where)
        again = canonical(value)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Damage(f"cannot be read as JSON ({_first_line(error)})", where=where) from None
    except InputError:
        # Decoded, and not to be written again: beyond 2**53, or so large that it reads as infinite.
        raise Damage("has a number that no JSON of Proctor's holds", where=where) from None
    if again != data:
        at = next((i for i, pair in enumerate(zip(data, again, strict=False)) if pair[0] != pair[1]), len(again))
        raise Damage(f"is not in canonical form from byte {at} on", where=where)
    return value


def _require_shallow(value: Any, where: str) -> None:
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        if not inner:
            return
        level = inner
    raise Damage(f"is nested more than {MAX_DEPTH} levels deep", where=where)


def _first_line(error: Exception) -> str:
    return ascii(str(error)[:200]).strip("'\"") or type(error).__name__
