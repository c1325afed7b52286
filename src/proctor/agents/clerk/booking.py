"""Booking: enters an order into a database as the goal says, row by row, in one transaction.

The goal says which table gets one new row, which gets one for each line of the order, which column of the things falls
or rises, and which of the account. Prices, discounts and ids are read from the database, not from the order.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from proctor.agents.clerk.composing import as_day
from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.clerk.dossier import Dossier, read_dossier
from proctor.agents.clerk.shelving import figure
from proctor.spec.task import ToolSpec

_HEADER = re.compile(
    r"one new row in (?P<table>\w+): (?P<account>\w+) is the (?P<who>[\w ]+)'s (?P<key>\w+), (?P<reference>\w+) is the "
    r"(?P<of>[\w ]+), (?P<day>\w+) the (?P<when>[\w ]+) as YYYY-MM-DD, (?P<total>\w+) is the sum\b"
)
_LINES = re.compile(
    r"one new row in (?P<table>\w+) for each (?P<thing>[\w ]+) of the material: (?P<parent>\w+) is the id of the row "
    r"in \w+, then (?P<code>\w+), (?P<quantity>\w+), and (?P<amount>\w+): \w+ times (?P<price>\w+), less the "
    r"percentage that (?P<rates>\w+) has for the \w+'s (?P<grade>\w+), rounded down"
)
_STOCK = re.compile(
    r"in (?P<table>\w+), (?P<stock>\w+) of each of these [\w ]+ (?P<way>falls|rises) by its quantity; where \w+ is "
    r"then (?P<test>less than|at least as large as) (?P<limit>\w+), (?P<state>\w+) becomes '(?P<value>\w+)'"
)
_ACCOUNT = re.compile(
    r"in (?P<table>\w+), the \w+'s (?P<balance>\w+) (?P<way>falls|rises) by the total, and (?P<last>\w+) becomes "
    r"the day"
)


class Booking(Struct, frozen=True):
    """What a goal says about the four tables, by the names above."""

    header: dict[str, str]
    lines: dict[str, str]
    stock: dict[str, str]
    account: dict[str, str]

    @classmethod
    def read(cls, goal: str) -> Booking | None:
        """The booking that a goal describes; None where one of its parts is missing."""
        found = [pattern.search(goal) for pattern in (_HEADER, _LINES, _STOCK, _ACCOUNT)]
        matches = [match.groupdict() for match in found if match]
        return cls(*matches) if len(matches) == len(found) else None


def fits(desk: Desk) -> bool:
    """The goal describes a booking, and there are tools that query and execute SQL."""
    return Booking.read(desk.task.goal) is not None and _tools(desk) is not None


def _tools(desk: Desk) -> tuple[ToolSpec, ToolSpec] | None:
    query, execute = desk.tool("query", effect="read"), desk.tool("execute", effect="write")
    return (query, execute) if query and execute else None


async def work(desk: Desk) -> Finding | None:
    """Everything in one transaction: committed if every statement changed what it had to, undone if one did not."""
    booking, tools = Booking.read(desk.task.goal), _tools(desk)
    if booking is None or tools is None:
        return None
    clerk = Bookkeeping(desk, *tools)
    dossier = max((read_dossier(text) for text in desk.texts()), key=len, default={})
    fine = await clerk.book(booking, dossier)
    await clerk.execute("COMMIT" if fine else "ROLLBACK")
    return Finding("done", 0.9 if fine else 0.05)


class Bookkeeping:
    """A database to be asked and changed."""

    def __init__(self, desk: Desk, query: ToolSpec, execute: ToolSpec) -> None:
        self._desk, self._query, self._execute = desk, query, execute

    async def book(self, booking: Booking, dossier: Dossier) -> bool:
        """Enter the header, the lines, the stock and the account; whether all of it went in."""
        header, lines, account = booking.header, booking.lines, booking.account
        whole = next((part for part in dossier.values() if header["who"] in part), {})
        day = as_day(whole.get(header["when"], ""))
        who = await self.row(account["table"], "name", whole.get(header["who"], ""))
        rate = await self.row(lines["rates"], lines["grade"], who.get(lines["grade"]))
        wanted = [part for part in dossier.values() if lines["thing"] in part]
        things = [await self.row(booking.stock["table"], "name", part[lines["thing"]]) for part in wanted]
        if day is None or not (who and rate and wanted and all(things)):
            return False
        percent = next(value for name, value in rate.items() if name != lines["grade"])
        quantities = [figure(part.get("quantity", "")) for part in wanted]
        amounts = [
            quantity * thing[lines["price"]] * (100 - percent) // 100
            for quantity, thing in zip(quantities, things, strict=True)
        ]
        new = {
            header["account"]: who[header["key"]],
            header["reference"]: whole.get(header["of"], ""),
            header["day"]: day.isoformat(),
            header["total"]: sum(amounts),
        }
        fine = await self.insert(header["table"], new)
        number = (await self.row(header["table"], header["reference"], new[header["reference"]])).get("id")
        for thing, quantity, amount in zip(things, quantities, amounts, strict=True):
            columns = (lines["parent"], lines["code"], lines["quantity"], lines["amount"])
            values = (number, thing[lines["code"]], quantity, amount)
            fine = await self.insert(lines["table"], dict(zip(columns, values, strict=True))) and fine
            fine = await self._restock(booking.stock, lines["code"], thing, quantity) and fine
        change = sum(amounts) if account["way"] == "rises" else -sum(amounts)
        new = {account["balance"]: who[account["balance"]] + change, account["last"]: day.isoformat()}
        return await self.update(account["table"], header["key"], who[header["key"]], new) and fine

    async def _restock(self, rule: dict[str, str], code: str, thing: dict[str, Any], quantity: int) -> bool:
        left = thing[rule["stock"]] + (quantity if rule["way"] == "rises" else -quantity)
        new = {rule["stock"]: left}
        if (left < thing[rule["limit"]]) == (rule["test"] == "less than"):
            new[rule["state"]] = rule["value"]
        return await self.update(rule["table"], code, thing[code], new)

    async def row(self, table: str, column: str, value: Any) -> dict[str, Any]:
        """The one row with this value; empty where there is none, or more than one."""
        sql = " ".join(("SELECT * FROM", table, "WHERE", column, "=", literal(value)))
        result = await self._desk.call(self._query, **{required(self._query)[0]: sql})
        answer = result.value if result.ok and isinstance(result.value, dict) else {}
        rows = answer.get("rows", [])
        return dict(zip(answer.get("columns", ()), rows[0], strict=True)) if len(rows) == 1 else {}

    async def insert(self, table: str, values: dict[str, Any]) -> bool:
        """Add a row."""
        columns, said = ", ".join(values), ", ".join(map(literal, values.values()))
        return await self.execute(" ".join(("INSERT INTO", table, f"({columns}) VALUES ({said})")))

    async def update(self, table: str, column: str, value: Any, new: dict[str, Any]) -> bool:
        """Change the row with this value."""
        said = ", ".join(f"{name} = {literal(item)}" for name, item in new.items())
        return await self.execute(" ".join(("UPDATE", table, "SET", said, "WHERE", column, "=", literal(value))))

    async def execute(self, sql: str) -> bool:
        """Carry out a statement."""
        return (await self._desk.call(self._execute, **{required(self._execute)[0]: sql})).ok


def literal(value: Any) -> str:
    """A value as SQL writes it."""
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"
