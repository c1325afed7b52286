"""The shape an answer format asks for, as far as its wording tells.

A format is prose for a reader ("A JSON object with the keys `city` and `total`", "One of: approve, reject"), so this
is a best guess: an unclear format is `text`. `fill` then makes an answer of that shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec import Struct, field

from proctor.agents.seen import Scalar, ValueKind, values_of_kind

_BRACES = re.compile(r"\{.*\}", re.DOTALL)
_KEY = re.compile(r"[\"'`]?([A-Za-z_][\w-]*)[\"'`]?\s*:")
_QUOTED = re.compile(r"[\"'`“]([^\"'`“”\n]{1,40})[\"'`”]")
_ONE_OF = re.compile(r"\b(?:one of|either|choose from|pick from|among)\b:?\s*(.+?)(?:[.;\n]|$)", re.IGNORECASE)
_SPLIT = re.compile(r",\s*(?:or\s+|and\s+)?|\s+or\s+|\s*\|\s*")
_NUMBER = re.compile(r"\b(?:integer|number|whole|decimal|amount|count|digits|numeric)\b", re.IGNORECASE)
_DATE = re.compile(r"\bdate\b|yyyy|\biso 8601\b", re.IGNORECASE)
_LIST = re.compile(r"\b(?:list|array)\b|^\s*\[", re.IGNORECASE)
_OBJECT = re.compile(r"\b(?:object|mapping|dictionary)\b", re.IGNORECASE)


class Shape(Struct, frozen=True):
    """What kind of JSON value is wanted, with the object's keys and the allowed words where they are stated."""

    kind: Literal["object", "list", "number", "text"]
    keys: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    kinds: dict[str, ValueKind] = field(default_factory=dict)
    """What sort of value each key wants; an answer that is one value has its sort under the empty name."""

    def kind_of(self, name: str) -> ValueKind:
        """What sort of value a key wants."""
        return self.kinds.get(name, "text")


def read_shape(answer_format: str) -> Shape:
    """The shape that the words of an answer format suggest."""
    braces = _BRACES.search(answer_format)
    keys = tuple(dict.fromkeys(_KEY.findall(braces.group()))) if braces else ()
    if not keys and _OBJECT.search(answer_format):
        keys = tuple(dict.fromkeys(_QUOTED.findall(answer_format)))
    if keys or _OBJECT.search(answer_format):
        return Shape("object", keys, kinds=_kinds(keys, answer_format))
    options = read_options(answer_format)
    kinds = {"": value_kind(answer_format)}
    if _LIST.search(answer_format):
        return Shape("list", options=options, kinds=kinds)
    if options:
        return Shape("text", options=options)
    return Shape("number" if kinds[""] == "number" else "text", kinds=kinds)


def _kinds(keys: tuple[str, ...], answer_format: str) -> dict[str, ValueKind]:
    kinds = {key: value_kind(hint_for(key, answer_format)) for key in keys}
    if set(kinds.values()) == {"text"} and "text" not in answer_format.lower():
        # "… with the keys a, b and c, each a whole number" says it once for all.
        kinds = dict.fromkeys(keys, value_kind(answer_format))
    return kinds


def hint_for(key: str, answer_format: str) -> str:
    """What an answer format says about one key: the words between it and the next."""
    match = re.search(rf"[\"'`]?\b{re.escape(key)}\b[\"'`]?\s*[:(]?\s*([^,}};\n`]*)", answer_format)
    return match.group(1).lower() if match else ""


def value_kind(hint: str) -> ValueKind:
    """The sort of value that some words ask for."""
    if _DATE.search(hint):
        return "date"
    return "number" if _NUMBER.search(hint) else "text"


def read_options(text: str) -> tuple[str, ...]:
    """The alternatives a text offers (`one of: a, b or c`), in order; empty where it offers none."""
    offer = _ONE_OF.search(text)
    if offer is None:
        return ()
    quoted = _QUOTED.findall(offer.group(1))
    pieces = quoted if len(quoted) > 1 else _SPLIT.split(offer.group(1))
    cleaned = [piece.strip(" \"'`“”().:") for piece in pieces]
    return tuple(piece for piece in cleaned if 0 < len(piece) <= 40)


def fill(shape: Shape, value: Callable[[str], Any]) -> Any:
    """An answer of this shape; `value` is asked once for each key, or once with an empty name."""
    if shape.kind == "object":
        return {key: value(key) for key in shape.keys}
    if shape.kind == "list":
        return [value("")]
    return value("")


def fill_from(shape: Shape, seen: Sequence[Scalar], position: int) -> Any:
    """An answer of this shape, each value the first (0) or last (-1) of its kind among what was seen."""

    def one(name: str) -> Any:
        values = values_of_kind(seen, shape.kind_of(name)) or seen
        return values[position] if values else None

    return fill(shape, one)
