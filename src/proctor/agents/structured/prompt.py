"""The prompt of the structured family: all that a model sees, made from what the agent was shown and how it is set.

Event text and state, dataset, granularity, module flags, the rule on removed modules, recent memory, the allowed
actions and the keys of the reply. There is nothing else in it: no probe, no condition, no target.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from proctor.agents.structured.modules import FIELDS_OF, MODULES, modules_off, unused_fields
from proctor.agents.structured.rendering import action_lines, one_line, state_lines
from proctor.models.contract import Message
from proctor.models.marks import KEYS
from proctor.spec.condition import Scaffold
from proctor.spec.reporting import COMPACT_KEYS, FINAL, MATCHED_KEYS, SHAPES, TRACE_KEYS, WORDS_KEYS

_OPENING: Final = "You act for someone, one event at a time. For each event you take exactly one of the listed actions."
_STYLES: Final = {
    "plain": "",
    "react": (
        "Work in turns: a thought about what the state says, an observation of which action it supports, and so on "
        "until one action is left. Keep the turns to yourself and write down only the object at the end."
    ),
    "planner": (
        "Two roles share the work. The planner reads the state and writes a plan; the executor reads the plan and the "
        "state and takes the action."
    ),
    "reflection": (
        "Before anything else, reflect on the recent memory: what was promised, what was corrected, what no longer "
        "holds. Then take the action that is in keeping with what still holds."
    ),
}
_HOLDS: Final = {
    "trace": TRACE_KEYS,
    "matched": MATCHED_KEYS,
    "compact": COMPACT_KEYS,
    "words": WORDS_KEYS,
}
_SAID: Final = {
    "branch": "considers several actions before taking one",
    "self_state": "keeps to who you are and what you stand for ([self])",
    "memory": "goes by what was committed to before ([memory])",
    "reason": "goes by the reasons for this event ([reason], [plan])",
    "veto": "stops an action that something forbids ([veto], [constraints])",
}


class Frame(Struct, frozen=True):
    """What all prompts of one setting share: made once."""

    system: str
    unused: frozenset[str]
    """State fields that no module may use."""
    keys: tuple[str, ...]
    ask: str
    """The lines that say what to reply with."""


@lru_cache(maxsize=256)
def frame(scaffold: Scaffold, default_keys: str = "trace") -> Frame:
    """The frame of a scaffold. `default_keys` is what is reported where the scaffold does not say."""
    kind = "matched" if scaffold.fields != "coupled" else scaffold.keys or default_keys
    keys: tuple[str, ...] = _HOLDS[kind]
    if scaffold.fields in ("random", "posthoc"):
        keys = (FINAL,)
    elif scaffold.fields == "scratchpad":
        keys = ("scratchpad", *keys)
    parts = [_OPENING, _STYLES[scaffold.style], _modules(scaffold)]
    if scaffold.fields == "compressed":
        parts.append("Report in as few words as you can.")
    return Frame("\n".join(part for part in parts if part), unused_fields(scaffold), keys, request_text(keys))


@lru_cache(maxsize=64)
def request_text(keys: tuple[str, ...]) -> str:
    """What asks for these keys, with the shape of each, and the whole object where it is small."""
    shapes = "\n".join(f"  {key}: {SHAPES[key]}" for key in keys)
    asked = f"Reply with one JSON object and nothing else.\n{KEYS}{', '.join(keys)}\nwhere\n{shapes}"
    if len(keys) > len(COMPACT_KEYS):
        return asked
    # Small models copy a form more readily than they follow a description.
    form = ", ".join(f'"{key}": "..."' for key in keys)
    return f"{asked}\nin the form {{{form}}}"


def _modules(scaffold: Scaffold) -> str:
    removed = modules_off(scaffold)
    flags = ", ".join(f"{module}={'off' if module in removed else 'on'}" for module in MODULES)
    lines = [f"Modules: {flags}."]
    lines += [f"  {module} {_SAID[module]}." for module in MODULES if module not in removed]
    for module in removed:
        fields = " and ".join(f"[{name}]" for name in FIELDS_OF[module])
        use = f"do not let {fields} influence the action, and leave" if fields else "leave"
        lines.append(f"The module {module} is removed: {use} what it would report empty.")
    return "\n".join(lines)


def event_text(goal: str, shown: dict[str, Any], state: dict[str, Any], setting: Frame, notes: str = "") -> str:
    """The event-specific part, with what is asked for at the end; `notes` is what an earlier turn worked out."""
    lines = [one_line(goal)]
    known = [
        f"{label}: {one_line(str(shown[name]))}."
        for label, name in (("Dataset", "dataset"), ("Granularity", "granularity"), ("Event", "event_id"))
        if name in shown
    ]
    if known:
        lines.append(" ".join(known))
    lines.append("State:")
    lines += state_lines(state, setting.unused) or ["(nothing is known)"]
    lines.append("Actions:")
    lines += action_lines(shown.get("actions"))
    if notes:
        lines.append(f"Plan: {one_line(notes)}")
    lines.append(setting.ask)
    return "\n".join(lines)


def first_turn(setting: Frame, text: str) -> tuple[Message, ...]:
    """The conversation that asks for an action."""
    return (Message("system", setting.system), Message("user", text))


def report_turn(messages: tuple[Message, ...], reply: str, keys: tuple[str, ...]) -> tuple[Message, ...]:
    """The conversation that asks, after the action is taken, what is to be reported about it."""
    return (
        *messages,
        Message("assistant", reply),
        Message("user", f"The action stands. Now report.\n{request_text(keys)}"),
    )
