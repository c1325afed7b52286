"""The clerk follows written procedures: heating, shelving, going the rounds, composing."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

import pytest

from proctor.agents import clerk
from proctor.agents.clerk.composing import Composer, compose
from proctor.agents.clerk.heating import Reading, Room, decide, read_reading, read_room
from proctor.agents.clerk.records import records
from proctor.agents.clerk.shelving import moves, read_rule
from proctor.core.errors import ToolError
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench

ROOM = """Between 00:00 and 08:00 we want 16.0 degrees.
Between 08:00 and 24:00 we want 20.0 degrees.
The dead band is 0.5.
An empty room has an absence margin of 2.0.
The sensor has to be corrected by -1.0.
Frost protection acts under 5.0.
No cooling if it is under 12.0 outside.
With an open window the plant stays off.
A boost adds 3.0 to the target.
A boost expires after 30 minutes."""


def reading(sensor: str = "21.0", **changed: Any) -> Reading:
    usual = {"minute": 600, "outside": Decimal(15), "open_window": False, "empty": False, "pressed": None}
    return Reading(sensor=Decimal(sensor), **{**usual, **changed})


class TestHeating:
    @pytest.mark.parametrize(
        ("felt", "mode"),
        [
            pytest.param(reading("21.0"), "off", id="on target after the correction"),
            pytest.param(reading("20.5"), "off", id="on the edge"),
            pytest.param(reading("20.4"), "heat", id="below"),
            pytest.param(reading("21.6"), "cool", id="above"),
            pytest.param(reading("21.6", minute=100), "cool", id="at night"),
            pytest.param(reading("19.0", empty=True), "off", id="nobody in"),
            pytest.param(reading("21.6", outside=Decimal(11)), "off", id="cooling locked"),
            pytest.param(reading("15.0", open_window=True), "off", id="window"),
            pytest.param(reading("5.9", open_window=True), "heat", id="frost before all else"),
            pytest.param(reading("21.0", pressed=30), "heat", id="boost"),
            pytest.param(reading("21.0", pressed=31), "off", id="boost is over"),
        ],
    )
    def test_decisions(self, felt: Reading, mode: str) -> None:
        assert decide(read_room(ROOM), felt) == mode

    def test_what_is_not_stated_has_no_effect(self) -> None:
        room = Room(periods=[(0, 1440, Decimal(20))])
        assert decide(room, reading("30.0", open_window=True, outside=Decimal(1))) == "cool"
        assert decide(Room(), reading("30.0")) == "off"

    def test_readings_in_words_and_as_data(self) -> None:
        told = read_reading("It is 07:05, sensor 18.2, outside -3.0; window open, room empty, pressed 12 minutes ago.")
        data = read_reading(
            '{"time": "07:05", "sensor": "18.2", "outside": "-3.0", "window": "open", "people": "empty", '
            '"button": "12 minutes ago"}'
        )
        assert told == data == Reading(425, Decimal("18.2"), Decimal("-3.0"), True, True, 12)
        assert read_reading("nothing yet") is None

    def test_one_reading_after_the_other(self, bench: type[Bench]) -> None:
        shown = {"text": ROOM, "number": 1, "reading": "It is 09:00, the sensor shows 15.0."}
        episode = bench(Plant, goal="Run the plant.", answer_format="The word done.", shown=shown)
        assert episode.run(clerk.Clerk()).answer == "done"
        assert episode.session.log == [("set_plant", {"mode": "heat"}), ("set_plant", {"mode": "off"})]


class Plant(BaseWorld):
    """A room with two readings."""

    @tool(effect="write")
    def set_plant(self, mode: Literal["heat", "cool", "off"]) -> dict[str, Any]:
        """Decide the current reading."""
        self.decided = [*getattr(self, "decided", []), mode]
        return (
            {"number": 2, "reading": "It is 10:00, the sensor shows 21.0."} if len(self.decided) == 1 else {"number": 0}
        )


class Cabinet(BaseWorld):
    """Papers by path."""

    PAPERS = {  # noqa: RUF012
        "/lib/in/a.txt": "kind: map\ndate: 2024-03-01\nsize: 40 kB\n",
        "/lib/red/1.txt": "kind: song\ndate: 2021-03-01\nsize: 90 kB\n",
        "/lib/blue/1.txt": "kind: map\ndate: 2025-03-01\nsize: 10 kB\n",
    }

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.papers = dict(self.PAPERS)

    @tool(effect="read")
    def list_papers(self) -> list[str]:
        """List all paths."""
        return sorted(self.papers)

    @tool(effect="read")
    def read_paper(self, path: str) -> str:
        """Read one."""
        return self.papers[path]

    @tool(effect="write")
    def move_paper(self, source: str, target: str) -> str:
        """Move one; nothing may lie there."""
        if target in self.papers:
            raise ToolError("something lies there already")
        self.papers[target] = self.papers.pop(source)
        return "moved"


class TestShelving:
    GOAL = "Sort the papers by rank: /lib/FOLDER/1.txt, /lib/FOLDER/2.txt and so on."

    def test_rules_choose_and_numbers_follow(self, bench: type[Bench]) -> None:
        text = (
            "Rule 2: whatever remains goes to red.\nRule 1: every map goes to red.\nNumbers run by date, newest first."
        )
        episode = bench(Cabinet, goal=self.GOAL, shown={"text": text})
        episode.run(clerk.Clerk())
        assert isinstance(episode.world, Cabinet)
        assert {path: paper[6:10].strip() for path, paper in episode.world.papers.items()} == {
            "/lib/red/1.txt": "map",
            "/lib/red/2.txt": "map",
            "/lib/red/3.txt": "song",
        }

    @pytest.mark.parametrize(
        ("line", "folder", "held"),
        [
            ("rank: 1, if: kind is, value: map, folder: red", "red", True),
            ("no. 2 on the list: older than 2024-03-02 -> blue", "blue", True),
            ("Rule 3: whatever is dated before 2024-03-01 goes to blue.", "blue", False),
            ("Resolved as rank 4: red receives all that is larger than 40 kB.", "red", False),
            ("Rule 5: the rest goes to green.", "green", True),
        ],
    )
    def test_one_rule(self, line: str, folder: str, held: bool) -> None:
        rule = read_rule(records(line)[0])
        assert rule is not None
        paper = {"path": "/lib/in/a.txt", "kind": "map", "date": "2024-03-01", "size": "40 kB"}
        assert (rule.folder, rule.holds(paper)) == (folder, held)

    def test_a_ring_is_opened_by_way_of_a_free_name(self) -> None:
        planned = moves({"/a/1": "/b/1", "/b/1": "/a/1", "/c/1": "/c/1"})
        lying = {"/a/1": "x", "/b/1": "y", "/c/1": "z"}
        for source, target in planned:
            assert target not in lying
            lying[target] = lying.pop(source)
        assert lying == {"/b/1": "x", "/a/1": "y", "/c/1": "z"}


class Town(BaseWorld):
    """Four places; the short road from Ash to Elm is closed."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.at, self.left = "Ash", list[tuple[str, str]]()

    @tool(effect="write")
    def walk(self, to: str) -> dict[str, Any]:
        """Go to a neighbouring place."""
        if (self.at, to) == ("Ash", "Elm"):
            raise ToolError("this road is closed; you are still at Ash")
        self.at = to
        return {"position": to}

    @tool(effect="write")
    def leave(self, letter: str) -> str:
        """Leave a letter here."""
        self.left.append((letter, self.at))
        return "left"


