"""What was published, compared with what follows from the evidence: field by field, each difference by its place.

A number, a level, a label or a digest that does not follow is wrong. So is a flag that was left out. A flag that only
the publisher saw reason for (earlier runs in another store, say) makes a report more careful, not wrong. Prose that
differs is reported as such: it may come from another version of Proctor.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from proctor.core.canonical import UNREADABLE
from proctor.core.errors import InputError
from proctor.core.reading import open_file
from proctor.evidence.bundle.report import short_text
from proctor.evidence.evidence import Evidence
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.base import Reading
from proctor.reports.data import FORMAT as REPORT
from proctor.reports.data import Report, to_json

CARD, TECHNICAL = "proctor-agency-card", "proctor-technical-report"
MAX_BYTES = 64 * 2**20
SHOWN = 20
"""Differences that are named."""
_ELSEWHERE = frozenset({"code", "decisions", "made_with"})
"""What does not come from the evidence: the code that read it, decisions of the publisher's own gates."""
_PROSE = frozenset(
    {
        "asks",
        "caveat",
        "characteristic",
        "conclusion",
        "description",
        "failures",
        "governance_facts",
        "justification",
        "method",
        "moves",
        "note",
        "notices",
        "reason",
        "reasons",
        "started_text",
        "suite_description",
        "suite_title",
        "text",
        "threats",
        "title",
        "verdict",
    }
)


class Difference(Struct, frozen=True):
    """One place at which a published document does not say what the evidence gives."""

    place: str
    published: Any
    computed: Any
    wrong: bool
    """A result, not prose."""

    @property
    def sentence(self) -> str:
        if self.published is None and isinstance(self.computed, str) and self.place.endswith("flags"):
            return f"{self.place}: {short_text(self.computed)} follows from the evidence, and was left out"
        return (
            f"{self.place}: published is {short_text(self.published, 80)}, the evidence gives "
            f"{short_text(self.computed, 80)}"
        )


class Published(Struct, frozen=True):
    """A document that was published, as it was found."""

    name: str
    kind: str
    """Its format; `score` for what `proctor score --json` prints."""
    data: dict[str, Any]

    @property
    def root(self) -> str | None:
        """The root of the run it is about, as it says."""
        for path in (("digests", "root"), ("root",), ("artifact", "root"), ("evidence", "artifact", "root")):
            value: Any = self.data
            for key in path:
                value = value.get(key) if isinstance(value, dict) else None
            if isinstance(value, str):
                return value
        return None

    @property
    def other(self) -> str | None:
        """The run within the other boundary that it rests on too (empty: unnamed); None where there is none."""
        other = self.data.get("other")
        return str(other.get("run", "")) if isinstance(other, dict) else None


def read_published(path: Path) -> Published:
    """A file that was published. Refuses, in one sentence, what is no report, card or reading in JSON."""
    try:
        with open_file(path) as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        message = f"{path}: cannot be read ({error.strerror}); give the JSON form of what was published"
        raise InputError(message) from None
    found = parse_published(content, str(path))
    if found is None:
        message = (
            f"{path}: is no report, card, Technical Report or reading in JSON; ask for what `proctor report -o "
            "report.json` wrote"
        )
        raise InputError(message)
    return found


def parse_published(content: bytes, name: str) -> Published | None:
    """The document in these bytes; None where it is none that can be compared."""
    try:
        data = msgspec.json.decode(content[: MAX_BYTES + 1], type=dict[str, Any])
    except UNREADABLE:
        return None
    form = data.get("format")
    if form in (REPORT, CARD, TECHNICAL):
        return Published(name, str(form), data)
    return Published(name, "score", data) if {"run", "root", "config_hash", "suite"} <= data.keys() else None


def computed_document(
    published: Published, store: EvidenceStore, report: Report, readings: dict[str, Reading], evidence: Evidence
) -> dict[str, Any]:
    """What the same document says when it is made from the evidence here."""
    from proctor.core.canonical import jsonable
    from proctor.reports.documents.card import card_json, card_of
    from proctor.reports.documents.efficacy import credited_outcomes
    from proctor.reports.documents.technical import technical_json, technical_report

    if published.kind == "score":
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(jsonable(readings)))
        return plain
    data = to_json(report)
    if published.kind == CARD:
        data = card_json(card_of(report))
    elif published.kind == TECHNICAL:
        data = technical_json(technical_report(report, credited_outcomes(store, evidence)))
    found: dict[str, Any] = msgspec.json.decode(data)
    return found


def differences(
    published: Published, computed: dict[str, Any], of_project: frozenset[str] = frozenset()
) -> list[Difference]:
    """Where the two do not say the same, results before prose.

    `of_project` are instruments that also read what only the publisher's project has (baselines, governed rules,
    records of load): what they say cannot be made from the evidence alone.
    """
    theirs = published.data
    if published.kind == "score":
        # Of a reading printed by itself only the instruments' own part can be compared.
        theirs = {name: value for name, value in theirs.items() if name in computed}
        computed = {name: value for name, value in computed.items() if name in theirs}
    cautious = bool(_flag_names(theirs) - _flag_names(computed))
    found = list(_walk(theirs, computed, "", of_project, wrong=True))
    if cautious:
        found = [one for one in found if one.wrong]
    return sorted(found, key=lambda one: not one.wrong)


def _walk(theirs: Any, ours: Any, place: str, of_project: frozenset[str], *, wrong: bool) -> Iterator[Difference]:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        wrong = wrong and ours.get("instrument") not in of_project
        for key in [*theirs, *(key for key in ours if key not in theirs)]:
            if key in _ELSEWHERE:
                continue
            inner = f"{place}.{key}" if place else str(key)
            if key == "flags":
                yield from _flags(theirs.get(key), ours.get(key), inner)
            else:
                yield from _walk(theirs.get(key), ours.get(key), inner, of_project, wrong=wrong and key not in _PROSE)
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for number, (one, other) in enumerate(zip(theirs, ours, strict=True)):
            yield from _walk(one, other, f"{place}[{_called(other, number)}]", of_project, wrong=wrong)
    elif theirs != ours:
        yield Difference(place, theirs, ours, wrong)


def _called(value: Any, number: int) -> str:
    """What an item of a list is called in a place."""
    for key in ("dimension", "cell", "instrument", "name"):
        if isinstance(value, dict) and isinstance(value.get(key), str):
            return str(value[key])
    return str(number)


def _flags(theirs: Any, ours: Any, place: str) -> Iterator[Difference]:
    """Flags that follow from the evidence and were left out; more than those only make a report more careful."""
    shown = _flag_names({"flags": theirs})
    for name in sorted(_flag_names({"flags": ours}) - shown):
        yield Difference(place, None, name, True)


def _flag_names(value: Any) -> set[str]:
    """Every flag in a document, with what it is about."""
    names: set[str] = set()
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "flags" and isinstance(inner, list):
                names |= {_flag(one) for one in inner}
            elif key == "flags":
                names |= {str(inner)} - {"", "None"}
            else:
                names |= _flag_names(inner)
    elif isinstance(value, list):
        for inner in value:
            names |= _flag_names(inner)
    return names


def _flag(value: Any) -> str:
    if isinstance(value, dict):
        about = value.get("about")
        return f"{about}={value.get('name')}" if about else str(value.get("name"))
    return str(value)
