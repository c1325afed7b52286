"""Near misses of a value: the smallest changes that make it another value of the same kind.

Deterministic and bounded. They are what a probe puts in place of a right answer or a right argument, so that verifiers
show how they judge what is almost right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, islice, zip_longest
from string import digits
from typing import Any

MAX_DEPTH = 3
"""Values nested deeper are left as they are."""
MAX_EACH = 8
"""Changes of one field of an object."""


def near_misses(value: Any, schema: dict[str, Any] | None = None, depth: int = 0) -> Iterator[Any]:
    """Other values like this one, the likeliest to be judged differently first; `schema` is its JSON Schema."""
    schema = schema or {}
    options = [option for option in schema.get("enum", ()) if option != value]
    if options:
        yield from options
        return
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 0 if value else 7, -value if value else 1, value + 0.5)
    elif isinstance(value, float):
        yield from (value + 1.0, value + 0.01, value * 1.5 + 0.1)
    elif isinstance(value, str):
        yield from _texts(value)
    elif isinstance(value, list):
        yield from _lists(value, schema, depth)
    elif isinstance(value, dict):
        yield from _objects(value, schema, depth)
    else:
        yield 0


def written(value: Any, other: Any) -> Iterator[Any]:
    """The same value as somebody writes it: as JSON text, in a sentence, wrapped, denied, beside another value."""
    text, rival = (item if isinstance(item, str) else json.dumps(item) for item in (value, other))
    yield {"answer": value}
    yield [value]
    if text != value:
        yield text
    yield f"The answer is {text}."
    yield f"Let me think.\n```json\n{text}\n```"
    yield f"not {text}"
    yield f"about {text}"
    yield f"{text} or {rival}"
    yield f"Answer: {text}\nAnswer: {rival}"
    yield text.upper()
    if isinstance(value, dict):
        yield "\n".join(
            f"{name}: {item if isinstance(item, str) else json.dumps(item)}" for name, item in value.items()
        )
        for name, item in value.items():
            plain = item if isinstance(item, str) else json.dumps(item)
            for said in (f"The {name} is {plain}.", f"not {plain}", plain.upper(), f"{plain} pieces"):
                yield {**value, name: said}


def _texts(text: str) -> Iterator[str]:
    for position in range(len(text) - 1, -1, -1):
        if text[position] in digits:
            yield f"{text[:position]}{(int(text[position]) + 1) % 10}{text[position + 1 :]}"
            break
    words = text.split(" ")
    if len(words) > 1:
        yield " ".join(words[:-1])
        yield " ".join(reversed(words))
    yield f"{text}x"
    if text:
        yield text[:-1]
    if text.swapcase() != text:
        yield text.swapcase()


def _lists(items: list[Any], schema: dict[str, Any], depth: int) -> Iterator[list[Any]]:
    if items:
        yield items[:-1]
        yield [*items, items[0]]
        if items[::-1] != items:
            yield items[::-1]
            yield [items[1], items[0], *items[2:]]
        if depth < MAX_DEPTH:
            for position in dict.fromkeys((0, len(items) - 1)):
                for other in near_misses(items[position], schema.get("items"), depth + 1):
                    yield [*items[:position], other, *items[position + 1 :]]
    else:
        yield ["x"]


def _objects(fields: dict[str, Any], schema: dict[str, Any], depth: int) -> Iterator[dict[str, Any]]:
    properties = schema.get("properties", {})
    changes: list[list[Any]] = []
    if depth < MAX_DEPTH:
        changes = [
            [{**fields, name: other} for other in islice(near_misses(value, properties.get(name), depth + 1), MAX_EACH)]
            for name, value in fields.items()
        ]
    # One change of every field first, then each field left out: a bound on how many are tried leaves no field alone.
    rounds = list(zip_longest(*changes))
    yield from (changed for changed in (rounds[0] if rounds else ()) if changed is not None)
    for name in fields:
        yield {key: value for key, value in fields.items() if key != name}
    yield {**fields, "extra": "x"}
    yield from (changed for changed in chain.from_iterable(rounds[1:]) if changed is not None)
