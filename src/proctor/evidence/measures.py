"""The kinds of measures that instruments read, declared once.

A verifier may leave any whole numbers and short texts in `Verification.measures`; they stand in `row.measures` as
canonical JSON. Measures that an instrument counts with are one of the structs below, and say which under `kind`. A
family of another sort writes whatever it likes, with a `kind` of its own or none: nothing here reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from proctor.core.errors import InputError
from proctor.evidence.row import Row

TAG = "kind"
DECISION, BINDING, LOCALISATION = "decision", "binding", "localisation"
NO_FIELD = "none"
"""`field_event` where no decisive field was visible."""

_WHOLE = 1 - 1e-9
"""Above it a share lacks nothing: decimals are rounded."""

Safety = Literal["ok", "S1", "S2", "S3", "unclassified"]
Decimal = str | int | float


class DecisionMeasures(Struct, frozen=True, kw_only=True, tag_field=TAG, tag=DECISION):
    """The correctness vector of one episode of a scenario."""

    scenario: str
    """The scenario's id."""
    hash: str
    """The beginning of its content hash: the same id with other content is another scenario."""
    category: str
    """`correctness`, `safety`, `performance` or `governance`."""
    coordinate: str
    """Where in the organisation, e.g. `G1.U2.P1.Z3.A1`; empty where it is not known."""
    level: str
    """The level of that coordinate: `agent`, `zone`, `planet`, `universe` or `galaxy`."""
    reach: str = "agent"
    """What it is about: `agent`, `inter_agent`, `cross_zone` or `cross_planet`."""
    weight: str = "1"
    """What it counts, from 0 to 1; `case.weight` has it as a number."""
    adversarial: str = ""
    """How it tries to mislead: `ambiguous_context`, `conflicting_constraints`, `resource_pressure` or
    `cascading_errors`; empty: it does not."""
    provenance: str = ""
    """Where it comes from: `template`, `incident` or `expert`."""
    correct: int
    """1 where it ended in an acceptable action, with the right arguments."""
    exact: int
    """1 where that was the preferred one."""
    action: str
    """Name of what was done in the end; empty: nothing."""
    action_key: str = ""
    """Digest of name and arguments, where the comparator gives it: lets a changed oracle judge old runs."""
    gates: int
    """How many gates were required."""
    gates_ok: int
    """How many of them were invoked in time, with the right type."""
    gate_levels_ok: int
    """How many of those at the right level: the right person was asked."""
    over_asked: int
    """Different gates that were invoked and not required."""
    evidence: int
    """1 where a bundle of evidence was required."""
    complete: str = "0"
    """Share of the required claims that the bundle has, as a decimal from 0 to 1; 0 without a bundle."""
    traceable: str = "0"
    """Share of its claims whose links lead to sources."""
    true: str = "0"
    """Share of its claims that agree with the sources."""
    safety: Safety
    """The worst thing that was tried: `ok`, `S3`, `S2`, `S1` (the gravest), or `unclassified`."""
    s1_acts: int = 0
    """How many acts of class S1 were tried; like those below, 0 in evidence from before acts were counted."""
    s2_acts: int = 0
    """Acts of class S2, one that was done without leave included."""
    s3_acts: int = 0
    """Acts of class S3."""
    unclassified_acts: int = 0
    """Acts that nobody classified."""
    unapproved: int = 0
    """1 where the case ended with an act done against a verdict, or on a yes that was given for something else."""
    escalated: int = 0
    """1 where it was left to a human."""
    stale: int = 0
    """1 outside the scenario's validity; such an episode is in no metric."""


def evidence_is_whole(complete: Decimal, traceable: Decimal, true: Decimal) -> bool:
    """Whether a bundle has every required claim, and every claim is traceable and true."""
    return min(float(complete), float(traceable), float(true)) > _WHOLE


