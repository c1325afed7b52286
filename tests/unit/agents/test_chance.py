from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from proctor.agents import chance
from proctor.agents.kind import AgentContext, AgentString
from proctor.core.seeds import Stream
from proctor.spec.task import Budget, Submission
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench

FORMAT = "A JSON object with the keys `city` and `total`."


class Shop(BaseWorld):
    @tool(effect="read")
    def look(self, shelf: Literal["upper", "lower"]) -> str:
        """Look at a shelf."""
        return f"The {shelf} shelf holds 12 lamps and 7 chairs from Porto, all of them for sale."

    @tool(effect="write")
    def order(self, item: str, amount: Annotated[int, Meta(ge=1, le=5)]) -> str:
        """Order something."""
        return f"ordered {amount} {item}"


def episode(bench: type[Bench], limits: Budget | None = None) -> Bench:
    return bench(Shop, goal="Find out.", answer_format=FORMAT, shown={"cities": ["Porto", "Lyon"]}, limits=limits)


def lived(bench: type[Bench], stream: Stream) -> tuple[list[Any], list[Submission]]:
    agent = chance.Chance(stream)
    episodes = [episode(bench) for _ in range(4)]
    submissions = [one.run(agent) for one in episodes]
    return [one.session.log for one in episodes], submissions


def test_same_lifetime_same_acts(bench: type[Bench]) -> None:
    assert lived(bench, Stream.keyed("life", 1)) == lived(bench, Stream.keyed("life", 1))
    assert lived(bench, Stream.keyed("life", 1)) != lived(bench, Stream.keyed("life", 2))


def test_episodes_of_one_lifetime_differ(bench: type[Bench]) -> None:
    _, submissions = lived(bench, Stream.keyed("life", 3))
    assert len({str(one.answer) for one in submissions}) > 1


def test_calls_fit_and_answers_have_the_asked_shape(bench: type[Bench], context: AgentContext) -> None:
    agent = chance.kind.open(AgentString.parse("random"), context)
    for _ in range(20):
        one = episode(bench)
        submission = one.run(agent)
        assert set(submission.answer) == {"city", "total"}
        assert submission.confidence is not None
        assert 0 <= submission.confidence <= 1
        assert 1 <= one.session.calls <= chance.MAX_CALLS
        assert one.session.misfits == 0


def test_a_used_up_budget_ends_in_an_answer(bench: type[Bench], context: AgentContext) -> None:
    agent = chance.kind.open(AgentString.parse("random"), context)
    for _ in range(10):
        one = episode(bench, Budget(actions=1))
        assert one.run(agent).answer is not None
        assert one.session.calls == 1


def test_without_tools_it_just_answers(bench: type[Bench]) -> None:
    one = bench(goal="Yes or no?", answer_format="One of: yes, no.")
    assert one.run(chance.Chance(Stream.keyed("x"))).answer in ("yes", "no")
