"""Sealed slips: how a sandbox lasts longer than an episode.

An instance comes from its draw alone, so a world cannot know what was done the day before. The agent carries it: at the
end of a day the world writes its state on a slip and seals it with a key that belongs to the lifetime and that no agent
sees; the next day's world believes a slip only if the seal fits. Who keeps no memory from one day to the next comes
with nothing, which is how it is; who makes a slip up, or alters one, is turned away.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from proctor.core.errors import ToolError

_SEAL = 16


def sealed(state: dict[str, Any], key: str) -> str:
    """The slip: the state in one line of JSON, a stroke, and the seal."""
    body = json.dumps(state, sort_keys=True, separators=(",", ":"))
    return f"{body}|{_seal(body, key)}"


def opened(slip: str, key: str) -> dict[str, Any]:
    """The state on a slip; refused unless the seal fits."""
    body, _, seal = slip.strip().rpartition("|")
    if not body or seal != _seal(body, key):
        message = "this slip does not carry the seal of this place; present it exactly as it was handed out"
        raise ToolError(message)
    state: dict[str, Any] = json.loads(body)
    return state


def _seal(body: str, key: str) -> str:
    return sha256(f"{key}|{body}".encode("utf-8", "surrogatepass")).hexdigest()[:_SEAL]
