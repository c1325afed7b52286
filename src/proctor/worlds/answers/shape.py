"""The shapes an answer can have, and their JSON Schemas.

A family's `answer_schema` is `schema_of(shape)`; `shape_of` gets the shape back from it, so whoever checks a family
needs nothing but its declaration. Schemas written by hand are understood as far as type, enum, format, properties and
items tell.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct


class FormatError(Exception):
    """An answer that cannot be read without guessing. The message says why, and quotes nothing hidden."""


class Text(Struct, frozen=True):
    """Words. White space, quotes around it and a full stop at the end never count."""

    ignore_case: bool = True


class Integer(Struct, frozen=True):
    """A whole number, alone or with one of the declared units before or after it."""

    units: tuple[str, ...] = ()


class Amount(Struct, frozen=True):
    """A decimal number, compared exactly; trailing zeros never count. Units as in `Integer`, e.g. `("EUR", "€")`."""

    units: tuple[str, ...] = ()


class Boolean(Struct, frozen=True):
    """True or false; yes and no mean the same."""


class Choice(Struct, frozen=True):
    """One of some declared words."""

    options: tuple[str, ...]
    ignore_case: bool = True


class Date(Struct, frozen=True):
    """A calendar day, in any spelling that means only one day."""


class Object(Struct, frozen=True):
    """Named values. Every field is required; order and case of names never count."""

    fields: dict[str, Shape]


class ListOf(Struct, frozen=True):
    """Values of one shape, in order unless `ordered` is false."""

    item: Shape
    ordered: bool = True


Shape = Text | Integer | Amount | Boolean | Choice | Date | Object | ListOf


def plain_key(name: str) -> str:
    """What counts of a field's name: letters and digits, lower case."""
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def schema_of(shape: Shape) -> dict[str, Any]:
    """The JSON Schema of an answer in the stated format; `x-` keywords carry what JSON Schema has no word for."""
    match shape:
        case Text():
            return {"type": "string", "minLength": 1} | ({} if shape.ignore_case else {"x-ignore-case": False})
        case Integer() | Amount():
            kind = "integer" if isinstance(shape, Integer) else "number"
            return {"type": kind} | ({"x-units": list(shape.units)} if shape.units else {})
        case Boolean():
            return {"type": "boolean"}
        case Choice():
            return {"enum": list(shape.options)} | ({} if shape.ignore_case else {"x-ignore-case": False})
        case Date():
            return {"type": "string", "format": "date"}
        case Object():
            return {
                "type": "object",
                "properties": {name: schema_of(field) for name, field in shape.fields.items()},
                "required": list(shape.fields),
                "additionalProperties": False,
            }
        case ListOf():
            rest = {} if shape.ordered else {"x-ordered": False}
            return {"type": "array", "items": schema_of(shape.item)} | rest


def shape_of(schema: dict[str, Any]) -> Shape:
    """The shape a JSON Schema describes; raises `FormatError` for one that describes none of them."""
    ignore_case = bool(schema.get("x-ignore-case", True))
    if "enum" in schema:
        return Choice(tuple(str(option) for option in schema["enum"]), ignore_case)
    units = tuple(schema.get("x-units", ()))
    match schema.get("type"):
        case "string":
            return Date() if schema.get("format") == "date" else Text(ignore_case)
        case "integer":
            return Integer(units)
        case "number":
            return Amount(units)
        case "boolean":
            return Boolean()
        case "object" if schema.get("properties"):
            return Object({name: shape_of(part) for name, part in schema["properties"].items()})
        case "array" if schema.get("items"):
            return ListOf(shape_of(schema["items"]), bool(schema.get("x-ordered", True)))
    message = "this JSON Schema has no answer shape; use string, integer, number, boolean, enum, object or array"
    raise FormatError(message)
