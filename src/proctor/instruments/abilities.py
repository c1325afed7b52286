"""What an instrument may be able to do beyond `read`. Having the methods is declaring the ability; none is required.

Asked once a command, through these protocols: nothing outside an instrument knows it by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.instruments.base import Instrument, Reading
from proctor.spec.rules import Rules


@runtime_checkable
class SumsUp(Protocol):
    """Can say what a run is about: the end of a run shows one reading, of an instrument that says the run is its.

    An instrument without it is shown by `proctor score` and in reports only.
    """

    priority: int
    """The highest that applies is tried first; the built-in ones have 0 (rates) to 30 (agency)."""

    def applies(self, evidence: Evidence) -> bool:
        """Whether the run is about what this instrument measures: from declarations and columns, without reading."""
        ...


@runtime_checkable
class ReadsTogether(Protocol):
    """Reads several runs as one: `proctor score RUN --with OTHER`."""

    def together(self, runs: Mapping[str, Evidence], rules: Rules) -> Reading:
        """The reading of runs of one suite, each under the name of its agent."""
        ...


@runtime_checkable
class ReadsBeside(Protocol):
    """Puts the same system within its other boundary beside a reading: `--beside OTHER`."""

    def beside(self, reading: Reading, evidence: Evidence, other: Evidence) -> Reading:
        """This instrument's reading of `evidence`, with what the other run says. Refuses runs that do not belong."""
        ...


class Surroundings(Struct, frozen=True):
    """Where a reading is made: what a project may bring beside the evidence."""

    project: Path
    """The folder of the project."""
    store: str
    """The store the evidence is from."""
    load: Path | None = None
    """A load record that was named; None: the newest one of the run's agent, if there is any."""


@runtime_checkable
class ForProject(Protocol):
    """Reads by rules or records of the project, beside the evidence."""

    def for_project(self, evidence: Evidence, surroundings: Surroundings) -> Instrument:
        """The instrument as this project uses it: as pure as any other, with what was read now."""
        ...
