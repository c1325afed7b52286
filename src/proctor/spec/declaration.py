"""What every declaration has in common: frozen, strict about unknown keys, identified by its content."""

from __future__ import annotations

import re
from datetime import date
from difflib import get_close_matches
from typing import Any, Self, cast, get_args

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, ErrorDetails
from pydantic_core.core_schema import no_info_before_validator_function

from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.core.texts import shortened


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        word = str(value).lower()
        message = f"{word} is not a number; YAML reads yes and on as true, no and off as false"
        raise ValueError(message)
    return value


_NUMBERS = ("int", "float")
_NO_SCHEMAS = ("cls", "config", "default", "metadata", "serialization")


def _without_booleans_for_numbers(schema: Any, owner: type[BaseModel]) -> Any:
    """The schema, where no boolean is taken for the number 1 or 0, wherever a field of it holds a number.

    Models within have seen to their own. Text that reads as a number is still one.
    """
    if isinstance(schema, list | tuple):
        return type(schema)(_without_booleans_for_numbers(one, owner) for one in schema)
    if not isinstance(schema, dict) or (schema.get("type") == "model" and schema["cls"] is not owner):
        return schema
    if schema.get("type") in _NUMBERS:
        return no_info_before_validator_function(_no_boolean, cast("CoreSchema", schema))
    inner = {
        key: value if key in _NO_SCHEMAS else _without_booleans_for_numbers(value, owner)
        for key, value in schema.items()
    }
    if schema.get("type") == "union":
        # A mistake names the choice, and would name it after the function.
        inner["choices"] = [
            (made, choice["type"]) if isinstance(choice, dict) and choice.get("type") in _NUMBERS else made
            for made, choice in zip(inner["choices"], schema["choices"], strict=True)
        ]
    return inner


class Declaration(BaseModel):
    """A frozen declaration. Two declarations are the same thing exactly when their `identity` is equal."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: CoreSchema = _without_booleans_for_numbers(handler(source), cls)
        return schema

    @property
    def identity(self) -> str:
        """SHA-256 over the RFC 8785 bytes of the whole content, defaults included."""
        return content_hash(self)

    @classmethod
    def parse(cls, data: Any, *, source: str) -> Self:
        """Check data from a file or a command line; a mistake is one sentence that names the place."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise InputError(_sentence(cls, error, source)) from None
        except InputError as error:
            message = f"{source}: {_one_line(str(error))}"
            raise InputError(message) from None


def _words(name: str) -> str:
    """`QualityRules` as `quality rules`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


MAX_PROBLEMS = 4
"""So many mistakes are written out; the rest are counted."""


def _sentence(cls: type[BaseModel], error: ValidationError, source: str) -> str:
    """What is wrong, unknown keys first: a misspelt one is the cause where the right one is missing."""
    every = error.errors()
    # A list is called too short where its only members are the ones that are wrong.
    found = [one for one in every if one["type"] != "too_short" or not _within(one["loc"], every)]
    found.sort(key=lambda one: one["type"] not in ("extra_forbidden", "invalid_key"))
    shown = [f"{_place(one)}: {_problem(cls, one)}" for one in found[:MAX_PROBLEMS]]
    more = len(found) - len(shown)
    said = f"{_words(cls.__name__)} at {'; at '.join(shown)}{f' (and {more} more)' if more else ''}"
    return f"{source}: {_one_line(said)}"


def _within(place: tuple[int | str, ...], found: list[ErrorDetails]) -> bool:
    """Whether something is wrong with a part of what lies at this place."""
    return any(len(one["loc"]) > len(place) and one["loc"][: len(place)] == place for one in found)


def _one_line(said: str) -> str:
    """The sentence without line ends and what terminals obey: it repeats names and texts of a stranger's file."""
    return "".join(sign if sign.isprintable() else " " for sign in said)


def _place(error: ErrorDetails) -> str:
    if error["type"] == "invalid_key":
        return ".".join(str(part) for part in error["loc"][:-1]) or "the top level"
    return ".".join(str(part) for part in error["loc"]) or "the top level"


def _problem(cls: type[BaseModel], error: ErrorDetails) -> str:
    name = str(error["loc"][-1]) if error["loc"] else ""
    if error["type"] == "extra_forbidden":
        close = get_close_matches(name, _fields_at(cls, error["loc"][:-1]), n=1)
        hint = f"did you mean '{close[0]}'?" if close else "remove it or check its spelling"
        return f"'{name}' is not a field of a {_words(cls.__name__)}; {hint}"
    if error["type"] == "missing":
        return f"'{name}' is required; add it"
    if error["type"] == "string_type" and isinstance(error["input"], (int, float, date)):
        # YAML reads 1.0 as a number and 2026-01-01 as a date: the commonest slip in a first declaration.
        return f"{error['input']} has to be text; put it in quotes"
    if error["type"] == "invalid_key":
        return f"the key {shortened(str(error['input']))} is no text; put it in quotes"
    if error["type"] in _NAMED_FIELDS:
        return f"fields with names are expected, and {_shape(error['input'])} here; write `name: value`, one a line"
    return error["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")


_NAMED_FIELDS = frozenset({"model_type", "model_attributes_type", "dict_type"})


def _shape(value: Any) -> str:
    if value is None:
        return "nothing is written"
    return "a list stands" if isinstance(value, list | tuple) else f"'{shortened(str(value), 40)}' stands"


def _fields_at(cls: type[BaseModel], place: tuple[int | str, ...]) -> list[str]:
    """The names of the fields that a declaration has at this place within another one."""
    models = [cls]
    for part in place:
        if isinstance(part, str):
            inner = [model.model_fields[part].annotation for model in models if part in model.model_fields]
            models = [found for annotation in inner for found in _models_in(annotation)]
    return [name for model in models for name in model.model_fields]


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for part in get_args(annotation) for found in _models_in(part)]
