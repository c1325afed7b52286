"""`read`: a submitted answer, whatever JSON it is, as the value of a declared shape."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

from proctor.worlds.answers.embedded import arrays_in, duplicate_free, objects_in, pairs_in, text_inside
from proctor.worlds.answers.scalar import day, number, option, truth, words
from proctor.worlds.answers.shape import (
    Amount,
    Boolean,
    Choice,
    Date,
    FormatError,
    Integer,
    ListOf,
    Object,
    Shape,
    Text,
    plain_key,
)
from proctor.worlds.answers.text import find_stated, refuse_negation, tidy

Value = str | int | Decimal | bool | date | tuple[Any, ...] | dict[str, Any]

_WRAPPERS = frozenset({"answer", "finalanswer", "final", "result", "solution", "output", "response"})
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,3}[.)])\s+")
_ARRAY = re.compile(r"\[.*\]", re.DOTALL)
_DEEPEST = 8
_LARGEST_EXPONENT = 40


def read(answer: Any, shape: Shape) -> Value:
    """The answer's value, in the form in which two answers are compared; raises `FormatError` rather than guess.

    Texts come back without what never counts, whole numbers as `int`, amounts as `Decimal`, days as `date`, lists as
    tuples (sorted where order never counts), objects as dicts with the declared names.
    """
    try:
        return _read(answer, shape, 0)
    except RecursionError:
        message = "the answer is nested too deeply"
        raise FormatError(message) from None


def same(answer: Any, expected: Any, shape: Shape) -> bool:
    """Whether an answer says the same as the expected one. An unreadable answer does not; a bad `expected` raises."""
    wanted = read(expected, shape)
    try:
        return read(answer, shape) == wanted
    except FormatError:
        return False


def _read(answer: Any, shape: Shape, depth: int) -> Value:
    if answer is None or depth > _DEEPEST:
        message = "there is no answer" if answer is None else "the answer is nested too deeply"
        raise FormatError(message)
    if isinstance(answer, str):
        answer = text_inside(answer)
    if isinstance(shape, Object):
        return _object(answer, shape, depth)
    if isinstance(shape, ListOf):
        return _list(answer, shape, depth)
    inner = _unwrapped(answer)
    if inner is not answer:
        return _read(inner, shape, depth + 1)
    if isinstance(answer, str):
        wrapped = [candidate for candidate in objects_in(tidy(answer)) if _unwrapped(candidate) is not candidate]
        if wrapped:
            value: Value = _agreed([_read(candidate, shape, depth + 1) for candidate in wrapped])
            return value
    return _scalar(answer, shape)


def _unwrapped(answer: Any) -> Any:
    """What is inside `{"answer": …}` or a list of one; otherwise the answer itself."""
    if isinstance(answer, dict) and len(answer) == 1:
        ((key, value),) = answer.items()
        return value if plain_key(str(key)) in _WRAPPERS else answer
    if isinstance(answer, (list, tuple)) and len(answer) == 1:
        return answer[0]
    return answer


def _scalar(answer: Any, shape: Shape) -> Value:
    if isinstance(shape, (Integer, Amount)):
        return _number(answer, shape)
    if isinstance(shape, Boolean) and isinstance(answer, bool):
        return answer
    if isinstance(shape, Text) and isinstance(answer, int) and not isinstance(answer, bool):
        answer = str(answer)
    if not isinstance(answer, str):
        message = f"a {type(shape).__name__.lower()} was asked for"
        raise FormatError(message)
    match shape:
        case Boolean():
            return truth(answer)
        case Choice():
            return option(answer, shape)
        case Date():
            return day(answer)
        case Text():
            return words(answer, shape)
    message = f"a {type(shape).__name__.lower()} was asked for"
    raise FormatError(message)


def _number(answer: Any, shape: Integer | Amount) -> int | Decimal:
    if isinstance(answer, bool) or not isinstance(answer, (int, float, Decimal, str)):
        message = "a number was asked for"
        raise FormatError(message)
    if isinstance(answer, str):
        value = number(answer, shape)
    else:
        # repr is the shortest text of a double, so 0.1 is read as one tenth.
        value = Decimal(repr(answer)) if isinstance(answer, float) else Decimal(answer)
    if not value.is_finite() or value.adjusted() > _LARGEST_EXPONENT:
        message = "a finite number of ordinary size was asked for"
        raise FormatError(message)
    if isinstance(shape, Amount):
        return value
    if value != value.to_integral_value():
        message = "a whole number was asked for"
        raise FormatError(message)
    return int(value)


def _object(answer: Any, shape: Object, depth: int) -> dict[str, Value]:
    if isinstance(answer, str):
        return _object_in_text(tidy(answer), shape, depth)
    if isinstance(answer, dict):
        names = {plain_key(name) for name in shape.fields}
        if not any(plain_key(str(key)) in names for key in answer):
            inner = _unwrapped(answer)
            if inner is not answer:
                return _object(inner, shape, depth + 1)
        return _fields(duplicate_free((plain_key(str(key)), value) for key, value in answer.items()), shape, depth)
    inner = _unwrapped(answer)
    if inner is answer or depth > _DEEPEST:
        message = "an object with named fields was asked for"
        raise FormatError(message)
    return _object(inner, shape, depth + 1)


def _fields(values: dict[str, Any], shape: Object, depth: int) -> dict[str, Value]:
    missing = [name for name in shape.fields if plain_key(name) not in values]
    if missing:
        message = f"the answer lacks {', '.join(missing)}"
        raise FormatError(message)
    return {name: _read(values[plain_key(name)], field, depth + 1) for name, field in shape.fields.items()}


def _object_in_text(text: str, shape: Object, depth: int) -> dict[str, Value]:
    """The JSON objects in the text and the `name: value` pairs after them must all say the same.

    Pairs before an object are reasoning; without any object the pairs are the answer.
    """
    names = {plain_key(name) for name in shape.fields}
    objects: list[dict[str, Value]] = []
    for item in objects_in(text):
        inner = _unwrapped(item)
        inner = inner if isinstance(inner, dict) else item
        if any(plain_key(str(key)) in names for key in inner):
            objects.append(_object(inner, shape, depth + 1))
    if objects:
        for name, value in pairs_in(text.rpartition("}")[2], tuple(shape.fields)):
            _agreed([objects[0][name], _read(value, shape.fields[name], depth + 1)])
        agreed: dict[str, Value] = _agreed(objects)
        return agreed
    pairs = [(plain_key(name), value) for name, value in pairs_in(text, tuple(shape.fields))]
    if not pairs:
        message = "an object with named fields was asked for"
        raise FormatError(message)
    return _fields(duplicate_free(pairs), shape, depth)


def _list(answer: Any, shape: ListOf, depth: int) -> tuple[Value, ...]:
    if isinstance(answer, dict):
        inner = _unwrapped(answer)
        if inner is answer and not isinstance(shape.item, Object):
            message = "a list was asked for"
            raise FormatError(message)
        answer = [answer] if inner is answer else inner
    if isinstance(answer, str):
        answer = _items_in_text(tidy(answer), shape)
    elif not isinstance(answer, (list, tuple)):
        answer = [answer]
    values = [_read(item, shape.item, depth + 1) for item in answer]
    return tuple(values if shape.ordered else sorted(values, key=repr))


def _items_in_text(text: str, shape: ListOf) -> list[Any]:
    """The items a text lists: a JSON array, one to a line, or separated by semicolons or commas."""
    wrapped = [_unwrapped(item) for item in objects_in(text) if _unwrapped(item) is not item]
    if wrapped:
        inner = _agreed(wrapped)
        return _items_in_text(tidy(inner), shape) if isinstance(inner, str) else _as_list(inner)
    stated = find_stated(text)
    arrays = arrays_in(text[len(text) - len(stated.after) :]) if stated.after else []
    for segment in stated.segments:
        arrays += arrays_in(segment)
    if arrays:
        refuse_negation(_ARRAY.sub(" ", stated.segments[0]))
        return list(_agreed(arrays))
    if stated.after or len(stated.segments) > 1 or not stated.segments[0].strip():
        message = "the answer does not state one list"
        raise FormatError(message)
    lines = [_BULLET.sub("", line).strip(" ,;") for line in stated.segments[0].splitlines() if line.strip()]
    if len(lines) > 1:
        return lines
    for separator in (r";\s*", r",\s+(?:and\s+)?|\s+and\s+", r",\s*"):
        pieces = re.split(separator, lines[0].removesuffix("."))
        if len(pieces) > 1:
            return [piece for piece in pieces if piece]
    return [lines[0]]


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _agreed(values: list[Any]) -> Any:
    if any(value != values[0] for value in values):
        message = "the answer states two different values"
        raise FormatError(message)
    return values[0]
