"""Instances: targets first and in balance, everything else drawn without looking at them."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.unit.suites.binding.families.events import drawn, instances

from proctor.spec.ontology import FOUR_CODES
from proctor.suites.binding.families import FAMILIES, FourCodeFamily

PER_FAMILY = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.spec.id)
OPTIONS = set(FOUR_CODES.options)


@PER_FAMILY
def test_targets_are_in_balance(family: FourCodeFamily) -> None:
    for seed in (3, 4):
        targets = Counter(one.hidden["target"] for one in instances(family, 60, seed))
        assert len(targets) >= 3
        assert max(targets.values()) / 60 <= 0.6
        assert targets["ACT_A"] == targets["ACT_B"] == 20


@PER_FAMILY
def test_any_three_in_a_row_hold_each_option_once(family: FourCodeFamily) -> None:
    codes = [one.hidden["target"] for one in instances(family, 30)]
    for start in range(0, 30, 3):
        part = codes[start : start + 3]
        assert set(part) > OPTIONS


@PER_FAMILY
def test_labels_are_exchanged_for_a_half(family: FourCodeFamily) -> None:
    found = list(instances(family, 60))
    assert sum(one.hidden["swapped"] for one in found) == 30
    plain = list(instances(family, 60, labels="paper"))
    assert not any(one.hidden["swapped"] for one in plain)
    for one, other in zip(found, plain, strict=True):
        assert one.state == other.state
        same = one.hidden["options"] == other.hidden["options"]
        assert same == (not one.hidden["swapped"])
        if one.hidden["target"] in OPTIONS:
            assert (one.hidden["target"] == other.hidden["target"]) == same


@PER_FAMILY
def test_one_field_decides_and_implies_the_target(family: FourCodeFamily) -> None:
    for one in instances(family, 30):
        assert one.hidden["decisive"] == [family.topic.field]
        assert one.hidden["implied"][family.topic.field] == one.hidden["target"]
        assert all(field["event"] == one.hidden["base_event"] for field in one.state.values())
        assert one.hidden["before"] == one.hidden["implied"]["x-situation"]


def test_lean_cue_and_form_know_nothing_of_the_target() -> None:
    """Pooled over families: each option is leant to, and cued, as often where it is the target as where it is not."""
    for name in ("before", "cue_code"):
        hits: list[bool] = []
        for family in FAMILIES:
            for one in instances(family, 60):
                if one.hidden["target"] in OPTIONS:
                    hits.append(one.hidden[name] == one.hidden["target"])
        assert abs(sum(hits) / len(hits) - 0.5) < 0.06, name  # four standard errors
    forms = Counter((one.template, one.hidden["target"]) for family in FAMILIES for one in instances(family, 60))
    for code in OPTIONS:
        assert max(abs(forms[f"form-{number}", code] - 100) for number in (1, 2, 3, 4)) < 45


@PER_FAMILY
def test_the_same_texts_serve_either_option(family: FourCodeFamily) -> None:
    """An option's name says nothing: every name is the right one here and the wrong one there."""
    right: set[str] = set()
    wrong: set[str] = set()
    for one in instances(family, 240):
        if one.hidden["target"] in OPTIONS:
            for code, name in one.hidden["options"].items():
                (right if code == one.hidden["target"] else wrong).add(name)
    assert right == wrong == set(family.topic.options)


@PER_FAMILY
def test_a_declared_field_names_its_code_and_its_event(family: FourCodeFamily) -> None:
    for index in range(12):
        plain, declared = drawn(family, index), drawn(family, index, field="declared")
        target = plain.hidden["target"]
        assert declared.hidden["target"] == target
        assert (plain.hidden["declared"], declared.hidden["declared"]) == (0, 1)
        own, named = (one.state[family.topic.field]["text"] for one in (plain, declared))
        assert named == f"{own} For event {plain.hidden['base_event']} that comes to {target}."
        # Beside a field that names its code a cue has to mislead; without one it may not even know.
        assert declared.hidden["cue_code"] != target
        others = [name for name in plain.state if name not in (family.topic.field, "x-cue")]
        assert all(plain.state[name] == declared.state[name] for name in others)
