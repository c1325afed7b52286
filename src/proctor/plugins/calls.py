"""Calling the code of plug-ins: whatever goes wrong there is one sentence that names the plug-in.

Proctor's own code is called as it is: what it raises is a bug of Proctor's, and a traceback is what helps then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from proctor.core.errors import PluginError, ProctorError, Terminated
from proctor.plugins import registry
from proctor.plugins.places import with_place
from proctor.plugins.registry import Group

T = TypeVar("T")


def call_plugin(group: Group, name: str, function: Callable[[], T], expected: type[T]) -> T:
    """What the function of a registered thing gives; `expected` is the type it must be of."""
    if registry.is_own(group, name):
        return function()
    try:
        result = function()
    except (ProctorError, Terminated):
        raise
    except (Exception, SystemExit) as error:
        said = with_place(f"{type(error).__name__}: {' '.join(str(error).split())}", error)
        message = f"{registry.called(group, name)} raised {said}; fix that package"
        raise PluginError(message) from error
    if not isinstance(result, expected):
        message = (
            f"{registry.called(group, name)} gave {type(result).__name__} where {expected.__name__} is needed; "
            "fix that package"
        )
        raise PluginError(message)
    return result
