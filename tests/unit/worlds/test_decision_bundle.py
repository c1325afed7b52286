"""Evidence bundles: what is refused, and what an accepted one is worth."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from tests.unit.suites.quality.decisions import CLAIMS, COORDINATE, scenario
from tests.unit.suites.quality.living import calling, lived, measures, pay

from proctor.core.errors import ToolError
from proctor.worlds.decision.bundle import Bundle, BundleClaim, check_bundle, score_bundle, share
from proctor.worlds.decision.case import Case
from proctor.worlds.decision.equality import same

PROVEN = scenario("proven", evidence_schema={"claims": CLAIMS})
CASE = Case(PROVEN)


def claim(name: str, value: Any, *links: str) -> BundleClaim:
    return BundleClaim(name, "as it is", value, list(links))


def bundle(*claims: BundleClaim, **changes: Any) -> Bundle:
    facts: dict[str, Any] = {"decision_id": CASE.decision_id, "claims": list(claims), "coordinate": COORDINATE}
    return Bundle(**{**facts, **changes})


AMOUNT, OWNER = claim("amount", 100, "amount"), claim("owner", "ACC-500", "account")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (bundle(AMOUNT, decision_id="D-1"), "about decision 'D-1'"),
        (bundle(AMOUNT, coordinate="G1.U2"), "write all five levels"),
        (bundle(), "no claims"),
        (bundle(AMOUNT, AMOUNT), "claim 'amount' is in the bundle twice"),
        (bundle(claim("a", 1, "moon")), "claim 'a' links to 'moon', which is neither a source nor a claim"),
        (bundle(claim("a", 1, "a")), "the links go in a circle: a → a"),
        (bundle(claim("a", 1, "b"), claim("b", 1, "c"), claim("c", 1, "a")), "go in a circle"),
    ],
)
def test_nonsense_is_refused_with_a_sentence_that_names_it(given: Bundle, sentence: str) -> None:
    with pytest.raises(ToolError, match=sentence) as caught:
        check_bundle(given, CASE)
    assert "\n" not in str(caught.value)


def test_a_circle_is_named_along_its_links() -> None:
    with pytest.raises(ToolError) as caught:
        check_bundle(bundle(claim("a", 1, "b"), claim("b", 1, "c"), claim("c", 1, "a")), CASE)
    named = str(caught.value).split(": ")[1].split("; ")[0].split(" → ")
    assert named[0] == named[-1] and set(named) == {"a", "b", "c"}
    links = {"a": "b", "b": "c", "c": "a"}
    assert all(links[one] == two for one, two in pairwise(named))


@pytest.mark.parametrize(
    ("given", "complete", "traceable", "true"),
    [
        (bundle(AMOUNT, OWNER), "1", "1", "1"),
        (bundle(AMOUNT), "0.500000", "0.500000", "0.500000"),
        (bundle(claim("amount", 101, "amount"), OWNER), "1", "1", "0.500000"),
        (bundle(claim("amount", 100.0, "amount"), OWNER), "1", "1", "1"),
        (bundle(claim("amount", "100", "amount"), OWNER), "1", "1", "0.500000"),
        (bundle(claim("amount", 100), OWNER), "1", "0.500000", "1"),
        (bundle(claim("amount", 100, "note"), OWNER), "1", "0.500000", "1"),
        # Through another claim, and with a further claim that is true or not.
        (bundle(claim("amount", 100, "read"), OWNER, claim("read", 100, "amount")), "1", "1", "1"),
        (bundle(claim("amount", 100, "read"), OWNER, claim("read", 7, "amount")), "1", "1", "0.666667"),
        (bundle(claim("amount", 100, "read"), OWNER, claim("read", 100)), "1", "0.333333", "0.666667"),
        (bundle(AMOUNT, OWNER, coordinate="G1.U2.P3.Z9.A5"), "1", "0", "1"),
    ],
)
def test_worth(given: Bundle, complete: str, traceable: str, true: str) -> None:
    check_bundle(given, CASE)
    assert score_bundle(given, CASE).measures() == {"complete": complete, "traceable": traceable, "true": true}


def test_a_bundle_may_be_filed_anywhere_within_a_wide_case() -> None:
    wide = Case(scenario("proven", coordinate="G1.U2.P3.*.*", evidence_schema={"claims": CLAIMS}))
    given = bundle(AMOUNT, OWNER, decision_id=wide.decision_id)
    assert score_bundle(given, wide).measures()["traceable"] == "1"


def test_a_long_chain_of_claims_is_followed() -> None:
    chain = [claim(f"c{n}", 100, f"c{n + 1}") for n in range(3_000)]
    given = bundle(*chain, claim("c3000", 100, "amount"))
    check_bundle(given, CASE)
    assert score_bundle(given, CASE).traceable == 3_001


def test_a_required_bundle_that_is_missing_scores_nothing() -> None:
    trial = lived(PROVEN, calling(pay()))
    found = measures(trial)
    assert trial.row.reason == "missing_evidence"
    assert [found[name] for name in ("evidence", "complete", "traceable", "true", "correct")] == [1, "0", "0", "0", 1]


def test_the_last_accepted_bundle_counts() -> None:
    def filed(*claims: BundleClaim) -> tuple[str, dict[str, Any]]:
        listed = [{"id": c.id, "statement": c.statement, "value": c.value, "links": c.links} for c in claims]
        facts = {"decision_id": CASE.decision_id, "claims": listed, "coordinate": COORDINATE}
        return "collect_evidence", {"bundle": facts}

    trial = lived(PROVEN, calling(filed(AMOUNT), filed(AMOUNT, OWNER), filed(claim("a", 1, "moon")), pay()))
    assert trial.succeeded
    assert measures(trial)["complete"] == "1"
    # Right action, thin evidence: that is what the vector is for.
    thin = lived(PROVEN, calling(filed(AMOUNT), pay()))
    assert thin.succeeded and measures(thin)["complete"] == "0.500000"


def test_shares_and_equality() -> None:
    assert [share(0, 0), share(0, 3), share(3, 3), share(1, 3)] == ["0", "0", "1", "0.333333"]
    assert same({"a": [1, 2.0]}, {"a": [1.0, 2]}) and not same(1, True) and not same("1", 1)
    assert not same(float("nan"), float("nan"))
