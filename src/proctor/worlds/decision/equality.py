"""When two JSON values of a case are the same: claims and sources, records and facts, arguments and those expected."""

from __future__ import annotations

from typing import Any

from proctor.core.canonical import canonical
from proctor.core.errors import InputError


def same(one: Any, two: Any) -> bool:
    """Whether two JSON values are equal: `1` and `1.0` are, `1` and `true` or `"1"` are not."""
    if type(one) is str and type(two) is str:
        return one == two
    try:
        return canonical(one) == canonical(two)
    except (InputError, RecursionError):
        return False
