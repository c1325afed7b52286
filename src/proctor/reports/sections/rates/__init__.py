"""The section of the rates instrument: success per family and regime."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import SUCCESS
from proctor.instruments.base import Reading
from proctor.reports.data import Report, Section
from proctor.reports.section import Example
from proctor.reports.sections.generic import GenericSection, not_measured
from proctor.reports.sections.rates.text import rates_text

if TYPE_CHECKING:
    from proctor.reports.html.markup import Markup

KINDS_A_FAMILY = 2
"""Kinds of failure for which an episode is shown."""


class RatesSection(GenericSection):
    """Success rates by family, regime and condition."""

    place = 40

    def title(self, reading: Reading) -> str:
        return "Success rates"

    def examples(self, reading: Reading, evidence: Evidence) -> Iterable[Example]:
        """For each family the first episode of its most frequent kinds of failure."""
        counts: dict[str, Counter[tuple[str, str]]] = {}
        first: dict[tuple[str, str, str], int] = {}
        for row in evidence.rows:
            if row.outcome != SUCCESS:
                family = evidence.arms[row.arm].family
                counts.setdefault(family, Counter())[row.outcome, row.reason] += 1
                first.setdefault((family, row.outcome, row.reason), row.position)
        # Every family's most frequent kind before any family's second one.
        for index in range(KINDS_A_FAMILY):
            for family in sorted(counts):
                kinds = sorted(counts[family].items(), key=lambda item: (-item[1], item[0]))
                if index < len(kinds):
                    (outcome, reason), times = kinds[index]
                    total = counts[family].total()
                    why = f"{times:,} of the {total:,} episodes of {family} that did not succeed end like this"
                    yield Example(first[family, outcome, reason], family, why)

    def html(self, section: Section, report: Report) -> Markup:
        from proctor.reports.sections.rates.page import body

        return body(section, report)

    def text(self, reading: Reading, evidence: Evidence, *, asked: bool) -> str:
        if not reading.measured:
            return not_measured(reading) if asked else ""
        return rates_text(reading.values)

    def summary(self, reading: Reading, evidence: Evidence) -> str:
        """Shown where nothing else sums a run up, also where no episode could be scored: that is then what it says."""
        return rates_text(reading.values)


section = RatesSection()
