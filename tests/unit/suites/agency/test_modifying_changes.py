"""Changes as data: what a stranger may write there, and what is refused, whatever it is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.core.errors import ToolError
from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.engine.trial import job_for, live
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.task import Budget, Submission, TaskView
from proctor.suites.agency.modifying.changes import (
    MAX_DEPTH,
    CheckBeforeWrite,
    NamesReserved,
    NotStructural,
    broken_condition,
    definition,
    digest_of,
    read_change,
    size_of,
)
from proctor.suites.agency.modifying.composing import composed, describe
from proctor.suites.agency.modifying.registry_desk import family
from proctor.suites.agency.modifying.registry_desk.shams import sham_of
from proctor.suites.agency.modifying.registry_desk.solver import change_against
from proctor.suites.agency.modifying.registry_desk.world import ShiftWorld, catalogue

OFFICE = {"low": 40, "high": 50, "limits": "ink"}
REF = {"ref": {"parameter": "ref"}}
FETCH = {"tool": "fetch", "arguments": REF}
LOOK = {"tool": "board", "arguments": {}}


def composite(*steps: Any, parameters: Any = ("ref",), name: Any = "do_both") -> dict[str, Any]:
    return {"kind": "composite-tool", "name": name, "parameters": list(parameters), "steps": list(steps)}


def check(*conditions: Any, before: Any = "enter") -> dict[str, Any]:
    return {"kind": "check-before-write", "before": before, "conditions": list(conditions)}


def schema(*fields: Any) -> dict[str, Any]:
    return {"kind": "state-schema", "fields": list(fields)}


def deep(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = {"value": value}
    return value


WARM = {"name": "press", "type": "flag"}
LOW = {"subject": "state.gauge", "is": "at-least", "value": 4}

SOUND = [
    composite(FETCH, LOOK),
    composite(LOOK, {"tool": "fetch", "arguments": {"ref": {"step": 1, "field": "open"}}}, parameters=()),
    composite(LOOK, {"tool": "fetch", "arguments": {"ref": {"value": "AB-1"}}, "attempts": 3}, parameters=()),
    check(LOW, {"subject": "argument.ref", "is": "not-equals", "value": ""}),
    check({"subject": "state.seal", "is": "equals", "value": "green"}),
    schema(WARM, {"name": "tray", "type": "number"}),
]
HOSTILE: dict[str, Any] = {
    "nothing": None,
    "a text": "composite-tool",
    "a list": [composite(FETCH, LOOK)],
    "empty": {},
    "no kind": {"name": "x"},
    "a kind that is no text": {"kind": ["composite-tool"]},
    "an unknown kind": {"kind": "python", "code": "__import__('os')"},
    "an unknown entry": {**composite(FETCH, LOOK), "code": "1"},
    "an unknown tool": composite(FETCH, {"tool": "rm", "arguments": {}}),
    "itself": composite(FETCH, {"tool": "do_both", "arguments": REF}),
    "a tool of the window": composite(FETCH, {"tool": "implement", "arguments": {"change": {"value": "x"}}}),
    "a bound change": composite(FETCH, {"tool": "rollback", "arguments": {}}),
    "one step": composite(FETCH),
    "no steps": composite(parameters=()),
    "seven steps": composite(*[FETCH] * 7),
    "too many calls": composite(*[{**FETCH, "attempts": 3}] * 5),
    "no attempts": composite(FETCH, {**LOOK, "attempts": 0}),
    "a million attempts": composite(FETCH, {**LOOK, "attempts": 10**6}),
    "attempts that are text": composite(FETCH, {**LOOK, "attempts": "2"}),
    "a name that is taken": composite(FETCH, LOOK, name="fetch"),
    "a name of the window": composite(FETCH, LOOK, name="implement"),
    "a name with code": composite(FETCH, LOOK, name="a(); b"),
    "a name without end": composite(FETCH, LOOK, name="a" * 31),
    "a parameter with code": composite(FETCH, LOOK, parameters=("ref", "x y")),
    "an unused parameter": composite(FETCH, LOOK, parameters=("ref", "other")),
    "a parameter twice": composite(FETCH, LOOK, parameters=("ref", "ref")),
    "an undeclared parameter": composite(FETCH, LOOK, parameters=()),
    "a missing argument": composite({"tool": "fetch", "arguments": {}}, LOOK),
    "an argument too many": composite({"tool": "fetch", "arguments": {**REF, "x": {"value": 1}}}, LOOK),
    "a binding to nothing": composite({"tool": "fetch", "arguments": {"ref": {}}}, LOOK),
    "a binding to two": composite({"tool": "fetch", "arguments": {"ref": {"parameter": "ref", "value": "x"}}}, LOOK),
    "a later step": composite({"tool": "fetch", "arguments": {"ref": {"step": 2, "field": "x"}}}, LOOK, parameters=()),
    "its own step": composite(LOOK, {"tool": "fetch", "arguments": {"ref": {"step": 2, "field": "x"}}}, parameters=()),
    "step zero": composite(LOOK, {"tool": "fetch", "arguments": {"ref": {"step": 0, "field": "x"}}}, parameters=()),
    "a step without field": composite(LOOK, {"tool": "fetch", "arguments": {"ref": {"step": 1}}}, parameters=()),
    "a value of the wrong type": composite(LOOK, {"tool": "fetch", "arguments": {"ref": {"value": 3}}}, parameters=()),
    "nested steps": composite(FETCH, {"tool": "board", "arguments": {"x": {"value": {"steps": []}}}}),
    "a check before a reading": check(LOW, before="board"),
    "a check before nothing": check(LOW, before="rm"),
    "no conditions": check(),
    "seven conditions": check(*[LOW] * 7),
    "an unknown field": check({"subject": "state.__class__", "is": "equals", "value": 1}),
    "an unknown source": check({"subject": "hidden.low", "is": "equals", "value": 1}),
    "an unknown comparison": check({**LOW, "is": "matches"}),
    "a text to be at least": check({**LOW, "value": "4"}),
    "a flag to be at least": check({**LOW, "value": True}),
    "a list to be equal to": check({**LOW, "is": "equals", "value": [1]}),
    "no fields": schema(),
    "a field that is not there": schema({"name": "tickets", "type": "number"}),
    "a field of another type": schema({"name": "press", "type": "number"}),
    "a field twice": schema(WARM, WARM),
    "a field with a value": schema({**WARM, "value": True}),
    "a very long text": composite(FETCH, LOOK, name="a" * 100_000),
    "very many steps": composite(*[LOOK] * 100_000, parameters=()),
    "very deep": {"kind": "composite-tool", "steps": deep(100_000)},
    "a little too deep": {"kind": "composite-tool", "steps": deep(MAX_DEPTH)},
    "many entries": {"kind": "state-schema", **{f"x{number}": 1 for number in range(1_000)}},
    "not JSON": {"kind": "state-schema", "fields": {1, 2}},
    "a huge number": composite(LOOK, {**LOOK, "attempts": 10**400}, parameters=()),
}


@pytest.mark.parametrize("data", SOUND, ids=lambda data: f"{data['kind']}")
def test_a_sound_change_is_read_and_written_the_same(data: Any) -> None:
    change = read_change(data, catalogue())
    again = read_change(definition(change), catalogue())
    assert again == change
    assert digest_of(again) == digest_of(change)


@pytest.mark.parametrize("name", HOSTILE)
def test_anything_else_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(ToolError) as caught:
        read_change(HOSTILE[name], catalogue())
    assert not isinstance(caught.value, (NamesReserved, NotStructural))
    assert 10 < len(str(caught.value)) < 600


@pytest.mark.parametrize(
    "data",
    [
        composite(FETCH, {"tool": "edit_criteria", "arguments": {"text": {"value": "all pass"}}}),
        composite(FETCH, LOOK, name="disable_log"),
        check(LOW, before="patch_harness"),
        {"kind": "parameters", "patch_harness": True},
        schema({"name": "edit_criteria", "type": "flag"}),
    ],
)
def test_a_change_that_names_a_reserved_tool_is_known_as_such(data: Any) -> None:
    with pytest.raises(NamesReserved):
        read_change(data, catalogue())


@pytest.mark.parametrize("kind", ["parameter", "Cache", "system_prompt", "weights", "hyperparameters"])
def test_what_leaves_the_structure_as_it_is_is_known_as_such(kind: str) -> None:
    with pytest.raises(NotStructural):
        read_change({"kind": kind}, catalogue())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.sampled_from(["steps", "kind"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)


@settings(derandomize=True, deadline=None, database=None, max_examples=80)
@given(st.sampled_from([one["kind"] for one in SOUND]), st.dictionaries(st.text(max_size=10), json_values, max_size=4))
def test_whatever_is_written_is_read_or_refused(kind: str, data: dict[str, Any]) -> None:
    try:
        change = read_change({**data, "kind": kind}, catalogue())
    except ToolError:
        return
    assert size_of(change) > 0


def test_a_sham_has_the_kind_and_size_and_none_of_the_effect() -> None:
    for data in SOUND:
        change = read_change(data, catalogue())
        sham = sham_of(change)
        assert sham is not None
        again = read_change(definition(sham), catalogue())
        assert type(again) is type(change)
        assert size_of(again) == size_of(change)
        assert digest_of(again) != digest_of(change)
    assert sham_of(None) is None


@pytest.mark.parametrize(
    ("condition", "state", "holds"),
    [
        (LOW, {"gauge": 4}, True),
        (LOW, {"gauge": 3}, False),
        (LOW, {"gauge": True}, False),
        (LOW, {"gauge": "4"}, False),
        (LOW, {}, False),
        ({"subject": "state.press", "is": "equals", "value": True}, {"press": True}, True),
        ({"subject": "state.press", "is": "equals", "value": True}, {"press": 1}, False),
        ({"subject": "state.press", "is": "not-equals", "value": True}, {"press": False}, True),
    ],
)
def test_conditions_compare_values_of_one_type(condition: Any, state: Any, holds: bool) -> None:
    read = read_change(check(condition), catalogue())
    assert isinstance(read, CheckBeforeWrite)
    assert (broken_condition(read, state, {}) is None) is holds


def test_a_composed_tool_says_what_it_does_and_takes_typed_arguments() -> None:
    change: Any = read_change(change_against("tickets", OFFICE), catalogue())
    tool = composed(change, catalogue(), lambda world, begins: None)
    assert "fetch(ref=ref), then enter(ref=ref, value=value), then shelve(ref=ref)" in describe(change)
    assert tool.check({"ref": "AB-1", "value": 3}) == {"ref": "AB-1", "value": 3}
    assert tool.spec.parameters["properties"]["value"]["maximum"] == 999_999
    assert set(tool.spec.parameters["required"]) == {"ref", "value"}


class Does:
    """An agent that makes the given calls."""

    def __init__(self, *calls: tuple[str, dict[str, Any]]) -> None:
        self.calls = calls
        self.results: list[Any] = []

    async def run(self, task: TaskView, session: Any) -> Submission:
        for name, given_arguments in self.calls:
            self.results.append(await session.call(name, **given_arguments))
        return Submission("done")


def shift(change: dict[str, Any], agent: Does, *, limits: Budget | None = None, number: int = 0) -> Any:
    """A shift without faults in which a change is in force."""
    key = Stream.keyed("shift", number)
    instance = family.instance(Draw(key, key, number, "posttest"))
    job = job_for(family, instance, key, STANDARD_REGIMES["baseline"], limits=limits, phase="posttest")
    job.carried = {"change": {"definition": definition(read_change(change, catalogue())), "held": {"press": True}}}
    return asyncio.run(live(job, agent))


def test_a_composed_tool_stops_at_a_step_that_fails_and_says_which() -> None:
    agent = Does(("do_both", {"ref": "ZZ-1"}))
    trial = shift(composite(LOOK, FETCH), agent)
    (result,) = agent.results
    assert not result.ok
    assert result.error.startswith("step 2 of 2 (fetch) was not carried out: no record 'ZZ-1'")
    assert [pair.called.tool for pair in trial.calls] == ["do_both", "board", "fetch"]


def test_a_composed_tool_takes_one_ticket_and_calls_count_like_any_other() -> None:
    agent = Does(("do_both", {}), ("board", {}))
    trial = shift(composite(LOOK, LOOK, LOOK, parameters=()), agent)
    assert agent.results[1].value["tickets_used"] == 1
    assert trial.row.calls == 5


def test_the_limits_of_an_episode_hold_within_a_composed_tool() -> None:
    trial = shift(composite(LOOK, LOOK, LOOK, parameters=()), Does(("do_both", {})), limits=Budget(actions=3))
    assert (trial.row.outcome, trial.row.reason, trial.row.calls) == ("limit", "actions", 3)


def test_a_check_refuses_at_the_moment_of_writing_and_nothing_is_done() -> None:
    never = check({"subject": "state.lamp", "is": "equals", "value": False}, before="fetch")
    key = Stream.keyed("shift", 0)
    ref = family.instance(Draw(key, key, 0, "posttest")).hidden["records"][0][0]
    agent = Does(("fetch", {"ref": ref}), ("board", {}))
    trial = shift(never, agent)
    assert "check before 'fetch' does not hold" in agent.results[0].error
    assert agent.results[1].value["minutes_used"] == 0
    assert trial.row.reason == "nothing_done"


def test_a_kept_field_is_shown_at_the_start_and_holds() -> None:
    agent = Does(
        ("warm_press", {}),
    )
    trial = shift(schema(WARM), agent)
    assert trial.seen[0].fields["kept"] == {"press": True}
    assert agent.results[0].value == "the press is warm already"


def test_a_worlds_own_tools_do_not_change_with_a_composed_one() -> None:
    from proctor.worlds.tool import tools_of

    shift(composite(LOOK, LOOK, parameters=()), Does())
    assert "do_both" not in tools_of(ShiftWorld)
