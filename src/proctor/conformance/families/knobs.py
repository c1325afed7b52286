"""Every value of every knob works, and difficulty does not fall from one value to the next.

Difficulty is not a number one can read off, so two stand-ins are measured: what an optimal policy still attains under
disturbances of several strengths, and how many calls the oracle makes. A knob fails when it clearly makes tasks easier;
one that moves neither number is reported as not measurable, which is no fault. Values that make an arm of a tier's
contrast (`proctor.spec.tier_protocols.deprives`) have to give sound instances, and nobody asks that they can be solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from statistics import mean, pstdev
from typing import Any

import msgspec

from proctor.conformance.contract import Check, Tally
from proctor.conformance.subject import Subject
from proctor.engine.family import Deliveries
from proctor.plugins.places import with_place
from proctor.spec.regime import Intensity, Noise, Regime, Stability
from proctor.spec.task import Instance
from proctor.spec.tier_protocols import deprives

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
_ERRORS = 4.0
"""A change counts when it exceeds so many standard errors of the paired difference: many pairs are compared."""
_MIN_CHANGE = 0.05
"""Change of attainable success that counts."""
_MIN_GROWTH = 0.02
"""Relative change of the oracle's calls that counts."""


class Measured(msgspec.Struct):
    """One value of a knob in numbers."""

    value: Any
    reached: list[list[bool]]
    """What is attainable, draw by draw, for each strength; draws of all values share their streams."""
    made: list[int]
    """Calls of the oracle, undisturbed, instance by instance."""
    tasks: list[bytes]
    """The instances, without what they say of their knobs."""

    @property
    def calls(self) -> float:
        """Mean calls of the oracle."""
        return mean(self.made)

    @property
    def attainable(self) -> list[float]:
        """Mean for each strength."""
        return [round(mean(reached), 4) for reached in self.reached]


def check(subject: Subject, tally: Tally) -> None:
    """Go through the values of each knob with the others at their defaults."""
    knobs = subject.family.spec.knobs
    if not knobs:
        tally.unmeasured = "the family declares no knobs"
        return
    trends: dict[str, str] = {}
    for name, knob in knobs.items():
        by_value = [_measure(subject, tally, name, value) for value in knob.values]
        measured = [value for value in by_value if value is not None]
        if len(measured) == sum(not deprives({name: value}) for value in knob.values):
            trends[name] = _trend(tally, name, measured)
            tally.measured[name] = {str(value.value): [*value.attainable, round(value.calls, 2)] for value in measured}
    tally.measured["columns"] = [*(regime.id for regime in STRENGTHS), "oracle calls"]
    tally.summary = "; ".join(f"{name}: {trend}" for name, trend in trends.items()) + "."


def _measure(subject: Subject, tally: Tally, name: str, value: Any) -> Measured | None:
    """The numbers of one value; None where its instances are not sound, or are there to be failed."""
    family, n = subject.family, _draws(subject)
    instances: list[Instance] = []
    for index in range(n):
        try:
            instance = family.instance(subject.draw(index, **{name: value}))
        except Exception as error:
            # A boundary: a value that cannot be used is a finding, and the other values are still looked at.
            tally.find(
                f"knobs: '{name}' at {value!r} gives no instance "
                f"({with_place(f'{type(error).__name__}: {error}', error)}); make instance() work for every declared "
                "value, or take it out"
            )
            return None
        instances.append(instance)
    stated = instances[0].knobs.get(name, value)
    tally.require(
        stated == value,
        f"knobs: an instance made with '{name}' at {value!r} states {stated!r}; use the knobs of the draw",
    )
    if deprives({name: value}):
        return None
    calls: list[int] = []
    for index in range(subject.options.few):
        solver = subject.solver(index, instance=instances[index], **{name: value})
        trial = subject.live(subject.job(index, instance=instances[index]), solver)
        calls.append(trial.row.calls)
        if not trial.succeeded:
            tally.find(
                f"knobs: with '{name}' at {value!r} the oracle ends in {trial.row.outcome} ({trial.row.reason}); make "
                "every declared value solvable"
            )
            return None
    reached: list[list[bool]] = []
    for regime in STRENGTHS:
        # The same streams for every value: what differs is the knob.
        stream = subject.source.child("knobs", regime.id)
        draws = (Deliveries(regime, stream.child(index)) for index in range(n))
        pairs = zip(instances, draws, strict=True)
        reached.append([bool(family.attainable(instance, deliveries)) for instance, deliveries in pairs])
    tasks = [msgspec.json.encode(msgspec.structs.replace(instance, knobs={})) for instance in instances]
    return Measured(value, reached, calls, tasks)


def _draws(subject: Subject) -> int:
    return 2 * subject.options.instances


def _trend(tally: Tally, name: str, values: list[Measured]) -> str:
    """What becomes of difficulty along the values, in a few words; a finding where it clearly falls."""
    for easy, hard in combinations(values, 2):
        if easy.tasks == hard.tasks:
            tally.find(
                f"knobs: '{name}' at {easy.value!r} and at {hard.value!r} gives the same instances; use it in "
                "instance(), or take it out"
            )
            return "changes nothing"
        change = Change.of(easy, hard)
        if change.easier:
            tally.find(
                f"knobs: '{name}' at {hard.value!r} is easier than at {easy.value!r}: an optimal policy attains "
                f"{_listed(hard.attainable)} instead of {_listed(easy.attainable)} under growing disturbance, and the "
                f"oracle makes {hard.calls:.1f} calls instead of {easy.calls:.1f}; list its values from easy to hard"
            )
            return "falls"
    first, last = values[0], values[-1]
    change = Change.of(first, last)
    if change.harder:
        falls = max(before - after for before, after in zip(first.attainable, last.attainable, strict=True))
        return f"attainable success falls by up to {falls:.2f}"
    if change.calls > 0:
        return f"the oracle's calls rise from {first.calls:.1f} to {last.calls:.1f}"
    return "not measurable"


class Change(msgspec.Struct, frozen=True):
    """From one value to a later one: how many strengths became clearly harder or easier, and what calls did."""

    harder: int
    easier_at: int
    calls: int
    """1 for clearly more calls of the oracle, -1 for clearly fewer, 0 otherwise."""

    @classmethod
    def of(cls, easy: Measured, hard: Measured) -> Change:
        """How the harder value differs from the easier one."""
        harder = easier = 0
        for before, after in zip(easy.reached, hard.reached, strict=True):
            way = _direction(before, after, _MIN_CHANGE)
            harder += way < 0
            easier += way > 0
        return cls(harder, easier, _direction(easy.made, hard.made, _MIN_GROWTH * easy.calls))

    @property
    def easier(self) -> bool:
        """Whether something says easier and nothing says harder.

        A budget that grows with the task lets an optimal policy attain more of a longer one; more calls make it harder
        for everybody else, so the two together say nothing.
        """
        return not self.harder and self.calls <= 0 and (self.easier_at > 0 or self.calls < 0)


def _direction(before: Sequence[int], after: Sequence[int], least: float) -> int:
    """1 or -1 where pairs clearly differ in one direction, 0 where that could be chance."""
    differences = [two - one for one, two in zip(before, after, strict=True)]
    shift = mean(differences)
    error = pstdev(differences) / sqrt(len(differences))
    if abs(shift) <= max(least, _ERRORS * error):
        return 0
    return 1 if shift > 0 else -1


def _listed(means: list[float]) -> str:
    return ", ".join(f"{share:.2f}" for share in means)
