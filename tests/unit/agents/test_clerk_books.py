"""The clerk's newer skills on small material of its own: balances, explained fields, hints, labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from proctor.agents import clerk
from proctor.agents.clerk.balances import House, listed_names
from proctor.agents.clerk.fields import moment
from proctor.agents.clerk.hints import search_for
from proctor.agents.clerk.labelling import items, likely_label
from proctor.agents.clerk.movements import way_of
from proctor.agents.clerk.numerals import in_digits
from proctor.agents.clerk.pairs import Pair, about, pairs
from proctor.agents.clerk.procedures import notions
from proctor.agents.clerk.statements import in_order, statements
from proctor.agents.contract import memory_of
from proctor.core.errors import ToolError
from proctor.spec.task import Instance
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench


class TestNumerals:
    @pytest.mark.parametrize(
        ("text", "digits"),
        [
            ("forty-two geese", "42 geese"),
            ("Four hundred and twelve", "412"),
            ("one thousand nine hundred and six", "1906"),
            ("five and three", "5 and 3"),
            ("two thousand", "2000"),
            ("twenty thirty", "20 30"),
            ("someone is alone", "someone is alone"),
        ],
    )
    def test_words(self, text: str, digits: str) -> None:
        assert in_digits(text) == digits


class TestStatements:
    def test_clock_times_order_lines_and_leave_the_rest_in_place(self) -> None:
        text = "10:30 second thing\nsaid without a time.\n09:15 first thing"
        said = [one.text.strip() for one in in_order(statements(text), text)]
        assert said == ["first thing", "said without a time.", "second thing"]

    def test_the_newest_first(self) -> None:
        text = "Notes, newest entry on top.\nlate 2\nearly 1"
        assert in_order(statements(text), text)[0].text == "early 1"

    def test_objects_and_their_numbers(self) -> None:
        text = '{"start": {"oil": 3}, "done": [{"seq": 2, "to": "oil", "of": 5}, {"seq": 1, "to": "tar", "of": null}]}'
        said = in_order(statements(text), text)
        assert [(one.heading.strip(), one.text) for one in said] == [
            ("start", "oil = 3"),
            ("done", "to=tar"),
            ("done", "to=oil of=5"),
        ]

    def test_tables(self) -> None:
        counts = "what | before | sold\n---|---|---\nrope | 9 | 2, 3\ntar | 4 | -"
        assert [(one.heading, one.text) for one in statements(counts)] == [
            ("before", "9 rope"),
            ("sold", "2 rope"),
            ("sold", "3 rope"),
            ("before", "4 tar"),
        ]
        rows = "who | how many\n---|---\nAnn | 3"
        assert [one.text for one in statements(rows)] == ["who=Ann how many=3"]

    def test_broken_json_is_text(self) -> None:
        assert statements('{"a": 3')[0].text == '{"a": 3'


@pytest.mark.parametrize(
    ("text", "heading", "way"),
    [
        ("12 crates arrived", "", "in"),
        ("12 crates were shipped", "", "out"),
        ("12 crates will be shipped", "", "plan"),
        ("crates 12", "Pending", "plan"),
        ("+ 12 crates", "", "in"),
        ("- 12 crates", "", "out"),
        ("OUT crates 12 why=return", "", "out"),
        ("crates 12", "", "count"),
    ],
)
def test_what_words_do(text: str, heading: str, way: str) -> None:
    assert way_of(text, heading) == way


class TestBalances:
    FORMAT = "A JSON list of whole numbers."

    def answer(self, bench: type[Bench], text: str, goal: str = "") -> Any:
        goal = f"What is there? {goal} Report these, in this order: Barn, Shed."
        return bench(goal=goal, answer_format=self.FORMAT, shown={"text": text}).run(clerk.Clerk()).answer

    @pytest.mark.parametrize(
        "moves",
        [
            "10 were moved from Barn to Shed.\nThen 4 were taken from the Barn.",
            "09:00 Barn --10--> Shed\n09:30 Barn --4--> street",
            "Shed should get 10 from Barn\nBarn: 4 were sold",
            "SLIP of 10, stamped 09:10\noff Barn, onto Shed\nWITHDRAWAL of 4, stamped 09:20\nfrom Barn",
        ],
    )
    def test_moves(self, moves: str, bench: type[Bench]) -> None:
        assert self.answer(bench, f"Barn holds thirty\nShed = 5\n{moves}") == [16, 15]

    def test_a_figure_without_a_name_belongs_to_the_name_before(self, bench: type[Bench]) -> None:
        text = "The Barn is full. The tag says 30.\nSince then 4 were sold.\nThe Shed holds 5."
        assert self.answer(bench, text) == [26, 5]

    def test_plans_count_only_where_the_goal_says_nothing_of_them(self, bench: type[Bench]) -> None:
        text = "Barn = 30\nShed = 5\n10 are to be taken out of Barn"
        assert self.answer(bench, text) == [20, 5]
        assert self.answer(bench, text, "What is merely planned changes nothing.") == [30, 5]

    def test_fees_and_the_floor(self, bench: type[Bench]) -> None:
        rules = "Every transfer costs a fee of 3. Every deposit costs a fee of 1. No booking may leave less: below 10."
        text = "Barn = 30\nShed = 5\n10 from Barn to Shed\n20 from Barn to Shed\n7 paid in to Shed"
        assert self.answer(bench, text, rules) == [17, 21]
        assert House.read(rules) == House({"transfer": 3, "deposit": 1}, 10)

    def test_names(self) -> None:
        assert listed_names("State them in this order: a b, c and d.") == ["a b", "c", "d"]
        assert listed_names("State them.") == []

    def test_nothing_known_is_no_finding(self, bench: type[Bench]) -> None:
        assert self.answer(bench, "Nobody said anything.") != [0, 0]


class TestFields:
    FORMAT = (
        "A JSON object with the keys `sender` (text, the address), `grade` (text, low, middle or high) and "
        "`when` (text, date and time)."
    )
    GOAL = (
        "Copy these of letter Q-12:\n- sender: the address of the author (not of the recipient)\n"
        "- grade: its grade\n- when: date and time of writing (not of arrival)"
    )
    RIGHT: ClassVar = {"sender": "ann@x.example", "grade": "high", "when": "2026-03-04 10:20"}

    @pytest.mark.parametrize(
        "text",
        [
            "Letter Q-12\nTo: bob@x.example\nAuthor: ann@x.example\nGrade: high\nArrival: 2026-03-05 11:00\n"
            "Date: 4 March 2026 10:20",
            '{\n"id": "Q-12",\n"recipient": "bob@x.example",\n"author": "ann@x.example",\n"grade": "high",\n'
            '"arrived": "2026-03-05 11:00",\n"time": "2026-03-04 10:20"\n}',
            "id | arrival | date | from | to | grade\n---|---|---|---|---|---\n"
            "Q-11 | 2026-01-01 09:00 | 2026-01-01 08:00 | cid@x.example | bob@x.example | low\n"
            "Q-12 | 2026-03-05 11:00 | 2026-03-04 10:20 | ann@x.example | bob@x.example | high",
            '<letter id="Q-11" grade="low"/>\n<letter id="Q-12" grade="high" date="2026-03-04 10:20">\n'
            '<person role="reader">bob@x.example</person>\n<person role="writer">ann@x.example</person>\n</letter>',
            "Q-12 to=bob@x.example author=ann@x.example\nQ-11 grade=low\nQ-12 grade=high date=04/Mar/2026:10:20",
            "LETTER Q-12\nRECIPIENT ..... bob@x.example\nWRITER ..... ann@x.example\nGRADE ..... HIGH\n"
            "DAY OF WRITING ..... 2026-03-04\nTIME OF WRITING ..... 10:20",
            "Q-12 was meant for bob@x.example.\nann@x.example is its author.\n"
            "The grade of it is high.\nThe date is 10:20 on 4 March 2026.",
        ],
    )
    def test_notations(self, text: str, bench: type[Bench]) -> None:
        submission = bench(goal=self.GOAL, answer_format=self.FORMAT, shown={"text": text}).run(clerk.Clerk())
        assert submission.answer == self.RIGHT
        assert submission.confidence == 0.85

    def test_what_is_not_all_there_is_left_to_reading(self, bench: type[Bench]) -> None:
        episode = bench(goal=self.GOAL, answer_format=self.FORMAT, shown={"text": "Letter Q-12\nGrade: high"})
        submission = episode.run(clerk.Clerk())
        assert submission.answer["grade"] == "high"
        assert submission.confidence is not None
        assert submission.confidence < 0.85

    def test_pairs_and_whom_they_are_about(self) -> None:
        text = "K-17 size=3\nK-18 size=4"
        assert pairs(text, "K-18") == [Pair("size", "4")]
        assert len(pairs(text)) == 2
        assert about("Which size has K-18?", text) == "K-18"
        assert about("Which size has K-19?", text) == ""

    def test_moments(self) -> None:
        assert moment("Wed, 4 Mar 2026 10:20") == "2026-03-04 10:20"
        assert moment("at 10:20") == "10:20"
        assert moment("soon") is None


class Lock(BaseWorld):
    """Opens at one entry; says what the observation's `kind` of lock says."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.left = 6
        self.open = False

    @tool(effect="write")
    def enter(self, entry: str) -> dict[str, Any]:
        """Enter something."""
        if not self.left:
            message = "there are no attempts left"
            raise ToolError(message)
        self.left -= 1
        secret = self.instance.observation["secret"]
        self.open = entry == secret
        return {"opened": self.open, **_hint(self.instance.observation["kind"], entry, secret)}


