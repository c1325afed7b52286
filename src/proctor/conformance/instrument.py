"""`check_instrument`: a reading is a pure function of evidence and rules, and missing is never zero.

Instruments lie to the right of this package, so they are looked at by their contract alone: `name`, `version`,
`read(evidence, rules)`, and a reading with `measured`, `reason` and `values`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Protocol

import msgspec

from proctor.conformance.contract import Body, Check, Conformance, Tally, examine_all
from proctor.conformance.evidence import practice_evidence
from proctor.conformance.schemas import not_json
from proctor.core.canonical import canonical, jsonable
from proctor.core.errors import ProctorError
from proctor.engine.sentence import describe
from proctor.evidence.evidence import Evidence
from proctor.spec.name import NAME_PATTERN, VERSION_PATTERN
from proctor.spec.rules import Rules

NAMED = Check("named", "It has a name and a version", "Readings can be told apart and compared across versions.")
PURE = Check("pure", "It is pure", "Same evidence and rules, same reading; the evidence is left as it was.")
PLAIN = Check("plain", "Readings are JSON", "A reading can be written down as it is, without NaN or infinity.")
MISSING = Check("missing", "Missing is never zero", "Without evidence it says that nothing was measured, and why.")
INSTRUMENT_CHECKS = (PURE, NAMED, PLAIN, MISSING)
"""Purity comes first: afterwards the evidence may have been touched already."""


class Reads(Protocol):
    """What an instrument has to have."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def read(self, evidence: Evidence, rules: Rules) -> Any:
        """The reading."""
        ...


def check_instrument(
    instrument: Reads,
    *,
    evidence: Evidence | None = None,
    rules: Rules | None = None,
    only: Iterable[str] | None = None,
) -> Conformance:
    """Put an instrument through every check, on the given evidence or on a small run of the practice family."""
    given = practice_evidence() if evidence is None else evidence
    rules = rules or Rules()
    bodies: list[tuple[Check, Body]] = [
        (PURE, partial(_pure, instrument, given, rules)),
        (NAMED, partial(_named, instrument, given, rules)),
        (PLAIN, partial(_plain, instrument, given, rules)),
        (MISSING, partial(_missing, instrument, given, rules)),
    ]
    name = f"{getattr(instrument, 'name', type(instrument).__name__)}@{getattr(instrument, 'version', '?')}"
    return examine_all("instrument", name, bodies, only=only)


def _named(instrument: Reads, evidence: Evidence, rules: Rules, tally: Tally) -> None:
    name, version = str(getattr(instrument, "name", "")), str(getattr(instrument, "version", ""))
    tally.require(
        re.match(NAME_PATTERN, name) is not None,
        f"named: '{name}' is no name; use lower-case words joined by hyphens",
    )
    tally.require(
        re.match(VERSION_PATTERN, version) is not None,
        f"named: '{version}' is no version; write major.minor, e.g. 1.0, and raise it when readings change",
    )
    reading = instrument.read(evidence, rules)
    for attribute, own in (("instrument", name), ("version", version)):
        stated = getattr(reading, attribute, own)
        tally.require(
            stated == own, f"named: its reading states {attribute} {stated!r}, not its own {own!r}; state its own"
        )


def _pure(instrument: Reads, evidence: Evidence, rules: Rules, tally: Tally) -> None:
    before = canonical(evidence)
    first = instrument.read(evidence, rules)
    tally.require(
        canonical(evidence) == before,
        "pure: reading changed the evidence; build new values, never change what was given",
    )
    # From its bytes, so that what the instrument keeps about the object does not help.
    copied = msgspec.structs.replace(evidence, rows=tuple(msgspec.structs.replace(row) for row in evidence.rows))
    for other in (evidence, copied):
        tally.require(
            _bytes(instrument.read(other, rules)) == _bytes(first),
            "pure: the same evidence and rules gave two different readings; use no clock, no generator without a fixed "
            "key, no order of sets and no memory",
        )
    tally.measured = {"rows": len(evidence.rows), "bytes": len(_bytes(first))}
    tally.summary = f"Three readings of {len(evidence.rows)} rows are the same bytes."


def _bytes(reading: Any) -> bytes:
    try:
        return canonical(reading)
    except (TypeError, ValueError, ProctorError):
        # Not JSON: said by the check for that; compared by its text here.
        return repr(reading).encode()


def _plain(instrument: Reads, evidence: Evidence, rules: Rules, tally: Tally) -> None:
    try:
        lowered = jsonable(instrument.read(evidence, rules))
        bad = not_json(lowered)
        canonical(lowered)
    except (TypeError, ValueError, ProctorError) as error:
        bad = describe(error)
    tally.require(bad is None, f"plain: the reading is not JSON: {bad}; use None with a reason for what is not there")


def _missing(instrument: Reads, evidence: Evidence, rules: Rules, tally: Tally) -> None:
    empty = msgspec.structs.replace(evidence, rows=(), root=None, complete=False)
    reading = instrument.read(empty, rules)
    tally.require(
        getattr(reading, "measured", None) is False,
        "missing: without any evidence the reading does not say measured=False; say that nothing was measured",
    )
    tally.require(
        bool(getattr(reading, "reason", None)),
        "missing: a reading without measurement gives no reason; say in a sentence what is missing",
    )
    numbers = sorted(set(_estimates(jsonable(getattr(reading, "values", ())))))
    tally.require(
        not numbers,
        f"missing: without any evidence it still gives {', '.join(map(str, numbers[:5]))}; missing is never a number",
    )


def _estimates(value: Any) -> Iterator[float]:
    """Every number given as an estimate or a bound."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name in ("estimate", "low", "high", "value") and isinstance(item, (int, float)):
                yield float(item)
            else:
                yield from _estimates(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _estimates(item)
