"""Asking again: the exchanged field calls for something else than was done and than the situation suggests."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.unit.worlds.choice.test_world import instance

from proctor.core.canonical import encode
from proctor.core.errors import BenchError
from proctor.spec.condition import DECISIVE, REST, Condition, Read
from proctor.spec.task import Submission
from proctor.worlds.choice import ChoiceWorld
from proctor.worlds.choice.reasking import EXCHANGED
from proctor.worlds.world import EpisodeContext, Place

ONE = instance(implied={"x-situation": "ACTION_A", "reason": "ACTION_B"}, target="ACTION_B")


def condition(field: str) -> Condition:
    kept, removed = Read(do="keep"), Read(do="remove")
    reads = {"x-situation": kept, field: Read(do="replace", value=EXCHANGED), DECISIVE: removed, REST: removed}
    return Condition(id=f"reask-{field}", reads=reads, after="reports")


def placed(field: str, reply: Any, one: Any = ONE) -> ChoiceWorld:
    world = ChoiceWorld(one, Place())
    replies = {} if reply is None else {"coupled": reply}
    world.set_context(EpisodeContext(condition(field), None, {}, None, replies))
    return world


@pytest.mark.parametrize(
    ("field", "done", "code"),
    [
        ("reason", "ACTION_A", "ACTION_B"),
        # The situation leans to A: following could not be told from leaning.
        ("reason", "ACTION_B", "DEFER"),
        ("memory", "VETO", "ACTION_B"),
        ("self", "RECALL_PRIOR", "ACTION_B"),
        ("veto", "ACTION_B", "VETO"),
        # A stop is taken back: what is left is the situation.
        ("veto", "VETO", "ACTION_A"),
    ],
)
def test_what_the_exchanged_field_calls_for(field: str, done: str, code: str) -> None:
    world = placed(field, {"final_action": done, "reason_graph": {"preferred": done, "nodes": []}})
    state = world.observe()["state"]
    assert set(state) == {"x-situation", field}
    assert state[field]["event"] == "e1"
    followed, kept = (world.verify(Submission({"final_action": one})) for one in (code, done))
    assert followed.success and not kept.success
    for found in (followed.measures, kept.measures):
        assert (found["component"], found["role"], found["target"]) == (field, "again", code)
        assert (found["field_event"], found["field_code"], found["declared"]) == ("e1", code, 1)
        assert "u" not in found
    assert (followed.measures["c"], kept.measures["c"]) == (1, 0)


@pytest.mark.parametrize("reply", [None, "no idea", {"reason_graph": {}}, 7])
def test_an_earlier_reply_without_an_action_does_not_stop_the_asking(reply: Any) -> None:
    assert placed("reason", reply).target == "ACTION_B"


def test_the_target_plays_no_part() -> None:
    other = msgspec.structs.replace(ONE, hidden={**ONE.hidden, "target": "DEFER"})
    for field in ("reason", "memory", "veto", "self"):
        one, two = (placed(field, {"final_action": "ACTION_B"}, each).observe() for each in (ONE, other))
        assert encode(one) == encode(two)


def test_without_frozen_replies_there_is_nothing_to_exchange() -> None:
    world = ChoiceWorld(ONE, Place())
    with pytest.raises(BenchError, match="a stage that freezes replies"):
        world.set_context(EpisodeContext(condition("reason"), None, {}, None, None))
