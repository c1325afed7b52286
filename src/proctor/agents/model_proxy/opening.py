"""Whether an agent gets a model proxy, and whether it can have one: looked at before a run and for every lifetime."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from proctor.core.errors import InputError
from proctor.models.recorded import RECORDING
from proctor.spec.own_models import OwnModel
from proctor.spec.system import System

if TYPE_CHECKING:
    from proctor.agents.model_proxy.proxy import ModelProxy


def open_proxy(system: System, *, confined: bool) -> ModelProxy | None:
    """The proxy for one lifetime; None where the system declares no models. Raises `InputError` like `check_models`."""
    check_models(system)
    if not system.models:
        return None
    from proctor.agents.model_proxy.proxy import ModelProxy

    return ModelProxy(system, confined=confined)


def check_models(system: System) -> None:
    """Refuse, in one sentence, models that could not be asked. No message holds a key."""
    for model in system.models:
        variable = model.key_variable
        if variable is None:
            continue
        if variable in system.env:
            message = (
                f"system.env gives the agent {variable}, which system.models keeps from it; take it out of env: the "
                "agent's client finds the proxy by itself"
            )
            raise InputError(message)
        key = os.environ.get(variable, "").strip()
        if not key and RECORDING not in os.environ:
            message = (
                f"{model.label} in system.models: set the environment variable {variable} to the key, "
                "or write key_env: none for a server that takes none"
            )
            raise InputError(message)
        if not key.isascii() or not key.isprintable():
            message = f"{model.label} in system.models: {variable} holds characters that no request can carry"
            raise InputError(message)
        _refuse_in_the_open(model, key)


def model_keys(system: System) -> dict[str, str]:
    """The keys of the declared models by their variables, to be taken out of what an agent says."""
    variables = [model.key_variable for model in system.models]
    return {name: os.environ[name].strip() for name in variables if name is not None and os.environ.get(name)}


def _refuse_in_the_open(model: OwnModel, key: str) -> None:
    if len(key) >= 8 and any(key in part for part in (model.name, model.base_url or "", *model.hosted_tools)):
        message = "a key stands in system.models itself, which goes on record; take it out and name its variable"
        raise InputError(message)
