"""The suites `harbour` (loading ships) and `harbour-desk` (scenarios, for the gate)."""

from __future__ import annotations

from proctor.spec.suite import Suite

EPOCH = "2026-03-01T00:00:00Z"


def harbour() -> Suite:
    """Ships to load, with and without trouble."""
    entries = [{"family": "ship-loading", "n": 10, "regimes": ["baseline", "moderate-standard"]}]
    facts = {"name": "harbour", "version": "1.0", "title": "A day on the quay", "epoch": EPOCH}
    return Suite.parse({**facts, "entries": entries}, source="harbour")


def desk() -> Suite:
    """Every scenario of the harbour office once."""
    facts = {"name": "harbour-desk", "version": "1.0", "title": "A day in the office", "epoch": EPOCH}
    entries = [{"family": "harbour-office", "n": 12}]
    return Suite.parse({**facts, "shuffle": "mulberry32", "entries": entries}, source="harbour-desk")
