"""The suites `quayworks` (loading ships) and `quayworks-desk` (scenarios, for the gate)."""

from __future__ import annotations

from proctor.spec.suite import Suite

EPOCH = "2026-03-01T00:00:00Z"


def quayworks() -> Suite:
    """Ships to load, with and without trouble."""
    entries = [{"family": "quay-loading", "n": 10, "regimes": ["baseline", "moderate-standard"]}]
    facts = {"name": "quayworks", "version": "1.0", "title": "A day on the quay", "epoch": EPOCH}
    return Suite.parse({**facts, "entries": entries}, source="quayworks")


def desk() -> Suite:
    """Every scenario of the harbour office once."""
    facts = {"name": "quayworks-desk", "version": "1.0", "title": "A day in the office", "epoch": EPOCH}
    entries = [{"family": "quay-office", "n": 12}]
    return Suite.parse({**facts, "shuffle": "mulberry32", "entries": entries}, source="quayworks-desk")
