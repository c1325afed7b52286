"""What an agent was shown, as lines of a prompt: one line per state field, one per action.

Line breaks inside a text become spaces: nothing that a text says can pass for a line of the prompt's own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from proctor.core.canonical import encode, jsonable
from proctor.models.marks import UNUSABLE
from proctor.spec.reporting import REPORT_FIELD

_NOTHING: Collection[str] = ()


def one_line(text: str) -> str:
    """The text without line breaks or doubled spaces."""
    return " ".join(text.split())


def field_text(value: Any) -> str:
    """The text of a state field: what it says, whatever it is wrapped in."""
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return one_line(value["text"])
    return one_line(value) if isinstance(value, str) else encode(jsonable(value)).decode()


def state_lines(state: Mapping[str, Any], unused: Collection[str] = _NOTHING) -> list[str]:
    """`[field] text`, in the order given; fields that must not be relied on are marked."""
    lines: list[str] = []
    for name, value in state.items():
        if name == REPORT_FIELD:
            continue
        inner, usable = value, name not in unused
        if isinstance(value, dict) and value.get("unusable") is True:
            inner, usable = value.get("value"), False
        if inner is not None:
            lines.append(f"[{name}] {field_text(inner)}" if usable else f"[{name}] {UNUSABLE}{field_text(inner)}")
    return lines


def listed_actions(actions: Any) -> dict[str, str]:
    """Code and meaning of every action, in the order given; what is no action is left out."""
    if not isinstance(actions, list | tuple):
        return {}
    return {
        action["code"]: one_line(str(action.get("meaning", "")))
        for action in actions
        if isinstance(action, dict) and isinstance(action.get("code"), str)
    }


def action_lines(actions: Any) -> list[str]:
    """`- CODE: meaning`, in the order given."""
    return [f"- {code}: {meaning}" for code, meaning in listed_actions(actions).items()]


def observation_lines(fields: Mapping[str, Any]) -> list[str]:
    """A whole observation: actions and state as above, everything else as `name: value`."""
    lines: list[str] = []
    for name, value in fields.items():
        if name == "state" and isinstance(value, dict):
            lines += state_lines(value)
        elif name == "actions" and (listed := action_lines(value)):
            lines += listed
        else:
            lines.append(f"{name}: {field_text(value)}")
    return lines
