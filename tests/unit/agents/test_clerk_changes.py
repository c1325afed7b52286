"""The clerk changes things step by step and keeps to what was ordered: booking, pricing, releasing, staging."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from proctor.agents import clerk
from proctor.agents.clerk.pricing import reprice
from proctor.core.errors import ToolError
from proctor.spec.task import ToolResult
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

if TYPE_CHECKING:
    from tests.unit.agents.conftest import Bench


class Books(BaseWorld):
    """A real database; a statement is carried out at once, and kept on COMMIT."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.base = sqlite3.connect(":memory:", isolation_level=None)
        self.base.executescript(
            "CREATE TABLE rates (grade TEXT, percent INTEGER); INSERT INTO rates VALUES ('A', 10), ('B', 50);"
            "CREATE TABLE clubs (id INTEGER, name TEXT, grade TEXT, owed INTEGER, seen TEXT);"
            "INSERT INTO clubs VALUES (4, 'Row & Sons', 'A', 100, '2026-01-01');"
            "CREATE TABLE boats (code TEXT, name TEXT, price INTEGER, stock INTEGER, least INTEGER, state TEXT);"
            "INSERT INTO boats VALUES ('K1', 'skiff', 333, 5, 4, 'ok'), ('K2', 'punt', 100, 9, 4, 'ok');"
            "CREATE TABLE hires (id INTEGER PRIMARY KEY, club INTEGER, ref TEXT, day TEXT, total INTEGER);"
            "CREATE TABLE hire_lines (hire INTEGER, code TEXT, quantity INTEGER, amount INTEGER); BEGIN;"
        )

    @tool(effect="read")
    def query(self, sql: str) -> dict[str, Any]:
        """Ask."""
        asked = self.base.execute(sql)
        return {"columns": [column[0] for column in asked.description], "rows": [list(row) for row in asked]}

    @tool(effect="write")
    def execute(self, sql: str) -> str:
        """Change."""
        self.base.execute(sql)
        return "done"


class TestBooking:
    GOAL = (
        "Book it:\n- one new row in hires: club is the club's id, ref is the slip, day the date of hire as YYYY-MM-DD, "
        "total is the sum of the amounts of its lines;\n- one new row in hire_lines for each boat of the material: "
        "hire is the id of the row in hires, then code, quantity, and amount: quantity times price, less the "
        "percentage that rates has for the club's grade, rounded down to a whole cent for each line;\n- in boats, "
        "stock of each of these boats falls by its quantity; where stock is then less than least, state becomes "
        "'short';\n- in clubs, the club's owed rises by the total, and seen becomes the day of the booking.\n"
    )
    SLIP = (
        "As to the hire, the club is {club}; the slip is H-7; the date of hire is 3 May 2026.\n\n"
        "As to line 1, the boat is skiff; the quantity is 2.\n\nAs to line 2, the boat is punt; the quantity is 1."
    )

    def booked(self, bench: type[Bench], club: str) -> tuple[Any, list[str], float | None]:
        episode = bench(Books, goal=self.GOAL, shown={"material": self.SLIP.format(club=club)})
        submission = episode.run(clerk.Clerk())
        assert isinstance(episode.world, Books)
        ended = [arguments["sql"] for name, arguments in episode.session.log if name == "execute"][-1:]
        return episode.world.base, ended, submission.confidence

    def test_everything_in_one_transaction(self, bench: type[Bench]) -> None:
        base, ended, sure = self.booked(bench, "Row & Sons")
        assert ended == ["COMMIT"]
        assert sure == 0.9
        assert base.execute("SELECT club, ref, day, total FROM hires").fetchall() == [(4, "H-7", "2026-05-03", 689)]
        assert base.execute("SELECT * FROM hire_lines").fetchall() == [(1, "K1", 2, 599), (1, "K2", 1, 90)]
        assert base.execute("SELECT stock, state FROM boats").fetchall() == [(3, "short"), (8, "ok")]
        assert base.execute("SELECT owed, seen FROM clubs").fetchall() == [(789, "2026-05-03")]

    def test_an_unknown_customer_changes_nothing(self, bench: type[Bench]) -> None:
        base, ended, sure = self.booked(bench, "O'Nobody")
        assert ended == ["ROLLBACK"]
        assert sure == 0.05
        assert base.execute("SELECT count(*) FROM hires").fetchall() == [(0,)]


