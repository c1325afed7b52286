"""What every declaration has in common: frozen, strict about unknown keys, identified by its content."""

from __future__ import annotations

import re
from datetime import date
from difflib import get_close_matches
from typing import Any, Self, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from proctor.core.errors import InputError
from proctor.core.hashing import content_hash


class Declaration(BaseModel):
    """A frozen declaration. Two declarations are the same thing exactly when their `identity` is equal."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

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
    found = sorted(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
    shown = [f"{_place(one)}: {_problem(cls, one)}" for one in found[:MAX_PROBLEMS]]
    more = len(found) - len(shown)
    said = f"{_words(cls.__name__)} at {'; at '.join(shown)}{f' (and {more} more)' if more else ''}"
    return f"{source}: {_one_line(said)}"


def _one_line(said: str) -> str:
    """The sentence without line ends and what terminals obey: it repeats names and texts of a stranger's file."""
    return "".join(sign if sign.isprintable() else " " for sign in said)


def _place(error: ErrorDetails) -> str:
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
    return error["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")


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
