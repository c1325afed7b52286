"""What may differ between two executions that measured the same: digests of code and execution, and real times.

Everything else stays, digests of content (instances, answers, rules, scenarios) included: those must not change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

DIGESTS = frozenset({"behaviour", "code", "config_hash", "head", "root", "seal"})
"""Keys whose value follows from the code, the configuration or the chain; masked where the value is a SHA-256."""

REAL = frozenset({"begins", "code_version", "date", "finished", "sources", "started"})
"""Keys whose value tells when, and by which code, a run was executed."""

REAL_VALUES = ("real milliseconds per episode",)
"""Names of values that measure real time; how many episodes they are of, and by which method, stays."""
NUMBERS = frozenset({"estimate", "low", "high"})

_SHA256 = re.compile(r"[0-9a-f]{64}")


def masked(value: Any, texts: Mapping[str, str]) -> Any:
    """The value without what may differ. `texts` maps what else is replaced inside any text to what is put there."""
    if isinstance(value, dict):
        if value.get("name") in REAL_VALUES:
            value = value | {"estimate": _without_numbers(value["estimate"])}
        return {name: f"<{name}>" if _hides(name, item) else masked(item, texts) for name, item in value.items()}
    if isinstance(value, list):
        return [masked(item, texts) for item in value]
    if isinstance(value, str):
        for text, mark in texts.items():
            value = value.replace(text, mark)
    return value


def _hides(name: str, value: Any) -> bool:
    if name in DIGESTS:
        return isinstance(value, str) and _SHA256.fullmatch(value) is not None
    return name in REAL and value is not None and not isinstance(value, dict)


def _without_numbers(estimate: dict[str, Any]) -> dict[str, Any]:
    return estimate | {name: f"<{name}>" for name in NUMBERS if estimate[name] is not None}
