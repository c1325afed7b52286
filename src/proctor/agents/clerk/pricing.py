"""Pricing: changes the prices in the code of a price list, by what its constants and steps are called in plain words.

Knows constants (`BASE = 120`), a table of price bands, percentages by category, and the steps at the end of a
calculation: a surcharge above a count, a minimum, a maximum, rounding up. A step that is missing is added in the usual
order.
"""

from __future__ import annotations

import re

_TIERS = re.compile(r"^TIERS = (.+)$", re.MULTILINE)
_TIER = re.compile(r"\((\d+), (\d+)\)")
_PERCENT = re.compile(r"^PERCENT = \{(.*)\}$", re.MULTILINE)
_CATEGORY = re.compile(r"^percentage of the category (\w+)$")
_ORDINALS = ("first", "second", "third", "fourth")
_STEPS = {
    "surcharge": re.compile(r"^    if units > (?P<above>\d+):\n        total \+= (?P<surcharge>\d+)\n", re.MULTILINE),
    "minimum": re.compile(r"^    total = max\(total, (?P<minimum>\d+)\)\n", re.MULTILINE),
    "maximum": re.compile(r"^    total = min\(total, (?P<maximum>\d+)\)\n", re.MULTILINE),
    "rounding": re.compile(r"^    total = -\(-total // (?P<rounding>\d+)\) \* \d+\n", re.MULTILINE),
}
"""The steps after the percentage, in the order in which they are taken."""
_WRITTEN = {
    "surcharge": "    if units > {above}:\n        total += {surcharge}\n",
    "minimum": "    total = max(total, {minimum})\n",
    "maximum": "    total = min(total, {maximum})\n",
    "rounding": "    total = -(-total // {rounding}) * {rounding}\n",
}
_RETURN = "    return total\n"


def reprice(code: str, facts: dict[str, str]) -> str | None:
    """The code with new values; None where a fact has no place in it."""
    steps = {name: value for step in _STEPS.values() for name, value in (_found(step, code)).items()}
    added: dict[str, str] = {}
    for label, value in facts.items():
        words = label.split()
        category = _CATEGORY.match(label)
        if label.endswith("additional category"):
            added[words[0]] = value
        elif category:
            code = _with_percent(code, category.group(1), value)
        elif "tier" in words and set(words) & set(_ORDINALS):
            code = _with_tier(code, words, value)
        elif "above" in words and "surcharge" in words:
            steps["above"] = value
        elif step := next((name for name in _STEPS if name in words), None):
            steps[step] = value
        else:
            changed = _with_constant(code, words, value)
            if changed is None:
                return None
            code = changed
    if len(added) == 2:
        code = _with_percent(code, added["name"], added["percentage"])
    return _with_steps(code, steps)


def _found(step: re.Pattern[str], code: str) -> dict[str, str]:
    match = step.search(code)
    return match.groupdict() if match else {}


def _with_steps(code: str, steps: dict[str, str]) -> str:
    """The code with exactly these steps before it gives back its result."""
    for step in _STEPS.values():
        code = step.sub("", code)
    written = [_WRITTEN[name].format(**{"above": 0} | steps) for name in _STEPS if name in steps]
    head, found, tail = code.rpartition(_RETURN)
    return head + "".join(written) + found + tail


def _with_constant(code: str, words: list[str], value: str) -> str | None:
    """The code with another value for the constant that has one of these words for a name."""
    for name in re.findall(r"^([A-Z]+) = \d+$", code, re.MULTILINE):
        if name.lower() in words:
            return re.sub(rf"^{name} = \d+$", f"{name} = {value}", code, flags=re.MULTILINE)
    return None


def _with_percent(code: str, category: str, value: str) -> str:
    def table(match: re.Match[str]) -> str:
        entries = dict(re.findall(r'"(\w+)": (\d+)', match.group(1))) | {category: value}
        return "PERCENT = {" + ", ".join(f'"{name}": {percent}' for name, percent in entries.items()) + "}"

    return _PERCENT.sub(table, code)


def _with_tier(code: str, words: list[str], value: str) -> str:
    number = next(place for place, word in enumerate(_ORDINALS) if word in words)

    def table(match: re.Match[str]) -> str:
        bands = [list(band) for band in _TIER.findall(match.group(1))]
        if number < len(bands):
            bands[number]["price" in words] = value
        return "TIERS = (" + ", ".join(f"({limit}, {price})" for limit, price in bands) + ")"

    return _TIERS.sub(table, code)
