"""The section of the agency instrument: the vector as a picture, then a card for each dimension."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import SUCCESS
from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.instrument import AgencyReading
from proctor.instruments.base import Reading
from proctor.reports.data import STATEMENT, Conclusion, FlagShown, Notice, Report, Section, plain
from proctor.reports.section import Example
from proctor.reports.sections.agency.ladder import stopped_words
from proctor.reports.sections.agency.mandatory import mandatory_cases
from proctor.reports.sections.agency.shown import Vector, vector_shown
from proctor.reports.sections.agency.standing import standing_of
from proctor.reports.sections.agency.text import vector_text
from proctor.reports.sections.agency.verdict import verdict
from proctor.reports.sections.generic import GenericSection, not_measured

if TYPE_CHECKING:
    from proctor.reports.html.markup import Markup

EXAMPLES = 3
"""Episodes shown for each dimension (and part of G) that was stopped."""


class AgencySection(GenericSection):
    """The Agency Vector."""

    place = 10
    statement = STATEMENT

    def title(self, reading: Reading) -> str:
        return "Agency Vector"

    def headline(self, reading: Reading) -> str:
        return _agency(reading).text

    def flags(self, reading: Reading) -> Iterable[FlagShown]:
        for flag in reading.flags:
            yield FlagShown("", flag.name, flag.reason)
        # G repeats the flags of its parts; there they stand with the part they are about.
        for name, one in _all_dimensions(_agency(reading)).items():
            inherited = {flag for part in one.parts.values() for flag in part.flags}
            for flag in one.flags:
                if flag not in inherited:
                    yield FlagShown(name, flag.name, flag.reason)

    def data(self, reading: Reading, evidence: Evidence) -> dict[str, Any]:
        data = plain(_agency(reading))
        # Schemas and regimes are free JSON: a bundle brings them back in another order.
        return {**data, "tuple": plain(data["tuple"])}

    def conclusion(self, reading: Reading, evidence: Evidence) -> Conclusion:
        data = plain(_agency(reading))
        vector, standing = vector_shown(data), standing_of(data)
        notices = [Notice("Exploratory", standing.exploratory)] if standing.exploratory else []
        if standing.evaluation.get("label"):
            notices.append(Notice(standing.evaluation["label"], str(standing.evaluation.get("cross_vendor", ""))))
        notices.append(Notice("Tier", standing.tier))
        cases = mandatory_cases(vector.levels(), standing.tier, standing.evaluation.get("use"))
        if cases:
            notices.append(Notice("Technical Report", f"mandatory (§13.4): {'; '.join(cases)}"))
        notices.append(Notice("Governance Notes", standing.governance_line))
        stopped = stopped_words(standing)
        said = (*_verdict(vector, evidence), *([stopped] if stopped else []))
        return Conclusion(said, tuple(notices))

    def examples(self, reading: Reading, evidence: Evidence) -> Iterable[Example]:
        for one in _all_dimensions(_agency(reading)).values():
            yield from _examples(one, evidence)

    def html(self, section: Section, report: Report) -> Markup:
        from proctor.reports.sections.agency.page import body

        return body(section, report)

    def text(self, reading: Reading, evidence: Evidence, *, asked: bool) -> str:
        if not reading.measured:
            return not_measured(reading) if asked else ""
        data = plain(_agency(reading))
        vector = vector_shown(data)
        return vector_text(vector, standing_of(data), _verdict(vector, evidence), evidence.locate)

    def summary(self, reading: Reading, evidence: Evidence) -> str:
        if not reading.measured:
            return ""
        more = f"Rates of every family and regime: proctor score {evidence.run} --instrument rates"
        return f"{self.text(reading, evidence, asked=False)}\n{more}"


def _verdict(vector: Vector, evidence: Evidence) -> tuple[str, ...]:
    frozen = evidence.frozen
    return verdict(vector, system=frozen.system.name, episodes=len(evidence.rows), policy=frozen.rules.borderline)


def _all_dimensions(reading: AgencyReading) -> dict[str, DimensionReading]:
    """Every dimension, each followed by its parts."""
    return {one.dimension: one for whole in reading.vector.values() for one in (whole, *whole.parts.values())}


def _agency(reading: Reading) -> AgencyReading:
    if not isinstance(reading, AgencyReading):
        message = f"the agency section shows an AgencyReading, not a {type(reading).__name__}"
        raise TypeError(message)
    return reading


def _examples(one: DimensionReading, evidence: Evidence) -> Iterable[Example]:
    """Failed episodes of the level that stopped it: one for each reason first, in order of position."""
    stop = next((level for level in one.levels if level.level == (one.level or 0) + 1), None)
    if stop is None or stop.met:
        return
    positions = sorted({position for rate in stop.rates for position in rate.failed})
    rows = {row.position: row for row in evidence.rows if row.position in positions}
    # The first position of a unit may be the half that succeeded; what did not succeed is what there is to see.
    failed = [position for position in positions if position in rows and rows[position].outcome != SUCCESS]
    seen: set[tuple[str, str]] = set()
    fresh: list[int] = []
    again: list[int] = []
    for position in failed or positions:
        row = rows[position]
        kind = (row.reason, evidence.arms[row.arm].family)
        (again if kind in seen else fresh).append(position)
        seen.add(kind)
    for position in [*fresh, *again][:EXAMPLES]:
        yield Example(position, stop.cell, stop.reason)


section = AgencySection()
