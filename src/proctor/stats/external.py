"""The door to statsmodels: opened at the first call, because it takes a second to load.

statsmodels carries no types, so a module comes back as Any and callers convert what they get at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def statsmodels(part: str) -> Any:
    """A module of statsmodels by its dotted name within the package, e.g. `stats.proportion`."""
    return import_module(f"statsmodels.{part}")