def test_rounds_in_the_order_of_rank_and_around_what_is_closed(bench: type[Bench]) -> None:
    roads = (("Ash", "Elm", 2), ("Ash", "Fir", 3), ("Fir", "Elm", 3), ("Elm", "Oak", 9), ("Oak", "Fir", 4))
    text = "Letter L77 is for Oak and has rank 2.\nLetter L12 is for Elm and has rank 1.\n"
    text += "\n".join(f"From {one} you can walk to {two} in {length} km." for one, two, length in roads)
    goal, answer = "Bring every letter to its place, by rank.", "The word delivered, at the end."
    episode = bench(Town, goal=goal, answer_format=answer, shown={"text": text, "position": "Ash"})
    assert episode.run(clerk.Clerk()).answer == "delivered"
    assert isinstance(episode.world, Town)
    assert episode.world.left == [("L12", "Elm"), ("L77", "Oak")]
    assert [arguments["to"] for name, arguments in episode.session.log if name == "walk"] == [
        *("Elm", "Fir", "Elm"),
        *("Fir", "Oak"),
    ]


class TestComposing:
    DOSSIER = {  # noqa: RUF012
        "the hive": {"keeper": "Ann Marie Bell", "number": "3071", "day of swarming": "28 May 2026", "hill": "Torfell"},
        "frame 1": {"weight in g": "12", "pieces": "3", "honey": "lime"},
        "frame 2": {"weight in g": "20", "pieces": "2", "honey": "clover"},
    }

    @pytest.mark.parametrize(
        ("said", "made"),
        [
            ("the initials of the keeper, in small letters", "amb"),
            ("the keeper in small letters, a full stop in place of each space", "ann.marie.bell"),
            ("the first three letters of the hill, in capitals", "TOR"),
            ("the hill written backwards, in small letters", "llefrot"),
            ("the last two digits of the number", "71"),
            ("the number, filled up with zeros on the left to six digits", "003071"),
            ("the sum of the digits of the number, modulo 7", "4"),
            ("the day of swarming as eight digits, year, month and day", "20260528"),
            ("the day 10 days after the day of swarming, as DD.MM.YYYY", "07.06.2026"),
            ("the letter h and how many frames there are, with two digits (`h07`)", "h02"),
            ("the running number: one more than the highest that a file in the folder has, three digits", "042"),
            ("the pieces of each frame times its weight in g, added up", "76"),
            ("every honey, in alphabetical order, separated by a semicolon", "clover;lime"),
            ("the honey of the frame with the largest pieces", "lime"),
            ("the honey with the smallest weight in g, an equals sign, and that number", "lime=12"),
            ("the initials of the keeper in capitals, a hyphen, and the day of swarming's month as a number", "AMB-5"),
            ("the colour of the lid", None),
        ],
    )
    def test_pieces(self, said: str, made: str | None) -> None:
        assert Composer(self.DOSSIER, ["hive-a-041.old", "hive-b-007.old"]).piece(said) == made

    GOAL = (
        "Name of the file: the word `hive` and then these 2 pieces, all joined by `-`; at the end `.txt`:\n"
        "- the last two digits of the number\n- the hill in capitals\n"
        "Content of the file: 1 lines, in this order:\n- WHO: the keeper in capitals\n"
    )

    def test_name_and_content(self) -> None:
        assert compose(self.GOAL, Composer(self.DOSSIER, [])) == ("hive-71-TORFELL.txt", "WHO: ANN MARIE BELL\n")

    def test_nothing_is_made_of_what_is_not_understood(self) -> None:
        assert compose(self.GOAL.replace("the hill", "the moon"), Composer(self.DOSSIER, [])) is None