CODE = """BASE = 10
TIERS = ((5, 3), (9, 2))
BEYOND = 1
PERCENT = {"usual": 100}


def charge(units: int, category: str) -> int:
    total = BASE
    total = total * PERCENT[category] // 100
    if units > 40:
        total += 7
    return total
"""


class TestPricing:
    @pytest.mark.parametrize(
        ("facts", "line"),
        [
            ({"base price in cents": "12"}, "BASE = 12"),
            ({"price of each unit beyond the last tier": "4"}, "BEYOND = 4"),
            ({"upper end of the first tier in units": "6"}, "TIERS = ((6, 3), (9, 2))"),
            ({"price of each unit in the second tier": "8"}, "TIERS = ((5, 3), (9, 8))"),
            ({"percentage of the category usual": "90"}, 'PERCENT = {"usual": 90}'),
            (
                {"name of the additional category": "night", "percentage of the additional category": "50"},
                'PERCENT = {"usual": 100, "night": 50}',
            ),
            ({"surcharge in cents": "9"}, "    if units > 40:\n        total += 9\n    return total"),
            ({"unit count above which the surcharge is due": "30"}, "    if units > 30:\n        total += 7"),
            (
                {"rounding step in cents": "5", "minimum price in cents": "20"},
                "        total += 7\n    total = max(total, 20)\n    total = -(-total // 5) * 5\n    return total",
            ),
        ],
    )
    def test_values_find_their_place(self, facts: dict[str, str], line: str) -> None:
        changed = reprice(CODE, facts)
        assert changed is not None
        assert line in changed

    def test_what_is_not_mentioned_stays(self) -> None:
        assert reprice(CODE, {}) == CODE

    def test_a_value_without_a_place(self) -> None:
        assert reprice(CODE, {"colour of the lid": "4"}) is None


class Repository(BaseWorld):
    """A tree of two branches, kept as a list of what was done."""

    @tool(effect="read")
    def read_file(self, path: str) -> str:
        """Read."""
        return CODE

    @tool(effect="write")
    def write_file(self, path: str, text: str) -> str:
        """Write."""
        return "written"

    @tool(effect="write")
    def append_file(self, path: str, text: str) -> str:
        """Append."""
        return "appended"

    @tool(effect="write")
    def git_branch(self, name: str) -> str:
        """Make a branch."""
        return "made"

    @tool(effect="write")
    def git_commit(self, message: str) -> str:
        """Commit."""
        return "committed"

    @tool(effect="write")
    def deploy(self, revision: str = "main") -> str:
        """Deploy."""
        return "deployed"


def test_a_release_in_few_calls(bench: type[Bench]) -> None:
    goal = (
        "Deploy release 2.1.0.\n- `/task/boats/prices.py` has the new values.\n- `/task/VERSION` holds the version; "
        "`/task/NEWS.md` has one more line `VERSION (YYYY-MM-DD): TICKET`.\n- a branch `back-2.0.0` is there."
    )
    told = (
        "As to release 2.1.0, the ticket is T12; the day of the release is 2 May 2026.\n\n"
        "As to the new prices, the base price in cents is 14."
    )

    def fault(name: str, nth: int, result: ToolResult | None) -> ToolResult | None:
        late = name == "append_file" and nth == 0 and result is None
        return ToolResult(False, None, "'append_file' timed out and was not carried out") if late else None

    episode = bench(Repository, goal=goal, shown={"material": told}, fault=fault)
    assert episode.run(clerk.Clerk()).confidence == 0.85
    assert episode.session.log == [
        ("read_file", {"path": "/task/boats/prices.py"}),
        ("git_branch", {"name": "back-2.0.0"}),
        ("write_file", {"path": "/task/boats/prices.py", "text": CODE.replace("BASE = 10", "BASE = 14")}),
        ("write_file", {"path": "/task/VERSION", "text": "2.1.0\n"}),
        ("append_file", {"path": "/task/NEWS.md", "text": "2.1.0 (2026-05-02): T12\n"}),
        ("append_file", {"path": "/task/NEWS.md", "text": "2.1.0 (2026-05-02): T12\n"}),
        ("git_commit", {"message": "Release 2.1.0"}),
        ("deploy", {}),
    ]


