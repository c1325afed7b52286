"""What every declaration has in common: frozen, strict about unknown keys, identified by its content."""

from __future__ import annotations

from datetime import date
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

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
            raise InputError(_sentence(cls.__name__.lower(), error, source)) from None
        except InputError as error:
            message = f"{source}: {error}"
            raise InputError(message) from None


def _sentence(kind: str, error: ValidationError, source: str) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the top level"
    if first["type"] == "extra_forbidden":
        problem = f"'{first['loc'][-1]}' is not a field of a {kind}; remove it or check its spelling"
    elif first["type"] == "missing":
        problem = f"'{first['loc'][-1]}' is required; add it"
    elif first["type"] == "string_type" and isinstance(first["input"], (int, float, date)):
        # YAML reads 1.0 as a number and 2026-01-01 as a date: the commonest slip in a first declaration.
        problem = f"{first['input']} has to be text; put it in quotes"
    else:
        problem = first["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    more = len(error.errors()) - 1
    rest = f" ({more} more after this one)" if more else ""
    return f"{source}: {kind} at {where}: {problem}{rest}"
