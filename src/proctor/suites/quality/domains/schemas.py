"""Short ways to write the JSON Schemas of an action's arguments, and to choose actions from a catalogue."""

from __future__ import annotations

from typing import Any

Catalogue = dict[str, dict[str, Any]]

TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer"}
PLANET: dict[str, Any] = {"type": "string", "description": "its name"}
EUROS: dict[str, Any] = {"type": "integer", "description": "whole euros"}


def one_of(*values: str) -> dict[str, Any]:
    """A closed choice of words."""
    return {"type": "string", "enum": list(values)}


def takes(description: str, **arguments: dict[str, Any]) -> dict[str, Any]:
    """An action that needs exactly these arguments."""
    return {
        "description": description,
        "type": "object",
        "properties": arguments,
        "required": list(arguments),
        "additionalProperties": False,
    }


def chosen(catalogue: Catalogue, *names: str) -> Catalogue:
    """These actions of a catalogue."""
    return {name: catalogue[name] for name in names}
