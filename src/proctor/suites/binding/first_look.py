"""A first look: the first events of every corpus of a suite."""

from __future__ import annotations

from proctor.spec.suite import Suite


def first_look(plain: Suite, description: str, **each: int) -> Suite:
    """`binding-quick` of a version: the same streams, and `each` entry with the numbers given here."""
    return plain.model_copy(
        update={
            "name": "binding-quick",
            "title": f"{plain.title}, a first look",
            "description": description,
            "streams": plain.name,
            "entries": tuple(entry.model_copy(update=each) for entry in plain.entries),
        }
    )
