"""Every value of every knob works, and difficulty does not fall from one value to the next.

Difficulty is not a number one can read off, so two stand-ins are measured: what an optimal policy still attains under
disturbances of several strengths, and how many calls the oracle makes. A knob fails when it clearly makes tasks easier;
one that moves neither number is reported as not measurable, which is no fault.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import msgspec

from proctor.conformance.contract import Check, Tally
from proctor.conformance.subject import Subject
from proctor.conformance.trial import run_trial
from proctor.engine.family import Deliveries
from proctor.spec.regime import Intensity, Noise, Regime, Stability
from proctor.spec.task import Instance

CHECK = Check(
    "knobs",
    "Difficulty rises with its knobs",
    "Every value of a knob gives sound instances, and from easy to hard tasks do not become easier.",
)
STRENGTHS = tuple(
    Regime(
        id=f"knobs-{round(100 * noise)}",
        intensity=Intensity.MODERATE,
        stability=Stability(noise=Noise(share=noise), failures=failures),
    )
    for noise, failures in ((0.2, 0.1), (0.3, 0.2), (0.4, 0.25))
)
_ERRORS = 3.0
"""A rise of attainable success counts when it exceeds so many standard errors of the difference."""
_LEAST_RISE = 0.05
_LEAST_FEWER_CALLS = 0.10
"""Relative fall of the oracle's calls that counts as easier."""


class Measured(msgspec.Struct):
    """One value of a knob in numbers."""

    value: Any
    attainable: list[float]
    """One mean for each strength."""
    calls: float


def check(subject: Subject, tally: Tally) -> None:
    """Go through the values of each knob with the others at their defaults."""
    knobs = subject.family.spec.knobs
    if not knobs:
        tally.unmeasured = "the family declares no knobs"
        return
    trends: dict[str, str] = {}
    for name, knob in knobs.items():
        found = [_measure(subject, tally, name, value) for value in knob.values]
        measured = [value for value in found if value is not None]
        if len(measured) == len(knob.values):
            trends[name] = _trend(tally, name, measured, _draws(subject))
            tally.measured[name] = {str(value.value): [*value.attainable, round(value.calls, 2)] for value in measured}
    tally.measured["columns"] = [*(regime.id for regime in STRENGTHS), "oracle calls"]
    tally.summary = "; ".join(f"{name}: {trend}" for name, trend in trends.items()) + "."


def _measure(subject: Subject, tally: Tally, name: str, value: Any) -> Measured | None:
    """The numbers of one value; None where its instances are not sound."""
    family, n = subject.family, _draws(subject)
    instances: list[Instance] = []
    for index in range(n):
        try:
            instance = family.instance(subject.draw(index, **{name: value}))
        except Exception as error:
            # A boundary: a value that cannot be used is a finding, and the other values are still looked at.
            tally.find(
                f"knobs: '{name}' at {value!r} gives no instance ({type(error).__name__}: {error}); make instance() "
                "work for every declared value, or take it out"
            )
            return None
        instances.append(instance)
    stated = instances[0].knobs.get(name, value)
    tally.require(
        stated == value,
        f"knobs: an instance made with '{name}' at {value!r} states {stated!r}; use the knobs of the draw",
    )
    calls: list[int] = []
    for index in range(subject.options.few):
        trial = run_trial(subject.job(index, instance=instances[index]), family.oracle(instances[index]))
        calls.append(trial.row.calls)
        if not trial.succeeded:
            tally.find(
                f"knobs: with '{name}' at {value!r} the oracle ends in {trial.row.outcome} ({trial.row.reason}); make "
                "every declared value solvable"
            )
            return None
    means = []
    for regime in STRENGTHS:
        # The same streams for every value: what differs is the knob.
        stream = subject.source.child("knobs", regime.id)
        reached = sum(
            bool(family.attainable(instance, Deliveries(regime, stream.child(index))))
            for index, instance in enumerate(instances)
        )
        means.append(round(reached / n, 4))
    return Measured(value, means, sum(calls) / len(calls))


def _draws(subject: Subject) -> int:
    return 2 * subject.options.instances


def _trend(tally: Tally, name: str, values: list[Measured], n: int) -> str:
    """What becomes of difficulty along the values, in a few words; a finding where it clearly falls."""
    for number, regime in enumerate(STRENGTHS):
        easiest = values[0]
        for value in values[1:]:
            before, after = easiest.attainable[number], value.attainable[number]
            spread = sqrt((before * (1 - before) + after * (1 - after)) / n)
            if after - before > max(_LEAST_RISE, _ERRORS * spread):
                tally.find(
                    f"knobs: '{name}' at {value.value!r} is easier than at {easiest.value!r}: an optimal policy "
                    f"attains {after:.2f} instead of {before:.2f} under '{regime.id}'; list its values from easy to "
                    "hard"
                )
                return "falls"
            if after < before:
                easiest = value
    first, last = values[0], values[-1]
    falls = max(before - after for before, after in zip(first.attainable, last.attainable, strict=True))
    if falls > _LEAST_RISE:
        return f"attainable success falls by up to {falls:.2f}"
    if last.calls > first.calls:
        return f"the oracle's calls rise from {first.calls:.1f} to {last.calls:.1f}"
    if last.calls < first.calls * (1 - _LEAST_FEWER_CALLS):
        tally.find(
            f"knobs: '{name}' at {last.value!r} takes the oracle {last.calls:.1f} calls instead of {first.calls:.1f} "
            f"at {first.value!r}, and nothing else becomes harder; list its values from easy to hard"
        )
        return "falls"
    return "not measurable"
