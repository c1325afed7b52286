"""Who evaluates, for whom and for what: closed sets, and clear refusals."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.spec.evaluation import DISALLOWED, Evaluation, Independence, Use


def refused(**fields: Any) -> str:
    with pytest.raises(InputError) as caught:
        Evaluation.parse(fields, source="proctor.yaml")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_nothing_has_to_be_declared() -> None:
    assert Evaluation() == Evaluation(organisation=None, contact=None, evaluator=None, independence=None, use=None)


def test_everything_may_be() -> None:
    declared = Evaluation.parse(
        {
            "organisation": "Example Ltd",
            "contact": "A. Person <a@example.org>",
            "evaluator": "QA",
            "independence": "third-party",
            "use": "procurement",
            "self_certified": True,
        },
        source="proctor.yaml",
    )
    assert (declared.independence, declared.use) == (Independence.THIRD_PARTY, Use.PROCUREMENT)


@pytest.mark.parametrize("word", sorted(DISALLOWED))
def test_uses_that_the_framework_rules_out_are_named_as_such(word: str) -> None:
    """White paper, §2.3."""
    assert f"must not be used for {DISALLOWED[word]} (§2.3)" in refused(use=word)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"use": "fun"}, "Input should be 'internal', 'research'"),
        ({"independence": "neutral"}, "Input should be 'self', 'vendor', 'customer' or 'third-party'"),
        ({"contact": "ring us"}, "'ring us' has no email address"),
        ({"self_certified": True}, "self_certified needs a contact"),
        ({"independence": "third-party"}, "a third-party evaluation names its evaluator"),
        ({"organization": "x"}, "'organization' is not a field of a evaluation"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(fields: dict[str, Any], complaint: str) -> None:
    assert complaint in refused(**fields)
