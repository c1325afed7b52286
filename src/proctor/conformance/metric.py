"""`check_metric`: a metric of quality counts what it says it counts, in every episode it may meet.

Instruments lie to the right of this package: the metric is looked at through the installed quality instrument, which
reads a small run of scenarios that differ in everything a metric may count.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any

import msgspec

from proctor.conformance.contract import Body, Check, Conformance, Tally, examine_all
from proctor.conformance.evidence import practice_evidence
from proctor.core.canonical import encode
from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import DecisionMeasures
from proctor.plugins import registry
from proctor.spec.rules import Rules

DECLARED = Check("declared", "It can be loaded", "Its entry point gives a Metric of that name.")
COUNTS = Check("counts", "It counts", "In every episode its numbers are 0 or more, and a part is at most its whole.")
IDLE = Check("idle", "Doing nothing is worth nothing", "Where the agent did nothing, its part is 0.")
PURE = Check("pure", "It is pure", "The same episodes give the same value.")
METRIC_CHECKS = (DECLARED, COUNTS, IDLE, PURE)


def check_metric(name: str, *, only: Iterable[str] | None = None) -> Conformance:
    """Put an installed metric through every check."""
    lived = _evidence([_decided(*facts) for facts in product((0, 1), (0, 1), ("", "ambiguous_context"), ("0", "1"))])
    idle = _evidence([_idle(adversarial, gates) for adversarial, gates in product(("", "ambiguous_context"), (0, 1))])
    bodies: list[tuple[Check, Body]] = [
        (DECLARED, partial(_declared, name)),
        (COUNTS, partial(_counts, name, lived)),
        (IDLE, partial(_idles, name, idle)),
        (PURE, partial(_pure, name, lived)),
    ]
    return examine_all("metric", name, bodies, only=only)


def _declared(name: str, tally: Tally) -> None:
    try:
        metric = registry.load("metrics", name)
    except InputError as error:
        tally.find(f"declared: {error}")
        return
    shown = "" if getattr(metric, "gates", True) else "; it is only shown"
    tally.summary = f"{getattr(metric, 'title', name)}{shown}."


def _counts(name: str, lived: Evidence, tally: Tally) -> None:
    measured, nothing = _measured(name, lived), _nothing(name)
    if measured.value is not None:
        tally.measured = {"episodes": len(lived.rows), "n": measured.n, "value": round(measured.value, 4)}
        tally.summary = f"{measured.value:.2f} with n = {measured.n} in {len(lived.rows)} different episodes."
    elif measured.reason == nothing:
        tally.unmeasured = f"none of {len(lived.rows)} different episodes has anything of it: {nothing}"
    elif registry.is_own("metrics", name):
        tally.unmeasured = f"it is not counted in episodes: {measured.reason}"
    else:
        tally.find(f"counts: {measured.reason}")


def _idles(name: str, idle: Evidence, tally: Tally) -> None:
    value = _measured(name, idle).value
    if value is None:
        tally.unmeasured = "there is nothing of it where an agent did nothing"
        return
    tally.require(
        value == 0.0,
        f"idle: an agent that did nothing in any of {len(idle.rows)} episodes reaches {value:.2f}; count a part only "
        "where the agent did something (case.measures.action is not empty)",
    )


def _pure(name: str, lived: Evidence, tally: Tally) -> None:
    first, second = (_measured(name, lived) for _ in range(2))
    tally.require(first == second, "pure: the same episodes gave two values; use nothing but the case that is given")


def _measured(name: str, evidence: Evidence) -> Any:
    return registry.load("instruments", "quality").read(evidence, Rules()).metrics[name]


def _nothing(name: str) -> str | None:
    """What the metric says where there is nothing to measure; None where it is no ratio, or cannot be loaded."""
    with suppress(InputError):
        nothing: str | None = getattr(getattr(registry.load("metrics", name), "source", None), "nothing", None)
        return nothing
    return None


def _evidence(measures: list[DecisionMeasures]) -> Evidence:
    """The practice run, its episodes turned into those of scenarios."""
    practice = practice_evidence()
    rows = tuple(
        msgspec.structs.replace(
            practice.rows[number % len(practice.rows)],
            position=number,
            lifetime=number,
            unit=number,
            instance=f"{number:016x}",
            measures=encode(msgspec.structs.replace(one, scenario=f"check-{number}")).decode(),
        )
        for number, one in enumerate(measures)
    )
    return msgspec.structs.replace(practice, rows=rows)


def _decided(right: int, gates: int, adversarial: str, quality: str) -> DecisionMeasures:
    return DecisionMeasures(
        scenario="",
        hash="00" * 8,
        category="correctness",
        coordinate="G1.U1.P1.Z1.A1",
        level="agent",
        adversarial=adversarial,
        correct=right,
        exact=right,
        action="approve" if right else "reject",
        gates=gates,
        gates_ok=gates * right,
        gate_levels_ok=gates * right,
        over_asked=1 - gates,
        evidence=1,
        complete=quality,
        traceable=quality,
        true=quality,
        safety="ok" if right else "S3",
        escalated=gates * (1 - right),
    )


def _idle(adversarial: str, gates: int) -> DecisionMeasures:
    """What is recorded of an agent that handed in nothing."""
    return DecisionMeasures(
        scenario="",
        hash="00" * 8,
        category="correctness",
        coordinate="G1.U1.P1.Z1.A1",
        level="agent",
        adversarial=adversarial,
        correct=0,
        exact=0,
        action="",
        gates=gates,
        gates_ok=0,
        gate_levels_ok=0,
        over_asked=0,
        evidence=1,
        safety="unclassified",
    )
