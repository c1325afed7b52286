"""A tariff: what it costs, as a reference outside any sandbox, and as the source code of a service.

Always: `charge` and the code that `source` writes give the same price for every input, and the steps come in one order:
base and tiers, percentage of the category, surcharge, minimum, maximum, rounding up.
"""

from __future__ import annotations

from msgspec import Struct


class Tariff(Struct, frozen=True):
    """Prices in cents. What is 0 (surcharge, minimum, maximum, step) does not exist in the code."""

    base: int
    limits: tuple[int, int]
    """Upper ends of the first and the second tier, in units."""
    prices: tuple[int, int]
    beyond: int
    percent: dict[str, int]
    surcharge: int = 0
    above: int = 0
    minimum: int = 0
    maximum: int = 0
    step: int = 0


def charge(tariff: Tariff, units: int, category: str) -> int:
    """The price; -1 for a category that does not exist."""
    if category not in tariff.percent:
        return -1
    total, below = tariff.base, 0
    for limit, cents in zip(tariff.limits, tariff.prices, strict=True):
        total += max(0, min(units, limit) - below) * cents
        below = limit
    total += max(0, units - below) * tariff.beyond
    total = total * tariff.percent[category] // 100
    if tariff.surcharge and units > tariff.above:
        total += tariff.surcharge
    if tariff.minimum:
        total = max(total, tariff.minimum)
    if tariff.maximum:
        total = min(total, tariff.maximum)
    if tariff.step:
        total = -(-total // tariff.step) * tariff.step
    return total


def source(tariff: Tariff, thing: str) -> str:
    """The service's module."""
    percent = ", ".join(f'"{name}": {value}' for name, value in tariff.percent.items())
    tiers = ", ".join(f"({limit}, {cents})" for limit, cents in zip(tariff.limits, tariff.prices, strict=True))
    lines = [
        f'"""What {thing} costs, in cents."""',
        "",
        f"BASE = {tariff.base}",
        "# Upper end of the tier in units, and the price of each unit in it.",
        f"TIERS = ({tiers})",
        "# Price of each unit beyond the last tier.",
        f"BEYOND = {tariff.beyond}",
        f"PERCENT = {{{percent}}}",
        "",
        "",
        "def charge(units: int, category: str) -> int:",
        '    """The price of so many units in a category; -1 for a category that does not exist."""',
        "    if category not in PERCENT:",
        "        return -1",
        "    total, below = BASE, 0",
        "    for limit, cents in TIERS:",
        "        total += max(0, min(units, limit) - below) * cents",
        "        below = limit",
        "    total += max(0, units - below) * BEYOND",
        "    total = total * PERCENT[category] // 100",
    ]
    if tariff.surcharge:
        lines += [f"    if units > {tariff.above}:", f"        total += {tariff.surcharge}"]
    if tariff.minimum:
        lines.append(f"    total = max(total, {tariff.minimum})")
    if tariff.maximum:
        lines.append(f"    total = min(total, {tariff.maximum})")
    if tariff.step:
        lines.append(f"    total = -(-total // {tariff.step}) * {tariff.step}")
    return "\n".join([*lines, "    return total", ""])
