from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import proctor
from proctor.agents import clerk
from proctor.agents.clerk.desk import Desk, majority
from proctor.agents.clerk.planning import Roads
from proctor.agents.kind import AgentContext, AgentString
from proctor.core.errors import ToolError
from proctor.spec.task import Budget, Submission, ToolResult
from proctor.worlds.adversity.layer import Layer, Passage
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench

SOURCE = Path(next(iter(proctor.__path__)))


def answered(episode: Bench) -> Submission:
    return episode.run(clerk.Clerk())


class TestImports:
    def test_no_way_from_the_clerk_to_a_suite(self) -> None:
        reached = reachable("proctor.agents.clerk")
        assert "proctor.agents.clerk.reading" in reached
        assert "proctor.agents.contract" in reached
        assert not [name for name in reached if name.startswith(("proctor.suites", "proctor.engine"))]

    def test_no_family_is_named_in_its_source(self) -> None:
        folder = SOURCE / "agents" / "clerk"
        text = "\n".join(path.read_text() for path in folder.glob("*.py"))
        assert "suites" not in text
        assert "hello" not in text


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
        package = name.rpartition(".")[0]
        if package:
            waiting.append(package)
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


class TestReading:
    FORMAT = 'A JSON object {"customer": text, "total": number, "due": date as YYYY-MM-DD}.'
    LETTER = "Dear all,\n\nCustomer: Rosa Lind\nTotal: 1,250.50 EUR\nDue: 3 March 2026\n\nRegards"

    def test_labelled_lines(self, bench: type[Bench]) -> None:
        submission = answered(bench(goal="Extract the fields.", answer_format=self.FORMAT, shown={"text": self.LETTER}))
        assert submission.answer == {"customer": "Rosa Lind", "total": 1250.5, "due": "2026-03-03"}
        assert submission.confidence == 0.85

    def test_sentences(self, bench: type[Bench]) -> None:
        text = "As agreed, the customer is Rosa Lind, and the total is 12. The due date was March 3, 2026."
        submission = answered(bench(goal="Extract the fields.", answer_format=self.FORMAT, shown={"text": text}))
        assert submission.answer["customer"] == "Rosa Lind"
        assert submission.answer["total"] == 12

    def test_a_missing_field_lowers_confidence(self, bench: type[Bench]) -> None:
        shown = {"text": "Customer: Rosa Lind"}
        submission = answered(bench(goal="Extract the fields.", answer_format=self.FORMAT, shown=shown))
        assert submission.answer["total"] is None
        assert submission.confidence is not None
        assert submission.confidence < 0.4

    def test_a_correction_wins(self, bench: type[Bench]) -> None:
        shown = {"text": "Total: 10\nCorrection, the figures are now:\nTotal: 12"}
        submission = answered(bench(goal="What is the total?", answer_format="A number.", shown=shown))
        assert submission.answer == 12

    def test_it_looks_behind_tools(self, bench: type[Bench]) -> None:
        class Letter(BaseWorld):
            @tool(effect="read")
            def read_letter(self) -> str:
                """Read the letter."""
                return TestReading.LETTER

        episode = bench(Letter, goal="What is the total?", answer_format="A number.")
        assert answered(episode).answer == 1250.5


class TestLedger:
    @pytest.mark.parametrize(
        ("events", "goal", "answer"),
        [
            (["The shop starts with 10 lamps.", "Received 5 lamps.", "Sold 3 lamps."], "How many lamps are left?", 12),
            (
                ["Received 8 lamps.", "Received 4 chairs.", "Shipped 2 chairs.", "Lost 1 lamp."],
                "How many chairs remain?",
                2,
            ),
            (
                ["There are 9 crates in hall north.", "Moved 4 crates from hall north to hall south."],
                "How many crates are in hall south at the end?",
                4,
            ),
        ],
    )
    def test_events(self, events: list[str], goal: str, answer: int, bench: type[Bench]) -> None:
        assert answered(bench(goal=goal, answer_format="A whole number.", shown={"events": events})).answer == answer


class Town(BaseWorld):
    """Places and roads; the bridge is closed and nobody knows."""

    at = "Mill"

    @tool(effect="write")
    def travel(self, place: str) -> str:
        """Travel to a neighbouring place."""
        if {self.at, place} == {"Mill", "Bridge"}:
            message = "the road to Bridge is closed"
            raise ToolError(message)
        self.at = place
        return f"you are now at {place}"


class TestPlanning:
    ROADS = (["Mill", "Bridge", 1], ["Bridge", "Harbour", 1], ["Mill", "Forest", 2], ["Forest", "Harbour", 3])

    def test_it_plans_again_when_a_road_is_closed(self, bench: type[Bench]) -> None:
        shown = {"roads": list(self.ROADS), "position": "Mill"}
        episode = bench(Town, goal="Travel to Harbour.", answer_format="A list of places.", shown=shown)
        submission = answered(episode)
        assert isinstance(episode.world, Town)
        assert episode.world.at == "Harbour"
        assert submission.answer == ["Mill", "Forest", "Harbour"]
        assert [claim.result for claim in submission.claims] == ["failed", "done", "done"]

    @pytest.mark.parametrize(
        "roads",
        [
            [{"from": "Mill", "to": "Forest", "cost": 2}, {"from": "Forest", "to": "Harbour", "cost": 3}],
            {"Mill": {"Forest": 2}, "Forest": {"Mill": 2, "Harbour": 3}, "Harbour": {"Forest": 3}},
            "Mill - Forest (2)\nForest - Harbour (3)",
            "Mill to Forest: 2 minutes\nForest to Harbour: 3 minutes",
        ],
    )
    def test_maps_in_many_forms(self, roads: Any, bench: type[Bench]) -> None:
        episode = bench(goal="How long from Mill to Harbour?", answer_format="A number.", shown={"map": roads})
        assert answered(episode).answer == 5

    def test_the_budget_ends_the_walk_with_what_there_is(self, bench: type[Bench]) -> None:
        shown = {"roads": list(self.ROADS), "position": "Mill"}
        limits = Budget(actions=2)
        episode = bench(Town, goal="Travel to Harbour.", answer_format="A list.", shown=shown, limits=limits)
        submission = answered(episode)
        assert submission.answer == ["Mill", "Forest"]
        assert submission.confidence == 0.1

    def test_no_way(self) -> None:
        roads = Roads()
        roads.add("A", "B", both=False)
        assert roads.route("B", "A") is None
        assert roads.route("A", "B") == (1.0, ["A", "B"])


