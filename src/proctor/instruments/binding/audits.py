"""Audits of the records themselves: complete, unique, readable, mapped, and nothing leaked.

Audits speak about the data, never about the agent's binding. The five leakage rows follow S10 of the binding paper,
each measured on the rows or on the frozen declarations; one of them is a statement of scope, not a pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import NO_FIELD
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.table import Collapsed, Read
from proctor.instruments.binding.variants import FULL, IRRELEVANT, ONLY, PRIOR, SCRAMBLED_FIELD, SURFACE
from proctor.spec.ontology import UNMAPPED
from proctor.stats.sample import BoolArray

BROKEN_PARSES = frozenset({"not_json", "not_object", "empty", "none"})
"""What is not a reply that could be read; `text` is one: a bare code or a sentence."""
DIAGNOSTIC = {"not_json": "payload_not_json", "not_object": "payload_not_object", "empty": "empty", "none": "no_reply"}
"""Parse states under their names in the taxonomy of interface errors."""
SCORER_KEYS = frozenset(
    {"target", "before", "expected_action", "expected_action_after", "implied", "decisive", "valid", "swapped"}
)
"""Names under which the scorer keeps what no model may see."""

AuditStatus = Literal["pass", "fail", "scope", "not measured"]


class Audit(Struct, frozen=True, kw_only=True):
    """One line of an audit."""

    item: str
    evidence: str
    status: AuditStatus
    interpretation: str
    k: int | None = None
    n: int | None = None


class Diagnostic(Struct, frozen=True, kw_only=True):
    """Interface errors of one kind: data quality, reported apart from effects."""

    source: str
    """`reply`: what came back could not be read; `request`: nothing came back."""
    model: str
    type: str
    rows: int


def parse_errors(table: BindingTable) -> Share:
    """Rows whose reply could not be read."""
    return Share(int(table.is_in("parse", BROKEN_PARSES).sum()), table.size)


def unmapped(table: BindingTable) -> Share:
    """How many rows have an action that is no code."""
    return Share(int(unmapped_rows(table).sum()), table.size)


def unmapped_rows(table: BindingTable) -> BoolArray:
    """Rows whose action is no code; a model that emits the invalid code itself is wrong, not unmapped."""
    emitted = table.is_in("how", ("exact", "rule"))
    return table.is_in("code", (UNMAPPED,)) & ~emitted


def completeness(collapsed: Collapsed) -> tuple[Audit, ...]:
    """Were all planned records made, and is each counted once?"""
    there = collapsed.observed == collapsed.planned
    gone = collapsed.duplicate_events + collapsed.repeated
    return (
        Audit(
            item="completeness",
            evidence=f"{collapsed.observed} of {collapsed.planned} planned episodes are there",
            status="pass" if there else "fail",
            interpretation="every planned record was made" if there else "the run is partial: read it as such",
            k=collapsed.observed,
            n=collapsed.planned,
        ),
        Audit(
            item="unrecovered generations",
            evidence=f"the bench lost {collapsed.lost} episodes; {collapsed.silent} ended without a verification",
            status="pass" if collapsed.lost == 0 else "scope",
            interpretation="lost episodes are excluded and counted; unverified ones count as unmapped",
            k=collapsed.lost,
            n=collapsed.observed,
        ),
        Audit(
            item="deduplication",
            evidence=f"{collapsed.source} source records, {collapsed.duplicate_events} of duplicate source events and "
            f"{collapsed.repeated} repeated ones collapsed, {collapsed.scored} scored",
            status="pass",
            interpretation="one scored record per dataset, base event, probe, Condition and replicate; the first wins",
            k=gone,
            n=collapsed.source,
        ),
    )


def leakage(read: Read, runs: Iterable[Evidence]) -> tuple[Audit, ...]:
    """The five rows of the leakage and scope audit."""
    table = read.table
    return (
        _no_prompt_key(read, runs),
        _scored_afterwards(table),
        _controls_hide_the_state(table),
        _action_tokens(table),
        _wording(runs),
    )


def diagnostics(read: Read) -> tuple[Diagnostic, ...]:
    """Interface errors by kind and model, most frequent first."""
    table = read.table.where(read.table.is_in("parse", BROKEN_PARSES))
    groups = table.groups("model", "parse")
    replies = [
        Diagnostic(source="reply", model=model, type=DIAGNOSTIC[parse], rows=round(n))
        for (model, parse), n in zip(groups.keys, groups.total(), strict=True)
    ]
    requests = [
        Diagnostic(source="request", model=model, type=kind, rows=n) for (model, kind), n in sorted(read.errors.items())
    ]
    return tuple(sorted((*replies, *requests), key=lambda one: (-one.rows, one.source, one.model, one.type)))


def _no_prompt_key(read: Read, runs: Iterable[Evidence]) -> Audit:
    keys = {name for evidence in runs for family in evidence.frozen.families for name in _keys(_schema(family))}
    leaked = sorted(keys & SCORER_KEYS)
    clean = not leaked and read.undeclared == 0
    return Audit(
        item="scorer keys are not prompt keys",
        evidence=f"{len(keys)} declared observation keys, of them scorer-side: {', '.join(leaked) or 'none'}; "
        f"{read.undeclared} fields shown outside the declared schema",
        status="pass" if clean else "fail",
        interpretation="what an agent is shown has declared keys, and no key of the scorer is among them",
        k=len(leaked) + read.undeclared,
        n=len(keys),
    )


def _scored_afterwards(table: BindingTable) -> Audit:
    right = table.same("code", "target")
    same = int((right == (table.numbers["c"] > 0)).sum())
    return _counted(
        "the target is used after generation only",
        same,
        table.size,
        "rows whose verdict is the comparison of canonical action and target, and nothing else",
        "verdicts are computed from the recorded action and the scorer's target",
    )


def _controls_hide_the_state(table: BindingTable) -> Audit:
    blind = table.is_in("variant", (SURFACE, PRIOR))
    scrambled = table.is_in("variant", (SCRAMBLED_FIELD,))
    none = table.is_in("field_event", (NO_FIELD,))
    k = int((blind & none).sum()) + int((scrambled & ~none & ~own_field(table)).sum())
    return _counted(
        "controls do not expose the current decisive state",
        k,
        int((blind | scrambled).sum()),
        "surface-only and prior-only rows without a decisive field, scrambled rows with another event's",
        "surface, prior and scrambled controls show no decisive state of the current event",
    )


def _action_tokens(table: BindingTable) -> Audit:
    shown = table.is_in("variant", (ONLY, FULL, IRRELEVANT))
    same = table.same("field_code", "target")
    k, n = int((shown & own_field(table) & same).sum()), int(shown.sum())
    return Audit(
        item="the decisive field names its action",
        evidence=f"{k} of {n} full, only-decisive and irrelevant-cue rows show a field that implies the target"
        if n
        else "no sufficiency rows",
        status="scope" if n else "not measured",
        interpretation="sufficiency tests following the current decisive field; it is no test of hidden reasoning",
        k=k,
        n=n,
    )


def _wording(runs: Iterable[Evidence]) -> Audit:
    schemas = [_schema(family) for evidence in runs for family in evidence.frozen.families]
    words = " ".join(text for schema in schemas for text in _texts(schema)).lower()
    named = sorted(key for key in SCORER_KEYS if "_" in key and key in words)
    return Audit(
        item="wording names no scorer variable",
        evidence=f"descriptions of what is shown name: {', '.join(named) or 'none'} of the scorer's variables",
        status="pass" if not named else "fail",
        interpretation="texts may speak of choosing well; they name no variable of the scorer",
        k=len(named),
        n=len(schemas),
    )


def own_field(table: BindingTable) -> BoolArray:
    """Rows whose visible decisive field belongs to the current event."""
    return table.same("field_event", "event")


def _counted(item: str, k: int, n: int, what: str, interpretation: str) -> Audit:
    status: AuditStatus = "not measured" if n == 0 else "pass" if k == n else "fail"
    return Audit(item=item, evidence=f"{k} of {n} {what}", status=status, interpretation=interpretation, k=k, n=n)


def _schema(family: Any) -> Mapping[str, Any]:
    schema: Mapping[str, Any] = family.spec.observation_schema
    return schema


def _keys(schema: Any) -> set[str]:
    """Every property name in a JSON Schema, at any depth."""
    if isinstance(schema, Mapping):
        own = set(schema.get("properties", {})) if isinstance(schema.get("properties"), Mapping) else set()
        return own.union(*(_keys(item) for item in schema.values()))
    if isinstance(schema, list | tuple):
        return set().union(*(_keys(item) for item in schema))
    return set()


def _texts(schema: Any) -> list[str]:
    if isinstance(schema, Mapping):
        return [text for item in schema.values() for text in _texts(item)]
    if isinstance(schema, list | tuple):
        return [text for item in schema for text in _texts(item)]
    return [schema] if isinstance(schema, str) else []
