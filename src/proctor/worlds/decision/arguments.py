"""Arguments of a domain's actions, checked against their JSON Schema before an action is carried out.

A schema is turned into a msgspec type once; what msgspec cannot express is left unchecked, so that a check never
refuses what the schema allows. Numbers written without a fraction are numbers too.
"""

from __future__ import annotations

import keyword
from typing import Annotated, Any, Literal, Union

import msgspec

_SCALARS: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "null": None}


def arguments_type(name: str, schema: dict[str, Any]) -> Any:
    """The type that arguments of an action of this name must have; `Any` object where the schema says too little."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not all(map(_usable, properties)):
        return dict[str, Any]
    required = set(schema.get("required", ()))
    fields: list[Any] = []
    for field, part in properties.items():
        kind = _type(f"{name}_{field}", part)
        fields.append((field, kind) if field in required else (field, kind | msgspec.UnsetType, msgspec.UNSET))
    strict = schema.get("additionalProperties", True) is False
    return msgspec.defstruct(f"{name}_arguments", fields, kw_only=True, forbid_unknown_fields=strict)


def _usable(name: Any) -> bool:
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")


def _type(name: str, schema: Any) -> Any:
    if not isinstance(schema, dict):
        return Any
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if values and (all(type(value) is str for value in values) or all(type(value) is int for value in values)):
        return Literal[tuple(values)]
    kinds = schema.get("type")
    if isinstance(kinds, list):
        types = [_single(name, kind, schema) for kind in kinds]
        return Any if Any in types or len(set(map(str, types))) < len(types) else Union[tuple(types)]  # noqa: UP007
    return _single(name, kinds, schema)


def _single(name: str, kind: Any, schema: dict[str, Any]) -> Any:
    if kind == "object":
        return arguments_type(name, schema)
    if kind == "array":
        return list[_type(f"{name}_item", schema.get("items"))]  # type: ignore[misc]
    if kind not in _SCALARS:
        return Any
    bounds: dict[str, Any] = {}
    if kind in ("integer", "number"):
        names = {"minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt"}
        # A bound on a whole number that is not whole itself cannot be said to msgspec.
        usable = int if kind == "integer" else (int, float)
        bounds = {names[word]: schema[word] for word in names if isinstance(schema.get(word), usable)}
    elif kind == "string":
        names = {"minLength": "min_length", "maxLength": "max_length"}
        bounds = {names[word]: schema[word] for word in names if isinstance(schema.get(word), int)}
    base = _SCALARS[kind]
    return Annotated[base, msgspec.Meta(**bounds)] if bounds else base
