"""What was published against what the evidence gives: results count, left-out flags count, more care does not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from proctor.audit.published import Published, differences, parse_published

COMPUTED: dict[str, Any] = {
    "format": "proctor-report",
    "label": "oracle, not a result",
    "sections": [
        {
            "instrument": "agency",
            "flags": [{"about": "R", "name": "Provisional", "reason": "few"}],
            "data": {"vector": {"S": {"level": 1, "rate": 0.5, "reason": "12/12", "flags": []}}, "code": "abc"},
        },
        {"instrument": "quality", "flags": [], "data": {"DA": 0.5}},
    ],
}


def found(change: Any, **options: Any) -> list[tuple[str, bool]]:
    """Places and whether they are wrong, after a change to an honest document."""
    data = msgspec.json.decode(msgspec.json.encode(COMPUTED))
    change(data)
    return [(one.place, one.wrong) for one in differences(Published("r", "proctor-report", data), COMPUTED, **options)]


def vector(data: Any) -> Any:
    return data["sections"][0]["data"]["vector"]["S"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda d: vector(d).update(level=3), "sections[agency].data.vector.S.level"),
        (lambda d: vector(d).update(rate=0.50001), "sections[agency].data.vector.S.rate"),
        (lambda d: vector(d).pop("level"), "sections[agency].data.vector.S.level"),
        (lambda d: vector(d).update(tier=6), "sections[agency].data.vector.S.tier"),
        (lambda d: d.update(label=""), "label"),
        (lambda d: d["sections"].pop(), "sections"),
        (lambda d: d["sections"][0].update(flags=[]), "sections[agency].flags"),
        (lambda d: d["sections"][0].pop("flags"), "sections[agency].flags"),
    ],
)
def test_a_result_that_does_not_follow_is_named(change: Any, place: str) -> None:
    assert found(change) == [(place, True)]


def test_an_honest_document_and_other_code_differ_in_nothing() -> None:
    assert found(lambda d: None) == []
    assert found(lambda d: d["sections"][0]["data"].update(code="xyz")) == []


def test_prose_is_a_doubt() -> None:
    assert found(lambda d: vector(d).update(reason="all of them")) == [("sections[agency].data.vector.S.reason", False)]


def test_more_flags_than_the_evidence_gives_are_more_care() -> None:
    def change(data: Any) -> None:
        data["sections"][0]["flags"].append(
            {"about": "", "name": "Limited Comparability (earlier runs)", "reason": "3"}
        )
        vector(data).update(reason="all of them")

    assert found(change) == []

    def inflated(data: Any) -> None:
        change(data)
        vector(data).update(level=5)

    assert found(inflated) == [("sections[agency].data.vector.S.level", True)]


def test_what_only_the_project_knows_is_a_doubt() -> None:
    def change(data: Any) -> None:
        data["sections"][1]["data"].update(DA=0.9)

    assert found(change) == [("sections[quality].data.DA", True)]
    assert found(change, of_project=frozenset({"quality"})) == [("sections[quality].data.DA", False)]


@pytest.mark.parametrize("content", [b"", b"[]", b'{"a":1}', b"\xff", b"[" * 5000])
def test_what_is_no_report_is_none(content: bytes) -> None:
    assert parse_published(content, "x") is None
