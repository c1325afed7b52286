"""Nothing of the target reaches a model: with only the scorer-side target changed, every byte sent is the same."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.unit.agents.structured.conftest import Run

CONDITIONS: list[dict[str, Any]] = [
    {"id": "whole", "scaffold": {}},
    {"id": "planner", "scaffold": {"style": "planner"}},
    {"id": "lesion", "reads": {"decisive": "declare_unusable"}, "scaffold": {}},
    {"id": "strict", "reads": {"decisive": "remove"}, "scaffold": {}},
    {"id": "posthoc", "scaffold": {"fields": "posthoc"}},
    {"id": "scrambled", "scaffold": {"fields": "scrambled"}},
    {"id": "random", "scaffold": {"fields": "random"}},
    {"id": "consistent", "sampling": {"samples": 3}, "scaffold": {}},
    {"id": "exact", "sampling": {"exact": True, "tokens": 32}, "scaffold": {}},
]
SCORER = (
    "target",
    "expected",
    "decisive",
    "implied",
    "component",
    "base_event",
    "swapped",
    "probe",
    "hidden",
)


@pytest.mark.parametrize("kind", ["structured", "chat"])
def test_another_target_changes_no_byte_sent(run: Run, kind: str) -> None:
    agent = f"{kind}:simulated,noise=.2"
    ran = [run(agent, *CONDITIONS, n=8, knobs={"target": target}) for target in ("own", "DEFER")]
    sent = [[msgspec.json.encode(one.request) for one in each.asked] for each in ran]
    assert len(sent[0]) >= 8 * len(CONDITIONS)
    assert sent[0] == sent[1]
    # The targets did differ, or this would show nothing.
    assert {m["target"] for m in ran[1].measures} == {"DEFER"} and "DEFER" not in {m["target"] for m in ran[0].measures}


@pytest.mark.parametrize("kind", ["structured", "chat"])
def test_no_word_of_the_scorer_stands_in_a_prompt(run: Run, kind: str) -> None:
    ran = run(f"{kind}:simulated", *CONDITIONS, n=4)
    for one in ran.asked:
        said = " ".join(message["content"] for message in one.request["messages"]).casefold()
        words = set(said.replace("_", " ").replace('"', " ").split())
        assert not words & set(SCORER), words & set(SCORER)
        assert not any(condition["id"] in words for condition in CONDITIONS if condition["id"] not in ("planner",))