def _hint(kind: str, entry: str, secret: str) -> dict[str, Any]:
    match kind:
        case "number":
            return {"it_is": "higher" if int(secret) > int(entry) else "lower"}
        case "far":
            return {"distance": abs(int(secret) - int(entry))}
        case "digits":
            pairs = zip(entry, secret, strict=True)
            return {"each": ["right" if a == b else "higher" if b > a else "lower" for a, b in pairs]}
        case "order":
            told = enumerate(zip(entry.split(", "), secret.split(", "), strict=True), 1)
            return {"correct": [place for place, (a, b) in told if a == b]}
    return {"smell": "of tar"}


class TestHints:
    @pytest.mark.parametrize(
        ("kind", "secret", "goal", "opens"),
        [
            ("number", "37", "A number from 1 to 50, e.g. `7`.", True),
            ("far", "411", "A number from 1 to 900, e.g. `7`.", True),
            ("digits", "907", "Three digits 0 to 9, e.g. `123`.", True),
            ("order", "c, a, d, b", "In order, e.g. `a, b, c, d`.", True),
            ("other", "x", "A word, e.g. `tar`.", False),
        ],
    )
    def test_kinds(self, kind: str, secret: str, goal: str, opens: bool, bench: type[Bench]) -> None:
        goal = f"Open it. {goal} Every attempt gets a hint."
        episode = bench(Lock, goal=goal, shown={"kind": kind, "secret": secret})
        submission = episode.run(clerk.Clerk())
        assert isinstance(episode.world, Lock)
        assert episode.world.open == opens
        assert submission.confidence == (0.95 if opens else 0.05)

    def test_ranges_too_wide_and_no_example(self) -> None:
        assert search_for("A number from 1 to 900000000, e.g. `7`.") is None
        assert search_for("A number.") is None

    def test_contradictory_hints_leave_nothing(self) -> None:
        search = search_for("A number from 10 to 12, e.g. `11`.")
        assert search is not None
        for _ in range(2):
            search.entry()
            search.learn({"it_is": "lower"})
        assert search.entry() is None