class BindingMeasures(Struct, frozen=True, kw_only=True, gc=False, tag_field=TAG, tag=BINDING):
    """One episode of a binding probe."""

    dataset: str
    event: str
    """The base event."""
    probe: str
    component: str = ""
    role: str = ""
    ontology: str = ""
    swapped: int = 0
    before: str = ""
    target: str
    code: str
    how: str = ""
    parse: str = ""
    c: int
    u: int | None = None
    raw: str = ""
    field_event: str = NO_FIELD
    field_code: str = ""
    cue_code: str = ""
    declared: int = 0
    duplicate: int = 0
    rsi: int | None = None
    vei: int | None = None
    sci: Decimal | None = None
    aci: Decimal | None = None
    t_reason: Decimal | None = None
    t_memory: Decimal | None = None
    t_veto: Decimal | None = None
    t_self: Decimal | None = None
    fields: int | None = None
    strength: Decimal | None = None
    distance: Decimal | None = None
    arm_of: str = ""
    screen: str = ""
    design: int = 1
    """2 where every decisive text has a twin (binding 2.0)."""
    twin: str = ""
    """The probe of the row with which this one is compared, in the same event, Condition and replicate."""
    polarity: str = ""
    """`for` or `against` what the situation leans to; empty where neither applies."""
    surface: str = ""
    """What of the shown texts needs no reading, field by field: `chars.marks.first`."""


class LocalisationMeasures(Struct, frozen=True, kw_only=True, tag_field=TAG, tag=LOCALISATION):
    """The files that were named for one issue, under one condition. Shares are decimals as text."""

    issue: str
    repo: str
    files: str
    """Those named, as a JSON list."""
    hit: int
    violations: str
    """Names of the hard violations, joined by commas."""
    overlap_state: str
    """With the files of the shown notes."""
    overlap_other: str
    """With the files of another issue's notes."""
    cue_followed: int
    issue_words: int
    top_score: str
    rank: int
    """Of the first reference file among the candidates."""
    recall: str
    """Share of the reference files among the candidates; empty where the issue has none."""
    references: int
    rationale_words: int | None = None
    confidence: str | None = None


Measures = DecisionMeasures | BindingMeasures | LocalisationMeasures
M = TypeVar("M", DecisionMeasures, BindingMeasures, LocalisationMeasures)

_SORTS: dict[type[Struct], tuple[str, str]] = {
    DecisionMeasures: (DECISION, "decision"),
    BindingMeasures: (BINDING, "binding probe"),
    LocalisationMeasures: (LOCALISATION, "localisation"),
}
"""Tag of each kind, and what one of it is called in an error."""


class _Marks(Struct, frozen=True, gc=False):
    """What tells the kind of some measures."""

    kind: Any = None
    scenario: Any = None
    hash: Any = None
    safety: Any = None


_MARKS = msgspec.json.Decoder(_Marks)
_LISTS: dict[type[Struct], msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(list[kind])  # type: ignore[valid-type]
    for kind in _SORTS
}


def is_a(kind: type[M], row: Row) -> bool:
    """Whether the row carries measures of this kind."""
    if row.measures is None:
        return False
    marks = _MARKS.decode(row.measures)
    return (_untagged(marks) if marks.kind is None else marks.kind) == _SORTS[kind][0]


def measures_problem(row: Row) -> str:
    """What is wrong with measures that say they are of a declared kind, in a sentence; empty where nothing is."""
    if row.measures is None:
        return ""
    try:
        marks = _MARKS.decode(row.measures)
        for kind, (tag, called) in _SORTS.items():
            if (_untagged(marks) if marks.kind is None else marks.kind) == tag:
                try:
                    _LISTS[kind].decode(f"[{row.measures}]")
                except msgspec.ValidationError as error:
                    return f"its measures say that it is a {called}, and lack what one has ({str(error)[:120]!a})"
    except (msgspec.MsgspecError, RecursionError):
        return "its measures are none that a verifier leaves"
    return ""


def measures_of(kind: type[M], row: Row) -> M | None:
    """The row's measures if they are of this kind; None if it has none, or others."""
    return all_measures_of(kind, [row])[0] if is_a(kind, row) else None


def all_measures_of(kind: type[M], rows: Sequence[Row]) -> list[M]:
    """The measures of rows that all carry this kind. Refuses, in one sentence, what a family wrote otherwise."""
    try:
        # One document decodes three times as fast as its lines.
        decoded: list[M] = _LISTS[kind].decode(f"[{','.join(row.measures or '' for row in rows)}]")
    except msgspec.ValidationError as error:
        called = _SORTS[kind][1]
        message = f"a row says it is a {called} and lacks what one has ({error}); mend its family's measures"
        raise InputError(message) from None
    return decoded


def _untagged(marks: _Marks) -> str | None:
    """The kind of measures that name none.

    Scenarios were recorded without a kind once, and are known by the fields that nothing else has together. This is
    the only place that recognises measures by their fields.
    """
    return DECISION if None not in (marks.scenario, marks.hash, marks.safety) else None
