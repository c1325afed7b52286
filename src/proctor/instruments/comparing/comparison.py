"""The comparison of two runs as data: matched units, differences, flipped units, spending, and the label of §13.5.

The first run is the reference, and every difference is second minus first. The primary difference, over all units that
count, is not adjusted; differences by dimension and by family carry Holm's adjusted p values. Where the label is
Non-Comparable, no difference is given.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.instruments.base import Reading
from proctor.instruments.comparing.comparability import Comparability, comparability
from proctor.instruments.comparing.differences import Difference, adjusted, paired_difference, unpaired_difference
from proctor.instruments.comparing.flips import Flip, flips_of
from proctor.instruments.comparing.spending import Spending, spending_of
from proctor.instruments.comparing.units import ComparedUnit, Matched, match, units_of
from proctor.spec.claims import VECTOR, dimension_of, is_cell
from proctor.spec.normalisation import Normalisation
from proctor.spec.released import shown_name
from proctor.spec.tier_protocols import deprives

CONFIDENCE = 0.95
_COUNTED = ("test", "posttest", "retest", "late")
"""How the phases begin whose units are compared: training, pre-tests and controls show something else."""


class ComparedRun(Struct, frozen=True):
    """One side of a comparison, with the conditions its numbers hold under."""

    run: str
    agent: str
    label: str
    """What must be said wherever a result of this agent appears."""
    system: str
    suite: str
    seed: int | str | None
    boundary: str
    root: str | None
    config_hash: str
    complete: bool
    reading: str
    """What the instrument of the run says of it in one line, with its tuple; empty where there is none."""


class Comparison(Struct, frozen=True):
    """Two runs side by side."""

    first: ComparedRun
    second: ComparedRun
    comparability: Comparability
    paired: bool
    """Whether units were matched: the same tasks in both runs."""
    why_unpaired: str
    matched: int
    """Units that both runs have."""
    first_only: int
    second_only: int
    not_compared: int
    """Units of training and controls, of both runs."""
    primary: Difference | None
    """Over all units that count; None where no inference is permitted."""
    dimensions: tuple[Difference, ...]
    families: tuple[Difference, ...]
    flips: tuple[Flip, ...]
    """Units whose verdict changed, newly failing first."""
    spending: Spending


def compare(
    first: Evidence,
    second: Evidence,
    *,
    readings: tuple[Reading | None, Reading | None] = (None, None),
    normalisation: Normalisation | None = None,
    label_of: Callable[[str, str], str] = lambda _agent, recorded: recorded,
) -> Comparison:
    """Compare two runs. Reads rows only; the steps at which episodes diverge are for whoever can read traces."""
    said = [(label_of(one.frozen.agent, one.recorded_label), one.seed_label) for one in (first, second)]
    labels = ", ".join(filter(None, said[0])), ", ".join(filter(None, said[1]))
    label = comparability(first, second, readings, labels, normalisation)
    regimes = {} if normalisation is None else {two: one for one, two in normalisation.regimes.items()}
    ones, twos = units_of(first), units_of(second, regimes)
    counted = [unit for unit in ones if _counts(unit)], [unit for unit in twos if _counts(unit)]
    pairs = match(*counted)
    paired = bool(pairs.pairs)
    judge = _Judge(pairs if paired else None, counted, f"{first.root}/{second.root}")
    infers = label.permits_inference
    return Comparison(
        first=_facts(first, readings[0], labels[0]),
        second=_facts(second, readings[1], labels[1]),
        comparability=label,
        paired=paired,
        why_unpaired="" if paired else _why_unpaired(first, second),
        matched=len(pairs.pairs),
        first_only=len(pairs.first_only),
        second_only=len(pairs.second_only),
        not_compared=len(ones) + len(twos) - len(counted[0]) - len(counted[1]),
        primary=judge.difference("all", lambda _: True) if infers else None,
        dimensions=judge.by(_dimension) if infers else (),
        families=judge.by(lambda unit: unit.key.family) if infers else (),
        flips=flips_of(first, second, pairs) if infers else (),
        spending=spending_of(counted[0], counted[1], pairs if paired else None),
    )


class _Judge:
    """Differences on sets of units."""

    def __init__(
        self, matched: Matched | None, separate: tuple[list[ComparedUnit], list[ComparedUnit]], key: str
    ) -> None:
        self._matched = matched
        self._separate = separate
        self._key = key

    def difference(self, name: str, chosen: Callable[[ComparedUnit], bool]) -> Difference:
        if self._matched is not None:
            pairs = [pair for pair in self._matched.pairs if chosen(pair[0])]
            return paired_difference(name, pairs, confidence=CONFIDENCE, key=f"{self._key}/{name}")
        one, two = ([unit for unit in side if chosen(unit)] for side in self._separate)
        return unpaired_difference(name, one, two, confidence=CONFIDENCE)

    def by(self, group: Callable[[ComparedUnit], str]) -> tuple[Difference, ...]:
        """A difference for every group that both runs have, adjusted among them."""
        if self._matched is not None:
            names = {group(one) for one, _ in self._matched.pairs}
        else:
            names = {group(unit) for unit in self._separate[0]} & {group(unit) for unit in self._separate[1]}
        return adjusted([self._of(group, name) for name in _ordered(names - {""})])

    def _of(self, group: Callable[[ComparedUnit], str], name: str) -> Difference:
        return self.difference(name, lambda unit: group(unit) == name)


def _ordered(names: set[str]) -> list[str]:
    """Dimensions in the order of the vector, everything else by name."""
    return sorted(names, key=lambda name: (VECTOR.index(name) if name in VECTOR else len(VECTOR), name))


def _counts(unit: ComparedUnit) -> bool:
    return unit.key.phase.startswith(_COUNTED) and not _is_deprived(unit.key.knobs)


@lru_cache(maxsize=256)
def _is_deprived(knobs: str) -> bool:
    """Whether an arm is there to be failed: what a tier asks about is taken away."""
    return deprives(json.loads(knobs))


def _dimension(unit: ComparedUnit) -> str:
    """The dimension of the vector a unit counts for; empty for none."""
    return dimension_of(unit.key.cell)[:1] if is_cell(unit.key.cell) else ""


def _why_unpaired(first: Evidence, second: Evidence) -> str:
    if first.frozen.suite.stream_name != second.frozen.suite.stream_name:
        return f"{shown_name(first.frozen)} and {shown_name(second.frozen)} are different suites"
    if first.frozen.seed != second.frozen.seed:
        return "the seeds differ, so the runs share no instances"
    return "the runs have no unit in common"


def _facts(evidence: Evidence, reading: Reading | None, label: str) -> ComparedRun:
    frozen = evidence.frozen
    return ComparedRun(
        run=evidence.run,
        agent=frozen.agent,
        label=label,
        system=f"{frozen.system.name} {frozen.system.version}",
        suite=shown_name(frozen),
        seed=frozen.seed if frozen.preregistration is None else frozen.shown_seed,
        boundary=frozen.system.boundary.words,
        root=evidence.root,
        config_hash=evidence.config_hash,
        complete=evidence.complete,
        reading=_said(reading),
    )


def _said(reading: Reading | None) -> str:
    """The reading in one line with its tuple: that of §13.2.2, which has the tier, where tiers were tested, with
    the gate that stopped it."""
    tier = getattr(reading, "tier", None)
    if isinstance(tier, dict) and tier.get("gates"):
        text = str(getattr(reading, "comparison", {}).get("text", ""))
        number, by = tier.get("passed_through", 0) + 1, tier.get("stopped_by")
        reasons = (one["reason"] for one in tier["gates"] if (one["tier"], one["id"]) == (number, by))
        return f"{text}; Tier {number} stopped at {by}: {found}" if (found := next(reasons, "")) else text
    return getattr(reading, "text", "") or ""
