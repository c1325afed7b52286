"""How the instrument `quay-calls` is shown; everything that is not said here is the generic section's."""

from __future__ import annotations

from proctor.evidence.evidence import Evidence
from proctor.instruments.base import Reading
from proctor.reports.sections.generic import GenericSection, not_measured


class CallsSection(GenericSection):
    """Calls of the cranes."""

    place = 5

    def title(self, reading: Reading) -> str:
        return "Crane calls"

    def headline(self, reading: Reading) -> str:
        return f"{reading.values[0].estimate.estimate:.1f} calls an episode" if reading.measured else ""

    def text(self, reading: Reading, evidence: Evidence, *, asked: bool) -> str:
        if not reading.measured:
            return not_measured(reading) if asked else ""
        return f"Crane calls: {self.headline(reading)} (n = {reading.values[0].estimate.n})"


section = CallsSection()
