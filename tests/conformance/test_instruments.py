"""Honesty of the instrument checks."""

from __future__ import annotations

from itertools import count
from typing import Any

import msgspec
import pytest

from proctor.conformance import INSTRUMENT_CHECKS, check_instrument
from proctor.conformance.evidence import practice_evidence
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, SUCCESS
from proctor.spec.rules import Rules
from proctor.stats.intervals import proportion

EVIDENCE = practice_evidence()
_NUMBERS = count()


class Measured(msgspec.Struct, frozen=True):
    """A reading, by its shape alone."""

    instrument: str
    version: str
    measured: bool
    reason: str | None
    values: tuple[Any, ...]


class Sound:
    """The share of successes."""

    name = "share"
    version = "1.0"

    def read(self, evidence: Evidence, rules: Rules) -> Measured:
        if not evidence.rows:
            return self.nothing()
        right = sum(row.outcome == SUCCESS for row in evidence.rows)
        estimate = proportion(right, len(evidence.rows), method=rules.interval, confidence=rules.confidence)
        return Measured(self.name, self.version, True, None, (estimate, *self.extra(evidence)))

    def extra(self, evidence: Evidence) -> tuple[Any, ...]:
        return ()

    def nothing(self) -> Measured:
        return Measured(self.name, self.version, False, "there is no episode", ())


class Nameless(Sound):
    name = "The Share"


class Counts(Sound):
    def extra(self, evidence: Evidence) -> tuple[Any, ...]:
        return (next(_NUMBERS),)


class Meddles(Sound):
    def extra(self, evidence: Evidence) -> tuple[Any, ...]:
        evidence.frozen.skipped["meddled"] = "once"
        return ()


class Infinite(Sound):
    def extra(self, evidence: Evidence) -> tuple[Any, ...]:
        return (float("inf"),)


class SaysZero(Sound):
    def nothing(self) -> Measured:
        return Measured(self.name, self.version, True, None, ({"estimate": 0.0},))


MUTANTS = {
    "named": (Nameless, "'The Share' is no name"),
    "pure": (Counts, "two different readings"),
    "pure ": (Meddles, "reading changed the evidence"),
    "plain": (Infinite, "not JSON"),
    "missing": (SaysZero, "missing is never a number"),
}


def test_the_evidence_to_practise_on_holds_both_outcomes() -> None:
    outcomes = {row.outcome for row in EVIDENCE.rows}
    assert outcomes == {SUCCESS, FAILURE}
    assert len(EVIDENCE.arms) == 2
    assert practice_evidence() == EVIDENCE


def test_a_sound_instrument_passes_everything() -> None:
    report = check_instrument(Sound(), evidence=EVIDENCE)
    assert [result.status for result in report.results] == ["passed"] * len(INSTRUMENT_CHECKS)
    assert report.subject == "share@1.0"


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_fails_its_own_check_and_no_other(name: str) -> None:
    make, words = MUTANTS[name]
    report = check_instrument(make(), evidence=practice_evidence() if make is Meddles else EVIDENCE)
    assert report.failed == (name.strip(),), [finding.detail for finding in report.findings]
    assert any(words in finding.detail for finding in report.findings)


def test_every_check_has_a_mutant() -> None:
    assert {name.strip() for name in MUTANTS} == {check.id for check in INSTRUMENT_CHECKS}


def test_the_built_in_instrument_passes() -> None:
    rates = pytest.importorskip("proctor.instruments.rates")
    report = check_instrument(rates.instrument)
    assert report.failed == (), [finding.detail for finding in report.findings]
