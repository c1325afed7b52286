"""The family `orders`: book a shipment or a return in a real database, and report what it is worth.

Always: the order is determined by the goal, everything to be booked follows from the tables, and both the database and
the reported total must be right.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.hello.orders.shop import STATUS, shop
from proctor.suites.hello.orders.texts import ANSWER_FORMAT, BOOKING, GOALS, RULES, TABLES
from proctor.suites.hello.orders.world import REASONS, SHAPE, OrdersWorld
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.retry import call_with_retry
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(GOALS)
_BUDGET = Budget(actions=100)
_WRITES = 5
"""BEGIN, a statement for each of three tables, COMMIT: SQL itself finds the lines, whatever noise does to readings."""


class OrdersFamily:
    """Bookings in a shop's database."""

    spec = FamilySpec(
        id="orders",
        title="A booking in a database",
        description="Ship, take back or ship in part: three tables change together, and the value is reported.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="Every table holds exactly the rows it should after the booking, and the reported total is right.",
        verification="All tables are read on a read-only connection and compared; so is the total, exactly.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "lines": Knob(default=3, values=(2, 3, 5), description="Lines of the order to book."),
            "orders": Knob(default=8, values=(4, 8, 16), description="Orders in the database."),
        },
        observation_schema={
            "type": "object",
            "properties": {
                "tables": {"type": "object", "additionalProperties": {"type": "string"}},
                "today": {"type": "string"},
            },
            "required": ["tables", "today"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        orders, lines = knobs.get("orders", 8), knobs.get("lines", 3)
        template = stream.choice(_TEMPLATES)
        made = shop(stream, template, orders, lines)
        wording = stream.choice(GOALS[template]).format(order=made.order, customer=made.customer, today=made.today)
        booking = BOOKING.format(
            rule=RULES[template],
            today=made.today,
            sign="" if template == "return" else "minus ",
            status=STATUS[template],
        )
        return Instance(
            template=template,
            goal=wording + booking,
            answer_format=ANSWER_FORMAT,
            observation={"tables": TABLES, "today": made.today},
            hidden={
                "before": made.before,
                "after": made.after,
                "order": made.order,
                "moved": made.moved,
                "total_cents": made.total_cents,
            },
            knobs={"orders": orders, "lines": lines},
            budget=_BUDGET,
            strict_actions=2 * lines + 8,
        )

    def world(self, instance: Instance, place: Place) -> OrdersWorld:
        return OrdersWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return {"total": instance.hidden["total_cents"] / 100}

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The names of tables and columns and the total have to be known for certain; the rest SQL does by itself."""
        policy = Policy(instance, deliveries)
        try:
            tables = policy.settle(len(TABLES), keep=policy.calls // 2)
            policy.call("write", times=_WRITES)
            return policy.settle(1, seen=0) and tables
        except OutOfCalls:
            return False


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Books line by line inside one transaction."""
    hidden = instance.hidden
    order = hidden["order"]
    status = STATUS[instance.template]
    await call_with_retry(session, "query", sql=f"SELECT sku, quantity FROM order_lines WHERE order_id = {order}")  # noqa: S608
    await call_with_retry(session, "execute", sql="BEGIN")
    for sku, change in hidden["moved"]:
        update = f"UPDATE products SET stock = stock + ({change}) WHERE sku = '{sku}'"  # noqa: S608
        await call_with_retry(session, "execute", sql=update)
        values = f"({order}, '{sku}', {change}, '{instance.observation['today']}')"
        insertion = f"INSERT INTO movements (order_id, sku, change, booked_on) VALUES {values}"  # noqa: S608
        await call_with_retry(session, "execute", sql=insertion)
    await call_with_retry(session, "execute", sql=f"UPDATE orders SET status = '{status}' WHERE id = {order}")  # noqa: S608
    await call_with_retry(session, "execute", sql="COMMIT")
    return Submission({"total": hidden["total_cents"] / 100}, confidence=1.0)


family = OrdersFamily()
