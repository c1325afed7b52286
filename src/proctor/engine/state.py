"""The agent's named state during one episode, with every read passed through the condition."""

from __future__ import annotations

from typing import Any

from proctor.core.canonical import chainable
from proctor.evidence.chain import Recorder
from proctor.evidence.events import StateRead, StateWritten
from proctor.spec.condition import Condition, is_field, read_as, unknown_field_message


class ConditionedState:
    """Named fields. Writes are kept as they are; reads give what the condition makes of them, and are recorded."""

    __slots__ = ("_condition", "_decisive", "_donor", "_fields", "_recorder")

    def __init__(
        self,
        fields: dict[str, Any],
        condition: Condition,
        recorder: Recorder,
        donor: dict[str, Any] | None = None,
        decisive: tuple[str, ...] = (),
    ) -> None:
        self._fields = dict(fields)
        self._condition = condition
        self._recorder = recorder
        self._donor = donor or {}
        self._decisive = decisive

    def read(self, name: str) -> Any:
        rule = self._condition.rule(name, self._decisive)
        value = read_as(rule, name, self._fields, self._donor)
        self._recorder.add(StateRead(name, rule.do if rule else "keep", chainable(value)))
        return value

    def write(self, name: str, value: Any) -> None:
        if not is_field(name):
            # No condition names a misspelt field: an agent that goes by one would pass for one that decorates.
            raise ValueError(unknown_field_message(name))
        self._fields[name] = value
        self._recorder.add(StateWritten(name, chainable(value)))

    def names(self) -> tuple[str, ...]:
        rules = {name: self._condition.rule(name, self._decisive) for name in self._fields}
        return tuple(sorted(name for name, rule in rules.items() if rule is None or rule.do != "remove"))
