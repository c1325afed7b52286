from __future__ import annotations

import ast
import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import proctor
from proctor.agents import clerk, shortcuts
from proctor.agents.chance import Chance
from proctor.agents.clerk.desk import READINGS, Desk
from proctor.agents.clerk.voting import majority, much_the_same
from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentString
from proctor.core.seeds import Stream
from proctor.plugins import registry
from proctor.spec.task import Budget, Submission, ToolResult
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench

SOURCE = Path(next(iter(proctor.__path__)))


class TestImports:
    def test_no_way_from_the_clerk_to_a_suite(self) -> None:
        reached = reachable("proctor.agents.clerk")
        assert "proctor.agents.clerk.reading" in reached
        assert "proctor.agents.contract" in reached
        assert not [name for name in reached if name.startswith(("proctor.suites", "proctor.engine"))]

    def test_no_family_is_named_in_its_source(self) -> None:
        folder = SOURCE / "agents" / "clerk"
        text = "\n".join(path.read_text() for path in folder.glob("*.py"))
        declared = "\n".join(path.read_text() for path in (SOURCE / "suites").rglob("family.py"))
        families = {*registry.names("families"), *re.findall(r"^ +id=\"([\w-]+)\"", declared, re.MULTILINE)}
        assert {"extract", "inventory", "email-triage", "code-lock"} <= families
        for name in [*registry.names("suites"), *families]:
            assert not re.search(rf"\b{name}\b", text), name


