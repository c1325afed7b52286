"""A shop's database, and a verifier that reads every table of it."""

from __future__ import annotations

from typing import Any

from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.answers import verify_answer
from proctor.worlds.answers import Amount, Object, read
from proctor.worlds.sql import SqlWorld
from proctor.worlds.world import Place

SHAPE = Object({"total": Amount(("EUR", "€", "euro", "euros"))})
REASONS = (
    "correct",
    "nothing_booked",
    "damaged_tables",
    "wrong_stock",
    "wrong_status",
    "wrong_movements",
    "other_change",
    "unreadable_answer",
    "wrong_total",
)
SCHEMA = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE products (sku TEXT PRIMARY KEY, name TEXT NOT NULL, price_cents INTEGER NOT NULL,
    stock INTEGER NOT NULL CHECK (stock >= 0));
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id),
    placed_on TEXT NOT NULL, status TEXT NOT NULL);
CREATE TABLE order_lines (order_id INTEGER NOT NULL REFERENCES orders (id),
    sku TEXT NOT NULL REFERENCES products (sku), quantity INTEGER NOT NULL, PRIMARY KEY (order_id, sku));
CREATE TABLE movements (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
    sku TEXT NOT NULL REFERENCES products (sku), change INTEGER NOT NULL, booked_on TEXT NOT NULL);
"""
COLUMNS = {
    "customers": ("id", "name"),
    "products": ("sku", "name", "price_cents", "stock"),
    "orders": ("id", "customer_id", "placed_on", "status"),
    "order_lines": ("order_id", "sku", "quantity"),
    "movements": ("order_id", "sku", "change", "booked_on"),
}
"""What is compared: the number of a movement is the database's own affair."""
_REASON = {"products": "wrong_stock", "orders": "wrong_status", "movements": "wrong_movements"}


class OrdersWorld(SqlWorld):
    """Starts with the tables of the instance; in the end each must hold exactly the rows it should."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.populate(script(instance.hidden["before"]))

    def verify(self, submission: Submission) -> Verification:
        before, after = self.instance.hidden["before"], self.instance.hidden["after"]
        tables: dict[str, list[list[Any]]] = {}
        for table, columns in COLUMNS.items():
            rows = self.rows(table)
            if rows is None or any(name not in row for row in rows for name in columns):
                return Verification(False, "damaged_tables")
            tables[table] = sorted(([row[name] for name in columns] for row in rows), key=repr)
        wrong = [table for table in COLUMNS if tables[table] != sorted(after[table], key=repr)]
        if wrong:
            untouched = all(tables[table] == sorted(before[table], key=repr) for table in COLUMNS)
            return Verification(False, "nothing_booked" if untouched else _REASON.get(wrong[0], "other_change"))
        return self._total(submission)

    def _total(self, submission: Submission) -> Verification:
        def reason_for(given: Any) -> str:
            return "correct" if given["total"] * 100 == self.instance.hidden["total_cents"] else "wrong_total"

        return verify_answer(submission.answer, lambda answer: read(answer, SHAPE), reason_for)


def script(tables: dict[str, list[list[Any]]]) -> str:
    """The SQL that makes the starting database. Texts are the family's own and hold no quotes."""
    lines = [SCHEMA]
    for table, rows in tables.items():
        for row in rows:
            values = ", ".join(f"'{value}'" if isinstance(value, str) else str(value) for value in row)
            lines.append(f"INSERT INTO {table} ({', '.join(COLUMNS[table])}) VALUES ({values});")  # noqa: S608
    return "\n".join(lines)
