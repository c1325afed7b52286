"""The shape an answer format asks for, as far as its wording tells.

A format is prose for a reader ("A JSON object with the keys `city` and `total`", "One of: approve, reject"), so this
is a best guess: an unclear format is `text`. `fill` then makes an answer of that shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

_BRACES = re.compile(r"\{.*\}", re.DOTALL)
_KEY = re.compile(r"[\"'`]?([A-Za-z_][\w-]*)[\"'`]?\s*:")
_QUOTED = re.compile(r"[\"'`“]([^\"'`“”\n]{1,40})[\"'`”]")
_ONE_OF = re.compile(r"\b(?:one of|either|choose from|pick from|among)\b:?\s*(.+?)(?:[.;\n]|$)", re.IGNORECASE)
_SPLIT = re.compile(r",\s*(?:or\s+|and\s+)?|\s+or\s+|\s*\|\s*")
_NUMBER = re.compile(r"\b(?:integer|number|whole|decimal|amount|count|digits|numeric)\b", re.IGNORECASE)
_LIST = re.compile(r"\b(?:list|array)\b|^\s*\[", re.IGNORECASE)
_OBJECT = re.compile(r"\b(?:object|mapping|dictionary)\b", re.IGNORECASE)


class Shape(Struct, frozen=True):
    """What kind of JSON value is wanted, with the object's keys and the allowed words where they are stated."""

    kind: Literal["object", "list", "number", "text"]
    keys: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def read_shape(answer_format: str) -> Shape:
    """The shape that the words of an answer format suggest."""
    braces = _BRACES.search(answer_format)
    if braces:
        keys = tuple(dict.fromkeys(_KEY.findall(braces.group())))
        if keys:
            return Shape("object", keys)
    if _OBJECT.search(answer_format):
        return Shape("object", tuple(dict.fromkeys(_QUOTED.findall(answer_format))))
    options = read_options(answer_format)
    if _LIST.search(answer_format):
        return Shape("list", options=options)
    if options:
        return Shape("text", options=options)
    return Shape("number" if _NUMBER.search(answer_format) else "text")


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
