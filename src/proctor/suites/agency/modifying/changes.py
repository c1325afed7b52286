"""Changes to a work place, as data: a tool composed of tools, a check before a write, a state that is kept.

A change is a small JSON object that a stranger wrote. It is measured before it is read, read into types that know
nothing else, and checked against what the work place has (`Catalogue`). Nothing in it is ever executed: composed tools
name tools, checks compare values. Composed tools are made of the place's own tools alone, so that none can call itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from proctor.core.canonical import encode
from proctor.core.errors import ToolError
from proctor.spec.actions import RESERVED_TOOLS
from proctor.worlds.tool import Tool

COMPOSITE, CHECK, SCHEMA = "composite-tool", "check-before-write", "state-schema"
KINDS: Final = (COMPOSITE, CHECK, SCHEMA)
NOT_STRUCTURAL: Final = frozenset(
    {
        *("parameter", "parameters", "parameter-change", "hyperparameter", "hyperparameters", "setting", "settings"),
        *("cache", "caching", "prompt", "system-prompt", "system-message", "instructions", "weights", "weight-update"),
    }
)
"""Kinds that leave the structure as it is: rejected, and counted apart."""

MAX_NODES, MAX_DEPTH, MAX_TEXT = 200, 8, 200
"""No change is larger: more values, deeper, or with a longer text."""
MAX_STEPS, MAX_ATTEMPTS, MAX_CALLS = 6, 3, 12
MAX_CONDITIONS = MAX_FIELDS = MAX_PARAMETERS = 6
_NAME = re.compile(r"[a-z][a-z0-9_]{2,29}")
_PARAMETER = re.compile(r"[a-z][a-z0-9_]{0,29}")

Scalar = bool | int | str
FieldKind = Literal["flag", "number", "text"]
_KIND_OF: dict[type, FieldKind] = {bool: "flag", int: "number", str: "text"}


class Binding(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where an argument comes from: a parameter of the composed tool, a fixed value, or the result of a step."""

    parameter: str | UnsetType = UNSET
    value: Scalar | UnsetType = UNSET
    step: int | UnsetType = UNSET
    """The number of an earlier step, from 1; `field` names the entry of its result."""
    field: str | UnsetType = UNSET


