"""How an instrument brings its own part of a report.

A module `reports/sections/<instrument>.py` (hyphens as underscores) with an object `section` is all it takes; nothing
else is touched. An instrument without one gets the generic section: its values with their intervals, flags and
conditions. `data` and `examples` are used when a report is built, `html` when it is rendered: what `html` shows is in
the data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.instruments.base import Reading
from proctor.reports.data import FlagShown, Report, Section
from proctor.reports.html.markup import Markup

FOLDER = "proctor.reports.sections"
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,60}")


class Example(Struct, frozen=True):
    """An episode that shows what a reading says."""

    position: int
    about: str
    """A cell, a family."""
    why: str


class SectionKind(Protocol):
    """What a module of `reports/sections/` calls `section`."""

    place: int
    """Sections stand in this order; the same place: by name."""

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


def section_kind(instrument: str) -> SectionKind:
    """The section of an instrument, or the generic one."""
    name = instrument.replace("-", "_")
    # The name may come from a stranger's file: only modules of this folder can be meant.
    if not _NAME.fullmatch(name) or find_spec(f"{FOLDER}.{name}") is None:
        name = "generic"
    kind: SectionKind = import_module(f"{FOLDER}.{name}").section
    return kind
