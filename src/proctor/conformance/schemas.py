"""JSON Schema, as far as declarations use it: is a schema well formed, and does a value fit it?

Understands type, enum, const, properties, required, additionalProperties, items, prefixItems, the bounds of numbers,
texts, lists and objects, pattern, anyOf, oneOf, allOf, not, and references into `$defs`; format only for `date`. Other
keywords say nothing, as the standard has it. Both functions give problems as texts that name the path, and nothing
else; neither raises.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")
_SCHEMA_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_SCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SCHEMAS = ("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_DEEPEST = 60


def ill_formed(schema: Any) -> list[str]:
    """What is wrong with a schema; empty when it is one."""
    return list(_ill_formed(schema, "", schema, 0))


def _ill_formed(schema: Any, path: str, root: Any, depth: int) -> Iterator[str]:
    at = path or "the top level"
    if isinstance(schema, bool):
        return
    if not isinstance(schema, dict):
        yield f"{at} is {_kind(schema)}, not a schema"
        return
    if depth > _DEEPEST:
        yield f"{at} is nested too deeply"
        return
    yield from _ill_formed_words(schema, at)
    reference = schema.get("$ref")
    if reference is not None and _resolved(reference, root) is None:
        yield f"{at}: $ref {reference!r} leads nowhere"
    for word in _SCHEMA_MAPS:
        if word in schema:
            part = schema[word]
            if not isinstance(part, dict):
                yield f"{at}: {word} is {_kind(part)}, not an object of schemas"
                continue
            for name, inner in part.items():
                yield from _ill_formed(inner, f"{path}/{word}/{name}", root, depth + 1)
    for word in _SCHEMA_LISTS:
        if word in schema:
            part = schema[word]
            if not isinstance(part, (list, tuple)) or not part:
                yield f"{at}: {word} is not a list of one or more schemas"
                continue
            for number, inner in enumerate(part):
                yield from _ill_formed(inner, f"{path}/{word}/{number}", root, depth + 1)
    for word in _SCHEMAS:
        if word in schema:
            yield from _ill_formed(schema[word], f"{path}/{word}", root, depth + 1)


def _ill_formed_words(schema: dict[str, Any], at: str) -> Iterator[str]:
    """Problems of keywords that hold no schema."""
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], (list, tuple)) else [schema["type"]]
        for name in types:
            if name not in TYPES:
                yield f"{at}: type {name!r} is none of {', '.join(TYPES)}"
    if "enum" in schema and (not isinstance(schema["enum"], (list, tuple)) or not schema["enum"]):
        yield f"{at}: enum is not a list of one or more values"
    required = schema.get("required", [])
    if not isinstance(required, (list, tuple)) or not all(isinstance(name, str) for name in required):
        yield f"{at}: required is not a list of names"
    for word in _COUNTS:
        if word in schema and not (_whole(schema[word]) and schema[word] >= 0):
            yield f"{at}: {word} is not a count"
    for word in _NUMBERS:
        if word in schema and not _number(schema[word]):
            yield f"{at}: {word} is not a number"
    if "pattern" in schema:
        try:
            re.compile(schema["pattern"])
        except (re.error, TypeError):
            yield f"{at}: pattern {schema['pattern']!r} is no regular expression"


def misfits(value: Any, schema: Any) -> list[str]:
    """Where a value does not fit a well-formed schema; empty when it fits."""
    return list(_misfits(value, schema, "", schema, 0))


def _misfits(value: Any, schema: Any, path: str, root: Any, depth: int) -> Iterator[str]:
    at = path or "the value"
    if schema is False:
        yield f"{at} must not be there"
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return
    if "$ref" in schema:
        yield from _misfits(value, _resolved(schema["$ref"], root), path, root, depth + 1)
    types = schema.get("type", ())
    types = (types,) if isinstance(types, str) else types
    if types and not any(_is(value, name) for name in types):
        yield f"{at} is {_kind(value)}, not {' or '.join(types)}"
        return
    if "enum" in schema and not any(_same(value, option) for option in schema["enum"]):
        yield f"{at} is none of the {len(schema['enum'])} declared values"
    if "const" in schema and not _same(value, schema["const"]):
        yield f"{at} is not the declared constant"
    yield from _misfits_bounds(value, schema, at)
    if isinstance(value, dict):
        yield from _misfits_object(value, schema, path, root, depth)
    elif isinstance(value, (list, tuple)):
        first = schema.get("prefixItems", ())
        for number, item in enumerate(value):
            inner = first[number] if number < len(first) else schema.get("items", True)
            yield from _misfits(item, inner, f"{path}/{number}", root, depth + 1)
    yield from _misfits_combined(value, schema, path, root, depth)


def _misfits_object(value: dict[str, Any], schema: dict[str, Any], path: str, root: Any, depth: int) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path or 'the value'} lacks '{name}'"
    patterns = schema.get("patternProperties", {})
    for name, item in value.items():
        inner = properties.get(name)
        if inner is None:
            matching = [part for pattern, part in patterns.items() if re.search(pattern, str(name))]
            inner = matching[0] if matching else schema.get("additionalProperties", True)
        yield from _misfits(item, inner, f"{path}/{name}", root, depth + 1)


def _misfits_combined(value: Any, schema: dict[str, Any], path: str, root: Any, depth: int) -> Iterator[str]:
    at = path or "the value"

    def fits(part: Any) -> bool:
        return not any(True for _ in _misfits(value, part, path, root, depth + 1))

    if "anyOf" in schema and not any(fits(part) for part in schema["anyOf"]):
        yield f"{at} fits none of anyOf"
    if "oneOf" in schema and sum(fits(part) for part in schema["oneOf"]) != 1:
        yield f"{at} does not fit exactly one of oneOf"
    for part in schema.get("allOf", ()):
        yield from _misfits(value, part, path, root, depth + 1)
    if "not" in schema and fits(schema["not"]):
        yield f"{at} fits what it must not"


def _misfits_bounds(value: Any, schema: dict[str, Any], at: str) -> Iterator[str]:
    if _number(value):
        low, high = schema.get("minimum"), schema.get("maximum")
        above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
        if (low is not None and value < low) or (above is not None and value <= above):
            yield f"{at} is too small"
        if (high is not None and value > high) or (below is not None and value >= below):
            yield f"{at} is too large"
        if "multipleOf" in schema and not math.isclose(value / schema["multipleOf"] % 1, 0, abs_tol=1e-9):
            yield f"{at} is no multiple of {schema['multipleOf']}"
    for kind, least, most in (
        (str, "minLength", "maxLength"),
        ((list, tuple), "minItems", "maxItems"),
        (dict, "minProperties", "maxProperties"),
    ):
        if isinstance(value, kind):
            if len(value) < schema.get(least, 0):
                yield f"{at} is shorter than {least} {schema[least]}"
            if len(value) > schema.get(most, math.inf):
                yield f"{at} is longer than {most} {schema[most]}"
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"{at} does not match its pattern"
        if schema.get("format") == "date" and not _is_date(value):
            yield f"{at} is no date"
    if schema.get("uniqueItems") and isinstance(value, (list, tuple)) and _repeats(value):
        yield f"{at} repeats an item"


def _repeats(items: list[Any] | tuple[Any, ...]) -> bool:
    return any(_same(one, two) for number, one in enumerate(items) for two in items[:number])


def not_json(value: Any, path: str = "") -> str | None:
    """Where a value is not plain JSON (objects with text keys, lists, texts, finite numbers, booleans, null)."""
    if value is None or type(value) in (str, bool, int):
        return None
    if type(value) is float:
        return None if math.isfinite(value) else f"{path or 'the value'} is {value}"
    if type(value) in (list, tuple):
        return next((bad for n, item in enumerate(value) if (bad := not_json(item, f"{path}/{n}"))), None)
    if type(value) is dict:
        for name, item in value.items():
            if type(name) is not str:
                return f"{path or 'the value'} has the key {name!r}, which is {type(name).__name__}"
            if bad := not_json(item, f"{path}/{name}"):
                return bad
        return None
    return f"{path or 'the value'} is {type(value).__name__}"


def _resolved(reference: Any, root: Any) -> Any:
    """What a reference within the same schema means; None where it leads nowhere."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    target = root
    for part in filter(None, reference.removeprefix("#").split("/")):
        target = target.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
    return target


def _is(value: Any, name: str) -> bool:
    if name == "integer":
        return _whole(value) or (isinstance(value, float) and value.is_integer())
    if name == "number":
        return _number(value)
    kinds: dict[str, Any] = {"string": str, "boolean": bool, "object": dict, "array": (list, tuple), "null": type(None)}
    return isinstance(value, kinds.get(name, ()))


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _same(one: Any, two: Any) -> bool:
    return bool(one == two) and isinstance(one, bool) == isinstance(two, bool)


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == 10


def _kind(value: Any) -> str:
    names = {str: "a text", bool: "a boolean", int: "a whole number", float: "a number", dict: "an object"}
    names |= {list: "a list", tuple: "a list", type(None): "null"}
    return names.get(type(value), type(value).__name__)
