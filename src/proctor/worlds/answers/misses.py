"""Answers that are nearly right: none of them may be read as the right value.

The other half of a verifier's proof: off by one, one field wrong, two answers at once, a denial, a part of the word,
another unit, nothing at all. Every entry differs from the right answer by construction, not by asking the reader.
"""

from __future__ import annotations

import json
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

from proctor.worlds.answers.reading import read
from proctor.worlds.answers.shape import Amount, Boolean, Choice, Date, FormatError, Integer, ListOf, Object, Shape
from proctor.worlds.answers.text import strip_decoration, tidy

_NOTHING: tuple[Any, ...] = (None, "", "   ", [], {}, "null", "I do not know.", "The answer is", "```\n```", "?")


def near_misses(answer: Any, shape: Shape) -> list[Any]:
    """At least twenty wrong or unreadable answers that are close to `answer` (given in the stated format)."""
    if isinstance(shape, Object):
        return _objects(answer, shape)
    if isinstance(shape, ListOf):
        return _lists(list(answer), shape)
    right = _text(answer)
    wrong = _others(answer, shape)
    other = _text(wrong[0])
    misses: list[Any] = [*_NOTHING, *wrong]
    misses += [
        f"not {right}",
        f"The answer is not {right}.",
        f"It is certainly not {right}",
        f"{right} or {other}",
        f"Answer: {right}\nAnswer: {other}",
        f"```\n{right}\n```\n```\n{other}\n```",
        f"Answer: {right}. No, wait: {other}",
        [answer, wrong[0]],
        {"answer": wrong[0]},
        {"answer": None},
        {"question": answer},
        f"x{right}x",
        f"{right}7{right}",
        f"{right} {other}",
        json.dumps([right, other]),
        json.dumps({"answer": other}),
    ]
    return misses


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _others(answer: Any, shape: Shape) -> list[Any]:
    """Wrong values of the right kind, the closest first."""
    match shape:
        case Integer() | Amount():
            value = read(answer, shape)
            assert isinstance(value, (int, Decimal))
            return _numbers(value, shape.units)
        case Boolean():
            return [not answer, "no" if answer else "yes", "maybe", 2, "untrue", "nope not at all"]
        case Date():
            day = read(answer, shape)
            assert isinstance(day, date)
            return _days(day)
        case Choice():
            right = str(answer).casefold()
            rest = [option for option in shape.options if option.casefold() != right]
            return [*rest, f"un{answer}", f"{answer}s or so", f"{answer}-like", ", ".join(shape.options)]
    return _words(str(answer))


def _numbers(value: int | Decimal, units: tuple[str, ...]) -> list[Any]:
    step = 1 if isinstance(value, int) else Decimal("0.01")
    near = [value + step, value - step, value + 100]
    if value:
        near += [-value, value * 10]
    wrong: list[Any] = [int(item) if isinstance(item, int) else f"{item:f}" for item in near]
    wrong += [f"{value}%", f"{value}k", f"about {value}", f"{value}/2", f"at least {value}", f"{value} zlotys"]
    return wrong + [f"{value} furlongs {unit}" for unit in units]


def _days(day: date) -> list[str]:
    wrong = [(day + timedelta(days=step)).isoformat() for step in (1, -1, 7, 365)]
    wrong += [f"{day:%Y-%m}", f"{day:%d %B}", f"before {day.isoformat()}", f"{day:%Y-%m}-32"]
    if day.day != day.month and day.day <= 12:
        wrong += [f"{day.year}-{day.day:02d}-{day.month:02d}", f"{day.day:02d}/{day.month:02d}/{day.year}"]
    return wrong


def _words(right: str) -> list[str]:
    core = strip_decoration(tidy(right))
    wrong = [core + "s", core[:-1] or f"{core}y", f"{core} {core}", f"un{core}", f"{core}-2", core + "x"]
    if len(core) > 2 and core[0].casefold() != core[1].casefold():
        wrong.append(core[1] + core[0] + core[2:])
    return wrong


def _lists(items: list[Any], shape: ListOf) -> list[Any]:
    wrong = _element(items[0] if items else None, shape.item)
    misses: list[Any] = [item for item in _NOTHING if items or item != []]
    misses += [[*items, wrong], [wrong, *items], [*items, None], [items, [wrong]], {"items": items, "more": items}]
    misses += [json.dumps([*items, wrong]), f"{json.dumps(items)} or {json.dumps([wrong])}", {"answer": [wrong]}]
    misses += [f"not {json.dumps([*items, wrong])}", [wrong, wrong], _text(wrong), [None], [{}], [[]], "[", 0.5, [0.5]]
    if items:
        misses += [items[:-1], items[1:], [*items, items[0]], [wrong, *items[1:]]]
        misses.append([*items[:-1], _element(items[-1], shape.item)])
        if shape.ordered and _text(items[0]).casefold() != _text(items[-1]).casefold():
            misses += [[items[-1], *items[1:-1], items[0]]]
    return misses


def _element(item: Any, shape: Shape) -> Any:
    """A value of the right kind that differs from `item`."""
    if isinstance(shape, Object):
        if item is None:
            return {}
        name = next(iter(shape.fields))
        return {**item, name: _element(item[name], shape.fields[name])}
    if isinstance(shape, ListOf):
        return [*(item or []), _element(None, shape.item)]
    if item is None:
        plain: dict[type, Any] = {Integer: 1, Amount: 1, Boolean: True, Date: "2026-01-01"}
        return shape.options[0] if isinstance(shape, Choice) else plain.get(type(shape), "x")
    return _others(item, shape)[0]


def _objects(answer: dict[str, Any], shape: Object) -> list[Any]:
    names = list(shape.fields)
    plain = {name: answer[name] for name in names}
    wrong = {name: _element(plain[name], shape.fields[name]) for name in names}
    first = names[0]
    off = {**plain, first: wrong[first]}
    misses: list[Any] = [*_NOTHING, wrong, [plain, off], {"answer": off}, names, list(plain.values())]
    for name in names:
        changed = {**plain, name: wrong[name]}
        fewer = {key: value for key, value in plain.items() if key != name}
        misses += [changed, json.dumps(changed), fewer, json.dumps(fewer), {**plain, name: None}, {**plain, name: ""}]
        misses += [{**fewer, f"{name}_x": plain[name]}, {**plain, name.upper(): wrong[name]}]
        misses.append("\n".join(f"{key}: {_text(value)}" for key, value in changed.items()))
        misses.append({**plain, name: [plain[name], wrong[name]]})
    misses += [
        f"{json.dumps(plain)} or {json.dumps(off)}",
        f"```json\n{json.dumps(plain)}\n```\n```json\n{json.dumps(off)}\n```",
        f"{json.dumps(plain)}\nCorrection:\n{first}: {_text(wrong[first])}",
        json.dumps(plain)[:-1] + f", {json.dumps(first)}: {json.dumps(wrong[first])}}}",
        f"{first}: {_text(plain[first])}" if len(names) > 1 else f"{first}:",
    ]
    return misses + _swapped(plain, shape)


def _swapped(plain: dict[str, Any], shape: Object) -> list[Any]:
    """Two fields exchanged, where that changes what is said."""
    misses: list[Any] = []
    names = list(plain)
    for one, two in pairwise(names):
        try:
            differ = read(plain[one], shape.fields[one]) != read(plain[two], shape.fields[one])
        except FormatError:
            differ = True
        if differ:
            misses.append({**plain, one: plain[two], two: plain[one]})
    return misses
