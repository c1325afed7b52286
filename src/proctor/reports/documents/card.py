"""The Agency Card as data: one page that says what was found, how sure that is, and who answers for it (§13.3).

The Comparison Tuple comes first and nothing stands without it. Levels are ordinal, so they are a ladder with the rates
that decided them, and no average, area or radar. Whatever was not declared or not measured says so.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from proctor.reports.data import Notice, Report, RungState
from proctor.reports.documents.declarations import preregistration
from proctor.reports.documents.parts import (
    CAPABILITY_ONLY,
    Artifact,
    ComparisonTuple,
    Contact,
    Flagged,
    Quantity,
    Verification,
    artifact_of,
    comparison_of,
    contact_of,
    efficiency_of,
    flags_of,
    found_in,
    mandatory_of,
    notices_of,
    verdict_of,
    verification_of,
)
from proctor.reports.numbers import NOT_DECLARED, NOT_RECORDED, moment
from proctor.reports.sections.agency.shown import Dimension, Level, Vector, agency_section
from proctor.reports.sections.agency.words import bound_text, criterion_text, level_words, spread_text, value_text

FORMAT = "proctor-agency-card"
VERSION = 1


class Rate(Struct, frozen=True, forbid_unknown_fields=True):
    """The number that decided a level."""

    cell: str
    asks: str
    status: str
    kind: str | None
    """rate, gain, loss, share or families; null where nothing was measured."""
    what: str
    """What was measured, e.g. `rate under baseline`."""
    k: int | None
    n: int | None
    value: float | None
    low: float | None
    high: float | None
    needs: float | None
    value_text: str
    interval_text: str
    needs_text: str
    text: str
    """All of it in a line."""


class CardDimension(Struct, frozen=True, forbid_unknown_fields=True):
    """One dimension, or a part of G."""

    dimension: str
    title: str
    level: int | None
    text: str
    """The level in words; with the mean for G."""
    rungs: tuple[RungState, ...]
    """How levels 1 to 5 stand."""
    credited: Rate | None
    """The rate the level was credited for."""
    next: Rate | None
    """The rate of the level above it."""
    flags: tuple[str, ...]
    other_level: int | None = None
    """The level within the other boundary, where its run was given."""
    part: bool = False
    """Whether it is a part of G."""


class CardSystem(Struct, frozen=True, forbid_unknown_fields=True):
    """What was examined."""

    name: str
    version: str
    architecture: str
    configuration_hash: str
    agent: str


class Card(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An Agency Card."""

    format: str
    version: int
    comparison: ComparisonTuple
    other: ComparisonTuple | None
    """The same system within its other boundary; null where only one was given."""
    statement: str
    label: str
    """Empty, or what must be said wherever the result appears, e.g. `oracle, not a result`."""
    exploratory: str
    """Why the result is exploratory; empty where it is not."""
    verdict: tuple[str, ...]
    notices: tuple[Notice, ...]
    system: CardSystem
    started: str
    """When the evaluation was started."""
    started_text: str
    episodes: int
    seed: str
    dimensions: tuple[CardDimension, ...]
    efficiency: tuple[Quantity, ...]
    verification: Verification
    artifact: Artifact
    contact: Contact
    flags: tuple[Flagged, ...]
    governance_notes: str
    preregistration: str
    """Which run of which registered series it is; `not preregistered` where it is of none."""
    technical_report: tuple[str, ...]
    """The cases of §13.4 in which a Technical Report is mandatory; empty: it is not."""
    instrument: str
    """The instrument and version that read the evidence."""
    challenges: tuple[dict[str, Any], ...] = ()
    """The record of every challenge, published together with it (§15.4.3); left out where nobody challenged it."""


def card_of(report: Report) -> Card:
    """The card of a report; refuses one without an Agency Vector."""
    found = found_in(report)
    other = found_in(report.other) if report.other is not None and agency_section(report.other) is not None else None
    return Card(
        format=FORMAT,
        version=VERSION,
        comparison=comparison_of(found),
        other=None if other is None else comparison_of(other),
        statement=CAPABILITY_ONLY,
        label=report.label,
        exploratory=found.standing.exploratory,
        verdict=verdict_of(report),
        notices=notices_of(report),
        system=CardSystem(
            report.system.name,
            report.system.version,
            report.system.architecture or NOT_DECLARED,
            report.system.configuration_hash or NOT_DECLARED,
            report.agent,
        ),
        started=report.started or NOT_RECORDED,
        started_text=moment(report.started or NOT_RECORDED),
        episodes=report.episodes,
        seed="public" if report.seed.public else "chosen by the author" if report.seed.chosen else "hidden",
        dimensions=tuple(_dimensions(found.vector, None if other is None else other.vector)),
        efficiency=efficiency_of(report),
        verification=verification_of(report),
        artifact=artifact_of(report),
        contact=contact_of(found, report),
        flags=flags_of(report),
        governance_notes=found.standing.governance_line,
        preregistration=preregistration(report, found.standing).text,
        technical_report=mandatory_of(report),
        instrument=f"agency {found.vector.version}",
        challenges=report.challenges,
    )


def _dimensions(vector: Vector, other: Vector | None) -> list[CardDimension]:
    theirs = {} if other is None else other.all()
    return [
        _dimension(one, theirs.get(one.dimension), part=one is not whole)
        for whole in vector.vector.values()
        for one in (whole, *(whole.parts.values() if whole.n else ()))
    ]


def _dimension(one: Dimension, theirs: Dimension | None, *, part: bool) -> CardDimension:
    return CardDimension(
        dimension=one.dimension,
        title=one.title,
        level=one.level,
        text=level_words(one),
        rungs=one.rungs,
        credited=_rate(one.credited, above=False),
        next=_rate(one.next, above=True),
        flags=tuple(dict.fromkeys(flag.name for flag in one.flags)),
        other_level=None if theirs is None else theirs.level,
        part=part,
    )


def _rate(level: Level | None, *, above: bool) -> Rate | None:
    """A level as the card shows it; `above`: it is not the one that is credited."""
    if level is None:
        return None
    one = level.deciding
    return Rate(
        cell=level.cell,
        asks=level.asks,
        status="met, not credited" if above and level.met else level.status,
        kind=None if one is None else one.kind,
        what="" if one is None else one.what,
        k=None if one is None else one.k,
        n=None if one is None else one.n,
        value=None if one is None else one.value,
        low=None if one is None else one.low,
        high=None if one is None else one.high,
        needs=None if one is None else one.needs,
        value_text=level.status if one is None else value_text(one),
        interval_text="" if one is None else spread_text(one),
        needs_text="" if one is None else bound_text(one),
        text=level.reason if one is None else criterion_text(one),
    )


def card_json(card: Card) -> bytes:
    """The card as a JSON document, readable and ending in a newline."""
    return msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n"


def card_from_json(data: bytes) -> Card:
    """The card that `card_json` was given."""
    return msgspec.json.decode(data, type=Card)
