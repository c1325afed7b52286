"""One answer, written down in many ways: each of them must be read as the same value.

A conformance check hands these to a family's verifier: an examiner who fails a right answer over its form measures
form. The list is deterministic, and has at least twenty entries for every shape.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from proctor.worlds.answers.reading import read
from proctor.worlds.answers.shape import Amount, Boolean, Choice, Date, Integer, ListOf, Object, Shape, Text

_NBSP = "\u00a0"
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def right_formats(answer: Any, shape: Shape) -> list[Any]:
    """At least twenty ways to write `answer` (given in the stated format) that a verifier must accept."""
    if isinstance(shape, Object):
        return _objects(answer, shape)
    if isinstance(shape, ListOf):
        return _lists(list(answer), shape)
    values = [answer, *_spellings(answer, shape)]
    texts = [spelling for spelling in values if isinstance(spelling, str)] or [json.dumps(answer)]
    plain = texts[0]
    return [*values, *_dressed(plain), {"answer": answer}, {"Final Answer": plain}, [answer], json.dumps(plain)]


def _dressed(plain: str) -> list[str]:
    """What models and people put around a value."""
    return [
        f"  {plain}\n",
        f"\t{plain}",
        f"{_NBSP}{plain}{_NBSP}",
        f'"{plain}"',
        f"'{plain}'",
        f"\u201c{plain}\u201d",
        f"`{plain}`",
        f"**{plain}**",
        f"{plain}.",
        f"Answer: {plain}",
        f"answer = {plain}",
        f"**Answer:** {plain}",
        f"The answer is {plain}.",
        f"The final answer is: {plain}",
        f"Let me think about it step by step.\n\nFinal answer: {plain}",
        f"```\n{plain}\n```",
        f"```text\n{plain}\n```",
        f"Here it is:\n```\n{plain}\n```",
        f"\\boxed{{{plain}}}",
        json.dumps({"answer": plain}),
        f"```json\n{json.dumps({'answer': plain}, indent=2)}\n```",
        f"Answer: {plain}\nAnswer: {plain}",
    ]


def _spellings(answer: Any, shape: Shape) -> list[Any]:
    """Other spellings of the bare value, the most usual text first."""
    match shape:
        case Integer():
            whole = read(answer, shape)
            assert isinstance(whole, int)
            return [str(whole), f"{whole}.0", f"{whole:,}", f"{whole:+}", *_signed(str(whole)), *_units(whole, shape)]
        case Amount():
            value = read(answer, shape)
            assert isinstance(value, Decimal)
            plain = f"{value:f}"
            more = plain + ("0" if "." in plain else ".00")
            return [plain, more, f"{value:,f}", float(value), *_signed(plain), *_units(plain, shape)]
        case Boolean():
            return ["true", "True", "TRUE", "yes", "Yes"] if answer else ["false", "False", "FALSE", "no", "No"]
        case Date():
            return _days(str(answer))
        case Text() | Choice() if shape.ignore_case:
            return [str(answer), str(answer).upper(), str(answer).lower()]
    return [str(answer)]


def _signed(plain: str) -> list[str]:
    return ["\u2212" + plain[1:]] if plain.startswith("-") else []


def _units(value: Any, shape: Integer | Amount) -> list[str]:
    forms = [f"{value} {unit}" for unit in shape.units]
    return forms + [f"{unit} {value}" for unit in shape.units]


def _days(iso: str) -> list[str]:
    year, month, day = iso.split("-")
    name, number = _MONTHS[int(month) - 1], int(day)
    return [
        iso,
        f"{year}/{month}/{day}",
        f"{number} {name} {year}",
        f"{name} {number}, {year}",
        f"{number} {name[:3]} {year}",
        f"{iso}T00:00:00Z",
        *([f"{day}/{month}/{year}"] if number > 12 else []),
    ]


def _lists(items: list[Any], shape: ListOf) -> list[Any]:
    data = json.dumps(items)
    forms: list[Any] = [items, tuple(items), data, json.dumps(items, indent=2), f" {data}\n", {"answer": items}]
    forms += [form for form in _dressed(data) if "boxed" not in form and not form.startswith(('"', "'"))]
    if items:
        texts = [item if isinstance(item, str) else json.dumps(item) for item in items]
        scalar = not isinstance(shape.item, (Object, ListOf))
        if scalar and not any(mark in text for text in texts for mark in (",", ";", "\n", " and ")):
            forms += [", ".join(texts), "; ".join(texts), "\n".join(texts), "\n".join(f"- {text}" for text in texts)]
            forms.append("Answer: " + ", ".join(texts))
        if not shape.ordered:
            forms.append(items[::-1])
        if len(items) == 1 and scalar:
            forms.append(items[0])
    return forms


def _objects(answer: dict[str, Any], shape: Object) -> list[Any]:
    names = list(shape.fields)
    plain = {name: answer[name] for name in names}
    data = json.dumps(plain)
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in plain.items()}
    flat = not any(isinstance(field, Object) for field in shape.fields.values())
    forms: list[Any] = [
        plain,
        dict(reversed(plain.items())),
        {name.upper(): value for name, value in plain.items()},
        {name.replace("_", " ").title(): value for name, value in plain.items()},
        {**plain, "note": "as asked"},
        {"answer": plain},
        [plain],
        data,
        json.dumps(plain, indent=2),
        json.dumps(dict(reversed(plain.items()))),
        f"\n  {data}  \n",
        f"Answer: {data}",
        f"The answer is {data}.",
        f"```json\n{data}\n```",
        f"```\n{json.dumps(plain, indent=4)}\n```",
        f"I went through it twice.\n\n```json\n{data}\n```\nThat is all.",
        f"Here is what you asked for: {data} I hope it helps.",
        f"{data}\n\nTo repeat: {data}",
        json.dumps({"answer": plain}),
        json.dumps({"result": plain}, indent=2),
        str(plain),
        json.dumps(data),
    ]
    if flat:
        forms += _pairs(texts)
    for name in names:
        if not isinstance(shape.fields[name], (Object, ListOf)):
            forms += [{**plain, name: other} for other in _spellings(plain[name], shape.fields[name])]
    return forms


def _pairs(texts: dict[str, str]) -> list[str]:
    return [
        "\n".join(f"{name}: {text}" for name, text in texts.items()),
        "\n".join(f"{name} = {text}" for name, text in texts.items()),
        "\n".join(f"- {name}: {text}" for name, text in texts.items()),
        "\n".join(f"- **{name}**: {text}" for name, text in texts.items()),
        "\n".join(f"**{name}:** {text}" for name, text in texts.items()),
        "\n".join(f"| {name} | {text} |" for name, text in texts.items()),
        "; ".join(f"{name}: {text}" for name, text in texts.items()),
        "Answer:\n" + "\n".join(f"{name.replace('_', ' ').capitalize()}: {text}" for name, text in texts.items()),
    ]