def reachable(start: str) -> set[str]:
    """Every module of ours that importing `start` may import, lazily or not, by reading the source."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        path = module_file(name)
        if name in reached or path is None:
            continue
        reached.add(name)
        waiting.append(name.rpartition(".")[0])
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                waiting.extend(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                waiting.append(node.module)
                waiting.extend(f"{node.module}.{alias.name}" for alias in node.names)
    return reached


def module_file(name: str) -> Path | None:
    if not name.startswith("proctor."):
        return None
    path = SOURCE.joinpath(*name.split(".")[1:])
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


class Gauge(BaseWorld):
    """One number to read, one to set."""

    @tool(effect="read")
    def level(self) -> dict[str, int]:
        """Read the level."""
        return {"level": 7, "high": 9}

    @tool(effect="write")
    def set_level(self, level: int) -> str:
        """Set the level."""
        return f"set to {level}"


def flaky(name: str, nth: int, result: ToolResult | None) -> ToolResult | None:
    return ToolResult(False, None, "timed out") if nth < 2 and result is None else None


def noisy(name: str, nth: int, result: ToolResult | None) -> ToolResult | None:
    """Every other reading is wrong, each time differently."""
    return ToolResult(True, {"level": 100 + nth, "high": 9}) if nth % 2 == 0 and result is not None else None


class TestHabits:
    def desk(self, episode: Bench) -> Desk:
        return Desk(episode.task, episode.session)

    def test_it_tries_three_times(self, bench: type[Bench]) -> None:
        episode = bench(Gauge, goal="x", fault=flaky)
        desk = self.desk(episode)
        assert asyncio.run(desk.call(episode.task.tools[1], level=3)).ok
        assert episode.session.calls == 3
        assert [(claim.action, claim.target, claim.result) for claim in desk.claims] == [("tool", 2, "ok")]

    def test_it_does_not_repeat_what_cannot_work(self, bench: type[Bench]) -> None:
        episode = bench(Gauge, goal="x")
        assert not asyncio.run(self.desk(episode).call(episode.task.tools[1], nowhere="x")).ok
        assert episode.session.calls == 1

    def test_two_readings_that_agree_are_believed(self, bench: type[Bench]) -> None:
        episode = bench(Gauge, goal="x")
        assert asyncio.run(self.desk(episode).settle(episode.task.tools[0])).value == {"level": 7, "high": 9}
        assert episode.session.calls == 2

    def test_readings_that_differ_are_voted_on(self, bench: type[Bench]) -> None:
        episode = bench(Gauge, goal="x", fault=noisy)
        assert asyncio.run(self.desk(episode).settle(episode.task.tools[0])).value == {"level": 7, "high": 9}
        assert 2 < episode.session.calls <= READINGS

    def test_what_was_shown_counts_as_a_reading_and_is_put_right(self, bench: type[Bench]) -> None:
        episode = bench(Gauge, goal="x", shown={"level": 7, "high": 9, "low": 1})
        asyncio.run(self.desk(episode).survey())
        assert episode.session.calls == 1
        wrong = bench(Gauge, goal="x", shown={"level": 8, "high": 9, "low": 1})
        desk = self.desk(wrong)
        asyncio.run(desk.survey())
        assert desk.start == {"level": 7, "high": 9, "low": 1}

    def test_with_little_left_one_reading_has_to_do(self, bench: type[Bench]) -> None:
        episode = bench(Gauge, goal="x", limits=Budget(actions=3))
        asyncio.run(self.desk(episode).settle(episode.task.tools[0]))
        assert episode.session.calls == 1

    def test_majority(self) -> None:
        assert majority([{"a": 1, "b": 2}, {"a": 1, "b": 9}, {"a": 7, "b": 2}]) == {"a": 1, "b": 2}
        assert majority([[1, 2], [1, 3], [4, 3], [1]]) == [1, 3]
        assert majority(["x", "y", "y"]) == "y"
        assert majority(["a\nb", "a\nc", "d\nc"]) == "a\nc"
        assert majority([True, 1, 1]) == 1

    def test_much_the_same(self) -> None:
        assert much_the_same("a\nb\nc", "a\nx\ny")
        assert not much_the_same("a\nb\nc\nd", "a\nx\ny")
        assert not much_the_same(3, "3")

    def test_a_hopeless_task_gets_a_guess_that_says_so(self, bench: type[Bench]) -> None:
        assert bench(goal="Sing.", shown={"n": 3}).run(clerk.Clerk()) == Submission("3", 0.05)

    def test_nothing_at_all(self, bench: type[Bench]) -> None:
        assert bench(goal="", answer_format="").run(clerk.Clerk()) == Submission(None, 0.05)

    def test_the_kind(self, context: AgentContext) -> None:
        assert isinstance(clerk.kind.open(AgentString.parse("clerk"), context), clerk.Clerk)
        assert clerk.kind.trusted
        assert not clerk.kind.reusable, "it remembers: every lifetime has a clerk of its own"
        assert clerk.kind.label == ""


TEXT = (
    "how many `key` {name} from to at end total 12 lamps for each the folder /task/inbox a.txt move write "
    "which whose `status` is ready find date by position roads A B quantity cancels n id hint e.g. `123` in this "
    "order: - key: not K-17 K-18 list numbers 0 to 9 higher | --- 10:20 → sold three hundred alphabetical order: a, b"
)
WORDS = st.sampled_from(TEXT.split())
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 999) | st.text(max_size=20) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


class Anything(BaseWorld):
    """Answers every call with the same strange value."""

    @tool(effect="read")
    def list_files(self, path: str = "") -> Any:
        """List."""
        return self.instance.observation

    @tool(effect="read")
    def read(self, n: int) -> Any:
        """Read."""
        return self.instance.observation.get("key")

    @tool(effect="read")
    def query(self, sql: str) -> Any:
        """Query."""
        return self.instance.observation

    @tool(effect="write")
    def move(self, to: str, source: str = "") -> Any:
        """Move."""
        return self.instance.observation

    @tool(effect="write")
    def write(self, path: str, text: str) -> Any:
        """Write."""
        return None


@settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(WORDS, max_size=25), st.lists(WORDS, max_size=8), st.dictionaries(WORDS, VALUES, max_size=5))
def test_no_task_makes_an_agent_crash(
    bench: type[Bench], context: AgentContext, goal: list[str], form: list[str], shown: dict[str, Any]
) -> None:
    policies = (shortcuts.first, shortcuts.last, shortcuts.keyword, shortcuts.retry, shortcuts.infeasible)
    agents: list[Agent] = [clerk.Clerk(), Chance(Stream.keyed("x"))]
    agents += [kind.open(AgentString(kind.name), context) for kind in policies]
    for agent in agents:
        wording = "A JSON object with " + " ".join(form)
        bench(Anything, goal=" ".join(goal), answer_format=wording, shown=shown, limits=Budget(actions=60)).run(agent)


@pytest.mark.parametrize("actions", range(6))
def test_any_budget_ends_in_a_submission(actions: int, bench: type[Bench]) -> None:
    shown = {"key": "Mill - Bridge (1)", "position": "Mill"}
    episode = bench(Anything, goal="Go from Mill to Bridge.", shown=shown, limits=Budget(actions=actions))
    submission = episode.run(clerk.Clerk())
    assert submission.confidence is not None
    assert episode.session.calls <= actions
