"""The section of the binding instrument: does the state that should control the action control it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import BindingMeasures, measures_of
from proctor.evidence.row import SUCCESS
from proctor.instruments.base import Reading
from proctor.instruments.binding.criteria import NOT_MET
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.variants import FULL, REGISTRY, STRUCTURED, Variant, named
from proctor.reports.data import FlagShown, Report, Section, plain
from proctor.reports.figures.views import scope
from proctor.reports.html.markup import Markup, lines_of, tag
from proctor.reports.html.parts import as_json, fold
from proctor.reports.section import Example
from proctor.reports.sections.binding.benchmark import benchmark
from proctor.reports.sections.binding.controls import controls, every_table
from proctor.reports.sections.binding.ledger import BOUNDARY, audits, claims, gates, missing, registry
from proctor.reports.sections.binding.profile import pictures
from proctor.reports.sections.binding.under import under_text

EXAMPLES = 8
"""Probes for which an episode of the structured Condition that missed its target is shown."""
WHOLE = (STRUCTURED, FULL, "coupled")
"""Variants that show the whole state: where these fail there is something to look at."""


class BindingSection:
    """Binding scores, contrasts, gates and claims."""

    place = 20

    def title(self, reading: Reading) -> str:
        return "Causal state binding"

    def headline(self, reading: Reading) -> str:
        found = _binding(reading)
        if not found.measured:
            return f"Binding not measured: {found.reason}." if found.records is not None else ""
        said = ["interface not passed: no claim about binding is made"] if found.interface else []
        said += [f"{gate.name} gate {BOUNDARY if gate.status == NOT_MET else gate.status}" for gate in found.gates]
        composite = next((one for one in found.contrasts if one.contrast == "composite"), None)
        if composite is not None and composite.across.estimate is not None and composite.bound is not None:
            across = composite.across
            said.append(
                f"composite contrast {across.estimate:.3f}, {across.positive}/{across.n} datasets above 0, bound "
                f"{composite.bound:.3f} ({composite.decides})"
            )
        return f"{'; '.join(said) or 'no gate in this run'}. {under_text(found)}"

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
        reading = msgspec.convert(section.data, BindingReading)
        known = msgspec.convert(section.data.get("registry", ()), tuple[Variant, ...])
        conditions = section.data.get("conditions")
        return lines_of(
            tag("p", tag("strong", reading.interface), class_="statement") if reading.interface else None,
            pictures(reading),
            _scope(reading),
            benchmark(reading),
            controls(reading),
            gates(reading),
            claims(reading),
            registry(reading, known),
            audits(reading),
            missing(reading),
            every_table(reading),
            fold("Conditions of this reading", as_json(conditions)) if conditions else None,
        )


def _scope(reading: BindingReading) -> Markup | None:
    """What the numbers hold for, where no contrast of the benchmark says it."""
    said = reading.scope or scope(reading.tables(), ("coupling_contrasts", "components", "traces"))
    measured = any(one.across.estimate is not None for one in reading.contrasts)
    return tag("p", said, class_="statement") if said and not measured else None


def _binding(reading: Reading) -> BindingReading:
    if not isinstance(reading, BindingReading):
        message = f"the binding section shows a BindingReading, not a {type(reading).__name__}"
        raise TypeError(message)
    return reading


section = BindingSection()
