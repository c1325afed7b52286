"""The suite as data."""

from __future__ import annotations

from importlib import import_module

from proctor.spec.suite import Suite
from proctor.suites import hello


def test_the_suite_is_what_it_says() -> None:
    suite = hello.suite()
    assert isinstance(suite, Suite)
    assert suite.full_name == "hello@1.0"
    assert suite.epoch == "2026-01-01T00:00:00Z"
    assert [entry.family for entry in suite.entries] == ["extract", "track", "route", "files", "orders", "pipeline"]
    assert sum(entry.n * len(entry.regimes) for entry in suite.entries) == 240
    assert {regime for entry in suite.entries for regime in entry.regimes} == {"baseline", "moderate-standard"}


def test_every_family_of_the_suite_exists_under_its_name() -> None:
    for entry in hello.suite().entries:
        family = import_module(f"proctor.suites.hello.{entry.family}").family
        assert family.spec.full_name == f"{entry.family}@1.0"
        assert "correct" in family.spec.reasons
        assert family.spec.ceiling >= 0.90
