"""The section of the quality instrument: its metrics against their targets, harm, and where it all comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import SUCCESS
from proctor.instruments.base import Reading
from proctor.instruments.quality.instrument import QualityReading
from proctor.instruments.quality.metrics import Measured
from proctor.reports.data import OF_SCENARIOS, FlagShown, Report, Section, plain
from proctor.reports.numbers import NOT_MEASURED
from proctor.reports.scenario_failures import failures_of
from proctor.reports.section import Example
from proctor.reports.sections.generic import GenericSection, not_measured
from proctor.reports.sections.quality.text import quality_text

if TYPE_CHECKING:
    from proctor.reports.html.markup import Markup

FAILED = "failed_scenarios"
LISTED = 25
"""Scenarios that the page lists."""
KINDS = 4
"""Kinds of failure for which an episode is shown."""


class QualitySection(GenericSection):
    """The metrics, harm and where they come from."""

    place = 15
    statement = OF_SCENARIOS

    def title(self, reading: Reading) -> str:
        return "Agent quality"

    def headline(self, reading: Reading) -> str:
        quality = _quality(reading)
        if not quality.measured:
            return ""
        shown = ", ".join(f"{name} {_short(one)}" for name, one in quality.metrics.items())
        return f"{quality.status}: {shown}; {quality.safety.sentence() if quality.safety else 'harm not counted'}"

    def flags(self, reading: Reading) -> Iterable[FlagShown]:
        quality = _quality(reading)
        for flag in quality.flags:
            yield FlagShown("", flag.name, flag.reason)

    def data(self, reading: Reading, evidence: Evidence) -> dict[str, Any]:
        found = failures_of(evidence, {}, (), (), None)
        if not found.count:
            return plain(reading)
        # The oracle is not part of a report: `proctor show RUN SCENARIO` says what was expected.
        listed = [plain(one) for one in found.scenarios[:LISTED]]
        return {**plain(reading), FAILED: {"count": found.count, "scenarios": listed}}

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
        from proctor.reports.sections.quality.page import body

        return body(section)

    def text(self, reading: Reading, evidence: Evidence, *, asked: bool) -> str:
        if not reading.measured:
            return not_measured(reading) if asked else ""
        return quality_text(_quality(reading), evidence.frozen.scope)

    def summary(self, reading: Reading, evidence: Evidence) -> str:
        if not reading.measured:
            return ""
        more = f"next for CI: proctor gate {evidence.run}"
        return f"{quality_text(_quality(reading), evidence.frozen.scope)}\n{more}"


def _short(one: Measured) -> str:
    return NOT_MEASURED if one.value is None else f"{one.value:.3f}"


def _quality(reading: Reading) -> QualityReading:
    if not isinstance(reading, QualityReading):
        message = f"the quality section shows a QualityReading, not a {type(reading).__name__}"
        raise TypeError(message)
    return reading


section = QualitySection()
