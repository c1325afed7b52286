"""Tools are plain functions; their JSON Schema comes from their types.

    @tool(effect="write")
    def write_file(self, path: str, text: str) -> str:
        '''Write a text file, replacing what was there.'''

Arguments are checked against the types before the function runs (compiled once, so that a step costs microseconds); a
mismatch answers the agent with a readable error and never reaches the function. Parameters may carry
`Annotated[int, msgspec.Meta(ge=1, description="…")]`; numbers, texts, lists and depth have bounds even where nothing is
declared (`proctor.worlds.bounds`). A tool refuses by raising `ToolError`; any other exception is a fault of the world,
and `proctor check` looks for one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from typing import Any, TypeVar, get_type_hints

import msgspec

from proctor.spec.task import Effect, ToolResult, ToolSpec
from proctor.worlds.bounds import require_bounded

F = TypeVar("F", bound=Callable[..., Any])

_MARK = "__proctor_tool__"
_FLOAT_FREE = {str, int, bool, type(None)}


Steps = Generator[tuple[str, dict[str, Any]], ToolResult, Any]
"""Calls (tool, arguments); each is answered with its result, and what is returned is the value of the whole."""


class ToolOptions(msgspec.Struct, frozen=True):
    """What the decorator was told."""

    effect: Effect
    name: str | None
    milliseconds: int
    stable: bool


class Tool(msgspec.Struct, frozen=True):
    """A compiled tool: what the agent sees, and how to check and run a call."""

    spec: ToolSpec
    function: Callable[..., Any]
    """Takes the world first, then the arguments by name."""
    arguments: type[msgspec.Struct]
    names: tuple[str, ...]
    is_async: bool
    milliseconds: int
    """Logical time one call takes."""
    stable: bool
    """False when the output cannot be made reproducible; it then enters `seal`, not `root`."""
    chainable_arguments: bool
    """True when checked arguments can go into the chain as they are."""
    chainable_value: bool
    """True when the returned value can go into the chain as it is."""
    steps: Callable[[Any, dict[str, Any]], Steps] | None = None
    """For a tool composed of others: takes the world and the arguments and gives its calls one by one. Each is made
    through the session, with its limits, faults and records; `function` is then never called."""

    def check(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, converted and complete; raises `msgspec.ValidationError` where they do not fit.

        That is where they are more than any tool takes (`proctor.worlds.bounds`), and where they miss its schema.
        """
        require_bounded(arguments)
        try:
            checked = msgspec.convert(arguments, self.arguments)
        except msgspec.ValidationError as error:
            choices = self._choices(str(error))
            if choices is None:
                raise
            message = f"{error}; choose one of {choices}"
            raise msgspec.ValidationError(message) from None
        except UnicodeEncodeError:
            message = "Expected text of whole characters, got a lone surrogate"
            raise msgspec.ValidationError(message) from None
        return {name: getattr(checked, name) for name in self.names}

    def _choices(self, error: str) -> str | None:
        """What may be said where an argument is none of a fixed list."""
        if not error.startswith("Invalid enum value"):
            return None
        name = error.rpartition("$.")[2].partition("`")[0].partition("[")[0]
        schema: dict[str, Any] = self.spec.parameters.get("properties", {}).get(name, {})
        values = schema.get("enum") or schema.get("items", {}).get("enum")
        return ", ".join(map(str, values)) if values else None


def tool(*, effect: Effect, name: str | None = None, milliseconds: int = 100, stable: bool = True) -> Callable[[F], F]:
    """Mark a method of a world as a tool. The docstring is the description the agent reads."""

    def mark(function: F) -> F:
        setattr(function, _MARK, ToolOptions(effect, name, milliseconds, stable))
        return function

    return mark


def tools_of(world_class: type[Any]) -> dict[str, Tool]:
    """The compiled tools of a world class, by name, in order of definition; compiled once per class."""
    cached: dict[str, Tool] | None = world_class.__dict__.get("__proctor_tools__")
    if cached is None:
        cached = {}
        for base in reversed(world_class.__mro__):
            for attribute in base.__dict__.values():
                options = getattr(attribute, _MARK, None)
                if isinstance(options, ToolOptions):
                    # An override keeps its place and wins; the mark is looked up on the most derived function.
                    compiled = compile_tool(getattr(world_class, attribute.__name__), options)
                    cached[compiled.spec.name] = compiled
        world_class.__proctor_tools__ = cached
    return cached


def compile_tool(function: Callable[..., Any], options: ToolOptions) -> Tool:
    """Read a function's signature once and make everything a call needs."""
    own = getattr(function, _MARK, options)
    name = own.name or function.__name__
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    fields: list[Any] = []
    for parameter in parameters:
        if parameter.name not in hints:
            message = f"tool '{name}': parameter '{parameter.name}' needs a type"
            raise TypeError(message)
        if parameter.default is inspect.Parameter.empty:
            fields.append((parameter.name, hints[parameter.name]))
        else:
            fields.append((parameter.name, hints[parameter.name], _default(parameter.default)))
    arguments = msgspec.defstruct(f"{name}_arguments", fields, kw_only=True, forbid_unknown_fields=True)
    description = inspect.cleandoc(function.__doc__ or "")
    if not description:
        message = f"tool '{name}' needs a docstring: it is what the agent reads"
        raise TypeError(message)
    return Tool(
        spec=ToolSpec(name, description, schema_of_arguments(arguments), own.effect),
        function=function,
        arguments=arguments,
        names=tuple(parameter.name for parameter in parameters),
        is_async=inspect.iscoroutinefunction(function),
        milliseconds=own.milliseconds,
        stable=own.stable,
        chainable_arguments=all(_is_scalar(hints[p.name]) for p in parameters),
        chainable_value=hints.get("return") in _FLOAT_FREE - {int},
    )


def _default(value: Any) -> Any:
    if isinstance(value, (list, dict, set)):
        return msgspec.field(default_factory=lambda: type(value)(value))
    return value


def schema_of_arguments(arguments: type[msgspec.Struct]) -> dict[str, Any]:
    """A self-contained JSON Schema object, without the names msgspec gives to the struct itself."""
    schema = msgspec.json.schema(arguments)
    definitions = schema.pop("$defs")
    own = definitions.pop(arguments.__name__)
    own.pop("title", None)
    own["additionalProperties"] = False
    if definitions:
        own["$defs"] = definitions
    return dict(own)


def _is_scalar(hint: Any) -> bool:
    # Strings are checked for lone surrogates by the encoder; integers may exceed 2**53, so they take the careful path.
    return hint in (str, bool)
