"""Structured claims against the record: which hold, which are false, which cannot be read."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.core.canonical import chainable, encode
from proctor.evidence.claims import Stated, claims_column, read_claims
from proctor.evidence.events import Observed, Returned

LONG = "word " * 2000
RECORD = (
    Observed(chainable({"total": 417, "ratio": 0.5, "a/b": {"~x": [1, None]}, "größe": "L", "open": True})),
    Returned(0, True, 100, {"count": 3}),
    Returned(1, False, 200, error="no such thing"),
    Returned(2, True, 300, content=sha256(encode(LONG)).hexdigest()),
    Returned(3, True, 400, unstable=True),
)
ASIDE = [["model", {"x": 1}], [3, "it rains"]]


def column(*claims: Any, success: bool | None = True, begin: int = 0) -> str | None:
    stated = Stated(tuple(chainable(claim) for claim in claims), begin, len(RECORD))
    return claims_column([stated], RECORD, ASIDE, success)


def counted(*claims: Any, **more: Any) -> dict[str, tuple[int, int]]:
    found = read_claims(column(*claims, **more))
    return {kind: counts for kind, counts in found.items() if counts != (0, 0)}


def tool(target: Any, result: Any) -> dict[str, Any]:
    return {"action": "tool", "target": target, "result": result}


def observed(target: Any, result: Any) -> dict[str, Any]:
    return {"action": "observed", "target": target, "result": result}


def verified(result: Any) -> dict[str, Any]:
    return {"action": "verified", "target": "/task/report.txt", "result": result}


def test_no_structured_claim_is_not_measured() -> None:
    assert column() is None
    assert column({"action": "move", "target": "d", "result": "done"}, {"action": "looked"}, "text", 5, None) is None


def test_the_column_has_every_kind() -> None:
    assert column(tool(0, "ok")) == '{"observed":[0,0],"tool":[1,0],"verified":[0,0]}'


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        (tool(0, "ok"), True),
        (tool(0, "failed"), False),
        (tool("1", "failed"), True),
        (tool(1, "ok"), False),
        (tool(99, "ok"), False),
        (tool(99, "failed"), False),
        (observed("/0/total", 417), True),
        (observed("/0/total", 418), False),
        (observed("/0/total", 417.0), True),
        (observed("/0/total", "417"), True),
        (observed("/0/total", True), False),
        (observed("/0/ratio", 0.5), True),
        (observed("/0/ratio", "0.50"), True),
        (observed("/0/open", "true"), True),
        (observed("/0/open", 1), False),
        (observed("/0/größe", "L"), True),
        (observed("/0/a~1b/~0x/0", 1), True),
        (observed("/0/a~1b/~0x/1", None), True),
        (observed("/0/a~1b/~0x", [1, None]), True),
        (observed("/0/a~1b/~0x/2", None), False),
        (observed("/0/a~1b/~0x/01", None), False),
        (observed("/0/nothing", None), False),
        (observed("/1/result/count", 3), True),
        (observed("/1/result", {"count": 4}), False),
        (observed("/2/error", "no such thing"), True),
        (observed("/2/result", None), False),
        (observed("/3/result", LONG), True),
        (observed("/3/result", LONG[:-1]), False),
        (observed("/3/result/0", "w"), False),
        (observed("/4/result", "it rains"), True),
        (observed("/4/result", "it shines"), False),
        (observed("/5/result", 1), False),
        (verified("ok"), True),
        (verified("failed"), False),
    ],
)
def test_a_claim_holds_or_is_false(claim: dict[str, Any], holds: bool) -> None:
    assert counted(claim) == {claim["action"]: (1, int(not holds))}


@pytest.mark.parametrize(
    "claim",
    [
        tool("first", "ok"),
        tool(-1, "ok"),
        tool(True, "ok"),
        tool(1.5, "ok"),
        tool(None, "ok"),
        tool(0, "maybe"),
        tool(0, None),
        observed("total", 1),
        observed("", 1),
        observed("/total", 1),
        observed("/00/total", 1),
        observed("/0/a~2", 1),
        observed(3, 1),
        observed(["/0"], 1),
        verified("certainly"),
        {"action": "tool"},
    ],
)
def test_what_cannot_be_read_is_malformed_and_neither_made_nor_false(claim: dict[str, Any]) -> None:
    assert counted(claim) == {"malformed": (1, 0)}


def test_several_claims_about_one_thing_are_one_and_false_if_any_is() -> None:
    padded = [tool(1, "ok"), *[tool("1", "failed")] * 9]
    assert counted(*padded) == {"tool": (1, 1)}
    assert counted(observed("/0/total", 1), observed("/0/total", 417)) == {"observed": (1, 1)}
    assert counted(verified("ok"), verified("failed")) == {"verified": (1, 1)}


def test_without_a_verdict_nothing_is_said_about_claims_of_one() -> None:
    assert column(verified("ok"), success=None) is None
    assert counted(verified("ok"), success=False) == {"verified": (1, 1)}
    assert counted(verified("failed"), success=False) == {"verified": (1, 0)}


def test_an_agent_that_takes_over_has_observations_of_its_own() -> None:
    record = (*RECORD, Observed({"total": 5}), Returned(4, True, 500, 7))
    first = Stated((chainable(observed("/0/total", 417)),), 0, 5)
    second = Stated((chainable(observed("/0/total", 417)), tool(0, "ok"), observed("/1/result", 7)), 5, 7)
    assert read_claims(claims_column([first, second], record, ASIDE, True)) == {
        "observed": (3, 1),
        "tool": (1, 0),
        "verified": (0, 0),
    }


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
_claims = st.fixed_dictionaries(
    {"action": st.sampled_from(["tool", "observed", "verified"]) | st.text(max_size=5)},
    optional={"target": st.sampled_from(["/0/total", "/1/result", 0, 1]) | _anything, "result": _anything},
)


@given(st.lists(_claims | _anything, max_size=5), st.sampled_from([True, False, None]))
def test_whatever_is_claimed_it_is_counted_and_nothing_breaks(claims: list[Any], success: bool | None) -> None:
    found = column(*claims, success=success)
    for made, false in read_claims(found).values():
        assert 0 <= false <= made <= len(claims)
