"""The page of the quality section: metrics against their targets, harm, and where it all comes from."""

from __future__ import annotations

import msgspec

from proctor.instruments.quality.instrument import QualityReading
from proctor.reports.data import Section
from proctor.reports.html.markup import Markup, lines_of
from proctor.reports.html.parts import as_json, fold
from proctor.reports.sections.quality.picture import picture
from proctor.reports.sections.quality.tables import breakdown_tables, failed_table, harm, load_table, metric_table


def body(section: Section) -> Markup:
    """The picture first, then harm and the tables."""
    reading = msgspec.convert(section.data, QualityReading)
    conditions = section.data.get("conditions")
    return lines_of(
        picture(reading),
        harm(reading),
        metric_table(reading),
        load_table(reading),
        breakdown_tables(reading),
        failed_table(section.data.get("failed_scenarios")),
        fold("Conditions of this reading", as_json(conditions)) if conditions else None,
    )
