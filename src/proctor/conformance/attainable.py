"""Whether anybody could do what a suite asks: its families under its regimes, with the knobs it sets.

`check_family` looks at the same two things more closely. Here a few instances of each family are enough, since what is
looked for is a design in which nobody can succeed, or in which a regime does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from proctor.conformance.contract import Check, Tally
from proctor.conformance.families import faults
from proctor.conformance.subject import Options, Subject
from proctor.core.errors import NotEvaluable
from proctor.engine.family import Deliveries, Family
from proctor.engine.sentence import describe
from proctor.plugins.places import with_place
from proctor.spec.regime import Regime
from proctor.spec.suite import Suite
from proctor.spec.tier_protocols import deprives
from proctor.worlds.requirements import require

CEILING = Check(
    "ceiling",
    "Its tasks can be done",
    "An optimal policy can reach the stated ceiling of each family, under each of its regimes, with its knobs.",
)
FAULTS = Check(
    "faults", "Its regimes have an effect", "What its regimes declare really happens in the families that use them."
)
ATTAINABLE_CHECKS = (CEILING, FAULTS)
_INSTANCES = 10
_CONFIDENCE = 0.99
"""A ceiling is found too low only where so few draws are enough to be sure of it."""

Watch = Callable[[str], None]


class Use(Struct, frozen=True):
    """A family as a suite uses it."""

    reference: str
    family: Family
    knobs: dict[str, Any]
    regimes: tuple[Regime, ...]

    @property
    def called(self) -> str:
        """The family in a finding, with what is unusual about it."""
        knobs = ", ".join(f"{name}={value}" for name, value in self.knobs.items())
        return f"family '{self.reference}'" + (f" with {knobs}" if knobs else "")

    def subject(self) -> Subject:
        """The family under these regimes, with these knobs."""
        return Subject(self.family, Options(self.regimes, _INSTANCES, 0, False, False, self.knobs))

    @property
    def to_be_failed(self) -> bool:
        """Whether it is an arm that others are compared with: its ceiling is low by design."""
        return deprives(self.knobs)


def uses_of(suite: Suite, families: Mapping[str, Family]) -> list[Use]:
    """Every family with the regimes it is used under, once for all entries with the same knobs.

    Left out are families that this machine lacks something for, and knobs that no family declares: other checks say so.
    """
    regimes: dict[tuple[str, str], dict[str, Regime]] = {}
    knobs: dict[tuple[str, str], dict[str, Any]] = {}
    for entry in suite.entries:
        family = families.get(entry.family)
        if family is None or not _evaluable(family) or not _declared(family, entry.knobs):
            continue
        key = (entry.family, str(sorted(entry.knobs.items())))
        knobs[key] = dict(entry.knobs)
        names = (*entry.regimes, *(step.regime for step in entry.program if step.regime))
        regimes.setdefault(key, {}).update({name: suite.all_regimes[name] for name in names})
    return [Use(key[0], families[key[0]], knobs[key], tuple(under.values())) for key, under in regimes.items()]


def _evaluable(family: Family) -> bool:
    try:
        require(family.spec.requires)
    except NotEvaluable:
        return False
    return True


def _declared(family: Family, knobs: Mapping[str, Any]) -> bool:
    declared = family.spec.knobs
    return all(name in declared and value in declared[name].values for name, value in knobs.items())


def check_ceilings(uses: list[Use], watch: Watch, tally: Tally) -> None:
    """What an optimal policy reaches, draw by draw."""
    from proctor.stats.intervals import proportion_bounds  # NumPy: only where it is needed.

    for number, use in enumerate(uses, 1):
        if use.to_be_failed:
            continue
        watch(f"ceiling of {use.reference}, {number} of {len(uses)}")
        try:
            with use.subject() as subject:
                for regime in subject.usable_regimes:
                    n, reached = subject.options.draws, _reached(subject, regime)
                    tally.measured[f"{use.called} under {regime.id}"] = round(reached / n, 4)
                    stated = use.family.spec.ceiling
                    tally.require(
                        proportion_bounds(reached, n, method="wilson", confidence=_CONFIDENCE).high >= stated,
                        f"ceiling: an optimal policy reaches {reached / n:.2f} of {use.called} under '{regime.id}' "
                        f"({n} draws), below the stated {stated:.2f}: nobody can do better; use another regime there, "
                        "or change the family",
                    )
        except Exception as error:
            tally.find(_raised("ceiling", use, error))
    pairs = "1 family and regime" if len(tally.measured) == 1 else f"{len(tally.measured)} pairs of family and regime"
    tally.summary = f"{pairs}: an optimal policy can reach the stated ceiling."


def _reached(subject: Subject, regime: Regime) -> int:
    stream = subject.source.child("deliveries", regime.id)
    return sum(
        bool(subject.family.attainable(subject.instance(index), Deliveries(regime, stream.child(index))))
        for index in range(subject.options.draws)
    )


def check_faults(uses: list[Use], watch: Watch, tally: Tally) -> None:
    """Let agents run into every declared fault, turned up as far as it goes."""
    for number, use in enumerate(uses, 1):
        watch(f"faults of {use.reference}, {number} of {len(uses)}")
        own = Tally()
        try:
            # A strict cap that a family does not state is found with the regimes.
            usable = replace(use, regimes=use.subject().usable_regimes)
            with usable.subject() as subject:
                faults.check(subject, own)
        except Exception as error:
            tally.find(_raised("faults", use, error))
        for finding in own.findings:
            tally.find(f"faults: {use.called}: {finding.removeprefix('faults: ')}")
        delivered = [name for name in own.measured if name != "instances"]
        if delivered:
            tally.measured[use.called] = delivered
    reached = sorted({name for names in tally.measured.values() for name in names})
    tally.summary = f"Delivered: {', '.join(reached) or 'nothing, since no fault is declared'}."


def _raised(check: str, use: Use, error: Exception) -> str:
    said = with_place(describe(error), error)
    return f"{check}: {use.called} raised {said}; `proctor check {use.reference}` looks at it more closely"
