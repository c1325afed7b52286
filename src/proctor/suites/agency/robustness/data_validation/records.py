"""The facts of a batch, drawn before any form is: rules in force, and records that keep or break them.

Every record says something on every rule in force; what keeps a rule comes close to breaking it.
"""

from __future__ import annotations

from datetime import date, timedelta

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.robustness.data_validation.texts import FIELDS, RULES, STORES
from proctor.suites.agency.robustness.findings import broken

RULE_COUNT = 4
KINDS = tuple(RULES)
_FIRST_DAY = date(2026, 2, 1)
NONE = "none"


class Record(Struct, frozen=True):
    """One record; only the fields that the rules in force need are ever written down."""

    id: str
    values: dict[str, str]


class Batch(Struct, frozen=True):
    """Rules by number, records, and the kinds of rule that each record breaks."""

    kinds: list[str]
    most: int
    records: list[Record]
    broken: list[list[str]]

    @property
    def rules(self) -> list[str]:
        """The numbered rules as they are shown."""
        return [f"R{number}: {RULES[kind].format(most=self.most)}" for number, kind in enumerate(self.kinds, 1)]

    @property
    def flags(self) -> list[list[str]]:
        """Record and rule of each breach."""
        numbers = {kind: f"R{number}" for number, kind in enumerate(self.kinds, 1)}
        return [
            [record.id, rule]
            for record, kinds in zip(self.records, self.broken, strict=True)
            for rule in sorted(numbers[kind] for kind in kinds)
        ]


def batch(stream: Stream, count: int) -> Batch:
    """So many records under four rules."""
    kinds = stream.sample(KINDS, RULE_COUNT)
    most = stream.integer(12, 40)
    wrong = broken(stream, count, kinds)
    first = stream.integer(100, 900)
    shown = [name for kind in KINDS if kind in kinds for name in FIELDS[kind]]
    records = []
    for index, bad in enumerate(wrong):
        values = _values(stream.child("record", index), bad, most)
        records.append(Record(f"T{first + index}", {name: values[name] for name in dict.fromkeys(shown)}))
    return Batch(kinds, most, records, wrong)


def _values(stream: Stream, bad: list[str], most: int) -> dict[str, str]:
    quantity = most + stream.integer(1, 9) if "amount" in bad else most - stream.choice((0, 0, 1, 2, 5, 7, 10))
    price = stream.integer(2, 19)
    total = quantity * price + (stream.choice((-price, price, 10, -10)) if "total" in bad else 0)
    ordered = _FIRST_DAY + timedelta(days=stream.below(250))
    later = -stream.integer(1, 6) if "dates" in bad else stream.choice((0, 0, 1, 3, 9))
    store, other = stream.sample(STORES, 2)
    paid = stream.chance(0.5)
    receipt = f"{stream.integer(1000, 9999)}" if paid != ("receipt" in bad) else NONE
    return {
        "quantity": str(quantity),
        "price": str(price),
        "total": str(total),
        "ordered": ordered.isoformat(),
        "shipped": (ordered + timedelta(days=later)).isoformat(),
        "store": store,
        "code": f"{(other if 'store' in bad else store)[0]}{stream.integer(10, 99)}",
        "status": "paid" if paid else "open",
        "receipt": receipt,
        "account": _account(stream, wrong="check" in bad),
    }


def _account(stream: Stream, *, wrong: bool) -> str:
    digits = [stream.below(10) for _ in range(4)]
    last = (sum(digits) + (stream.integer(1, 9) if wrong else 0)) % 10
    return "".join(map(str, (*digits, last)))
