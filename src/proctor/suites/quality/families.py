"""The three built-in domains as families: `expenses`, `service` and `infrastructure`.

A domain is generated when its family is first asked for, since a thousand and more scenarios take a moment.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from proctor.suites.quality.family import ScenarioFamily

DOMAINS = ("expenses", "service", "infrastructure")


@cache
def domain(name: str) -> ScenarioFamily:
    """The family of a built-in domain."""
    return ScenarioFamily(import_module(f"proctor.suites.quality.domains.{name}").scenarios())


def __getattr__(name: str) -> ScenarioFamily:
    if name in DOMAINS:
        return domain(name)
    raise AttributeError(name)
