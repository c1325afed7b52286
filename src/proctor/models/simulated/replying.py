"""What a simulant writes: one JSON object with the keys it was asked for, filled from what it read and did.

Fields report what was read, whether or not it was followed: a simulant that follows nothing writes as fluently as one
that follows everything, which is what makes it a test of scores that look at form alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from proctor.models.simulated.behaviour import Choice
from proctor.models.simulated.reading import PromptView
from proctor.spec.reporting import COMPACT_KEYS, FINAL

_encode = msgspec.json.Encoder().encode
_EXCERPT: Final = 60


def reply_text(sight: PromptView, choice: Choice) -> str:
    """The reply."""
    keys = sight.keys or COMPACT_KEYS
    return _encode({key: _WRITERS[key](sight, choice) for key in keys if key in _WRITERS}).decode()


def _items(sight: PromptView, choice: Choice, *names: str) -> list[dict[str, str]]:
    return [
        {"text": sight.fields[name][:_EXCERPT], "supports": choice.implied[name]}
        for name in names
        if name in choice.implied
    ]


def _memory(sight: PromptView, choice: Choice) -> dict[str, Any]:
    return {"commitment": choice.implied.get("memory"), "items": _items(sight, choice, "memory")}


def _reason(sight: PromptView, choice: Choice) -> dict[str, Any]:
    nodes = [{"reason": item["text"], "supports": item["supports"]} for item in _items(sight, choice, "reason", "plan")]
    preferred = choice.implied.get("reason") or choice.implied.get("plan")
    return {"preferred": preferred, "nodes": nodes}


def _self(sight: PromptView, choice: Choice) -> dict[str, Any]:
    known = "self" in sight.fields
    return {
        "identity": 0.8 if known else 0.0,
        "continuity": 0.9 if choice.followed == "self" else 0.5 if known else 0.0,
        "commitment": choice.implied.get("self"),
    }


def _veto(sight: PromptView, choice: Choice) -> dict[str, Any]:
    required = "veto" in choice.implied or "constraints" in choice.implied
    applied = choice.followed in ("veto", "constraints")
    return {"required": required, "applied": applied, "reason": "a constraint forbids it" if applied else ""}


def _quoted(name: str, sight: PromptView, _: Choice) -> str:
    return sight.fields.get(name, "")


def _changed(_: PromptView, choice: Choice) -> str:
    return f"went by {choice.followed}" if choice.followed and choice.action != choice.impulse else ""


_WRITERS: Final[dict[str, Callable[[PromptView, Choice], Any]]] = {
    "branch_set": lambda sight, _: list(sight.options),
    "self_state": _self,
    "reason_graph": _reason,
    "first_impulse": lambda _, choice: choice.impulse,
    "reason_update": _changed,
    FINAL: lambda _, choice: choice.action,
    "memory_write": lambda _, choice: f"took {choice.action}",
    "veto_state": _veto,
    "delayed_recall": lambda sight, choice: {"recalled": _items(sight, choice, "memory"), "window": 3},
    "stage_vector": lambda sight, _: list(sight.fields),
    "candidate_actions": lambda sight, _: list(sight.options),
    "memory_trace": _memory,
    "final_action_rationale": lambda _, choice: f"It follows {choice.followed or 'the situation'}.",
    "rationale": lambda _, choice: f"It follows {choice.followed or 'the situation'}.",
    "plan": lambda _, choice: ["look at the state", f"then {choice.action}"],
    "scratchpad": lambda sight, _: " ".join(sight.fields.values()),
    # A reader of everything reports by quoting.
    **{name: partial(_quoted, name) for name in ("reason", "memory", "self", "veto")},
}
