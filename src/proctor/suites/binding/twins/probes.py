"""The rows of an event: which field differs from the baseline, what the target is, and which row holds the twin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from proctor.spec.ontology import SIX_CODES
from proctor.suites.binding.twins.event import FIELDS, RECORD, REMARK, SITUATION, TALK_FIELD, Event
from proctor.suites.binding.twins.surface import Shown, surface_of

Side = Literal["lean", "other", "veto", "recall"]
Role = Literal["target", "twin", "neutral", "baseline"]
BASE = "baseline"
DESIGN = 2
"""What tells these rows from those of 1.0."""


class Probe(Struct, frozen=True):
    """One row of an event."""

    name: str
    target: Side
    role: Role
    field: str = ""
    """The field that differs from the baseline."""
    twin: str = ""
    """The probe that holds the twin of that field, all else being equal."""
    polarity: Literal["", "for", "against"] = ""
    cue: Literal["", "lean", "other"] = ""
    """Which option something beside the point names."""

    @property
    def component(self) -> str:
        """What decides; empty where nothing special does."""
        return self.field if self.role == "target" else ""


BASELINE = Probe(BASE, "lean", "baseline")
NINE = (
    BASELINE,
    Probe("reason_for", "lean", "target", "reason", "reason_against", "for"),
    Probe("reason_against", "other", "target", "reason", "reason_for", "against"),
    Probe("memory", "recall", "target", "memory", BASE),
    Probe("veto", "veto", "target", "veto", BASE),
    Probe("self_for", "lean", "target", "self", "self_against", "for"),
    Probe("self_against", "other", "target", "self", "self_for", "against"),
    Probe("cue_other", "lean", "neutral", REMARK, BASE, "against", "other"),
    Probe("cue_lean", "lean", "neutral", REMARK, BASE, "for", "lean"),
)
"""The rows of the benchmark."""

STRENGTH_FOR = Probe("strength_for", "lean", "target", "reason", "strength_against", "for")
STRENGTH_AGAINST = Probe("strength_against", "other", "target", "reason", "strength_for", "against")
DISTANT_FOR = Probe("distant_for", "lean", "target", "reason", "distant_against", "for")
DISTANT_AGAINST = Probe("distant_against", "other", "target", "reason", "distant_for", "against")
LATE_VETO = Probe("late_veto", "veto", "target", "veto", "late_clear")
LATE_CLEAR = Probe("late_clear", "lean", "twin", "veto", "late_veto")
FURTHER = (
    BASELINE,
    STRENGTH_FOR,
    STRENGTH_AGAINST,
    DISTANT_FOR,
    DISTANT_AGAINST,
    LATE_VETO,
    LATE_CLEAR,
    Probe("stray_memory", "lean", "neutral", "memory", BASE),
    Probe("stray_record", "lean", "neutral", RECORD, BASE),
    Probe("cue_chance", "lean", "neutral", REMARK, BASE, "against", "other"),
)
"""The rows of the extended corpus."""
_BY_NAME = {probe.name: probe for probe in NINE}
_TALKED = {"distant_for": "reason_for", "distant_against": "reason_against", "late_veto": "veto"}
"""Probes whose text another probe has, at a distance."""
_LATE_TURNS = 2


class Twist(Struct, frozen=True):
    """What is changed about a row beyond its probe."""

    record: bool = False
    """A field more, of no bearing on anything."""
    strength: int = 3
    distance: int = 4


class Built(Struct, frozen=True):
    """A row of an event: what may be seen, and what only the scorer knows."""

    matter: str
    state: dict[str, dict[str, str]]
    options: dict[str, str]
    hidden: dict[str, Any]


PLAIN = Twist()


def build(event: Event, probe: Probe, twist: Twist = PLAIN) -> Built:
    """The fields, options and scorer's side of one row."""
    first, second = SIX_CODES.options
    lean, other = (second, first) if event.swapped else (first, second)
    codes: dict[Side, str | None] = {"lean": lean, "other": other, "veto": SIX_CODES.veto, "recall": SIX_CODES.recall}
    fields = _fields(event, probe, twist)
    target, component = codes[probe.target], probe.component
    implied = {SITUATION: lean}
    if component:
        implied[component] = str(target)
    if probe.cue:
        implied[REMARK] = str(codes[probe.cue])
    names = {lean: event.lean, other: event.other}
    options = {first: names[first], second: names[second]}
    hidden: dict[str, Any] = {
        "design": DESIGN,
        "target": target,
        "before": lean,
        "probe": probe.name,
        "component": component,
        "role": probe.role,
        "twin": probe.twin,
        "polarity": probe.polarity,
        "decisive": [component] if component else [],
        "swapped": int(event.swapped),
        "implied": implied,
        "base_event": event.id,
        "scene": event.scene,
        "options": options,
        "cue_code": codes[probe.cue] if probe.cue else "",
        "surface": surface_of(fields.values()),
        "words": _words(event, probe, codes),
        "exchange": {
            "reason": [event.lean, event.other],
            "memory": [event.matter, event.aside],
            "self": [event.lean, event.other],
            "veto": [event.matter, event.aside],
        },
    }
    if probe in (STRENGTH_FOR, STRENGTH_AGAINST):
        hidden["strength"] = twist.strength
    if probe in (DISTANT_FOR, DISTANT_AGAINST):
        hidden["distance"] = twist.distance
    state = {name: {"event": event.id, "text": field.text} for name, field in fields.items()}
    return Built(event.matter, state, options, hidden)


def _words(event: Event, probe: Probe, codes: Mapping[Side, str | None]) -> dict[str, str]:
    """Which field is reported in an agent's own words and shown again; what it calls for, and what its twin does.

    Empty where none is. A text is asked about only where its twin is too: the baseline row shows the twins of two, and
    is asked about that of the stop in one half of the events, of the commitment in the other.
    """
    by_baseline = "veto" if event.swapped else "memory"
    if probe is BASELINE:
        target, twin = codes[BASELINE.target], codes[_BY_NAME[by_baseline].target]
        return {"field": by_baseline, "target": str(target), "twin": str(twin)}
    if probe.name not in _BY_NAME or not probe.component or (probe.twin == BASE and probe.field != by_baseline):
        return {}
    target, twin = codes[probe.target], codes[_BY_NAME[probe.twin].target]
    return {"field": probe.field, "target": str(target), "twin": str(twin)}


def _fields(event: Event, probe: Probe, twist: Twist) -> dict[str, Shown]:
    """Every field with its text, in the order shown."""
    fields = {name: event.base[name] for name in FIELDS}
    if twist.record:
        fields[RECORD] = event.instead["stray_record"]
    if probe.role == "baseline":
        return fields
    if probe in (STRENGTH_FOR, STRENGTH_AGAINST):
        fields[probe.field] = event.strengths[probe.name, twist.strength]
    elif probe is not LATE_CLEAR:
        fields[probe.field] = event.instead[_TALKED.get(probe.name, probe.name)]
    if probe in (DISTANT_FOR, DISTANT_AGAINST) and twist.distance:
        fields[TALK_FIELD] = _talk(event, twist.distance)
    if probe in (LATE_VETO, LATE_CLEAR):
        # The stop, or its twin, comes last of all, after talk that leads up to acting.
        fields[TALK_FIELD] = _talk(event, _LATE_TURNS)
        fields["veto"] = fields.pop("veto")
    return fields


def _talk(event: Event, count: int) -> Shown:
    turns = " ".join(event.talk[number % len(event.talk)] for number in range(count))
    return Shown(turns, f"{len(turns)}.{count}.0.0")
