"""The family `orders`: every table is compared, and half a booking is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from proctor.spec.task import Instance
from proctor.suites.hello.orders import family

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive, Driver

Sample = Callable[..., list[Instance]]


@pytest.fixture(params=["ship", "return", "part"])
def instance(request: pytest.FixtureRequest, sample: Sample) -> Instance:
    return next(item for item in sample(family, 60) if item.template == request.param)


def test_set_based_sql_does_it_without_reading(instance: Instance, drive: Drive) -> None:
    """The way an agent under noise can go: let the database find the lines."""
    driver = drive(family, instance)
    sign = "+" if instance.template == "return" else "-"
    order, today = instance.hidden["order"], instance.observation["today"]
    status = {"ship": "shipped", "return": "returned", "part": "part-shipped"}[instance.template]
    lines = f"SELECT l.*, p.price_cents FROM order_lines l JOIN products p USING (sku) WHERE l.order_id = {order}"
    if instance.template == "part":
        lines += " AND p.stock >= l.quantity"
    booked = f"FROM movements WHERE order_id = {order} AND booked_on = '{today}'"
    total = driver.call("query", sql=f"SELECT SUM(quantity * price_cents) FROM ({lines})")["rows"][0][0]
    assert total == instance.hidden["total_cents"]
    for sql in (
        "BEGIN",
        "INSERT INTO movements (order_id, sku, change, booked_on) "
        f"SELECT order_id, sku, {sign}quantity, '{today}' FROM ({lines})",
        f"UPDATE products SET stock = stock + (SELECT change {booked} AND sku = products.sku) "
        f"WHERE sku IN (SELECT sku {booked})",
        f"UPDATE orders SET status = '{status}' WHERE id = {order}",
        "COMMIT",
    ):
        driver.call("execute", sql=sql)
    assert driver.verify({"total": total / 100}).success


def test_what_is_not_committed_is_not_booked(instance: Instance, drive: Drive) -> None:
    driver = drive(family, instance)
    driver.call("execute", sql="BEGIN")
    driver.call("execute", sql="UPDATE products SET stock = stock + 1")
    assert driver.verify(family.answer(instance)).reason == "nothing_booked"


def _solved(instance: Instance, drive: Drive) -> Driver:
    driver = drive(family, instance)
    assert driver.run(family.oracle(instance)).success
    return driver


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("UPDATE products SET stock = stock + 1 WHERE rowid = 1", "wrong_stock"),
        ("UPDATE products SET price_cents = price_cents + 1 WHERE rowid = 3", "wrong_stock"),
        ("UPDATE orders SET status = 'done' WHERE id = {order}", "wrong_status"),
        (
            "UPDATE orders SET placed_on = '2026-01-01' WHERE id <> {order}",
            "wrong_status",
        ),
        ("DELETE FROM movements WHERE id = (SELECT MAX(id) FROM movements)", "wrong_movements"),
        (
            "INSERT INTO movements SELECT id + 99, order_id, sku, change, booked_on FROM movements",
            "wrong_movements",
        ),
        ("UPDATE movements SET booked_on = '2026-01-01' WHERE order_id = {order}", "wrong_movements"),
        ("UPDATE movements SET change = -change WHERE order_id = {order}", "wrong_movements"),
        ("UPDATE order_lines SET quantity = quantity + 1 WHERE order_id = {order}", "other_change"),
        ("UPDATE customers SET name = name || '.' WHERE id = 101", "other_change"),
        ("ALTER TABLE movements RENAME TO moves", "damaged_tables"),
        ("ALTER TABLE movements RENAME COLUMN change TO delta", "damaged_tables"),
    ],
)
def test_near_miss_states(sql: str, reason: str, instance: Instance, drive: Drive) -> None:
    driver = _solved(instance, drive)
    driver.call("execute", sql=sql.format(order=instance.hidden["order"]))
    assert driver.verify(family.answer(instance)).reason == reason


def test_right_booking_with_a_wrong_total(instance: Instance, drive: Drive) -> None:
    driver = _solved(instance, drive)
    cents = instance.hidden["total_cents"]
    wrong: list[Any] = [{"total": cents}, {"total": (cents + 1) / 100}, {"total": -cents / 100}]
    for answer in wrong:
        assert driver.verify(answer).reason == "wrong_total"
    assert driver.verify("all done").format_error
    assert driver.verify(f"The total is EUR {cents / 100:.2f}").reason == "unreadable_answer"
    assert driver.verify(f"Total: EUR {cents / 100:.2f}").success


def test_the_order_is_determined_by_the_goal(sample: Sample) -> None:
    for instance in sample(family, 200):
        tables = instance.hidden["before"]
        order = next(row for row in tables["orders"] if row[0] == instance.hidden["order"])
        own = [row for row in tables["orders"] if row[1] == order[1]]
        if instance.template == "return":
            assert [row[0] for row in own if row[3] == "shipped"] == [order[0]]
        if instance.template == "part":
            open_ones = [row for row in own if row[3] == "open"]
            assert len({row[2] for row in open_ones}) == len(open_ones) == 2
            assert min(open_ones, key=lambda row: str(row[2])) == order
            lines = [row for row in tables["order_lines"] if row[0] == order[0]]
            assert 0 < len(instance.hidden["moved"]) < len(lines)
        if instance.template == "ship":
            assert order[3] == "open"
            assert str(order[0]) in instance.goal
        assert all(row[3] >= 0 for row in instance.hidden["after"]["products"])


def test_knobs_count_lines_and_orders(sample: Sample) -> None:
    for orders in (4, 8, 16):
        for lines in (2, 3, 5):
            for instance in sample(family, 10, orders=orders, lines=lines):
                tables = instance.hidden["before"]
                assert len(tables["orders"]) == orders
                assert sum(1 for row in tables["order_lines"] if row[0] == instance.hidden["order"]) == lines
