"""The clerk chooses: between goals, down a queue, what comes first, what to flag, what earns most, what suits whom."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

import pytest

from proctor.agents import clerk
from proctor.agents.clerk.auditing import Rule, read_batch
from proctor.agents.clerk.choosing import occasions, priorities
from proctor.agents.clerk.desk import Lesson
from proctor.agents.clerk.queues import House
from proctor.agents.clerk.routing import category, meant, person
from proctor.agents.clerk.suiting import likely
from proctor.agents.clerk.weighing import read_places
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench


class TestChoosing:
    FIELDS = "\n- seats: seats it has\n- oars: oars it has\n- crew: crew it takes"
    GOAL = "Choose for each of these, in this order: Monday, Tuesday. The goal “many seats” comes before “all oars”."

    @pytest.mark.parametrize(
        "said",
        [
            "the goal “many seats” comes before “all oars”",
            "nothing of “many seats” is given up for the sake of “all oars”",
            "“many seats” wins, however much of “all oars” is lost by it",
            "The lesser of the two goals is “all oars”; it counts after the greater one, which is “many seats”",
        ],
    )
    def test_which_goal_is_first(self, said: str) -> None:
        assert priorities(said, ["crew", "oars", "seats"]) == ("seats", "oars")

    def test_goals_about_nothing_that_is_listed(self) -> None:
        assert priorities("the goal “peace” comes before “quiet”", ["seats"]) is None

    def test_occasions(self) -> None:
        assert occasions("For each of North, South exactly one boat can be had.") == ["North", "South"]
        assert occasions("Pick one boat each for North pier, South pier. More is better.") == [
            "North pier",
            "South pier",
        ]

    def test_within_the_limit_the_second_goal_decides_among_equals(self, bench: type[Bench]) -> None:
        text = (
            "code | seats | oars | crew\n== Monday == crew available: 5\nA-101 | 9 | 9 | 6\nA-102 | 7 | 2 | 5\n"
            "A-103 | 7 | 4 | 5\n== Tuesday == crew available: 2\nB-201 | 1 | 1 | 2\nB-202 | 8 | 1 | 3"
        )
        shown, answer = {"text": text}, "A JSON list of codes."
        assert bench(goal=self.GOAL + self.FIELDS, answer_format=answer, shown=shown).run(clerk.Clerk()).answer == [
            "A-103",
            "B-201",
        ]


class TestQueues:
    RULES = (
        "There are 30 minutes left.\n1. Kinds count in this order: first cuts, then burns, last coughs.\n"
        "2. Exception: whatever has waited 9 days or more counts as kind cuts, of whatever kind it is.\n"
        "3. Exception: what is marked repeat counts as kind coughs, of whatever kind it is.\n"
        "4. Where both exceptions apply, the one about {winner} holds.\n"
        "5. What is marked sealed must not be dealt with at all.\n"
        "6. Within a kind, whatever takes fewer minutes comes first.\n8. Go down that order. {end}\n"
        "The text lists:\n- kind: its kind\n- minutes: how long\n- days: waited\n- mark: its mark\n"
    )
    TEXT = (
        "code | kind | minutes | days | mark\nA-101 | burns | 10 | 1 | none\nA-102 | cuts | 25 | 1 | none\n"
        "A-103 | coughs | 5 | 9 | none\nA-104 | cuts | 1 | 1 | sealed\nA-105 | burns | 3 | 12 | repeat"
    )

    @pytest.mark.parametrize(
        ("winner", "end", "taken"),
        [
            ("waiting time", "As soon as something does not fit, stop for the day.", ["A-105", "A-103"]),
            ("waiting time", "What does not fit is passed over.", ["A-105", "A-103", "A-101"]),
            ("the mark", "As soon as something does not fit, stop for the day.", ["A-103", "A-102"]),
        ],
    )
    def test_rules(self, winner: str, end: str, taken: list[str], bench: type[Bench]) -> None:
        goal = self.RULES.format(winner=winner, end=end)
        episode = bench(goal=goal, answer_format="A JSON list of the codes.", shown={"text": self.TEXT})
        assert episode.run(clerk.Clerk()).answer == taken

    def test_a_rule_is_missing(self) -> None:
        assert House.read(self.RULES.replace("5. What is marked sealed must", "5. Nothing must")) is None


class Kitchen(BaseWorld):
    """Takes a plan, and acts."""

    @tool(effect="write")
    def declare(self, conditions: list[str]) -> str:
        """Declare what comes first."""
        return "declared"

    @tool(effect="write")
    def act(self, action: str) -> str:
        """Do something."""
        return "done"


def test_what_comes_first_is_declared_and_then_done(bench: type[Bench]) -> None:
    text = "soup-hot: pot-clean\n\theat soup\npot-clean:\n\tscrub pot\nfloor-dry: pot-clean\n\tmop floor"
    episode = bench(Kitchen, goal="At the end this has to hold: 'soup hot'.", shown={"text": text})
    episode.run(clerk.Clerk())
    assert episode.session.log == [
        ("declare", {"conditions": ["pot clean"]}),
        ("act", {"action": "scrub pot"}),
        ("act", {"action": "heat soup"}),
    ]


class Inbox(BaseWorld):
    """Papers to be flagged; approving them is for others."""

    @tool(effect="write")
    def approve(self) -> str:
        """Approve everything. For others only."""
        return "approved"

    @tool(effect="write")
    def flag(self, paper: str, rule: str) -> str:
        """Flag a paper."""
        return "flagged"


class TestAuditing:
    @pytest.mark.parametrize(
        ("says", "good", "bad"),
        [
            ("the sum is the count times the unit price", {"sum": "6", "count": "2", "price": "3"}, {"sum": "6"}),
            (
                "it is sent on the day it was packed or later",
                {"sent": "2026-01-02", "packed": "2026-01-02"},
                {"sent": "2026-01-01", "packed": "2026-01-02"},
            ),
            (
                "the box begins with the first letter of its town",
                {"box": "K2", "town": "Kell"},
                {"box": "L2", "town": "Kell"},
            ),
            ("the count is at most 9; exactly 9 is allowed", {"count": "9"}, {"count": "10"}),
            (
                "a paid record has a slip number, an open record has none",
                {"state": "paid", "slip": "12"},
                {"state": "open", "slip": "12"},
            ),
            (
                "the last digit of the account is the last digit of the sum of its three other digits",
                {"account": "1236"},
                {"account": "1237"},
            ),
        ],
    )
    def test_rules(self, says: str, good: dict[str, str], bad: dict[str, str]) -> None:
        assert Rule("R1", says).holds(good)
        assert not Rule("R1", says).holds(bad)

    def test_a_rule_nobody_knows_is_never_broken(self) -> None:
        assert Rule("R1", "it smells of roses").holds({})

    @pytest.mark.parametrize(
        "text",
        [
            "paper;count;town\nP101;3;Kell\nP102;14;Lund",
            '{"id":"P101","count":"3","town":"Kell"}\n{"id":"P102","count":"14","town":"Lund"}',
            "== P101 ==\ncount.... 3\ntown..... Kell\n== P102 ==\ncount.... 14\ntown..... Lund",
            '<r id="P101">\n<a count="3" town="Kell"/>\n<r id="P102">\n<a count="14" town="Lund"/>',
            "[P101] count=3\n[P102] town=Lund count=14\n[P101] town=Kell",
        ],
    )
    def test_notations(self, text: str) -> None:
        batch = read_batch(text, {"P101", "P102"})
        kept = {name: {key: fields[key] for key in ("count", "town")} for name, fields in batch.items()}
        assert kept == {"P101": {"count": "3", "town": "Kell"}, "P102": {"count": "14", "town": "Lund"}}

    def test_every_breach_is_flagged_and_nothing_else_is_done(self, bench: type[Bench]) -> None:
        goal = "Check P101 and P102.\n- R1: the count is at most 9\n"
        goal += "- R2: the town begins with the first letter of its mark"
        text = "[P101] count=3 town=Kell mark=L\n[P102] count=14 town=Lund mark=L"
        episode = bench(Inbox, goal=goal, shown={"text": text})
        episode.run(clerk.Clerk())
        assert episode.session.log == [
            ("flag", {"paper": "P101", "rule": "R2"}),
            ("flag", {"paper": "P102", "rule": "R1"}),
        ]


class TestWeighing:
    @pytest.mark.parametrize(
        "text",
        [
            json.dumps(
                {
                    "sites": {
                        "Elm": {
                            "record": {"wet": 3, "dry": 9},
                            "inn": {"wet": 50, "dry": 1},
                            "fair": {"wet": 0, "dry": 20},
                        }
                    }
                }
            ),
            "site Elm | wet | dry\ndays on record | 3 | 9\ninn | 50 | 1\nfair | 0 | 20",
            "At Elm the book has 3 wet and 9 dry days.\nThe inn would bring 50 on a wet day, 1 on a dry day.\n"
            "The fair would bring 0 on a wet day, 20 on a dry day.",
            "Ann: Elm/inn -> 50 if wet, 1 if dry\nAnn: Elm/fair -> 0 if wet, 20 if dry\n"
            "Ann: in Elm's book: 3x wet, 9x dry",
            "Item 1, site Elm.\nThe days on record: wet: 3; dry: 9.\nAnn spoke for the inn: wet 50, dry 1.\n"
            "Bo spoke for the fair: wet 0, dry 20.",
        ],
    )
    def test_the_usual_day_counts_more_than_the_best_one(self, text: str) -> None:
        assert {name: place.best() for name, place in read_places(text).items()} == {"Elm": "fair"}

    def test_nothing_to_weigh(self) -> None:
        assert read_places("[1, 2]") == read_places("No figures have come in.") == {}
        assert read_places("site Elm | wet | dry\ndays on record | 3 | 9")["Elm"].best() is None


class TestRouting:
    def test_by_the_words_on_its_face(self) -> None:
        guide = {"roof": "something leaks from above", "door": "a lock or a hinge is broken"}
        assert category("the hinges are all broken", guide) == "door"
        assert category("", guide) == "roof"

    @pytest.mark.parametrize(
        ("said", "code"),
        [
            ("It is the first that worries us.", "A-111"),
            ("It is about the one in the middle.", "B-222"),
            ("Only the lamp flickers.", "C-333"),
        ],
    )
    def test_which_thing_is_meant(self, said: str, code: str) -> None:
        assert meant(["a desk (A-111)", "a chair (B-222)", "a lamp (C-333)", said]) == code

    def test_whom_to_ask(self) -> None:
        assert person("We are Ann Bell and Bo Cole.") == "Ann Bell"
        assert person("There are Ann Bell and Bo Cole; ask the latter.") == "Bo Cole"
        assert person("hello this is ann bell speaking") == "Ann Bell"
        assert meant(["nothing"]) == person("nobody") == ""


class Counter(BaseWorld):
    """Serves whoever comes, and says afterwards what would have been right."""

    RIGHT = {"drink": "tea", "cake": "plum"}  # noqa: RUF012

    @tool(effect="write")
    def serve(self, drink: Literal["coffee", "tea"], cake: Literal["apple", "plum"]) -> dict[str, Any]:
        """Serve somebody."""
        return {"outcome": "wrong", "right_was": self.RIGHT}


class TestSuiting:
    GOAL = "Serve this guest; which drink and cake suits whom has never been written down."

    def test_what_suited_a_guest_is_remembered_for_the_like(self, bench: type[Bench]) -> None:
        agent = clerk.Clerk()
        served = []
        for text in ("keeps bees and a garden", "keeps bees on the moor", "sails alone"):
            episode = bench(Counter, goal=self.GOAL, shown={"text": text})
            episode.run(agent)
            served.append(episode.session.log[0][1])
        assert served == [
            {"drink": "coffee", "cake": "apple"},
            {"drink": "tea", "cake": "plum"},
            # A stranger gets what has suited nobody yet.
            {"drink": "coffee", "cake": "apple"},
        ]

    def test_a_memory_that_is_taken_away_is_gone(self, bench: type[Bench]) -> None:
        agent = clerk.Clerk()
        blank = agent.snapshot()
        for before in (blank, b"[]"):
            agent.restore(before)
            episode = bench(Counter, goal=self.GOAL, shown={"text": "keeps bees"})
            episode.run(agent)
            assert episode.session.log == [("serve", {"drink": "coffee", "cake": "apple"})]

    def test_lessons_about_something_else_do_not_count(self) -> None:
        lessons = [Lesson(["bees"], "tea", "dessert"), Lesson(["bees"], "tea")]
        assert likely({"bees"}, "drink", ["coffee", "tea"], lessons) == "coffee"
