"""What can be handed to another process by its name, `module:name`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

Named = Callable[..., Any] | str
"""A class or function of a module, or its name: whoever has the name need not load the module."""


def name_of(what: Named | None) -> str | None:
    """`module:name`; None for nothing."""
    if what is None or isinstance(what, str):
        return what
    if "<" in what.__qualname__:
        message = f"{what.__qualname__} has no name by which another process could find it"
        raise ValueError(message)
    return f"{what.__module__}:{what.__qualname__}"


def load_named(what: Named | None) -> Any:
    """The class or function itself."""
    if not isinstance(what, str):
        return what
    module, _, attribute = what.partition(":")
    return getattr(import_module(module), attribute)
