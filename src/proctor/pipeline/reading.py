"""Instruments as a project uses them: by its governed rules, and with what was measured under load.

So `score`, `report`, the end of a run and `proctor.score` show the numbers that `gate` decides on. What an instrument
can do beyond reading it declares (`instruments/abilities.py`); none is known here by its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from msgspec import Struct

from proctor.core.errors import InputError, PluginError
from proctor.evidence.evidence import Evidence
from proctor.instruments.abilities import ForProject, ReadsBeside, ReadsTogether, SumsUp, Surroundings
from proctor.instruments.base import BrokenReading, Instrument, Reading
from proctor.plugins import registry
from proctor.plugins.calls import call_plugin


class SummaryInstruments(Struct, frozen=True):
    """The instruments that may summarise a run."""

    names: tuple[str, ...]
    """The highest priority first."""
    broken: tuple[str, ...] = ()
    """Plug-ins that cannot be loaded, one sentence each."""


def instrument_for(
    name: str, evidence: Evidence, *, store: str, load: Path | None = None, project: Path | None = None
) -> Instrument:
    """The instrument of this name for reading a run; `load` is a record that was named, not the newest one."""
    try:
        instrument: Instrument = registry.load("instruments", name)
    except InputError as error:
        raise error if name not in registry.names("instruments") else PluginError(str(error)) from None
    if isinstance(instrument, ForProject):
        return instrument.for_project(evidence, Surroundings(project or Path(), store, load))
    return instrument


def readings_of(
    evidence: Evidence,
    *,
    store: str,
    names: Iterable[str] | None = None,
    load: Path | None = None,
    project: Path | None = None,
    other: Evidence | None = None,
) -> dict[str, Reading]:
    """The readings of these instruments; `other` is the same system within its other boundary.

    Without `names` of all instruments, and one whose package is broken spoils only its own reading, which says so.
    """
    readings: dict[str, Reading] = {}
    for name in registry.names("instruments") if names is None else names:
        try:
            instrument = instrument_for(name, evidence, store=store, load=load, project=project)
            readings[name] = read_with(name, instrument, evidence, other)
        except PluginError as error:
            if names is not None:
                raise
            readings[name] = BrokenReading(
                instrument=name,
                version="",
                measured=False,
                reason=str(error),
                values=(),
                flags=(),
                conditions={},
            )
    return readings


def read_with(name: str, instrument: Instrument, evidence: Evidence, other: Evidence | None = None) -> Reading:
    """The reading of one instrument; what goes wrong in a plug-in's code is one sentence."""
    reading = call_plugin("instruments", name, lambda: instrument.read(evidence, evidence.frozen.rules), Reading)
    if other is not None and isinstance(instrument, ReadsBeside):
        return instrument.beside(reading, evidence, other)
    return reading


def readings_together(runs: list[Evidence], names: Iterable[str] | None = None) -> dict[str, Reading]:
    """The readings of several runs as one, by every instrument (of these) that can do that.

    Refuses runs of different suites or of the same agent, and instruments that read one run at a time.
    """
    by_agent = {evidence.frozen.agent: evidence for evidence in runs}
    suites = sorted({evidence.frozen.suite.full_name for evidence in runs})
    if len(suites) > 1 or len(by_agent) < len(runs):
        message = (
            f"--with reads runs of one suite by different models; these are of {', '.join(suites)} by "
            + ", ".join(evidence.frozen.agent for evidence in runs)
        )
        raise InputError(message)
    readings: dict[str, Reading] = {}
    for name in registry.names("instruments") if names is None else names:
        instrument = registry.load("instruments", name)
        if isinstance(instrument, ReadsTogether):
            readings[name] = instrument.together(by_agent, runs[0].frozen.rules)
        elif names is not None:
            message = f"instrument '{name}' reads one run at a time; leave --with out"
            raise InputError(message)
    return readings


def summary_instruments(evidence: Evidence) -> SummaryInstruments:
    """The instruments that declare a run to be theirs. No reading is made."""
    priorities: dict[str, int] = {}
    broken: list[str] = []
    for name in registry.names("instruments"):
        try:
            instrument = registry.load("instruments", name)
        except InputError as error:
            broken.append(str(error))
            continue
        if not isinstance(instrument, SumsUp):
            continue
        try:
            if call_plugin("instruments", name, partial(instrument.applies, evidence), bool):
                priorities[name] = instrument.priority
        except PluginError as error:
            broken.append(str(error))
    return SummaryInstruments(tuple(sorted(priorities, key=lambda name: (-priorities[name], name))), tuple(broken))
