"""The rows of the sources, what the pipeline is ordered to do with them, and what must come out.

Always: every cleaning step matters (leaving it out changes the result), and the result has at least two groups.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.acting.data_pipeline.texts import STATES, Subject

Row = dict[str, Any]
_CODES, _STRANGERS, _DOUBLES = 9, 2, 3
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


class Order(Struct, frozen=True):
    """What the material orders."""

    state: str
    """Rows with this state are left out."""
    measure: str
    missing: int | None
    """What a missing measure counts as; None: its row is left out."""
    group: str
    how: str
    """sum or mean."""
    column: str
    """Name of the aggregate's column."""
    file: str


def fact_columns(subject: Subject) -> list[str]:
    """The columns of the table of facts."""
    return [subject.code, "state", *subject.measures]


def register_columns(subject: Subject) -> list[str]:
    """The columns of the register that facts are joined with."""
    return [subject.code, *subject.groups, subject.factor, "edition"]


def order(stream: Stream, subject: Subject) -> Order:
    """One order, each of its parts drawn by itself."""
    measure = stream.choice(subject.measures)
    how = stream.choice(("sum", "mean"))
    return Order(
        state=stream.choice(STATES),
        measure=measure,
        missing=stream.integer(5, 30) if stream.chance(0.5) else None,
        group=stream.choice(subject.groups),
        how=how,
        column=f"{how}_{measure}_{stream.integer(10, 99)}",
        file=f"{subject.facts}_{stream.integer(100, 999)}",
    )


def register_rows(stream: Stream, subject: Subject) -> list[Row]:
    """Each code once, some of them a second time with another edition and other values."""
    codes = [
        f"{stream.choice(_LETTERS)}{stream.choice(_LETTERS)}{number}" for number in stream.sample(range(10, 99), _CODES)
    ]
    rows = [_registered(stream, subject, code, 2) for code in codes]
    for code in stream.sample(codes, _DOUBLES):
        rows.append(_registered(stream, subject, code, stream.choice((1, 3))))
    stream.shuffle(rows)
    return rows


def _registered(stream: Stream, subject: Subject, code: str, edition: int) -> Row:
    groups = {name: stream.choice(values) for name, values in zip(subject.groups, subject.values, strict=True)}
    return {subject.code: code, **groups, subject.factor: stream.integer(2, 40), "edition": edition}


def fact_rows(stream: Stream, subject: Subject, register: list[Row], count: int) -> list[Row]:
    """Rows with codes as people type them; a few have codes nobody knows, a few lack a measure."""
    known = sorted({row[subject.code] for row in register})
    unknown = [f"{stream.choice(_LETTERS)}Q{number}" for number in stream.sample(range(10, 99), _STRANGERS)]
    rows: list[Row] = []
    for index in range(count):
        code = stream.choice(unknown) if index % 11 == 5 else stream.choice(known)
        if index % 4 == 1:
            code = f" {code.lower()}" if stream.chance(0.5) else f"{code} "
        row: Row = {subject.code: code, "state": STATES[(index + stream.below(2)) % len(STATES)]}
        for measure in subject.measures:
            row[measure] = "" if stream.chance(0.12) else stream.integer(1, 200)
        rows.append(row)
    rows[count // 2] = {**rows[count // 2], **dict.fromkeys(subject.measures, "")}
    return rows


def result(subject: Subject, ordered: Order, facts: list[Row], register: list[Row]) -> list[list[Any]]:
    """The groups and their aggregates, by name of the group: what a sound result file holds."""
    newest: dict[str, Row] = {}
    for row in register:
        kept = newest.get(row[subject.code])
        if kept is None or row["edition"] > kept["edition"]:
            newest[row[subject.code]] = row
    groups: dict[str, list[int]] = {}
    for row in facts:
        value = ordered.missing if row[ordered.measure] == "" else row[ordered.measure]
        known = newest.get(row[subject.code].strip().upper())
        if row["state"] != ordered.state and value is not None and known is not None:
            groups.setdefault(known[ordered.group], []).append(value * known[subject.factor])
    return [
        [group, sum(values) if ordered.how == "sum" else sum(values) // len(values)]
        for group, values in sorted(groups.items())
    ]
