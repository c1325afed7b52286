"""The majority of canonical actions, whatever words they came in."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.agents.structured.parsing import parse
from proctor.agents.structured.voting import winner
from proctor.spec.ontology import SIX_CODES
from proctor.worlds.choice import actions_shown

SHOWN: dict[str, Any] = {
    "ontology": SIX_CODES.name,
    "actions": actions_shown(SIX_CODES, {"ACTION_A": "the blue folder", "ACTION_B": "the red folder"}),
}


@pytest.mark.parametrize(
    ("replies", "stands"),
    [
        (["VETO", "ACTION_A", "ACTION_A"], 1),
        (["VETO", "ACTION_A", "ACTION_A", "VETO"], 0),
        (["VETO", "I choose option B.", '{"final_action": "ACTION_B"}'], 1),
        (["VETO", "the red folder", "ACTION_B"], 1),
        (["mumble", "mumble", "DEFER"], 2),
        (["INVALID_OR_UNMAPPED", "INVALID_OR_UNMAPPED", "VETO"], 2),
        (["mumble", "", "hm"], 0),
    ],
)
def test_which_reply_stands(replies: list[str], stands: int) -> None:
    assert winner([parse(reply) for reply in replies], SHOWN) == stands


def test_what_doubts_its_code_has_no_vote_from_version_two_on() -> None:
    """Version 1.0, which shows the name of a dataset, counts votes as it did."""
    replies = [parse(text) for text in ("VETO", "Wrong answer: ACTION_A", "ACTION_A (rejected)")]
    assert winner(replies, SHOWN) == 0
    assert winner(replies, {**SHOWN, "dataset": "d"}) == 1


def test_without_a_known_ontology_the_first_stands() -> None:
    assert winner([parse("VETO"), parse("DEFER"), parse("DEFER")], {"ontology": "their-own"}) == 0
