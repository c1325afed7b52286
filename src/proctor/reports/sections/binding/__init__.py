"""The section of the binding instrument: does the state that should control the action control it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import BindingMeasures, measures_of
from proctor.evidence.row import SUCCESS
from proctor.instruments.base import Reading
from proctor.instruments.binding.criteria import NOT_MET
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.variants import FULL, REGISTRY, STRUCTURED, named
from proctor.reports.data import FlagShown, Report, Section, plain
from proctor.reports.section import Example
from proctor.reports.sections.binding.text import binding_text
from proctor.reports.sections.generic import GenericSection, not_measured
from proctor.reports.terminal import values_text

if TYPE_CHECKING:
    from proctor.reports.html.markup import Markup

EXAMPLES = 8
"""Probes for which an episode of the structured Condition that missed its target is shown."""
WHOLE = (STRUCTURED, FULL, "coupled")
"""Variants that show the whole state: where these fail there is something to look at."""


class BindingSection(GenericSection):
    """Binding scores, contrasts, gates and claims."""

    place = 20
    # Success rates of arms that are meant to fail, by the hundred, say nothing beside it.
    replaces = ("rates",)

    def title(self, reading: Reading) -> str:
        return "Causal state binding"

    def headline(self, reading: Reading) -> str:
        from proctor.reports.sections.binding.conditions import conditions_text
        from proctor.reports.sections.binding.ledger import BOUNDARY

        binding = _binding(reading)
        if not binding.measured:
            return f"Binding not measured: {binding.reason}." if binding.records is not None else ""
        parts = ["interface not passed: no claim about binding is made"] if binding.interface else []
        parts += [f"{gate.name} gate {BOUNDARY if gate.status == NOT_MET else gate.status}" for gate in binding.gates]
        composite = next((one for one in binding.contrasts if one.contrast == "composite"), None)
        if composite is not None and composite.across.estimate is not None and composite.bound is not None:
            across = composite.across
            parts.append(
                f"composite contrast {across.estimate:.3f}, {across.positive}/{across.n} datasets above 0, bound "
                f"{composite.bound:.3f} ({composite.decides})"
            )
        return f"{'; '.join(parts) or 'no gate in this run'}. {conditions_text(binding)}"

    def flags(self, reading: Reading) -> Iterable[FlagShown]:
        for flag in reading.flags:
            yield FlagShown("", flag.name, flag.reason)

    def data(self, reading: Reading, evidence: Evidence) -> dict[str, Any]:
        return {**plain(reading), "registry": msgspec.json.decode(msgspec.json.encode(REGISTRY))}

    def examples(self, reading: Reading, evidence: Evidence) -> Iterable[Example]:
        """For each probe the first episode with the whole state that missed its target, most frequent probes first."""
        missed: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        first: dict[str, int] = {}
        for row in evidence.rows:
            if named(evidence.arms[row.arm].condition).variant not in WHOLE:
                continue
            measures = measures_of(BindingMeasures, row)
            if measures is None:
                continue
            probe = measures.probe
            asked[probe] += 1
            if row.outcome != SUCCESS:
                missed[probe] += 1
                first.setdefault(probe, row.position)
        for probe, times in sorted(missed.items(), key=lambda item: (-item[1], item[0]))[:EXAMPLES]:
            why = f"{times:,} of the {asked[probe]:,} replies to {probe} with the whole state miss the target"
            yield Example(first[probe], probe, why)

    def html(self, section: Section, report: Report) -> Markup:
        from proctor.reports.sections.binding.page import body

        return body(section)

    def text(self, reading: Reading, evidence: Evidence, *, asked: bool) -> str:
        binding = _binding(reading)
        if not binding.measured:
            # A run of binding probes of which none could be read says so unasked.
            return not_measured(binding) if asked or binding.records is not None else ""
        from proctor.instruments.binding.ranges import shown_values

        values = (
            f"\n\n{values_text(binding.instrument, shown_values(binding.values))}" if asked and binding.values else ""
        )
        return binding_text(binding) + values

    def summary(self, reading: Reading, evidence: Evidence) -> str:
        if not reading.measured:
            return ""
        return f"{binding_text(_binding(reading))}\nEvery table and figure: proctor report {evidence.run}"


def _binding(reading: Reading) -> BindingReading:
    if not isinstance(reading, BindingReading):
        message = f"the binding section shows a BindingReading, not a {type(reading).__name__}"
        raise TypeError(message)
    return reading


section = BindingSection()