class Shelf(BaseWorld):
    """Files in a dict."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.files: dict[str, str] = {"old.txt": "old", "notes/a.txt": "a"}

    @tool(effect="read")
    def read_file(self, path: str) -> str:
        """Read a file."""
        return self.files[path]

    @tool(effect="write")
    def write_file(self, path: str, text: str) -> str:
        """Write a file."""
        self.files[path] = text
        return "ok"

    @tool(effect="write")
    def append_file(self, path: str, text: str) -> str:
        """Add to a file."""
        self.files[path] += text
        return "ok"

    @tool(effect="write")
    def move_file(self, source: str, target: str) -> str:
        """Move a file."""
        self.files[target] = self.files.pop(source)
        return "ok"

    @tool(effect="write")
    def delete_file(self, path: str) -> str:
        """Delete a file."""
        del self.files[path]
        return "ok"


class TestFiling:
    def test_instructions_in_order(self, bench: type[Bench]) -> None:
        goal = (
            'Create a file new.txt with the text "hello". Copy new.txt to backup/new.txt. '
            "Move notes/a.txt to archive/. Append the line 'more' to new.txt. Delete old.txt."
        )
        episode = bench(Shelf, goal=goal, answer_format="The word done.")
        submission = answered(episode)
        assert isinstance(episode.world, Shelf)
        assert episode.world.files == {"new.txt": "hellomore", "backup/new.txt": "hello", "archive/a.txt": "a"}
        assert submission.answer == "done"
        assert submission.confidence == 0.85


class TestQuerying:
    @pytest.mark.parametrize(
        ("goal", "answer"),
        [
            ("What is the total amount of orders with status shipped?", 70),
            ("How many orders have the status open?", 1),
            ("What is the highest amount among orders?", 40),
            ("What is the total amount of orders placed by customers in Porto?", 60),
            ("Which customer has the most orders?", "Ann"),
        ],
    )
    def test_questions(self, goal: str, answer: Any, bench: type[Bench]) -> None:
        assert answered(bench(Shop, goal=goal, answer_format="One value.")).answer == answer


class Shop(BaseWorld):
    """A small real database."""

    def __init__(self, *args: Any) -> None:
        import sqlite3

        super().__init__(*args)
        self.database = sqlite3.connect(":memory:")
        self.database.executescript(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, amount INTEGER);"
            "INSERT INTO customers VALUES (1, 'Ann', 'Porto'), (2, 'Bo', 'Lyon');"
            "INSERT INTO orders VALUES (1, 1, 'shipped', 20), (2, 1, 'open', 40), (3, 2, 'shipped', 30),"
            "(4, 2, 'shipped', 20), (5, 1, 'lost', 0);"
        )

    @tool(effect="read")
    def query(self, sql: str) -> dict[str, Any]:
        """Run a SELECT statement."""
        return {"rows": [list(row) for row in self.database.execute(sql)]}


class Flaky(Layer):
    """Fails the first two calls of every tool."""

    name = "flaky"
    axis = "stability"

    def before(self, passage: Passage) -> ToolResult | None:
        return ToolResult(False, None, "timed out") if passage.nth < 2 else None


class TestHabits:
    def test_it_tries_three_times(self, bench: type[Bench]) -> None:
        episode = bench(Shelf, goal="Delete old.txt.", layers=[Flaky()])
        assert answered(episode).confidence == 0.85
        assert episode.session.calls == 3

    def test_it_does_not_repeat_what_cannot_work(self, bench: type[Bench]) -> None:
        episode = bench(Town, goal="x")
        desk = Desk(episode.task, episode.session)
        import asyncio

        assert not asyncio.run(desk.call(episode.task.tools[0], nowhere="x")).ok
        assert episode.session.calls == 1
        assert desk.failures == 1

    def test_majority(self) -> None:
        assert majority([{"a": 1, "b": 2}, {"a": 1, "b": 9}, {"a": 7, "b": 2}]) == {"a": 1, "b": 2}
        assert majority([[1, 2], [1, 3], [4, 3]]) == [1, 3]
        assert majority(["x", "y", "y"]) == "y"

    def test_a_hopeless_task_gets_a_guess_that_says_so(self, bench: type[Bench]) -> None:
        submission = answered(bench(goal="Sing.", shown={"n": 3}))
        assert submission == Submission(3, 0.05)

    def test_nothing_at_all(self, bench: type[Bench]) -> None:
        assert answered(bench(goal="", answer_format="")) == Submission(None, 0.05)

    def test_the_kind(self, context: AgentContext) -> None:
        assert isinstance(clerk.kind.open(AgentString.parse("clerk"), context), clerk.Clerk)
        assert clerk.kind.trusted
        assert clerk.kind.reusable
        assert clerk.kind.label == ""