ADDS = "def f(xs):\n  r = 0\n  for x in xs:\n    r += x.a\n  return r"
LISTS = "def g(ys):\n  r = []\n  for y in ys:\n    r.append(y.b)\n  return r"
REFUSES = "def h(zs):\n  if not zs:\n    raise ValueError\n  r = 0\n  for z in zs:\n    r += z.c\n  return r"


class Office(BaseWorld):
    """Labels by number; says what would have been right if the observation says so."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.given: dict[int, str] = {}

    @tool(effect="write")
    def label(self, number: int, label: str) -> dict[str, str]:
        """Label one."""
        self.given[number] = label
        teaches = self.instance.observation["teaches"]
        return {"right_was": teaches[number - 1]} if teaches else {}


class TestLabelling:
    GOAL = "Label all. First words, in alphabetical order: aba, obo. Second, in alphabetical order: ik, ok."

    def live(self, agent: clerk.Clerk, bench: type[Bench], things: list[str], teaches: list[str]) -> dict[int, str]:
        text = "\n".join(f"[piece {number}]\n{thing}" for number, thing in enumerate(things, 1))
        episode = bench(Office, goal=self.GOAL, shown={"text": text, "teaches": teaches})
        episode.run(agent)
        assert isinstance(episode.world, Office)
        return episode.world.given

    def test_it_learns_forgets_and_remembers(self, bench: type[Bench]) -> None:
        agent = clerk.Clerk()
        assert memory_of(agent) is agent
        blank = agent.snapshot()
        assert self.live(agent, bench, [ADDS, LISTS], []) == {1: "aba-ik", 2: "aba-ik"}
        self.live(agent, bench, [ADDS, LISTS, REFUSES], ["obo-ok", "aba-ok", "obo-ik"])
        assert self.live(agent, bench, [LISTS, REFUSES, ADDS], []) == {1: "aba-ok", 2: "obo-ik", 3: "obo-ok"}
        learned = agent.snapshot()
        agent.restore(blank)
        assert self.live(agent, bench, [ADDS], []) == {1: "aba-ik"}
        agent.restore(learned)
        assert self.live(agent, bench, [ADDS], []) == {1: "obo-ok"}
        agent.clear()
        assert agent.snapshot() == blank

    def test_notions(self) -> None:
        assert {"raises", "plain"} <= set(notions(ADDS))
        assert {"appends", "first list"} <= set(notions(LISTS))
        assert {"raises", "first refuses"} <= set(notions(REFUSES))

    def test_items(self) -> None:
        assert items("[case 1]\na\nb\n[case 2]\nc") == {1: "\na\nb\n", 2: "\nc"}
        assert items("nothing numbered") == {}

    def test_nothing_learned(self) -> None:
        assert likely_label(["raises"], []) == ""


def test_lifetimes_do_not_share_what_they_learned(bench: type[Bench]) -> None:
    one, other = clerk.Clerk(), clerk.Clerk()
    TestLabelling().live(one, bench, [ADDS], ["obo-ok"])
    assert one.snapshot() != other.snapshot() == clerk.Clerk().snapshot()
