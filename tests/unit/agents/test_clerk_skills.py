from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from proctor.agents import clerk
from proctor.agents.clerk.guessing import guess
from proctor.agents.clerk.roads import Roads
from proctor.core.errors import ToolError
from proctor.spec.task import Budget, Submission
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench


def answered(episode: Bench) -> Submission:
    return episode.run(clerk.Clerk())


class TestReading:
    FORMAT = 'A JSON object {"customer": text, "total": number, "due": date as YYYY-MM-DD}.'
    LETTER = "Dear all,\n\nCustomer: Rosa Lind\nTotal: 1,250.50 EUR\nDue: 3 March 2026\n\nRegards"

    def read(self, bench: type[Bench], text: str, goal: str = "Report the fields.") -> Submission:
        return answered(bench(goal=goal, answer_format=self.FORMAT, shown={"text": text}))

    def test_labelled_lines(self, bench: type[Bench]) -> None:
        submission = self.read(bench, self.LETTER)
        assert submission.answer == {"customer": "Rosa Lind", "total": 1250.5, "due": "2026-03-03"}
        assert submission.confidence == 0.85

    def test_sentences(self, bench: type[Bench]) -> None:
        text = "As agreed, the customer is Rosa Lind, and the total is 12. It is due 3 March 2026."
        assert self.read(bench, text).answer == {"customer": "Rosa Lind", "total": 12, "due": "2026-03-03"}

    def test_a_guess_lowers_confidence(self, bench: type[Bench]) -> None:
        submission = self.read(bench, "For Rosa Lind. Sent 2026-03-03.\nDue: at once\nTotal: 4")
        assert submission.answer == {"customer": "Rosa Lind", "total": 4, "due": "at once"}
        assert submission.confidence == 0.6

    def test_a_correction_wins(self, bench: type[Bench]) -> None:
        shown = {"text": "Total: 10\nCorrection, the figures are now:\nTotal: 12"}
        assert answered(bench(goal="What is the total?", answer_format="A number.", shown=shown)).answer == 12

    def test_it_looks_behind_tools(self, bench: type[Bench]) -> None:
        class Letter(BaseWorld):
            @tool(effect="read")
            def read_letter(self) -> str:
                """Read the letter."""
                return TestReading.LETTER

        episode = bench(Letter, goal="What is the total?", answer_format="A number.")
        assert answered(episode).answer == 1250.5

    def test_guesses_go_by_kind_and_meaning(self) -> None:
        goal = "- day: the last day\n- code: the number of the case\n- pieces: how many pieces"
        text = "Case AB-17, seen 2026-01-02 and 2026-02-03: 14 pieces and 3 boxes for Rosa Lind."
        assert guess("day", "date", goal, text) == "2026-02-03"
        assert guess("code", "text", goal, text) == "AB-17"
        assert guess("pieces", "number", goal, text) == 14
        assert guess("who", "text", goal, text) == "Rosa Lind"
        assert guess("day", "date", goal, "") is None


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
    def test_sentences(self, events: list[str], goal: str, answer: int, bench: type[Bench]) -> None:
        assert answered(bench(goal=goal, answer_format="A whole number.", shown={"events": events})).answer == answer

    def test_numbered_records_with_one_undone(self, bench: type[Bench]) -> None:
        goal = "How many pears and plums are in the barn?"
        submission = answered(bench(Book, goal=goal, answer_format="A JSON object with `pears` and `plums`, numbers."))
        assert submission.answer == {"pears": 5, "plums": 3}

    def test_records_page_by_page(self, bench: type[Bench]) -> None:
        class Paged(BaseWorld):
            turn = 0

            @tool(effect="read")
            def next_page(self) -> list[dict[str, Any]]:
                """Show the next two entries; after the last come the first again."""
                self.turn += 1
                place = (self.turn - 1) % 3 * 2
                return list(Book.ENTRIES[place : place + 2])

        goal = "How many pears and plums are in the barn?"
        submission = answered(bench(Paged, goal=goal, answer_format="A JSON object with `pears` and `plums`, numbers."))
        assert submission.answer == {"pears": 5, "plums": 3}


class Book(BaseWorld):
    """Five entries; the third undoes the second."""

    ENTRIES: tuple[dict[str, Any], ...] = (
        {"n": 1, "item": "pears", "quantity": 9, "from": "farm", "to": "barn"},
        {"n": 2, "item": "plums", "quantity": 2, "from": "barn", "to": "shop"},
        {"n": 3, "cancels": 2},
        {"n": 4, "item": "pears", "quantity": 4, "from": "barn", "to": "shop"},
        {"n": 5, "item": "plums", "quantity": 3, "from": "farm", "to": "barn"},
    )

    @tool(effect="read")
    def entry(self, n: int) -> dict[str, Any]:
        """Show one entry."""
        if n > len(self.ENTRIES):
            message = f"there is no entry {n}"
            raise ToolError(message)
        return self.ENTRIES[n - 1]


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
        assert [claim.result for claim in submission.claims] == ["failed", "ok", "ok"]

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
        assert answered(episode).answer == ["Mill", "Forest"]

    def test_no_way(self) -> None:
        roads = Roads()
        roads.add("A", "B", both=False)
        assert roads.way("B", "A") is None
        assert roads.way("A", "B") == (1.0, ["A", "B"])


class TestQuerying:
    @pytest.mark.parametrize(
        ("goal", "answer"),
        [
            ("What is the total amount of sales with status shipped?", 70),
            ("How many sales have the status open?", 1),
            ("What is the highest amount among sales?", 40),
            ("What is the total amount of sales to customers in Porto?", 60),
            ("Which customer has the most sales?", "Ann"),
        ],
    )
    def test_questions(self, goal: str, answer: Any, bench: type[Bench]) -> None:
        assert answered(bench(Shop, goal=goal, answer_format="One value.")).answer == answer


class Shop(BaseWorld):
    """A small real database."""

    @tool(effect="read")
    def query(self, sql: str) -> dict[str, Any]:
        """Run a SELECT statement."""
        database = sqlite3.connect(":memory:")
        database.executescript(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
            "CREATE TABLE sales (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, amount INTEGER);"
            "INSERT INTO customers VALUES (1, 'Ann', 'Porto'), (2, 'Bo', 'Lyon');"
            "INSERT INTO sales VALUES (1, 1, 'shipped', 20), (2, 1, 'open', 40), (3, 2, 'shipped', 30),"
            "(4, 2, 'shipped', 20), (5, 1, 'lost', 0);"
        )
        rows = [list(row) for row in database.execute(sql)]
        database.close()
        return {"rows": rows}
