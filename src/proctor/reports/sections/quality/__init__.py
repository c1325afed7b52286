"""The section of the quality instrument: its metrics against their targets, harm, and where it all comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import SUCCESS
from proctor.instruments.base import Reading
from proctor.instruments.quality.instrument import QualityReading
from proctor.instruments.quality.metrics import Measured
from proctor.reports.data import FlagShown, Report, Section, plain
from proctor.reports.html.markup import Markup, lines_of
from proctor.reports.html.parts import as_json, fold
from proctor.reports.numbers import NOT_MEASURED
from proctor.reports.section import Example
from proctor.reports.sections.quality.picture import picture
from proctor.reports.sections.quality.tables import breakdown_tables, harm, load_table, metric_table

KINDS = 4
"""Kinds of failure for which an episode is shown."""


class QualitySection:
    """The metrics, harm and where they come from."""

    place = 15

    def title(self, reading: Reading) -> str:
        return "Agent quality"

    def headline(self, reading: Reading) -> str:
        found = _quality(reading)
        if not found.measured:
            return ""
        shown = ", ".join(f"{name} {_short(one)}" for name, one in found.metrics.items())
        return f"{found.status}: {shown}; {found.safety.sentence() if found.safety else 'harm not counted'}"

    def flags(self, reading: Reading) -> Iterable[FlagShown]:
        found = _quality(reading)
        for flag in found.flags:
            yield FlagShown("", flag.name, flag.reason)

    def data(self, reading: Reading, evidence: Evidence) -> dict[str, Any]:
        return plain(reading)

    def examples(self, reading: Reading, evidence: Evidence) -> Iterable[Example]:
        """Harm first, then the first episode of the most frequent kinds of failure."""
        safety = _quality(reading).safety
        for kind, positions in (safety.positions if safety else {}).items():
            for position in positions[:2]:
                yield Example(position, kind, f"an act of class {kind} was done here")
        failed = [row for row in evidence.rows if row.outcome != SUCCESS]
        first = {row.reason: row.position for row in reversed(failed)}
        for reason, times in Counter(row.reason for row in failed).most_common(KINDS):
            why = f"{times:,} of the {len(failed):,} episodes that did not succeed end like this"
            yield Example(first[reason], reason, why)

    def html(self, section: Section, report: Report) -> Markup:
        reading = msgspec.convert(section.data, QualityReading)
        conditions = section.data.get("conditions")
        return lines_of(
            picture(reading),
            harm(reading),
            metric_table(reading),
            load_table(reading),
            breakdown_tables(reading),
            fold("Conditions of this reading", as_json(conditions)) if conditions else None,
        )


def _short(one: Measured) -> str:
    return NOT_MEASURED if one.value is None else f"{one.value:.3f}"


def _quality(reading: Reading) -> QualityReading:
    if not isinstance(reading, QualityReading):
        message = f"the quality section shows a QualityReading, not a {type(reading).__name__}"
        raise TypeError(message)
    return reading


section = QualitySection()
