"""A composed tool, made from its definition: what agents see of it, and the calls it consists of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from proctor.core.errors import ToolError
from proctor.spec.task import ToolResult, ToolSpec
from proctor.suites.agency.modifying.changes import Binding, Catalogue, CompositeTool, argument_type, bound_to
from proctor.worlds.tool import Steps, Tool, schema_of_arguments

Bracket = Callable[[Any, bool], None]
"""Told the world, and whether a composed tool begins (True) or ends."""


def composed(change: CompositeTool, catalogue: Catalogue, bracket: Bracket) -> Tool:
    """The tool of a definition that was checked against this catalogue."""
    fields = []
    for name in change.parameters:
        tool, argument = bound_to(change, name)[0]
        fields.append((name, argument_type(catalogue.tools[tool], argument)))
    arguments = msgspec.defstruct(f"{change.name}_arguments", fields, kw_only=True, forbid_unknown_fields=True)

    def steps(world: Any, given: dict[str, Any]) -> Steps:
        bracket(world, True)
        try:
            return (yield from _calls(change, given))
        finally:
            bracket(world, False)

    return Tool(
        spec=ToolSpec(change.name, describe(change), schema_of_arguments(arguments), "write"),
        function=steps,
        arguments=arguments,
        names=tuple(change.parameters),
        is_async=False,
        milliseconds=0,
        stable=True,
        chainable_arguments=False,
        chainable_value=False,
        steps=steps,
    )


def describe(change: CompositeTool) -> str:
    """What an agent reads about a composed tool: its steps in order, in words that nobody but the bench chose."""
    steps = []
    for step in change.steps:
        given = ", ".join(f"{name}={_written(binding)}" for name, binding in step.arguments.items())
        again = f" (up to {step.attempts} attempts)" if step.attempts > 1 else ""
        steps.append(f"{step.tool}({given}){again}")
    return f"A composed tool, one request: {', then '.join(steps)}. Stops at a step that is not carried out."


def _written(binding: Binding) -> str:
    if isinstance(binding.parameter, str):
        return binding.parameter
    if isinstance(binding.step, int):
        return f"'{binding.field}' of step {binding.step}"
    return repr(binding.value)


def _calls(change: CompositeTool, given: dict[str, Any]) -> Steps:
    results: list[Any] = []
    for number, step in enumerate(change.steps, start=1):
        arguments = {name: _bound(binding, given, results) for name, binding in step.arguments.items()}
        result = ToolResult(False)
        for _ in range(step.attempts):
            result = yield step.tool, arguments
            if result.ok:
                break
        else:
            message = f"step {number} of {len(change.steps)} ({step.tool}) was not carried out: {result.error}"
            raise ToolError(message)
        results.append(result.value)
    return {"carried_out": len(results), "last": results[-1]}


def _bound(binding: Binding, given: dict[str, Any], results: list[Any]) -> Any:
    if isinstance(binding.parameter, str):
        return given[binding.parameter]
    if isinstance(binding.step, int):
        value = results[binding.step - 1]
        if not isinstance(value, dict) or binding.field not in value:
            message = f"the result of step {binding.step} has no entry '{binding.field}'"
            raise ToolError(message)
        return value[binding.field]
    return binding.value
