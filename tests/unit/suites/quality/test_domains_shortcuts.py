"""Shortcuts do not decide these cases: not the commonest action, not a keyword, not the look of the text.

Every agent here is given the arguments for free: naming the action is counted as right. So the real decision accuracy
of each is lower still.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.neighbors import KNeighborsClassifier

from proctor.core.hashing import content_hash
from proctor.spec.scenario import Scenario, ScenarioSet
from proctor.suites.quality.domains import expenses, infrastructure, service

FLOOR = 0.70
# scikit-learn has no types.
BAG: Any = CountVectorizer
FOREST: Any = RandomForestClassifier
NEAREST: Any = KNeighborsClassifier
Text = Callable[[Scenario], str]


@pytest.fixture(params=(expenses, service, infrastructure), ids=lambda one: one.__name__.rpartition(".")[2])
def domain(request: pytest.FixtureRequest) -> ScenarioSet:
    found: ScenarioSet = request.param.scenarios()
    return found


def first_sight(scenario: Scenario) -> str:
    return scenario.context


def everything(scenario: Scenario) -> str:
    return scenario.context + json.dumps(scenario.sources, ensure_ascii=False)


def accuracy(cases: Sequence[Scenario], answers: Sequence[str]) -> float:
    """Decision accuracy with the arguments for free."""
    right = sum(
        case.weight
        for case, answer in zip(cases, answers, strict=True)
        if answer in {action.name for action in (case.expected, *case.acceptable)}
    )
    return right / sum(case.weight for case in cases)


def halves(rows: Sequence[Scenario], key: Callable[[Scenario], str]) -> tuple[list[Scenario], list[Scenario]]:
    """Two halves that share no key, drawn by its hash."""
    known: list[Scenario] = []
    unknown: list[Scenario] = []
    for row in rows:
        (known if int(content_hash(key(row))[:4], 16) % 2 else unknown).append(row)
    return known, unknown


def test_the_commonest_action(domain: ScenarioSet) -> None:
    rows = domain.scenarios
    best, _ = Counter(one.expected.name for one in rows).most_common(1)[0]
    assert accuracy(rows, [best] * len(rows)) < 0.35
    whole = Counter(one.expected.key for one in rows).most_common(1)[0][1]
    assert whole / len(rows) < 0.35


def test_the_commonest_action_of_each_template(domain: ScenarioSet) -> None:
    """Even knowing every template by heart does not do, as long as the sources stay unread."""
    ends: dict[str, Counter[str]] = defaultdict(Counter)
    for one in domain.scenarios:
        ends[one.template][one.expected.name] += 1
    answers = [ends[one.template].most_common(1)[0][0] for one in domain.scenarios]
    assert accuracy(domain.scenarios, answers) < 0.55


@pytest.mark.parametrize("text", [first_sight, everything])
def test_keywords(domain: ScenarioSet, text: Text) -> None:
    """For each word the action it goes with most often; the most telling word of a case decides it."""
    known, unknown = halves(domain.scenarios, lambda one: one.id)
    with_word: dict[str, Counter[str]] = defaultdict(Counter)
    for one in known:
        for word in set(re.findall(r"[a-z]{3,}", text(one).lower())):
            with_word[word][one.expected.name] += 1
    rules = {
        word: (ends.most_common(1)[0][1] / ends.total(), ends.most_common(1)[0][0])
        for word, ends in with_word.items()
        if ends.total() >= 4
    }
    answers = [
        max(rules[word] for word in set(re.findall(r"[a-z]{3,}", text(one).lower())) if word in rules)[1]
        for one in unknown
    ]
    assert accuracy(unknown, answers) < FLOOR


@pytest.mark.parametrize("text", [first_sight, everything])
@pytest.mark.parametrize("key", ["id", "template"])
def test_bags_of_words(domain: ScenarioSet, text: Text, key: str) -> None:
    """Learned on half of the scenarios, or on half of the templates, and tried on the other half."""
    known, unknown = halves(domain.scenarios, lambda one: str(getattr(one, key)))
    vectors = BAG(binary=True)
    seen = vectors.fit_transform(map(text, known))
    ends = np.array([one.expected.name for one in known])
    new = vectors.transform(map(text, unknown))
    for learner in (FOREST(50, random_state=0), NEAREST(1)):
        learner.fit(seen, ends)
        assert accuracy(unknown, list(learner.predict(new))) < FLOOR
