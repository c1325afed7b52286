"""Declared secrets stay out of what is recorded: an agent's work on its way in, and everything on its way to the store.

What an agent hands over has them taken out before a world sees it, so that worlds, verdicts and records agree and a
verdict can be derived again. The recorder takes them out once more of whatever it is given, since an agent can
put one together inside a world. Systems that declare no secret pay nothing for either.
"""

from __future__ import annotations

import os
from typing import Any, NoReturn

import msgspec

from proctor.agents.contract import ScaffoldSession, SetAside, State
from proctor.agents.kind import AgentString
from proctor.core.errors import InputError
from proctor.core.secrecy import Veil, declared_secrets, is_secret, says_secret
from proctor.evidence.row import EpisodeRecord
from proctor.models.prices import Price
from proctor.spec.condition import Sampling, Scaffold
from proctor.spec.exchange import Exchange
from proctor.spec.system import System
from proctor.spec.task import Budget, Claim, Observation, Submission, ToolResult

HIDDEN = "<secret>"
_MOST_LEVELS = 64


def veil_of(system: System, agent: AgentString) -> Veil:
    """Hides what the variables hold that the system and its agent string name."""
    return Veil(_secrets(system, agent))


def _secrets(system: System, agent: AgentString) -> dict[str, str]:
    names = [*system.env, *(model.key_variable for model in system.models), agent.options.get("key_env")]
    return declared_secrets([name for name in names if name], os.environ)


def without_secrets(system: System, agent: AgentString) -> System:
    """The system with nothing secret in its configuration; refused where its agent string holds one."""
    secrets = {name: value for name, value in _secrets(system, agent).items() if is_secret(name, value)}
    told = [agent.text, *system.baselines.values()]
    for name, value in secrets.items():
        if any(value in text for text in told):
            message = (
                f"an agent string holds what {name} is set to, and goes on record; let the agent read {name} itself"
            )
            raise InputError(message)
    if not system.configuration:
        return system
    veil = Veil(secrets)
    hidden = _hidden(system.configuration, veil, 0)
    return system if hidden == system.configuration else system.model_copy(update={"configuration": hidden})


def _hidden(value: Any, veil: Veil, level: int) -> Any:
    if level > _MOST_LEVELS:
        message = f"system.configuration is nested more than {_MOST_LEVELS} levels deep"
        raise InputError(message)
    if isinstance(value, dict):
        return {
            veil.value(name): HIDDEN
            if isinstance(one, str) and isinstance(name, str) and says_secret(name) and is_secret(name, one)
            else _hidden(one, veil, level + 1)
            for name, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [_hidden(one, veil, level + 1) for one in value]
    return veil.value(value)


class DiscreetSession:
    """A session that takes secrets out of what an agent asks for. Everything else is the session's own."""

    def __init__(self, session: ScaffoldSession, veil: Veil) -> None:
        self._session = session
        self._veil = veil

    @property
    def observations(self) -> list[Observation]:
        """As the session has them."""
        return self._session.observations

    @property
    def budget(self) -> Budget:
        """What is left."""
        return self._session.budget

    @property
    def state(self) -> State:
        """The agent's named state."""
        return self._session.state

    @property
    def sampling(self) -> Sampling:
        """How the condition asks models to be sampled."""
        return self._session.sampling

    @property
    def scaffold(self) -> Scaffold | None:
        """How the condition sets the scaffold."""
        return self._session.scaffold

    @property
    def limits_models(self) -> bool:
        """Whether any limit could end the episode, or the run, at a call of a model."""
        return self._session.limits_models

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        """The call without secrets."""
        return await self._session.call(self._veil.value(tool), **self._veil.value(arguments))

    def call_unreadable(self, tool: str, arguments: str, why: str) -> ToolResult:
        """The same for arguments that are no object."""
        veiled = self._veil.text
        return self._session.call_unreadable(veiled(str(tool)), veiled(str(arguments)), veiled(str(why)))

    def say(self, text: str) -> None:
        """The remark without secrets."""
        self._session.say(self._veil.text(str(text)))

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None:
        """Report model usage."""
        self._session.spend(tokens=tokens, cost=cost)

    def reserve(self, *, prompt_tokens: int, completion_tokens: int, price: Price | None = None) -> SetAside:
        """Set aside what a call of a model may use at most."""
        return self._session.reserve(prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, price=price)

    def record_exchange(self, exchange: Exchange) -> None:
        """Record an exchange with a model; the recorder takes secrets out."""
        self._session.record_exchange(exchange)

    def stop(self, limit: str) -> NoReturn:
        """End the episode at a limit."""
        self._session.stop(limit)


def discreet_submission(submission: Any, veil: Veil) -> Any:
    """What was handed in, without secrets; what is no submission stays what it is."""
    if type(submission) is not Submission:
        return submission
    claims = tuple(
        msgspec.structs.replace(claim, **{name: veil.value(getattr(claim, name)) for name in claim.__struct_fields__})
        if isinstance(claim, Claim)
        else claim
        for claim in submission.claims or ()
    )
    return msgspec.structs.replace(submission, answer=veil.value(submission.answer), claims=claims)


def discreet_record(record: EpisodeRecord, veil: Veil) -> EpisodeRecord:
    """The record with nothing secret in the columns of its row; its events never had any."""
    row = record.row
    kept = {
        name: veil.document(value.encode()).decode() if isinstance(value, str) else veil.document(value)
        for name, value in (("answer", row.answer), ("measures", row.measures), ("aside", row.aside))
        if value is not None
    }
    changed = {name: value for name, value in kept.items() if value != getattr(row, name)}
    return msgspec.structs.replace(record, row=msgspec.structs.replace(row, **changed)) if changed else record
