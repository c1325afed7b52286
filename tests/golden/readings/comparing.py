"""Comparing two JSON documents so that a difference says where it is, and numbers may differ in their last digits.

Versions of numpy and scipy add in other orders: numbers are stored with 12 significant digits and compared with a
relative tolerance of 1e-9. Types are compared strictly: 1, 1.0 and true are three values.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

RELATIVE = 1e-9
ABSOLUTE = 1e-15
"""For what is zero but for the order of a sum. A p-value above it is compared as exactly as any other number."""
STORED_DIGITS = 12
DIGESTED_DIGITS = 8
"""Coarser than the tolerance: a digest has none, so the last digits must be gone before it."""
MAX_SHOWN = 30
MAX_CHARACTERS = 200


class Absent:
    """The value of a path that one of two documents does not have."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = Absent()


class Difference(NamedTuple):
    """A path at which two documents differ."""

    path: str
    old: Any
    new: Any


def rounded(value: Any, digits: int = STORED_DIGITS) -> Any:
    """The document with every float at so many significant digits; integers stay as they are."""
    if isinstance(value, dict):
        return {name: rounded(item, digits) for name, item in value.items()}
    if isinstance(value, list):
        return [rounded(item, digits) for item in value]
    # The sum removes the sign of a negative zero.
    return float(f"{value:.{digits}g}") + 0.0 if isinstance(value, float) else value


def digest(value: Any) -> str:
    """SHA-256 of the document in one canonical form, its floats rounded."""
    text = json.dumps(rounded(value, DIGESTED_DIGITS), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def differences(old: Any, new: Any, path: str = "") -> Iterator[Difference]:
    """Every path at which two documents differ, in the order of the paths."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            yield from differences(old.get(name, ABSENT), new.get(name, ABSENT), f"{path}.{name}" if path else name)
    elif isinstance(old, list) and isinstance(new, list):
        for index in range(max(len(old), len(new))):
            before = old[index] if index < len(old) else ABSENT
            after = new[index] if index < len(new) else ABSENT
            yield from differences(before, after, f"{path}[{index}]")
    elif not _equal(old, new):
        yield Difference(path, old, new)


def _equal(old: Any, new: Any) -> bool:
    if type(old) is not type(new):
        return False
    if isinstance(old, float):
        return math.isclose(old, new, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return bool(old == new)


def listed(found: list[Difference]) -> str:
    """The first differences, one a line, with both values; and how many more there are."""
    lines = [f"{one.path}: {_short(one.old)} → {_short(one.new)}" for one in found[:MAX_SHOWN]]
    if len(found) > MAX_SHOWN:
        lines.append(f"… and {len(found) - MAX_SHOWN} more")
    return "\n".join(lines)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]}…"
