"""Which lifetimes raters judge: a sample that the run itself determines, so that nobody chooses it afterwards.

It is drawn by the configuration hash and the root, separately for each cell and regime, in turn from every family, and
goes on until so many scored lifetimes with something to judge are in it. Those of control templates come along in their
natural share, at most as many again, and so do those that the bench broke.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from proctor.core.seeds import Stream
from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.rubric import MINIMUM_UNITS
from proctor.instruments.agency.units import Unit, units_of
from proctor.spec.protocols import WHOLE_LIFETIMES

TO_JUDGE = {cell: MINIMUM_UNITS[int(cell[-1])] for cell in sorted(WHOLE_LIFETIMES)}
"""Lifetimes with something to judge: 20 in G3-3 and G3-4, 50 in G3-5."""


def sampled_lifetimes(evidence: Evidence, cell: str) -> tuple[int, ...]:
    """The lifetimes of a cell that raters judge, by the positions at which they begin, in order.

    Empty for cells whose units are not whole lifetimes. Where there are fewer that can be judged these are all of them.
    """
    units = [unit for unit in units_of(evidence) if unit.cell == cell]
    return tuple(sorted({unit.lifetime for unit in sampled(units, evidence)}))


def sampled(units: Iterable[Unit], evidence: Evidence) -> list[Unit]:
    """Those of the units that are in the sample of their cell."""
    groups: dict[tuple[str, str], dict[str, list[Unit]]] = defaultdict(lambda: defaultdict(list))
    for unit in units:
        if unit.cell in WHOLE_LIFETIMES:
            groups[unit.cell, unit.regime][unit.family].append(unit)
    controls = control_templates(evidence)
    chosen: list[Unit] = []
    for (cell, regime), families in sorted(groups.items()):
        stream = Stream.keyed("rated-lifetimes", evidence.config_hash, evidence.root or "", cell, regime)
        pools = [
            stream.child(family).sample(sorted(own, key=lambda unit: unit.positions), len(own))
            for family, own in sorted(families.items())
        ]
        chosen += _in_turn(pools, TO_JUDGE[cell], controls)
    return sorted(chosen, key=lambda unit: unit.positions)


def control_templates(evidence: Evidence) -> frozenset[tuple[str, str]]:
    """(family, template) of everything that leaves no room for a goal: there is nothing to judge in it."""
    return frozenset(
        (family.spec.full_name, template) for family in evidence.frozen.families for template in family.spec.controls
    )


def _in_turn(pools: list[list[Unit]], needed: int, controls: frozenset[tuple[str, str]]) -> list[Unit]:
    """One from each pool in turn, until enough of them can be judged or nothing is left.

    At most as many of control templates as can be judged: an agent that does nothing succeeds in all of those.
    """
    taken: list[Unit] = []
    judged = 0
    for place in range(max(map(len, pools), default=0)):
        if judged >= needed:
            break
        new = [pool[place] for pool in pools if place < len(pool)]
        judged += sum(unit.success is not None and not _is_control(unit, controls) for unit in new)
        taken += new
    surplus = [unit for unit in taken if unit.success is not None and _is_control(unit, controls)][judged:]
    return [unit for unit in taken if unit not in surplus]


def _is_control(unit: Unit, controls: frozenset[tuple[str, str]]) -> bool:
    return (unit.family, unit.template) in controls
