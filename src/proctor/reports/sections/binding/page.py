"""The page of the binding section."""

from __future__ import annotations

import msgspec

from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.variants import Variant
from proctor.reports.data import Section
from proctor.reports.figures.views import scope
from proctor.reports.html.markup import Markup, lines_of, tag
from proctor.reports.html.parts import as_json, fold
from proctor.reports.sections.binding.benchmark import benchmark
from proctor.reports.sections.binding.controls import controls, every_table
from proctor.reports.sections.binding.ledger import audits, claims, gates, missing, registry
from proctor.reports.sections.binding.profile import pictures


def body(section: Section) -> Markup:
    """Pictures first, then tables, gates, claims and audits."""
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
    text = reading.scope or scope(reading.tables(), ("coupling_contrasts", "components", "traces"))
    measured = any(one.across.estimate is not None for one in reading.contrasts)
    return tag("p", text, class_="statement") if text and not measured else None
