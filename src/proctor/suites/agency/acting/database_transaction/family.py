"""The family `database-transaction` (B.5.2, E2): insert a record with its lines, update related records, commit.

Always: everything to be booked follows from the material, the tables and the stated rules; autocommit is off; the
committed state of every table is compared, and what is left uncommitted is lost.
"""

from __future__ import annotations

from datetime import timedelta

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.acting.database_transaction.books import Order, books, columns
from proctor.suites.agency.acting.database_transaction.texts import (
    ANSWER_FORMAT,
    BOOKING,
    FLAG_IN,
    FLAG_OUT,
    GOALS,
    HOUSES,
    House,
)
from proctor.suites.agency.acting.database_transaction.world import REASONS, BooksWorld
from proctor.suites.agency.acting.forms import CORRECTIONS, TEMPLATES, Fact, Part, compose, corrected, facts_of, head
from proctor.suites.kit.ceiling import Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.words import long_date
from proctor.worlds.world import Place

_BUDGET = Budget(actions=60)
_FIXED_WRITES = 3
"""The header, the account and COMMIT; each line costs two more."""
_FACTS = 4
"""Account, reference, day, and the tables' own columns."""


class DatabaseTransactionFamily(JudgedByState):
    """Bookings in the databases of four houses."""

    spec = FamilySpec(
        id="database-transaction",
        title="A transaction in a database",
        description="Insert a booking with its lines, update stock, states and an account, and commit.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("E2",),
        criterion="After the episode every table holds exactly the rows it should, committed.",
        verification="All tables are queried on a fresh read-only connection and compared row by row.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={"lines": Knob(default=3, values=(2, 3, 5), description="Lines of the booking.")},
        observation_schema={
            "type": "object",
            "properties": {
                "material": {"type": "string"},
                "tables": {"type": "object", "additionalProperties": {"type": "string"}},
            },
            "required": ["material", "tables"],
            "additionalProperties": False,
        },
        answer_schema={"type": "string"},
        artifacts=True,
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        count = draw.knobs.get("lines", 3)
        template = stream.choice(TEMPLATES)
        number = stream.below(len(HOUSES))
        house = HOUSES[number]
        made = books(stream, house, count)
        order = made.order
        parts = _parts(stream, house, order)
        about = head(stream, _called(house, order), f"N-{stream.integer(100, 999)}", order.when + timedelta(days=1))
        return Instance(
            template=template,
            goal=stream.choice(GOALS).format(what=_called(house, order)) + _rules(house, order),
            answer_format=ANSWER_FORMAT,
            observation={
                "material": compose(template, about, parts, stream),
                "tables": {table: ", ".join(names) for table, names in columns(house).items()},
            },
            hidden={"house": number, "before": made.before, "after": made.after, "facts": facts_of(parts)},
            knobs={"lines": count},
            budget=_BUDGET,
            strict_actions=2 * count + _FIXED_WRITES + 5,
        )

    def world(self, instance: Instance, place: Place) -> BooksWorld:
        return BooksWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Each line has two facts; SQL itself looks up codes, prices and percentages."""
        policy = Policy(instance, deliveries)
        lines = instance.knobs["lines"]
        return policy.settle_then_write(2 * lines + _FACTS, 2 * lines + _FIXED_WRITES, keep=policy.calls // 2)


def _called(house: House, order: Order) -> str:
    return house.out if order.outward else house.back


def _rules(house: House, order: Order) -> str:
    flag = (FLAG_OUT if order.outward else FLAG_IN).format(stock=house.stock)
    return BOOKING.format(
        headers=house.headers,
        party=house.party,
        day=house.day,
        lines=house.lines,
        thing=house.thing,
        price=house.price,
        grades=house.grades,
        items=house.items,
        stock=house.stock,
        changes="falls" if order.outward else "rises",
        flag=flag,
        accounts=house.accounts,
        balance=house.balance,
        grows="rises" if order.outward else "falls",
        last=house.last,
        correct=CORRECTIONS,
    )


def _parts(stream: Stream, house: House, order: Order) -> list[Part]:
    whole = Part(
        "the booking",
        (
            Fact(house.party, order.account),
            Fact("booking reference", order.reference),
            Fact("day of the booking", long_date(order.when)),
        ),
    )
    lines = [
        Part(f"line {number}", (Fact(house.thing, name), Fact("quantity", str(quantity))))
        for number, (name, quantity) in enumerate(order.lines, 1)
    ]
    other = [name for name in house.names if name not in dict(order.lines)]
    changed = stream.choice(lines).name
    earlier = {
        ("the booking", "day of the booking"): long_date(order.when + timedelta(days=stream.integer(1, 9))),
        (changed, house.thing): stream.choice(other),
        (stream.choice(lines).name, "quantity"): str(stream.integer(19, 30)),
    }
    chosen = stream.sample(tuple(earlier), 2)
    return corrected([whole, *lines], {index: earlier[index] for index in chosen})


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Writes the new rows as they should be, line by line, and commits."""
    house, after = HOUSES[instance.hidden["house"]], instance.hidden["after"]
    new = after[house.headers][-1]
    values = f"{new[1]}, '{new[2]}', '{new[3]}', {new[4]}"
    names = ", ".join(columns(house)[house.headers][1:])
    await call_with_retry(session, "execute", sql=f"INSERT INTO {house.headers} ({names}) VALUES ({values})")  # noqa: S608
    items = {row[0]: row for row in after[house.items]}
    for booking, code, quantity, amount in after[house.lines]:
        if booking == 0:
            chosen = f"(SELECT max(id) FROM {house.headers})"  # noqa: S608
            inserted = f"INSERT INTO {house.lines} VALUES ({chosen}, '{code}', {quantity}, {amount})"  # noqa: S608
            await call_with_retry(session, "execute", sql=inserted)
            row = items[code]
            changed = f"UPDATE {house.items} SET {house.stock} = {row[3]}, state = '{row[5]}' WHERE code = '{code}'"  # noqa: S608
            await call_with_retry(session, "execute", sql=changed)
    account = next(row for row in after[house.accounts] if row[0] == new[1])
    settled = f"SET {house.balance} = {account[3]}, {house.last} = '{account[4]}' WHERE id = {account[0]}"
    await call_with_retry(session, "execute", sql=f"UPDATE {house.accounts} {settled}")
    await call_with_retry(session, "execute", sql="COMMIT")
    return Submission("done", confidence=1.0)


family = DatabaseTransactionFamily()
