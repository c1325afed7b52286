"""What an instrument is, and what it gives: a `Reading`.

An instrument reads evidence under rules. It is pure: the same evidence and rules give the same reading on any machine,
and it never sees a live agent. Missing is never zero: what was not measured says so, and why. A reading carries the
conditions it holds under, because a number is never shown without them.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from proctor.evidence.evidence import Evidence
from proctor.plugins.sources import module_digest
from proctor.spec.released import shown_name
from proctor.spec.rules import Rules
from proctor.stats.estimate import Estimate
from proctor.stats.exclusions import Band, exclusion_band


class Flag(msgspec.Struct, frozen=True):
    """Something a reader must know before using a value."""

    name: str
    """From a closed set, e.g. `Provisional`."""
    reason: str


class Value(msgspec.Struct, frozen=True):
    """One measured quantity with everything needed to judge it."""

    name: str
    estimate: Estimate
    successes: int | None = None
    """For rates: k of the n in the estimate."""
    where: dict[str, str] = msgspec.field(default_factory=dict)
    """What it was measured on: family, regime, condition, cell; and `knobs` where only they tell two arms apart."""
    reasons: dict[str, int] = msgspec.field(default_factory=dict)
    """Why episodes did not succeed, counted."""
    flags: tuple[Flag, ...] = ()

    @property
    def band(self) -> Band | None:
        """Between what a rate lies however its missing units would have come out; None where none are missing."""
        return (
            None if self.successes is None else exclusion_band(self.successes, self.estimate.n, self.estimate.missing)
        )


class Reading(msgspec.Struct, frozen=True):
    """What an instrument found."""

    instrument: str
    version: str
    measured: bool
    """False: nothing could be measured, and `reason` says why; values are then empty, never zero."""
    reason: str | None
    values: tuple[Value, ...]
    flags: tuple[Flag, ...]
    conditions: dict[str, Any]
    """Suite, agent, seed, regimes, rules and the instrument's code: what the values hold under."""


class BrokenReading(Reading, frozen=True):
    """Stands for the reading of an instrument whose package is broken; `reason` names it."""


class Instrument(Protocol):
    """What the door `proctor.instruments` gives."""

    name: str
    version: str

    def read(self, evidence: Evidence, rules: Rules) -> Reading:
        """The reading of this evidence under these rules."""
        ...


def conditions_of(evidence: Evidence, rules: Rules, module: str) -> dict[str, Any]:
    """The conditions every reading states; `module` is the instrument's own, whose code made the reading."""
    frozen = evidence.frozen
    regimes = frozen.suite.all_regimes
    used = sorted({arm.regime for arm in evidence.arms})
    return {
        "suite": shown_name(frozen),
        "agent": frozen.agent,
        "system": {"name": frozen.system.name, "version": frozen.system.version},
        "boundary": "undeclared" if frozen.system.boundary.kind is None else frozen.system.boundary.kind.value,
        "timestamp": frozen.timestamp,
        "config_hash": evidence.config_hash,
        "root": evidence.root,
        "complete": evidence.complete,
        "code": module_digest(module),
        "regimes": {name: regimes[name].model_dump(mode="json", exclude_defaults=True) for name in used},
        "rules": rules.model_dump(mode="json", exclude_defaults=True) | {"profile": rules.profile},
    }
