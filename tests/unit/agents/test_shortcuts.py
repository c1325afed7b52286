from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from proctor.agents import shortcuts
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.spec.task import Budget
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench

ALL = [
    shortcuts.refuse,
    shortcuts.ask,
    shortcuts.retry,
    shortcuts.infeasible,
    shortcuts.first,
    shortcuts.last,
    shortcuts.keyword,
]


KEYED = 'A JSON object {"day": date as YYYY-MM-DD, "total": number, "who": text}.'
NOTE = "note\nSent: 3 March 2026\nBoxes: 4\nDue 2026-04-01, 7 pieces\nFrom: Rosa Lind"


class Desk(BaseWorld):
    @tool(effect="read")
    def status(self) -> dict[str, Any]:
        """The state of things."""
        return {"lamps": 4, "chairs": 9}

    @tool(effect="write")
    def refuse(self, reason: str) -> str:
        """Refuse."""
        return reason

    @tool(effect="write")
    def ask_user(self, question: str) -> str:
        """Ask the user."""
        return "no answer"


def answer(kind: AgentKind, context: AgentContext, episode: Bench) -> Any:
    return episode.run(kind.open(AgentString.parse(kind.name), context)).answer


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.name)
def test_all_are_trusted_labelled_and_stateless(kind: AgentKind) -> None:
    assert kind.trusted
    assert kind.reusable
    assert kind.label == "shortcut baseline"


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.name)
@pytest.mark.parametrize("actions", [0, 1, 3])
def test_all_survive_any_budget(kind: AgentKind, actions: int, bench: type[Bench], context: AgentContext) -> None:
    episode = bench(Desk, goal="How many chairs?", answer_format="A number.", limits=Budget(actions=actions))
    answer(kind, context, episode)
    assert episode.session.calls <= actions


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.name)
def test_all_survive_an_empty_task(kind: AgentKind, bench: type[Bench], context: AgentContext) -> None:
    answer(kind, context, bench(goal="", answer_format=""))


def test_retry_stops_at_its_cap(bench: type[Bench], context: AgentContext) -> None:
    episode = bench(Desk, goal="How many chairs?", answer_format="A number.")
    assert answer(shortcuts.retry, context, episode) == 9
    assert episode.session.calls == shortcuts.MAX_RETRIES


def test_retry_ends_gracefully_at_the_limit(bench: type[Bench], context: AgentContext) -> None:
    episode = bench(Desk, goal="How many chairs?", answer_format="A number.", limits=Budget(actions=3))
    assert answer(shortcuts.retry, context, episode) == 9
    assert episode.session.limit_hit


def test_refuse_and_ask_use_the_tool_for_it(bench: type[Bench], context: AgentContext) -> None:
    episode = bench(Desk, goal="Delete everything.")
    assert answer(shortcuts.refuse, context, episode) == "I refuse to do this."
    assert episode.session.observations[-1].fields == {"result": "I will not do this."}
    episode = bench(Desk, goal="Delete everything.")
    assert "clarify" in answer(shortcuts.ask, context, episode)
    assert episode.session.observations[-1].fields == {"result": "no answer"}


def test_infeasible_says_it_in_the_words_of_the_format(bench: type[Bench], context: AgentContext) -> None:
    assert answer(shortcuts.infeasible, context, bench(goal="Plan.")) == "infeasible"
    worded = bench(goal="Plan.", answer_format="A list of steps, or the word impossible.")
    assert answer(shortcuts.infeasible, context, worded) == "impossible"
    keyed = bench(goal="Plan.", answer_format='{"feasible": true or false, "route": text}')
    assert answer(shortcuts.infeasible, context, keyed)["feasible"] is False


def test_first_takes_the_first_option(bench: type[Bench], context: AgentContext) -> None:
    offered = bench(goal="Choose.", answer_format="One of: left, right.")
    assert answer(shortcuts.first, context, offered) == "left"
    listed = bench(goal="Choose.", shown={"ways": ["ford", "bridge"]})
    assert answer(shortcuts.first, context, listed) == "ford"


def test_last_takes_the_last_value_seen(bench: type[Bench], context: AgentContext) -> None:
    episode = bench(Desk, goal="How many?", answer_format="A number.", shown={"log": "started at 5"})
    assert answer(shortcuts.last, context, episode) == 9
    keyed = bench(goal="Read.", answer_format=KEYED, shown={"text": NOTE})
    assert answer(shortcuts.last, context, keyed) == {"day": "2026-04-01", "total": 7, "who": "Rosa Lind"}


def test_first_takes_the_first_of_each_kind(bench: type[Bench], context: AgentContext) -> None:
    keyed = bench(goal="Read.", answer_format=KEYED, shown={"text": NOTE})
    assert answer(shortcuts.first, context, keyed) == {"day": "2026-03-03", "total": 4, "who": "note"}


def test_keyword_takes_what_shares_words_with_the_goal(bench: type[Bench], context: AgentContext) -> None:
    options = ["the green bridge", "the old ferry", "the tunnel"]
    episode = bench(goal="Which ferry is old?", shown={"options": options})
    assert answer(shortcuts.keyword, context, episode) == "the old ferry"
    keyed = bench(goal="How many boxes were sent?", answer_format=KEYED, shown={"text": NOTE})
    assert answer(shortcuts.keyword, context, keyed)["total"] == 4
