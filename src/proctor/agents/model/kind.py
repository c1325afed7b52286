"""The agent kind `model:MODEL`, and the options that are the agent's own.

    model:openai:gpt-4o-mini                                          a provider
    model:openai:any,base_url=http://127.0.0.1:8080/v1,turns=30       any compatible server
    model:local,notes=yes                                             in this process, with notes for a lifetime
    model:scripted:replies.yaml                                       from a file, for tests

`notes`, `turns`, `tokens` and `temperature` are the agent's; all other options are the model's, which refuses those it
does not know. What a Condition says about sampling goes before what stands here.
"""

from __future__ import annotations

from typing import Final

import msgspec

from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.model.agent import USUAL_TOKENS, USUAL_TURNS, ModelAgent, NotingAgent, Settings
from proctor.agents.model.notes import FOLDER
from proctor.agents.model.tools import READ_NOTES, WRITE_NOTES
from proctor.agents.structured.asking import Source
from proctor.core.errors import InputError
from proctor.models.contract import ModelKind, ModelString, kind_of
from proctor.models.options import parse_number, parse_whole
from proctor.models.prices import price_of
from proctor.models.recorded import recording
from proctor.spec.system import Boundary, BoundaryKind, HumanPolicy, Memory, MemoryPersistence

OPTIONS: Final = ("notes", "turns", "tokens", "temperature")
_MAX_TOKENS: Final = 1 << 20
_MAX_TURNS: Final = 10_000
_HOTTEST: Final = 2.0

CORE: Final = Boundary(
    kind=BoundaryKind.CORE, tools=(), memory=Memory(persistence=MemoryPersistence.EPISODE, location="internal")
)
"""The model alone: it calls the task's tools, and of an episode nothing survives."""
WITH_NOTES: Final = Boundary(
    kind=BoundaryKind.EXTENDED,
    includes=("notes around a chat model",),
    tools=(READ_NOTES, WRITE_NOTES),
    memory=Memory(persistence=MemoryPersistence.LIFETIME, folder=FOLDER),
    human_policy=HumanPolicy(allowed=False),
)
"""The model with notes in a folder, which last a lifetime."""


def _model(text: AgentString) -> tuple[ModelString, ModelKind]:
    """The model an agent string names, with the options that are not the agent's."""
    name, _, detail = text.detail.partition(":")
    if not name.strip():
        message = "agent 'model' names no model; write e.g. model:openai:NAME, model:anthropic:NAME or model:local"
        raise InputError(message)
    options = {key: value for key, value in text.options.items() if key not in OPTIONS}
    model = ModelString(name.strip(), detail.strip(), options)
    return model, kind_of(model)


def _owner(text: AgentString) -> str:
    """The agent in messages: without options, among which somebody may have put a secret."""
    return f"{text.kind}:{text.detail}"


def _takes_notes(text: AgentString) -> bool:
    given = text.options.get("notes", "no")
    if given not in ("yes", "no"):
        message = f"agent '{_owner(text)}': notes={given} is unknown; choose yes or no"
        raise InputError(message)
    return given == "yes"


def _settings(text: AgentString) -> Settings:
    given, owner = text.options, _owner(text)
    heat = given.get("temperature")
    return Settings(
        parse_whole(owner, "tokens", given.get("tokens", str(USUAL_TOKENS)), 1, _MAX_TOKENS),
        parse_whole(owner, "turns", given.get("turns", str(USUAL_TURNS)), 1, _MAX_TURNS),
        None if heat is None else parse_number(owner, "temperature", heat, 0.0, _HOTTEST),
    )


def _source(text: AgentString, context: AgentContext) -> Source:
    """Where replies come from: one connection, or one model in memory, for all agents of a worker."""
    model, kind = _model(text)
    name = f"model {text.text}"
    source = context.shared.get(name)
    if not isinstance(source, Source):
        price = price_of(model.named, context.system)
        source = Source(model.named, lambda: kind.open(model, context.folder), recording(), price)
        context.shared[name] = source
    return source


def _open(text: AgentString, context: AgentContext) -> Agent:
    if context.baseline is not None:
        # No notes either: they would be a scratchpad.
        settings = msgspec.structs.replace(_settings(text), forgets=True)
        return ModelAgent(_source(text, context), settings)
    make = NotingAgent if _takes_notes(text) else ModelAgent
    return make(_source(text, context), _settings(text))


def _check(text: AgentString, context: AgentContext) -> None:
    model, kind = _model(text)
    _takes_notes(text)
    _settings(text)
    # A replay contacts nobody: neither key nor model file is needed.
    if kind.check is not None and recording() is None:
        kind.check(model, context.folder)


def _files(text: AgentString, context: AgentContext) -> str | None:
    model, kind = _model(text)
    replayed = recording()
    if replayed is not None:
        # The replies are those of the files that were used then.
        return replayed.source
    return None if kind.source is None else kind.source(model, context.folder)


def _specialised(text: AgentString) -> AgentKind:
    """The kind as its model and its notes make it: whether it waits, what must be said of it, what belongs to it."""
    _, model = _model(text)
    notes = _takes_notes(text)
    return msgspec.structs.replace(
        _general,
        waits=model.waits,
        label=model.label,
        boundary=WITH_NOTES if notes else CORE,
        reusable=not notes,
    )


_general: Final = AgentKind(
    name="model",
    description="A chat model that calls the task's tools natively, in a small loop; with notes if you like.",
    open=_open,
    trusted=True,
    check=_check,
    source=_files,
    identity=lambda text: f"model {_model(text)[0].named}",
    model=lambda text: _model(text)[0].named,
    boundary=CORE,
    reusable=True,
    baselines=frozenset({"model-free"}),
)
kind: Final = msgspec.structs.replace(_general, specialise=_specialised)
