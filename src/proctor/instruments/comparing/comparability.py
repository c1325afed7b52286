"""Exactly one of the three labels of §13.5, with its reasons.

Comparable: the major version of the framework, the boundary, the regimes and the rules match, and at least 70 % of the
families of both are shared (by id and major version). Limited: something of that does not hold; each divergence is
listed. Non-Comparable: no shared family, or another major version without a declared normalisation; nothing may be
concluded then. Exploratory and invalid results are never Comparable.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.instruments.base import Reading
from proctor.spec.normalisation import Normalisation

Label = Literal["Comparable", "Limited Comparability", "Non-Comparable"]
COMPARABLE: Final = "Comparable"
LIMITED: Final = "Limited Comparability"
NON_COMPARABLE: Final = "Non-Comparable"

OVERLAP: Final = 0.70
"""The share of families that two comparable results have in common at least."""
_RULES: Final = ("profile", "interval", "confidence", "threshold", "adjusted", "borderline", "stopping")


class Comparability(Struct, frozen=True):
    """Whether two results may be compared."""

    label: Label
    overlap: float
    """Shared families over all families of both."""
    shared: tuple[str, ...]
    divergences: tuple[str, ...]
    """What does not match, in words; empty where everything does."""
    normalised: tuple[str, ...] = ()
    """What a declared normalisation made up for, with its justification."""

    @property
    def permits_inference(self) -> bool:
        """Whether anything may be concluded from a comparison."""
        return self.label != NON_COMPARABLE


def comparability(
    first: Evidence,
    second: Evidence,
    readings: tuple[Reading | None, Reading | None],
    labels: tuple[str, str] = ("", ""),
    normalisation: Normalisation | None = None,
) -> Comparability:
    """The label of two runs; `readings` are those of the instrument that each is about, `labels` their agents'."""
    declared = normalisation or Normalisation()
    ones, twos = _families(first), _families(second)
    shared = tuple(sorted(ones & twos))
    overlap = len(shared) / len(ones | twos) if ones | twos else 0.0
    divergences: list[str] = []
    normalised: list[str] = []
    barred = not shared
    if not shared:
        divergences.append("no family is shared")
    elif overlap < OVERLAP:
        divergences.append(f"{len(shared)} of {len(ones | twos)} families are shared, less than {100 * OVERLAP:.0f} %")
    frameworks = _framework(readings[0]), _framework(readings[1])
    if None not in frameworks and frameworks[0] != frameworks[1]:
        said = f"framework {frameworks[0]} against {frameworks[1]}"
        if declared.framework is None:
            barred = True
            divergences.append(f"{said}: major versions compare only by a declared normalisation (§15.5)")
        else:
            # A normalisation lets them be compared; it does not make them one version.
            divergences.append(said)
            normalised.append(f"framework: {declared.framework}")
    divergences += _boundaries(first, second)
    divergences += _regimes(first, second, declared, normalised)
    divergences += _rules(first, second)
    divergences += _standing(first, readings[0], labels[0]) + _standing(second, readings[1], labels[1])
    label: Label = NON_COMPARABLE if barred else LIMITED if divergences else COMPARABLE
    return Comparability(label, overlap, shared, tuple(divergences), tuple(normalised))


def _families(evidence: Evidence) -> set[str]:
    """Families by id and major version, as far as the run has them."""
    names = {arm.family for arm in evidence.arms}
    return {f"{name}@{version.partition('.')[0]}" for name, _, version in (full.partition("@") for full in names)}


def _framework(reading: Reading | None) -> str | None:
    """The major version of the framework a result is of; None for an instrument that follows none."""
    version = getattr(reading, "identification", {}).get("framework")
    if not isinstance(version, str):
        return None
    # v.10 is version 1.0: its first digit is the major version (§15.5).
    digits = version.lstrip("v").lstrip(".")
    return digits.partition(".")[0] if "." in digits else digits[:1]


def _boundaries(first: Evidence, second: Evidence) -> list[str]:
    one, two = first.frozen.system.boundary.words, second.frozen.system.boundary.words
    return [] if one == two else [f"boundary {one} against {two}"]


def _regimes(first: Evidence, second: Evidence, declared: Normalisation, normalised: list[str]) -> list[str]:
    """Regimes of shared families that are not the same on both sides; a declared equivalence makes up for them."""
    divergences = []
    ones, twos = _regime_identities(first), _regime_identities(second)
    renamed = {two: one for one, two in declared.regimes.items()}
    translated = {renamed.get(name, name): (name, identity) for name, identity in twos.items()}
    for name in sorted(ones.keys() | translated.keys()):
        if name not in translated:
            divergences.append(f"regime {name} only in {first.run}")
        elif name not in ones:
            divergences.append(f"regime {translated[name][0]} only in {second.run}")
        elif ones[name] != translated[name][1]:
            there = translated[name][0]
            if name in declared.regimes:
                normalised.append(f"regimes {name} and {there}: {declared.justification}")
            else:
                divergences.append(f"regime {name} has other parameters")
    return divergences


def _regime_identities(evidence: Evidence) -> dict[str, str]:
    used = {arm.regime for arm in evidence.arms}
    return {name: regime.identity for name, regime in evidence.frozen.suite.all_regimes.items() if name in used}


def _rules(first: Evidence, second: Evidence) -> list[str]:
    one, two = first.frozen.rules, second.frozen.rules
    differing = [name for name in _RULES if getattr(one, name) != getattr(two, name)]
    return [f"rules differ: {', '.join(differing)}"] if differing else []


def _standing(evidence: Evidence, reading: Reading | None, label: str) -> list[str]:
    """Why a result is never Comparable by itself."""
    found = []
    if label:
        found.append(f"{evidence.run} is labelled: {label}")
    if not evidence.complete:
        found.append(f"{evidence.run} is not complete")
    if evidence.altered:
        found.append(f"{evidence.run} was altered after it was recorded: {', '.join(evidence.altered)}")
    if reading is None:
        return found
    if getattr(reading, "exploratory", ""):
        found.append(f"{evidence.run} is exploratory: {reading.exploratory}")  # type: ignore[attr-defined]
    invalid = [flag.name for flag in reading.flags if flag.name.startswith("Invalid")]
    if invalid:
        found.append(f"{evidence.run} is {', '.join(dict.fromkeys(invalid))}")
    return found
