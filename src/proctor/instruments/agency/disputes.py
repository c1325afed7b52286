"""A disputed label may lower a level and never raises one.

Learning and robustness compare: a failure before training, or under Baseline, makes a gain larger or a loss smaller.
So a dimension in which labels are disputed is read twice, as people labelled it and as the verifier did, and the lower
level stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.dimension import DimensionReading, read_dimension
from proctor.instruments.agency.flags import contested, in_order
from proctor.instruments.agency.raters import DISPUTED_LABEL
from proctor.instruments.agency.units import Unit
from proctor.spec.claims import dimension_of
from proctor.spec.rules import Rules


def not_raised_by_disputes(
    vector: Mapping[str, DimensionReading],
    units: Iterable[Unit],
    recorded: Iterable[Unit],
    evidence: Evidence,
    rules: Rules,
) -> dict[str, DimensionReading]:
    """The vector with every dimension at the level that the recorded labels give, where disputes would raise it."""
    disputed = {dimension_of(unit.cell) for unit in units if unit.reason == DISPUTED_LABEL}
    found = dict(vector)
    for name in sorted(disputed & vector.keys()):
        own = [unit for unit in recorded if dimension_of(unit.cell) == name]
        plain = read_dimension(name, own, evidence, rules)
        if _height(plain.level) < _height(found[name].level):
            text = "disputed labels would raise the level: it is that of the recorded labels"
            found[name] = replace(plain, flags=in_order((*plain.flags, contested("Evaluator Disagreement", text))))
    return found


def _height(level: int | None) -> int:
    return -1 if level is None else level
