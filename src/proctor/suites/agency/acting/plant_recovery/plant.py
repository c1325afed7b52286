"""A plant after a trip: its snapshots, its units, and what the procedure makes of them.

Always: exactly one snapshot is the right one and newer ones are unfit; the order of the units follows from needs and
drive powers alone, and differs from the order in which they are listed.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.kit.words import day, long_date

UNFIT = ("late", "partial", "firmware")


class Snapshot(Struct, frozen=True):
    """One saved state of the controller."""

    name: str
    taken: datetime
    complete: bool
    firmware: str
    text: str


class Unit(Struct, frozen=True):
    """One machine."""

    name: str
    needs: tuple[str, ...]
    power: int
    limit: int


class Plant(Struct, frozen=True):
    """What there is, and what is right."""

    fault: datetime
    firmware: str
    snapshots: tuple[Snapshot, ...]
    units: tuple[Unit, ...]
    right: str
    order: tuple[str, ...]
    load: int


def plant(stream: Stream, names: tuple[str, ...], units: int, snapshots: int) -> Plant:
    """A plant with that many units and snapshots."""
    start = day(stream)
    fault = datetime(start.year, start.month, start.day, stream.integer(6, 21), stream.choice((5, 20, 35, 50)))  # noqa: DTZ001
    firmware = f"{stream.integer(2, 9)}.{stream.integer(0, 9)}"
    made = _snapshots(stream, fault, firmware, snapshots)
    machines = _units(stream, stream.sample(names, units))
    shown = list(made)
    stream.shuffle(shown)
    right = max((item for item in made if _fit(item, fault, firmware)), key=lambda item: item.taken)
    order = starting_order(machines)
    load = min(unit.limit for unit in machines)
    return Plant(fault, firmware, tuple(shown), tuple(machines), right.name, tuple(order), load)


def at(moment: datetime) -> str:
    """`4 March 2026 at 14:20`."""
    return f"{long_date(moment.date())} at {moment:%H:%M}"


def starting_order(units: list[Unit]) -> list[str]:
    """Each unit after those it needs; of those that may start, the strongest first."""
    order: list[str] = []
    left = list(units)
    while left:
        ready = [unit for unit in left if all(need in order for need in unit.needs)]
        chosen = max(ready, key=lambda unit: unit.power)
        order.append(chosen.name)
        left.remove(chosen)
    return order


def _fit(item: Snapshot, fault: datetime, firmware: str) -> bool:
    return item.taken < fault and item.complete and item.firmware == firmware


def _snapshots(stream: Stream, fault: datetime, firmware: str, count: int) -> list[Snapshot]:
    """Snapshots from old to new: some fit, then the right one, then newer ones that are unfit."""
    newer = stream.integer(2, count - 1)
    kinds = ["fit"] * (count - newer) + [stream.choice(UNFIT) for _ in range(newer)]
    # What was taken after the fault is newest of all.
    kinds.sort(key=lambda kind: (kind != "fit", kind == "late"))
    late = kinds.count("late")
    ages = sorted(stream.sample(range(2, 140), count - late), reverse=True)
    moments = [fault - timedelta(minutes=35 * age) for age in ages]
    moments += [fault + timedelta(minutes=15 * step) for step in range(1, late + 1)]
    numbers = stream.sample(range(100, 999), count)
    other = f"{int(firmware[0]) - 1}.{firmware[2:]}"
    return [
        Snapshot(
            f"S{number}", moment, kind != "partial", other if kind == "firmware" else firmware, _set_points(stream)
        )
        for number, moment, kind in zip(numbers, moments, kinds, strict=True)
    ]


def _set_points(stream: Stream) -> str:
    return "".join(f"loop{index}={stream.integer(10, 990)}\n" for index in range(1, 6))


def _units(stream: Stream, names: list[str]) -> list[Unit]:
    """Units with needs that go one way only, so that some order is always possible."""
    powers, limits = stream.sample(range(15, 180), len(names)), stream.sample(range(21, 80), len(names))
    chain = list(names)
    stream.shuffle(chain)
    units = []
    for index, name in enumerate(names):
        before = chain[: chain.index(name)]
        needs = stream.sample(before, min(len(before), stream.below(3)))
        units.append(Unit(name, tuple(sorted(needs)), powers[index], limits[index]))
    return units