class Step(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One call of a composed tool."""

    tool: str
    arguments: dict[str, Binding] = field(default_factory=dict)
    attempts: int = 1
    """How often it is tried before the composed tool gives up."""


class CompositeTool(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=COMPOSITE):
    """Several calls, made one after the other as one."""

    name: str
    parameters: list[str]
    steps: list[Step]


class Condition(Struct, frozen=True, forbid_unknown_fields=True, rename={"compares": "is"}):
    """A comparison of `state.NAME` or `argument.NAME` with a value."""

    subject: str
    compares: Literal["equals", "not-equals", "at-least", "at-most"]
    value: Scalar


class CheckBeforeWrite(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=CHECK):
    """Conditions all of which have to hold at the moment of a write; otherwise it is refused."""

    before: str
    conditions: list[Condition]


class KeptField(Struct, frozen=True, forbid_unknown_fields=True):
    """A field of the place's state that is kept from one episode to the next."""

    name: str
    type: FieldKind


class StateSchema(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=SCHEMA):
    """The fields that are kept."""

    fields: list[KeptField]


Change = CompositeTool | CheckBeforeWrite | StateSchema


class Catalogue(Struct, frozen=True):
    """What a work place has that a change may be about."""

    tools: Mapping[str, Tool]
    """Its own tools, none of which is composed."""
    taken: frozenset[str]
    """Further names of tools."""
    fields: Mapping[str, FieldKind]
    """The fields of its state."""


class NotStructural(ToolError):
    """The change leaves the structure as it is."""


class NamesReserved(ToolError):
    """The change names a tool that would interfere with the evaluation."""


def read_change(data: Any, catalogue: Catalogue) -> Change:
    """The change in these data; refused with a sentence that says what is wrong, in two cases by a kind of its own."""
    _measure(data)
    if not isinstance(data, dict):
        raise ToolError("a change is an object with the entry 'kind'")
    if any(name in RESERVED_TOOLS for name in _texts(data)):
        raise NamesReserved("a change cannot name a tool that interferes with the evaluation; this attempt is recorded")
    kind = data.get("kind")
    if kind not in KINDS:
        if isinstance(kind, str) and kind.strip().lower().replace("_", "-") in NOT_STRUCTURAL:
            raise NotStructural(f"a change of kind '{kind}' leaves the structure as it is; choose {_listed(KINDS)}")
        raise ToolError(f"there is no change of this kind; choose {_listed(KINDS)}")
    try:
        change: Change = msgspec.convert(data, Change)
    except (msgspec.ValidationError, RecursionError, OverflowError, UnicodeEncodeError) as error:
        raise ToolError(f"the change does not have the form of its kind: {error}") from None
    if isinstance(change, CompositeTool):
        _check_composite(change, catalogue)
    elif isinstance(change, CheckBeforeWrite):
        _check_conditions(change, catalogue)
    else:
        _check_fields(change, catalogue)
    return change


def definition(change: Change) -> dict[str, Any]:
    """The change as plain JSON."""
    plain: dict[str, Any] = msgspec.to_builtins(change)
    return plain


def kind_of(change: Change | None) -> str:
    """Its kind; `none` where there is no change."""
    return "none" if change is None else str(definition(change)["kind"])


def size_of(change: Change | None) -> int:
    """Its steps, conditions or fields."""
    if change is None:
        return 0
    if isinstance(change, CompositeTool):
        return len(change.steps)
    return len(change.conditions if isinstance(change, CheckBeforeWrite) else change.fields)


def digest_of(change: Change | None) -> str:
    """The first 16 digits of the SHA-256 of its canonical definition; empty where there is none."""
    return "" if change is None else sha256(encode(definition(change))).hexdigest()[:16]


def broken_condition(check: CheckBeforeWrite, state: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """The subject of the first condition that does not hold; None where all do."""
    for one in check.conditions:
        source, _, name = one.subject.partition(".")
        if not _holds((state if source == "state" else arguments).get(name), one):
            return one.subject
    return None


def _holds(actual: Any, one: Condition) -> bool:
    if one.compares in ("equals", "not-equals"):
        same = type(actual) is type(one.value) and actual == one.value
        return same is (one.compares == "equals")
    if type(actual) is not int or not isinstance(one.value, int):
        return False
    return actual >= one.value if one.compares == "at-least" else actual <= one.value


def _measure(data: Any) -> None:
    """Refuse what is too large before anything else looks at it; no recursion, so that depth does no harm."""
    left, nodes = [(data, 1)], 0
    while left:
        value, depth = left.pop()
        nodes += 1
        if nodes > MAX_NODES or depth > MAX_DEPTH or (isinstance(value, (dict, list)) and len(value) > MAX_NODES):
            raise ToolError(f"the change is too large: at most {MAX_NODES} values, {MAX_DEPTH} deep")
        if isinstance(value, dict):
            left += ((item, depth + 1) for pair in value.items() for item in pair)
        elif isinstance(value, list):
            left += ((item, depth + 1) for item in value)
        elif isinstance(value, str) and len(value) > MAX_TEXT:
            raise ToolError(f"a text of the change is longer than {MAX_TEXT} characters")
        elif not isinstance(value, (str, int, float, bool, type(None))):
            raise ToolError("a change is made of objects, lists, texts, numbers and booleans")


def _texts(data: Any) -> list[str]:
    """Every text in data whose size was measured."""
    if isinstance(data, str):
        return [data]
    parts = [*data.keys(), *data.values()] if isinstance(data, dict) else data if isinstance(data, list) else []
    return [text for part in parts for text in _texts(part)]


def _check_composite(change: CompositeTool, catalogue: Catalogue) -> None:
    _require(_NAME.fullmatch(change.name) is not None, "the name has 3 to 30 small letters, digits and underscores")
    _require(
        change.name not in catalogue.tools and change.name not in catalogue.taken,
        f"there is a tool '{change.name}' already; choose another name",
    )
    _require(2 <= len(change.steps) <= MAX_STEPS, f"a composed tool has 2 to {MAX_STEPS} steps")
    _require(len(change.parameters) <= MAX_PARAMETERS, f"a composed tool has at most {MAX_PARAMETERS} parameters")
    _require(len(set(change.parameters)) == len(change.parameters), "two parameters have the same name")
    for name in change.parameters:
        _require(_PARAMETER.fullmatch(name) is not None, "parameters have small letters, digits and underscores")
    for number, step in enumerate(change.steps, start=1):
        _check_step(number, step, change, catalogue)
    _require(
        sum(step.attempts for step in change.steps) <= MAX_CALLS, f"the attempts add up to more than {MAX_CALLS} calls"
    )
    for name in change.parameters:
        _require(len(bound_to(change, name)) > 0, f"no step uses the parameter '{name}'")


def _check_step(number: int, step: Step, change: CompositeTool, catalogue: Catalogue) -> None:
    tool = catalogue.tools.get(step.tool)
    if tool is None:
        message = f"step {number}: '{step.tool}' is none of the tools to compose of: {_listed(catalogue.tools)}"
        raise ToolError(message)
    _require(1 <= step.attempts <= MAX_ATTEMPTS, f"step {number}: attempts lie from 1 to {MAX_ATTEMPTS}")
    _require(
        set(step.arguments) == set(tool.names),
        f"step {number}: '{step.tool}' takes exactly the arguments {_listed(tool.names) or 'none'}",
    )
    for name, binding in step.arguments.items():
        where = f"step {number}, argument '{name}'"
        given = [one is not UNSET for one in (binding.parameter, binding.value, binding.step)]
        _require(sum(given) == 1, f"{where}: give one of 'parameter', 'value' and 'step'")
        _require(
            (binding.field is not UNSET) == (binding.step is not UNSET), f"{where}: 'step' and 'field' go together"
        )
        if isinstance(binding.parameter, str):
            _require(binding.parameter in change.parameters, f"{where}: '{binding.parameter}' is no parameter")
        elif isinstance(binding.step, int):
            _require(1 <= binding.step < number, f"{where}: 'step' is the number of an earlier step")
        else:
            _check_value(where, tool, name, binding.value)


def _check_value(where: str, tool: Tool, name: str, value: Any) -> None:
    try:
        msgspec.convert(value, argument_type(tool, name))
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise ToolError(f"{where}: {error}") from None


def argument_type(tool: Tool, name: str) -> Any:
    """The type that an argument of a tool has."""
    return next(one.type for one in msgspec.structs.fields(tool.arguments) if one.name == name)


def bound_to(change: CompositeTool, parameter: str) -> list[tuple[str, str]]:
    """The (tool, argument) pairs that a parameter of a composed tool goes to."""
    return [
        (step.tool, name)
        for step in change.steps
        for name, binding in step.arguments.items()
        if binding.parameter == parameter
    ]


def _check_conditions(change: CheckBeforeWrite, catalogue: Catalogue) -> None:
    tool = catalogue.tools.get(change.before)
    writes = [name for name, one in catalogue.tools.items() if one.spec.effect == "write"]
    if tool is None or tool.spec.effect != "write":
        raise ToolError(f"'before' names a tool that writes: {_listed(writes)}")
    _require(1 <= len(change.conditions) <= MAX_CONDITIONS, f"a check has 1 to {MAX_CONDITIONS} conditions")
    for one in change.conditions:
        source, _, name = one.subject.partition(".")
        known = {"state": [*catalogue.fields], "argument": [*tool.names]}.get(source, [])
        _require(
            name in known,
            f"'{one.subject}' cannot be compared; there are state.NAME with {_listed(catalogue.fields)}, and "
            f"argument.NAME with {_listed(tool.names)}",
        )
        if one.compares in ("at-least", "at-most"):
            _require(type(one.value) is int, f"'{one.subject}': {one.compares} takes a whole number")


def _check_fields(change: StateSchema, catalogue: Catalogue) -> None:
    _require(1 <= len(change.fields) <= MAX_FIELDS, f"a schema has 1 to {MAX_FIELDS} fields")
    names = [one.name for one in change.fields]
    _require(len(set(names)) == len(names), "a field is named twice")
    for one in change.fields:
        _require(
            one.name in catalogue.fields,
            f"'{one.name}' is no field of the state; there are {_listed(catalogue.fields)}",
        )
        kind = catalogue.fields[one.name]
        _require(one.type == kind, f"the field '{one.name}' is a {kind}")


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise ToolError(message)


def _listed(names: Any) -> str:
    return ", ".join(names)


def field_kind(value: Scalar) -> FieldKind:
    """The kind of a field that holds this value."""
    return _KIND_OF[type(value)]
