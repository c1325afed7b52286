"""What the four listing commands share: `proctor families`, `proctor families show NAME`."""

from __future__ import annotations

from proctor.core.errors import InputError


def name_to_show(action: str | None, name: str | None, kind: str) -> str | None:
    """The name to show, or None to list everything."""
    if action is None:
        return None
    if action != "show":
        message = f"'{action}' is not an action here; write `show NAME` for one {kind}, or nothing to list them"
        raise InputError(message)
    if name is None:
        message = f"name the {kind} to show"
        raise InputError(message)
    return name
