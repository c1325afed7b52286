"""The form a reply can be held to: a JSON schema with the keys asked for, their shapes and the codes of the prompt.

It says no more than the prompt does: every key that is asked for, every code that is listed. A provider that decodes
under a schema then cannot reply in prose, so that what is left to measure is the choice, not the interface. What such a
run shows of parsing is the decoder's doing, which is why a form is an option of the agent and never the default.
"""

from __future__ import annotations

from typing import Any, Final

from proctor.spec.reporting import FINAL

_LONGEST: Final = 120
"""Characters of a sentence: without an end in sight, small models fill their room and the object stays open."""
_LONGEST_NOTES: Final = 4000
_MOST: Final = 6
"""Items of a list."""
_TEXT: Final = {"type": "string", "maxLength": _LONGEST}
_SHARE: Final = {"type": "number"}
_YES_OR_NO: Final = {"type": "boolean"}


def form(keys: tuple[str, ...], codes: tuple[str, ...]) -> dict[str, Any]:
    """The schema of a reply with these keys, in this order, where actions are some of these codes."""
    code: dict[str, Any] = {"type": "string", "enum": list(codes)}
    maybe: dict[str, Any] = {"anyOf": [code, {"type": "null"}]}
    shapes: dict[str, Any] = {
        FINAL: code,
        "first_impulse": code,
        "branch_set": _list(code),
        "candidate_actions": _list(code),
        "self_state": _object({"identity": _SHARE, "continuity": _SHARE, "commitment": maybe}),
        "reason_graph": _object({"preferred": maybe, "nodes": _list(_object({"reason": _TEXT, "supports": code}))}),
        "memory_trace": _object({"commitment": maybe, "items": _list(_object({"text": _TEXT, "supports": code}))}),
        "veto_state": _object({"required": _YES_OR_NO, "applied": _YES_OR_NO, "reason": _TEXT}),
        "delayed_recall": _object({"recalled": _list(_TEXT), "window": {"type": "integer"}}),
        "stage_vector": _list(_TEXT),
        "plan": _list(_TEXT),
        "scratchpad": {"type": "string", "maxLength": _LONGEST_NOTES},
    }
    return _object({key: shapes.get(key, _TEXT) for key in keys})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "maxItems": _MOST}
