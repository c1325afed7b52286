"""What a suite may claim: levels of the Agency Vector need families over the dimension (white paper §10.3.1).

A suite that could not earn the level its cells name is refused before it is run, since no result of it could count.
"""

from __future__ import annotations

import re
from collections import defaultdict

from proctor.core.errors import InputError
from proctor.spec.suite import Suite

MINIMUM_FAMILIES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3}
"""Families counted over the whole dimension, by level."""
_CELL = re.compile(r"(?:(G[123])-|([SMDEL]))([1-5])\Z")


def require_families(suite: Suite) -> None:
    """Refuse a suite in which a level is claimed with too few families over its dimension."""
    families: dict[str, set[str]] = defaultdict(set)
    highest: dict[str, tuple[int, str]] = {}
    for entry in suite.entries:
        match = _CELL.match(entry.cell or "")
        if match is None:
            continue
        dimension, level = match.group(1) or match.group(2), int(match.group(3))
        families[dimension].add(entry.family.partition("@")[0])
        highest[dimension] = max(highest.get(dimension, (0, "")), (level, entry.cell or ""))
    for dimension, (level, cell) in highest.items():
        there, needed = sorted(families[dimension]), MINIMUM_FAMILIES[level]
        if len(there) < needed:
            message = (
                f"suite '{suite.name}': cell {cell} claims level {level}, which needs {needed} families over "
                f"{dimension}; it has {len(there)} ({', '.join(there)})"
            )
            raise InputError(message)
