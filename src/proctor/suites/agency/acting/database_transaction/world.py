"""A house's database without autocommit, and a verifier that reads every table of it afterwards."""

from __future__ import annotations

import re
from typing import Annotated, Any

from msgspec import Meta

from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.acting.database_transaction.books import columns
from proctor.suites.agency.acting.database_transaction.texts import HOUSES
from proctor.suites.agency.acting.record_world import RecordWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_done",
    "not_committed",
    "damaged_tables",
    "missing_record",
    "wrong_record",
    "wrong_lines",
    "wrong_stock",
    "wrong_state",
    "wrong_account",
    "other_change",
    "missing_artifact",
)
_CONTROL = re.compile(r"\s*(?:BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)\b", re.IGNORECASE)


class BooksWorld(RecordWorld):
    """The tables of one house. What was not committed is lost, and does not count."""

    offered = ("query", "execute", "schema", "show_material")

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._house = HOUSES[instance.hidden["house"]]
        self._columns = columns(self._house)
        self._found: dict[str, list[list[Any]]] = {}
        self.populate(script(instance.hidden["house"], instance.hidden["before"]))

    @tool(effect="write")
    def execute(self, sql: Annotated[str, Meta(description="One SQL statement (SQLite).")]) -> dict[str, Any]:
        """Change the database with one statement (INSERT, UPDATE, DELETE, COMMIT, ROLLBACK).

        Answers how many rows changed, and whether a transaction is open. Autocommit is off: the first statement opens
        a transaction by itself, unless one is open. What is not committed with COMMIT at the end is lost.
        """
        if not self._opened().in_transaction and not _CONTROL.match(sql):
            super().execute("BEGIN")
        answer: dict[str, Any] = super().execute(sql)
        return answer

    def verify(self, submission: Submission) -> Verification:
        pending = self._opened().in_transaction
        success, reason = self._verdict(pending)
        return Verification(success, reason, artifacts=self.artifacts())

    def _verdict(self, pending: bool) -> tuple[bool, str]:
        committed = self.committed(self._columns)
        for table, names in self._columns.items():
            rows = committed[table]
            if rows is None or any(set(row) != set(names) for row in rows):
                return False, "damaged_tables"
            self._found[table] = sorted(([row[name] for name in names] for row in rows), key=repr)
        before = {table: sorted(rows, key=repr) for table, rows in self.instance.hidden["before"].items()}
        if self._found == before:
            return False, "not_committed" if pending else "nothing_done"
        return self._compared(before)

    def _compared(self, before: dict[str, list[list[Any]]]) -> tuple[bool, str]:
        house, tables = self._house, self._found
        after = self.instance.hidden["after"]
        known = {row[0] for row in before[house.headers]}
        new = [row for row in tables[house.headers] if row[0] not in known]
        if not new:
            return False, "missing_record"
        number = new[0][0]
        expected = {
            table: sorted(
                ([number if value == 0 and index == 0 else value for index, value in enumerate(row)] for row in rows),
                key=repr,
            )
            for table, rows in after.items()
        }
        if tables[house.headers] != expected[house.headers]:
            return False, "wrong_record"
        if tables[house.lines] != expected[house.lines]:
            return False, "wrong_lines"
        if tables[house.accounts] != expected[house.accounts]:
            return False, "wrong_account"
        if tables[house.items] != expected[house.items]:
            stocks = [row[:5] for row in tables[house.items]] == [row[:5] for row in expected[house.items]]
            return False, "wrong_state" if stocks else "wrong_stock"
        if tables != expected:
            return False, "other_change"
        return True, "correct"


def script(house_number: int, tables: dict[str, list[list[Any]]]) -> str:
    """The SQL that makes the starting database. Texts are the family's own and hold no quotes."""
    house = HOUSES[house_number]
    lines = [_schema(house_number)]
    for table, names in columns(house).items():
        values = ", ".join(
            "(" + ", ".join(f"'{value}'" if isinstance(value, str) else str(value) for value in row) + ")"
            for row in tables[table]
        )
        lines.append(f"INSERT INTO {table} ({', '.join(names)}) VALUES {values};")  # noqa: S608
    return "\n".join(lines)


def _schema(house_number: int) -> str:
    h = HOUSES[house_number]
    return f"""
CREATE TABLE {h.grades} (grade TEXT PRIMARY KEY, percent INTEGER NOT NULL);
CREATE TABLE {h.accounts} (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    grade TEXT NOT NULL REFERENCES {h.grades} (grade), {h.balance} INTEGER NOT NULL, {h.last} TEXT NOT NULL);
CREATE TABLE {h.items} (code TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, {h.price} INTEGER NOT NULL,
    {h.stock} INTEGER NOT NULL CHECK ({h.stock} >= 0), minimum INTEGER NOT NULL, state TEXT NOT NULL);
CREATE TABLE {h.headers} (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES {h.accounts} (id),
    reference TEXT NOT NULL, {h.day} TEXT NOT NULL, total_cents INTEGER NOT NULL);
CREATE TABLE {h.lines} (booking_id INTEGER NOT NULL REFERENCES {h.headers} (id),
    code TEXT NOT NULL REFERENCES {h.items} (code), quantity INTEGER NOT NULL, amount_cents INTEGER NOT NULL,
    PRIMARY KEY (booking_id, code));
"""
