"""The agent kinds `structured:MODEL` and `chat:MODEL`, and the options that are the scaffold's own.

    structured:simulated,reason=.9,memory=.8        the family's A4 over a simulated model
    structured:openai:gpt-4o-mini,variant=A2        another member of the family
    structured:local,keys=compact,tokens=64         a model in this process, asked for little
    structured:local,form=schema                    replies held to a JSON schema by the decoder
    chat:openai:gpt-4o-mini                         the model alone

All other options are the model's. What a Condition says about scaffold and sampling goes before what stands here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.plain import BUILT_IN, SCAFFOLD
from proctor.agents.structured.agent import Settings, Structured
from proctor.agents.structured.asking import Source
from proctor.agents.structured.black_box import BlackBox
from proctor.agents.structured.modules import PRESETS
from proctor.core.errors import InputError
from proctor.models.contract import ModelKind, ModelString, kind_of
from proctor.models.options import parse_whole
from proctor.models.prices import price_of
from proctor.models.recorded import recording
from proctor.spec.condition import Condition

_STYLES: Final = ("plain", "react", "planner", "reflection")
_KEYS: Final = ("trace", "matched", "compact")
_FORMS: Final = ("free", "schema")
_OWN: Final = ("variant", "style", "keys", "tokens", "prompt_tokens", "form")
_OVERRIDDEN: Final = ("variant", "style")
"""Options that a Condition with a scaffold of its own puts out of force."""
_MAX_TOKENS: Final = 1 << 20


def _model(text: AgentString, own: tuple[str, ...] = _OWN) -> tuple[ModelString, ModelKind]:
    """The model an agent string names, with the options that are not the scaffold's."""
    name, _, detail = text.detail.partition(":")
    if not name.strip():
        message = f"agent '{text.kind}' names no model; write e.g. {text.kind}:simulated or {text.kind}:openai:NAME"
        raise InputError(message)
    options = {key: value for key, value in text.options.items() if key not in own}
    model = ModelString(name.strip(), detail.strip(), options)
    return model, kind_of(model)


def _owner(text: AgentString) -> str:
    """The agent in messages: without options, among which somebody may have put a secret."""
    return f"{text.kind}:{text.detail}"


def _settings(text: AgentString) -> Settings:
    given = text.options
    variant = given.get("variant", "A4")
    _one_of(text, "variant", variant, tuple(PRESETS))
    preset = PRESETS[variant]
    keys = given.get("keys", preset.scaffold.keys or "trace")
    _one_of(text, "keys", keys, _KEYS)
    style = given.get("style", "plain")
    _one_of(text, "style", style, _STYLES)
    held = given.get("form", "free")
    _one_of(text, "form", held, _FORMS)
    scaffold = preset.scaffold.model_copy(update={"style": style, "keys": keys})
    return Settings(
        msgspec.structs.replace(preset, scaffold=scaffold),
        keys,
        parse_whole(_owner(text), "tokens", given["tokens"], 1, _MAX_TOKENS) if "tokens" in given else None,
        parse_whole(_owner(text), "prompt_tokens", given.get("prompt_tokens", "1024"), 1, _MAX_TOKENS),
        held == "schema",
    )


def _one_of(text: AgentString, name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        message = f"agent '{_owner(text)}': {name}={value} is unknown; choose from {', '.join(known)}"
        raise InputError(message)


def _source(text: AgentString, context: AgentContext, own: tuple[str, ...] = _OWN) -> Source:
    model, kind = _model(text, own)
    price = price_of(model.named, context.system)
    return Source(model.named, lambda: kind.open(model, context.folder), recording(), price, kind.thoughts)


def _open_structured(text: AgentString, context: AgentContext) -> Agent:
    settings = _settings(text)
    if context.baseline is not None:
        # It answers once, so that the last observation is all it sees; a plan of its own would be a scratchpad.
        scaffold = settings.preset.scaffold.model_copy(update={"style": "plain"})
        settings = msgspec.structs.replace(settings, preset=msgspec.structs.replace(settings.preset, scaffold=scaffold))
    return Structured(_source(text, context), settings)


def _open_chat(text: AgentString, context: AgentContext) -> Agent:
    tokens = text.options.get("tokens")
    room = None if tokens is None else parse_whole(_owner(text), "tokens", tokens, 1, _MAX_TOKENS)
    return BlackBox(_source(text, context, ("tokens",)), room)


def _check(text: AgentString, context: AgentContext, own: tuple[str, ...] = _OWN) -> None:
    model, kind = _model(text, own)
    # A replay contacts nobody: neither key nor model file is needed.
    if kind.check is not None and recording() is None:
        kind.check(model, context.folder)


def _check_structured(text: AgentString, context: AgentContext) -> None:
    _check(text, context)
    _settings(text)


def _check_conditions(text: AgentString, conditions: Sequence[Condition]) -> None:
    """A run under other settings than those that were asked for would bear their name."""
    asked = next((name for name in _OVERRIDDEN if name in text.options), None)
    overriding = next((one.id for one in conditions if one.scaffold is not None), None)
    if asked is not None and overriding is not None:
        message = (
            f"agent '{_owner(text)}': {asked}={text.options[asked]} has no effect here: the Condition '{overriding}' "
            f"sets the scaffold itself; leave {asked} out, or run a suite whose Conditions leave the scaffold open"
        )
        raise InputError(message)


def _check_chat(text: AgentString, context: AgentContext) -> None:
    _check(text, context, ("tokens",))
    _open_chat(text, context)


def _files(text: AgentString, context: AgentContext) -> str | None:
    model, kind = _model(text, _OWN if text.kind == "structured" else ("tokens",))
    replayed = recording()
    if replayed is not None:
        # The replies are those of the files that were used then.
        return replayed.source
    return None if kind.source is None else kind.source(model, context.folder)


def _model_name(text: AgentString) -> str:
    return f"model {_model(text)[0].named}"


def _specialised(kind: AgentKind, text: AgentString) -> AgentKind:
    """The kind as its model makes it: whether it waits, and what must be said of its results."""
    _, model = _model(text)
    return msgspec.structs.replace(kind, waits=model.waits, label=model.label)


_structured: Final = AgentKind(
    name="structured",
    description="A scaffold over a chat model: branching, self-state, memory, reasons and veto as switches.",
    open=_open_structured,
    trusted=True,
    calls_tools=False,
    check=_check_structured,
    check_conditions=_check_conditions,
    source=_files,
    identity=_model_name,
    model=lambda text: _model(text)[0].named,
    boundary=SCAFFOLD,
    reusable=True,
    baselines=frozenset({"model-free"}),
)
structured: Final = msgspec.structs.replace(_structured, specialise=lambda text: _specialised(_structured, text))

_chat: Final = AgentKind(
    name="chat",
    description="A chat model alone: it sees the goal and the observation, and answers once.",
    open=_open_chat,
    trusted=True,
    calls_tools=False,
    check=_check_chat,
    source=_files,
    identity=_model_name,
    model=lambda text: _model(text)[0].named,
    boundary=BUILT_IN,
    reusable=True,
    baselines=frozenset({"model-free"}),
)
chat: Final = msgspec.structs.replace(_chat, specialise=lambda text: _specialised(_chat, text))
