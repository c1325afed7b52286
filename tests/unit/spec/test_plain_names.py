"""Names cannot say what no evaluation may say."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from proctor.spec.evaluation import Evaluation
from proctor.spec.system import System

CLAIMS = [
    "Acme 4.2 (Tier 4, certified safe)",
    "tier-5 agent",
    "Acme, agency level 4",
    "Agency score: 4.2",
    "Acme A = [5, 5, 5, 5, 5, 5, 5]",
    "Acme scores 4.2",
    "Acme (approved)",
    "Acme is safe",
    "Acme, safe for deployment",
    "EU AI Act compliant Acme",
]
NAMES = ["Acme 4.2", "safe-agent", "SafeClerk 2", "gpt-4o-mini", "tiered-retriever 3", "Frontier 7", "scores"]


@pytest.mark.parametrize("name", CLAIMS)
def test_a_system_is_not_named_after_a_result(name: str) -> None:
    with pytest.raises(ValidationError, match=r"claims something"):
        System(name=name)
    with pytest.raises(ValidationError, match=r"claims something"):
        System(name="acme", version=name)


@pytest.mark.parametrize("name", NAMES)
def test_ordinary_names_pass(name: str) -> None:
    assert System(name=name).name == name


@pytest.mark.parametrize("name", CLAIMS[:6])
def test_nor_is_an_organisation(name: str) -> None:
    with pytest.raises(ValidationError, match=r"states a result"):
        Evaluation(organisation=name)
    with pytest.raises(ValidationError, match=r"states a result"):
        Evaluation(evaluator=name)


def test_an_organisation_may_be_certified() -> None:
    assert Evaluation(organisation="Certified Testers Ltd").organisation == "Certified Testers Ltd"
