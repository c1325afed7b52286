"""Nothing of the target reaches a model: not as a key, not as a byte, not as something a classifier could learn."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.unit.suites.binding.drawn import EVERY, drawn

from proctor.core.canonical import encode
from proctor.spec.condition import NO_INTERVENTION, Condition
from proctor.spec.ontology import SIX_CODES
from proctor.spec.task import Instance
from proctor.stats.intervals import mean
from proctor.suites.binding import conditions
from proctor.suites.binding.corpora import CORPORA, CorpusFamily
from proctor.suites.binding.own_state import family as own_state
from proctor.worlds.choice import ChoiceWorld
from proctor.worlds.world import EpisodeContext, Place

PER_FAMILY = pytest.mark.parametrize("family", EVERY, ids=lambda family: family.spec.id)
SCORER_KEYS = frozenset(
    {"target", "before", "probe", "component", "role", "decisive", "valid", "swapped", "implied", "base_event", "scene"}
    | {"cue_code", "arm_of", "duplicate", "screen", "strength", "distance", "declared", "expected_action", "hidden"}
)
EVENTS = 30
WEATHER = {"ACTION_A": "dry", "ACTION_B": "wet", "DEFER": "grey", "VETO": "windy", "RECALL_PRIOR": "foggy"}


def shown(instance: Instance, condition: Condition = NO_INTERVENTION, donor: Instance | None = None) -> dict[str, Any]:
    world = ChoiceWorld(instance, Place())
    world.set_context(EpisodeContext(condition, donor, {} if donor is None else dict(donor.state), None, None))
    return world.observe()


def keys_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys_in, value.values()))
    return set().union(*map(keys_in, value)) if isinstance(value, list) else set()


@PER_FAMILY
def test_with_only_the_target_changed_every_byte_is_the_same(family: CorpusFamily) -> None:
    donor = drawn(family, 50)
    for index in range(0, 120, 7):
        one = drawn(family, index)
        changed = {**one.hidden, "target": "DEFER", "before": "DEFER", "implied": {}, "valid": []}
        other = msgspec.structs.replace(one, hidden=changed)
        for condition in (NO_INTERVENTION, *conditions.MAIN, *conditions.CONTROLS):
            assert encode(shown(one, condition, donor)) == encode(shown(other, condition, donor))
        assert (one.goal, one.answer_format) == (other.goal, other.answer_format)


@PER_FAMILY
def test_no_scorer_key_is_shown(family: CorpusFamily) -> None:
    for index in range(0, 120, 7):
        assert not keys_in(shown(drawn(family, index))) & SCORER_KEYS


def test_no_scorer_key_is_shown_before_the_question_either() -> None:
    for index in range(0, 60, 7):
        instance = drawn(own_state, index)
        assert not keys_in(instance.observation) & SCORER_KEYS
        assert "actions" not in instance.observation


@PER_FAMILY
def test_codes_stand_in_the_list_of_actions_and_nowhere_else(family: CorpusFamily) -> None:
    for index in range(0, 120, 7):
        observation = dict(shown(drawn(family, index)))
        listed = [action["code"] for action in observation.pop("actions")]
        assert listed == list(SIX_CODES.codes)
        rest = json.dumps(observation)
        assert not [code for code in SIX_CODES.codes if code in rest]


@pytest.mark.parametrize("family", CORPORA, ids=lambda family: family.spec.id)
def test_under_the_strict_lesion_probes_with_different_targets_look_the_same(family: CorpusFamily) -> None:
    for event in range(30):
        asked = [drawn(family, 6 * event + which) for which in range(6)]
        alike = [one for one in asked if one.hidden["probe"] not in ("self_continuity", "irrelevant_cue")]
        assert len({one.hidden["target"] for one in alike}) == 4
        assert len({encode(shown(one, conditions.LESION_STRICT)) for one in alike}) == 1


def test_a_classifier_learns_nothing_from_strictly_lesioned_observations() -> None:
    gain = gained(conditions.LESION_STRICT)
    assert gain.low is not None and gain.low <= 0.0
    assert gain.estimate is not None and gain.estimate < 0.03


def test_the_same_classifier_learns_where_there_is_something_to_learn() -> None:
    """The test above can fail: an ordinary lesion says which field is unusable, and that is found at once."""
    gain = gained(conditions.LESION)
    assert gain.low is not None and gain.low > 0.15


def test_a_leak_planted_in_every_fifth_event_is_found() -> None:
    """The first of these can fail by little: a word that goes with the target in a fifth of the events is enough."""
    gain = gained(conditions.LESION_STRICT, leaking=5)
    assert gain.low is not None and gain.low > 0.0
    assert gain.estimate is not None and gain.estimate >= 0.03


def gained(condition: Condition, leaking: int = 0) -> Any:
    """How much more often than by the prior alone a classifier is right, by event, on scenes it never saw.

    With `leaking` every so-manieth event shows a word that goes with the target.
    """
    # By name: scikit-learn has no types.
    text: Any = import_module("sklearn.feature_extraction.text")
    linear: Any = import_module("sklearn.linear_model")
    selection: Any = import_module("sklearn.model_selection")
    texts, targets, scenes, events = [], [], [], []
    for number, family in enumerate(CORPORA):
        for index in range(6 * EVENTS):
            instance = drawn(family, index)
            leak = WEATHER[instance.hidden["target"]] if leaking and (index // 6) % leaking == 0 else ""
            texts.append(f"{json.dumps(shown(instance, condition))} {leak}")
            targets.append(instance.hidden["target"])
            scenes.append(10 * number + instance.hidden["scene"])
            events.append(instance.hidden["base_event"])
    codes = np.unique(targets, return_inverse=True)[1]
    # Not the commonest class of the training part: in a balanced design that is the rarest of the part held out.
    prior = np.bincount(codes).max() / len(codes)
    better = np.zeros(len(texts))
    for train, test in selection.GroupKFold(n_splits=3).split(texts, codes, scenes):
        reader = text.TfidfVectorizer(min_df=2, max_features=1_000)
        # Hardly held back: shrunk as usual, it would overlook a word that gives away every fifth event.
        model = linear.LogisticRegression(C=30, solver="newton-cg", max_iter=300).fit(
            reader.fit_transform([texts[i] for i in train]), codes[train]
        )
        said = model.predict(reader.transform([texts[i] for i in test]))
        better[test] = (said == codes[test]) - prior
    names = np.asarray(events)
    return mean([float(better[names == name].mean()) for name in dict.fromkeys(events)])
