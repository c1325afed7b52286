"""The agent's named state during one episode, with every read passed through the condition."""

from __future__ import annotations

from typing import Any

from proctor.core.canonical import chainable
from proctor.evidence.chain import Recorder
from proctor.evidence.events import StateRead, StateWritten
from proctor.spec.condition import Condition, Read

UNUSABLE = {"unusable": True, "note": "This field is declared unusable in this episode; do not rely on it."}
"""What a read gives under `declare_unusable`, beside the value, which stays."""


class ConditionedState:
    """Named fields. Writes are kept as they are; reads give what the condition makes of them, and are recorded."""

    __slots__ = ("_condition", "_donor", "_fields", "_recorder")

    def __init__(
        self, fields: dict[str, Any], condition: Condition, recorder: Recorder, donor: dict[str, Any] | None = None
    ) -> None:
        self._fields = dict(fields)
        self._condition = condition
        self._recorder = recorder
        self._donor = donor or {}

    def read(self, name: str) -> Any:
        rule = self._condition.reads.get(name)
        value = self._fields.get(name) if rule is None else self._transformed(name, rule)
        self._recorder.add(StateRead(name, rule.do if rule else "keep", chainable(value)))
        return value

    def _transformed(self, name: str, rule: Read) -> Any:
        value = self._fields.get(name)
        if rule.do == "remove":
            return None
        if rule.do == "replace":
            return rule.value
        if rule.do == "scramble":
            return self._donor.get(name)
        if rule.do == "declare_unusable":
            return {**UNUSABLE, "value": value}
        return value

    def write(self, name: str, value: Any) -> None:
        self._fields[name] = value
        self._recorder.add(StateWritten(name, chainable(value)))

    def names(self) -> tuple[str, ...]:
        removed = {name for name, rule in self._condition.reads.items() if rule.do == "remove"}
        return tuple(sorted(set(self._fields) - removed))