class Tables(BaseWorld):
    """Steps that only write down that they were taken; the first ingest breaks off half-way."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.broke = False

    @tool(effect="write")
    def ingest(self, source: str) -> str:
        """Read a source in."""
        if not self.broke:
            self.broke = True
            raise ToolError("the connection was lost; some of them may be staged")
        return "ingested"

    @tool(effect="write")
    def remove(self, table: str) -> str:
        """Remove a table."""
        return "removed"

    @tool(effect="write")
    def normalise(self, table: str, column: str) -> str:
        """Tidy a column."""
        return "done"

    @tool(effect="write")
    def drop_rows(self, table: str, column: str, value: str) -> str:
        """Drop rows."""
        return "done"

    @tool(effect="write")
    def fill_missing(self, table: str, column: str, value: int) -> str:
        """Fill gaps."""
        return "done"

    @tool(effect="write")
    def keep_latest(self, table: str, key: str, by: str) -> str:
        """Keep the latest."""
        return "done"

    @tool(effect="write")
    def join(self, left: str, right: str, column: str, target: str) -> str:
        """Join."""
        return "done"

    @tool(effect="write")
    def multiply(self, table: str, column: str, by: str, target: str) -> str:
        """Multiply."""
        return "done"

    @tool(effect="write")
    def aggregate(self, table: str, group_by: str, column: str, how: str, column_name: str, target: str) -> str:
        """Aggregate."""
        return "done"

    @tool(effect="write")
    def export(self, table: str, file_name: str) -> str:
        """Export."""
        return "done"


class TestStaging:
    GOAL = (
        "Sources: `trips` (columns boat, state, hours; 9 rows) and `boats` (columns boat, pier, seats, issue; 3 rows). "
        "Of each code keep the row with the highest issue. Join the two on `boat` and multiply the measure by `seats`."
    )
    TOLD = (
        "As to the trips, the measure is hours; the state to be left out is void; the rule for a missing measure is "
        "{missing}.\n\nAs to the result, the column to group by is pier; the way of aggregating is sum; the name of "
        "the aggregate column is total; the file name is out."
    )

    def calls(self, bench: type[Bench], missing: str) -> list[tuple[str, dict[str, Any]]]:
        episode = bench(Tables, goal=self.GOAL, shown={"material": self.TOLD.format(missing=missing)})
        assert episode.run(clerk.Clerk()).confidence == 0.85
        return episode.session.log

    def test_half_of_a_step_is_thrown_away_before_it_is_taken_again(self, bench: type[Bench]) -> None:
        assert self.calls(bench, "counted as 8")[:4] == [
            ("ingest", {"source": "trips"}),
            ("remove", {"table": "trips"}),
            ("ingest", {"source": "trips"}),
            ("ingest", {"source": "boats"}),
        ]

    def test_a_gap_is_filled_or_its_row_dropped(self, bench: type[Bench]) -> None:
        filled, dropped = self.calls(bench, "counted as 8"), self.calls(bench, "row left out")
        assert ("fill_missing", {"table": "trips", "column": "hours", "value": 8}) in filled
        assert ("drop_rows", {"table": "trips", "column": "hours", "value": ""}) in dropped
        assert filled[-1] == dropped[-1] == ("export", {"table": "trips_result", "file_name": "out"})
