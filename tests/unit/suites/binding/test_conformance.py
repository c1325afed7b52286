"""Every family of the benchmark proves itself like any other."""

from __future__ import annotations

import pytest
from tests.unit.suites.binding.drawn import EVERY

from proctor.conformance import check_family
from proctor.conformance.families.baselines import max_success
from proctor.suites.binding.corpora import CorpusFamily, recall
from proctor.suites.binding.own_state import family as own_state


@pytest.mark.parametrize("family", [*EVERY, own_state], ids=lambda family: family.spec.id)
def test_every_check_holds(family: CorpusFamily) -> None:
    report = check_family(family, regimes=("baseline",), instances=12, fresh_process=family is recall)
    assert report.ok, [finding.detail for finding in report.findings]


def test_guessing_among_a_few_codes_may_succeed_as_often_as_guesses_do() -> None:
    assert max_success("random") == max_success("random", chance=0.05) == 0.10
    assert max_success("random", chance=0.25) == 0.25
    assert max_success("random", chance=0.90) == max_success("first") == 0.40
    assert max_success("null", chance=0.90) == 0.0
