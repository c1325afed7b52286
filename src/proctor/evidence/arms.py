"""What tells the arms of a run apart, in words.

An arm goes by its family, regime, condition and cell. Where a suite lists a family twice under the same of these, at
another difficulty, the knobs that differ belong to its name; otherwise nothing is added to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from proctor.evidence.evidence import Evidence

Place = tuple[str, str, str, str | None]
Settings = dict[str, int | str]


def knobs_apart(evidence: Evidence) -> dict[int, str]:
    """By arm: the knobs that tell it from other arms, e.g. `pages=3, depth=2`; an arm that needs none is not there.

    Told from the whole suite, so that an arm has the same name in a run of some of its families.
    """
    entries = evidence.frozen.suite.entries
    defaults = {
        family.reference: {name: knob.default for name, knob in family.spec.knobs.items()}
        for family in evidence.frozen.families
    }
    settings = [
        {**defaults.get(entry.family, {}), **entry.knobs, **({"baseline": entry.baseline} if entry.baseline else {})}
        for entry in entries
    ]
    places: dict[Place, list[Settings]] = {}
    for entry, own in zip(entries, settings, strict=True):
        for regime, condition in product(entry.regimes, entry.conditions):
            places.setdefault((entry.family, regime, condition, entry.cell), []).append(own)
    apart: dict[int, str] = {}
    for arm in evidence.arms:
        entry, own = entries[arm.entry], settings[arm.entry]
        differing = _differing(places.get((entry.family, arm.regime, arm.condition, entry.cell), ()))
        if text := ", ".join(f"{name}={own[name]}" for name in differing if name in own):
            apart[arm.index] = text
    return apart


def _differing(settings: Sequence[Settings]) -> list[str]:
    """The knobs that do not have one value in all of these, in order of declaration."""
    names = dict.fromkeys(name for one in settings for name in one)
    return [name for name in names if len({one.get(name) for one in settings}) > 1]
