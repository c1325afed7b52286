"""Arguments from a JSON Schema: at random from a stream, or the plainest ones that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proctor.agents.seen import Scalar
from proctor.core.seeds import Stream

_FAR = 20
"""How far a drawn number goes beyond a bound that is stated on one side only."""
_DEEP = 4
"""Schemas nested deeper than this are given an empty value."""


def draw_arguments(schema: dict[str, Any], stream: Stream, pool: Sequence[Scalar]) -> dict[str, Any]:
    """Random arguments for a tool: required ones always, optional ones half the time, texts and numbers from `pool`."""
    required = set(schema.get("required", ()))
    return {
        name: draw_value(resolve(part, schema), stream, pool, root=schema)
        for name, part in schema.get("properties", {}).items()
        if name in required or stream.chance(0.5)
    }


def draw_value(
    schema: dict[str, Any], stream: Stream, pool: Sequence[Scalar], *, root: dict[str, Any], depth: int = 0
) -> Any:
    """A random value that fits a schema, as far as its type, enum, bounds and items tell."""
    schema = resolve(schema, root)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return stream.choice(schema["enum"])
    if schema.get("anyOf"):
        return draw_value(stream.choice(schema["anyOf"]), stream, pool, root=root, depth=depth)
    kind = schema.get("type")
    if kind == "boolean":
        return stream.chance(0.5)
    if kind in ("integer", "number"):
        return _number(schema, stream, pool)
    if kind == "null":
        return None
    if kind == "array":
        if depth >= _DEEP:
            return []
        count = stream.integer(schema.get("minItems", 0), max(schema.get("minItems", 0), 3))
        items = schema.get("items") or {}
        return [draw_value(items, stream, pool, root=root, depth=depth + 1) for _ in range(count)]
    if kind == "object":
        properties = schema.get("properties", {}) if depth < _DEEP else {}
        return {name: draw_value(part, stream, pool, root=root, depth=depth + 1) for name, part in properties.items()}
    return str(stream.choice(pool)) if pool else stream.hex(6)


def _number(schema: dict[str, Any], stream: Stream, pool: Sequence[Scalar]) -> int | float:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    known = [
        item
        for item in pool
        if isinstance(item, (int, float))
        and not isinstance(item, bool)
        and (schema["type"] == "number" or isinstance(item, int))
        and (low is None or item >= low)
        and (high is None or item <= high)
    ]
    if known and stream.chance(0.5):
        return stream.choice(known)
    low = (0 if high is None else min(0, int(high) - _FAR)) if low is None else int(low)
    high = low + _FAR if high is None else int(high)
    return stream.integer(low, max(low, high))


def plainest_arguments(schema: dict[str, Any], text: str = "") -> dict[str, Any]:
    """The plainest arguments that fit: required ones only, the first of every enum, `text` wherever text is wanted."""
    properties = schema.get("properties", {})
    return {
        name: _plainest(resolve(properties.get(name, {}), schema), text, schema) for name in schema.get("required", ())
    }


def _plainest(schema: dict[str, Any], text: str, root: dict[str, Any]) -> Any:
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    if schema.get("anyOf"):
        return _plainest(resolve(schema["anyOf"][0], root), text, root)
    kind = schema.get("type")
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    simple: dict[Any, Any] = {"boolean": False, "null": None, "array": []}
    if kind == "object":
        return plainest_arguments({**schema, "$defs": root.get("$defs", {})}, text)
    return simple.get(kind, text)


def resolve(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """The schema itself, or the definition within `root` that it refers to."""
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    definition = root.get("$defs", {}).get(reference.rpartition("/")[2], {})
    return dict(definition)
