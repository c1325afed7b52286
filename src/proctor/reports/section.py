"""How an instrument is shown: on the page of a report, in its JSON, and on a terminal.

A section is registered in the group `proctor.sections` under the name of its instrument. An instrument without one gets
the generic section: its values with their intervals, flags and conditions. `GenericSection` is also the base from which
a section of one's own overrides what it shows otherwise. `data` and `examples` are used when a report is built, `html`
when it is rendered: what `html` shows is in the data. `text` and `summary` are for terminals.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.instruments.base import BrokenReading, Reading
from proctor.plugins import registry
from proctor.reports.data import Conclusion, FlagShown, Report, Section

if TYPE_CHECKING:
    from proctor.reports.html.markup import Markup


INVALID_RUN = "Invalid (Verification Infrastructure)"
"""The flag of a reading about a run in which too much was not measured."""


class Example(Struct, frozen=True):
    """An episode that shows what a reading says."""

    position: int
    about: str
    """A cell, a family."""
    why: str


class SectionKind(Protocol):
    """What the group `proctor.sections` registers."""

    place: int
    """Sections stand in this order; the same place: by name."""
    statement: str
    """What the whole report says of itself where this section is its first that says something; empty: nothing."""
    replaces: tuple[str, ...]
    """Instruments that a terminal does not show unasked where this one measured something."""

    def title(self, reading: Reading) -> str:
        """The heading."""
        ...

    def headline(self, reading: Reading) -> str:
        """The reporting tuple in one line; empty where there is none."""
        ...

    def flags(self, reading: Reading) -> Iterable[FlagShown]:
        """Every flag of the reading, with what it is about."""
        ...

    def data(self, reading: Reading, evidence: Evidence) -> dict[str, Any]:
        """The reading, whole, as plain JSON, with what the page needs beside it."""
        ...

    def examples(self, reading: Reading, evidence: Evidence) -> Iterable[Example]:
        """Failing episodes worth looking at, the most telling first; always the same for the same evidence."""
        ...

    def html(self, section: Section, report: Report) -> Markup:
        """The body of the section, without its heading."""
        ...

    def text(self, reading: Reading, evidence: Evidence, *, asked: bool) -> str:
        """What `proctor score` shows; `asked`: of this instrument by name. Empty: nothing."""
        ...

    def summary(self, reading: Reading, evidence: Evidence) -> str:
        """What the end of a run shows where this reading sums it up. Empty: another instrument does."""
        ...


@runtime_checkable
class Concludes(Protocol):
    """A section that can say its result in words. Having the method is declaring the ability."""

    def conclusion(self, reading: Reading, evidence: Evidence) -> Conclusion | None:
        """The verdict, and what must be known before it; of a reading that measured something."""
        ...


def section_kind(instrument: str) -> SectionKind:
    """The section of an instrument, or the generic one. What goes wrong in a plug-in's section is said, not raised."""
    from proctor.reports.sections.generic import section

    # The name may come from a stranger's file: only what is registered under it is ever imported.
    if instrument not in registry.names("sections"):
        return section
    if registry.is_own("sections", instrument):
        own: SectionKind = registry.load("sections", instrument)
        return own
    from proctor.reports.sections.guarded import GuardedSection

    return GuardedSection(instrument)


def section_for(reading: Reading) -> SectionKind:
    """The section that shows a reading; the generic one where there is none because a package is broken."""
    return section_kind("" if isinstance(reading, BrokenReading) else reading.instrument)


def invalid_text(reading: Reading) -> str:
    """What a terminal says of a reading that what was not measured made invalid; empty for every other."""
    if reading.measured or not any(flag.name == INVALID_RUN for flag in reading.flags):
        return ""
    return f"{reading.instrument.capitalize()}: {reading.reason}"
