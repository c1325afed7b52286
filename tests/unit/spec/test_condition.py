"""How a condition reads named state: by a field's own name, as a decisive one, or as one of the rest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.core.errors import InputError
from proctor.spec.condition import NO_INTERVENTION, UNUSABLE, Condition, visible

FIELDS = {"x-situation": "rain", "reason": "cheaper", "memory": "promised", "x-cue": "blue"}
DONOR = {"x-situation": "sun", "reason": "dearer", "memory": "free"}


def shown(reads: dict[str, Any], decisive: tuple[str, ...] = ("reason",)) -> dict[str, Any]:
    condition = Condition.parse({"id": "arm", "reads": reads}, source="test")
    return visible(FIELDS, condition, decisive, DONOR)


def test_without_intervention_everything_is_shown() -> None:
    assert visible(FIELDS, NO_INTERVENTION, ("reason",), {}) == FIELDS


def test_only_the_decisive_field() -> None:
    assert shown({"rest": "remove"}) == {"reason": "cheaper"}


def test_a_strict_lesion_removes_the_decisive_field_and_nothing_else() -> None:
    assert shown({"decisive": "remove"}) == {name: value for name, value in FIELDS.items() if name != "reason"}


def test_an_ordinary_lesion_leaves_the_text_and_declares_it_unusable() -> None:
    assert shown({"decisive": "declare_unusable"})["reason"] == {**UNUSABLE, "value": "cheaper"}


def test_a_fields_own_name_goes_before_the_stand_ins() -> None:
    found = shown({"rest": "remove", "decisive": "remove", "reason": "keep", "x-cue": "keep"})
    assert found == {"reason": "cheaper", "x-cue": "blue"}


def test_scrambled_swapped_and_replaced() -> None:
    found = shown(
        {
            "decisive": {"do": "scramble", "donor": "unlike"},
            "memory": {"do": "swap", "field": "x-cue"},
            "x-cue": {"do": "replace", "value": "green"},
        }
    )
    assert found == {"x-situation": "rain", "reason": "dearer", "memory": "blue", "x-cue": "green"}


def test_whatever_there_is_changes_places() -> None:
    """A swap by name reaches the fields its author thought of; this one reaches those that an agent made up."""
    around = {"do": "swap", "field": "rest"}
    found = shown({"decisive": around, "rest": around})
    assert found == {"memory": "cheaper", "reason": "blue", "x-cue": "rain", "x-situation": "promised"}
    assert found.keys() == FIELDS.keys()
    condition = Condition.parse({"id": "arm", "reads": {"decisive": around, "rest": around}}, source="test")
    assert visible({"memory": "promised"}, condition, (), {}) == {}, "a single field has nothing to change places with"


@given(
    decisive=st.sets(st.sampled_from(sorted(FIELDS))),
    reads=st.dictionaries(
        st.sampled_from([*sorted(FIELDS), "decisive", "rest"]), st.sampled_from(["keep", "remove"]), max_size=6
    ),
)
def test_every_field_is_read_by_exactly_one_rule(decisive: set[str], reads: dict[str, str]) -> None:
    found = shown(dict(reads), tuple(decisive))
    for name in FIELDS:
        fallback = reads.get("decisive" if name in decisive else "rest", "keep")
        assert (name in found) == (reads.get(name, fallback) == "keep")


@pytest.mark.parametrize(
    ("reads", "says"),
    [
        ({"reasons": "remove"}, "'reasons' is not a state field"),
        ({"memory": {"do": "swap"}}, "needs `field`, the field to read instead"),
        ({"memory": {"do": "swap", "field": "memori"}}, "'memori' is not a state field"),
        ({"memory": {"do": "swap", "field": "decisive"}}, "'decisive' is not a state field"),
    ],
)
def test_a_slip_is_refused(reads: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Condition.parse({"id": "arm", "reads": reads}, source="test")


def test_a_prior_needs_a_stage() -> None:
    with pytest.raises(InputError, match="state which one"):
        Condition.parse({"id": "matched", "acts": "prior"}, source="test")


def test_a_condition_that_uses_nothing_new_is_written_as_before() -> None:
    """So that the configuration hash of every older suite stays what it was."""
    written = Condition.parse({"id": "arm", "reads": {"reason": "remove"}}, source="test").model_dump(mode="json")
    assert written == {
        "id": "arm",
        "reads": {"reason": {"do": "remove", "value": None, "donor": None}},
        "sampling": {"temperature": None, "top_p": None},
        "after": None,
    }
