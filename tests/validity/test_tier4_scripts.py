"""What understands nothing does not pass the gates of Tier 4: a parser of regular expressions and a fixed policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy.stats import spearmanr

from proctor.agents.contract import Agent
from proctor.conformance.subject import Options, Subject
from proctor.engine.trial import Trial
from proctor.plugins import registry
from proctor.spec.regime import STANDARD_REGIMES
from proctor.stats.differences import newcombe_paired
from tests.validity.scripts import tier4_fixed_policy, tier4_regex_parser
from tests.validity.scripts.tier4_fixed_policy import FixedPolicy
from tests.validity.scripts.tier4_regex_parser import RegexParser

MODERATE = STANDARD_REGIMES["moderate-standard"]
PER_ARM = 200
SEEDS = (0, 1)
NEEDED_GAIN, NEEDED_CORRELATION = 0.10, 0.6
LONGEST = 100


def lived(family: str, agent: type[Agent], seed: int, **knobs: str) -> list[Trial]:
    """Episodes under Moderate, as the suite has them."""
    options = Options((MODERATE,), PER_ARM, seed, False, False, dict(knobs))
    with Subject(registry.load("families", family), options) as subject:
        return [subject.live(subject.job(index, MODERATE), agent()) for index in range(PER_ARM)]


@pytest.mark.parametrize("script", [tier4_regex_parser, tier4_fixed_policy])
def test_scripts_are_short(script: object) -> None:
    source = Path(str(getattr(script, "__file__", ""))).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= LONGEST
    assert "suites" not in source


@pytest.mark.parametrize("agent", [RegexParser, FixedPolicy])
@pytest.mark.parametrize("family", ["batch-or-single", "timely-check"])
@pytest.mark.parametrize("seed", SEEDS)
def test_switching_gains_nothing(agent: type[Agent], family: str, seed: int) -> None:
    free = [trial.succeeded for trial in lived(family, agent, seed, strategies="open")]
    fixed = [trial.succeeded for trial in lived(family, agent, seed, strategies="fixed")]
    # They do read and act: what they lack is the choice.
    assert sum(fixed) == PER_ARM // 2
    pairs = list(zip(free, fixed, strict=True))
    gain = newcombe_paired(
        pairs.count((True, True)), pairs.count((True, False)), pairs.count((False, True)), pairs.count((False, False))
    )
    assert gain.estimate is not None
    assert gain.low is not None
    assert gain.estimate < NEEDED_GAIN or gain.low <= 0


@pytest.mark.parametrize("seed", SEEDS)
def test_confidence_by_keywords_does_not_rank_items(seed: int) -> None:
    trials = lived("known-unknowns", RegexParser, seed)
    right = [trial.succeeded for trial in trials]
    assert 0 < sum(right) < 0.4 * PER_ARM
    correlation = spearmanr([trial.row.confidence or 0.0 for trial in trials], right).statistic
    assert correlation < NEEDED_CORRELATION


@pytest.mark.parametrize("seed", SEEDS)
def test_one_confidence_for_all_ranks_nothing(seed: int) -> None:
    assert len({trial.row.confidence for trial in lived("known-unknowns", FixedPolicy, seed)}) == 1
