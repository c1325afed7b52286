"""One lifetime of an agent that is a service somewhere else.

Nothing confines it, and what it remembers is its own: the bench gives every lifetime an identity of its own, drawn at
random so that two runs against one service never meet, and a service that says so saves, restores and forgets by
`memory` messages. For any other, forgetting is a new lifetime; one that remembers all the same only spoils its own
reading, since a gain that survives a reset is no learning.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from typing import Final

from proctor.agents.contract import AgentFailure, ServiceFailure, Session
from proctor.agents.http_service.address import Address, read_address
from proctor.agents.http_service.client import ServiceClient, forget_misses
from proctor.agents.http_service.episode import ServiceEpisode
from proctor.agents.http_service.protocol import reply_messages, turn_document
from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.process.scrub import Scrub
from proctor.agents.process.wire import MemoryAction, MemoryAnswer, memory_message
from proctor.core.errors import InputError
from proctor.spec.task import Submission, TaskView

_MEMORY_SECONDS: Final = 30.0


class ServiceAgent:
    """One lifetime."""

    def __init__(self, address: Address, scrub: Scrub) -> None:
        self._address = address
        self._scrub = scrub
        self._client = ServiceClient(address, scrub)
        self._lifetime = secrets.token_hex(8)
        self._episodes = 0
        self._remembers: bool | None = None
        """Whether it answers `memory` messages; None before it was greeted."""

    async def run(self, task: TaskView, session: Session) -> Submission:
        if self._remembers is None:
            self._remembers = await self._client.greet()
        number, self._episodes = self._episodes, self._episodes + 1
        episode = ServiceEpisode(
            self._client, session, self._scrub, self._lifetime, number, self._address.reply_seconds
        )
        try:
            return await episode.hold(task)
        except AgentFailure as failure:
            raise AgentFailure(failure.reason, self._scrub(str(failure)), failure.place) from None

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    def remembers(self) -> bool:
        """Whether the service says that it answers `memory` messages; greets it in order to ask."""
        if self._remembers is None:
            self._remembers = self._client.greet_now()
        return self._remembers

    def snapshot(self) -> bytes:
        """What the service gives."""
        return self._ask("snapshot")

    def restore(self, memory: bytes) -> None:
        """The service takes it back."""
        self._ask("restore", memory)

    def clear(self) -> None:
        """The service forgets."""
        self._ask("clear")

    def _ask(self, action: MemoryAction, data: bytes | None = None) -> bytes:
        document = turn_document(self._lifetime, None, 0, [memory_message(action, data)])
        messages = reply_messages(self._client.post_now(document, _MEMORY_SECONDS))
        if len(messages) != 1 or not isinstance(messages[0], MemoryAnswer):
            message = f"the service was asked to {action} its memory and replied with something else"
            raise AgentFailure("agent_protocol", message)
        answer = messages[0]
        if answer.error is not None:
            raise AgentFailure("agent_crashed", self._scrub(answer.error))
        try:
            return base64.b64decode(answer.data, validate=True)
        except binascii.Error:
            message = "the service's memory is not Base64"
            raise AgentFailure("agent_protocol", message) from None


def open_service(agent: AgentString, context: AgentContext) -> ServiceAgent:
    """The agent for one lifetime; it is greeted with its first episode."""
    address = read_address(agent)
    return ServiceAgent(address, Scrub(address.secrets(), context.folder))


def check_service(agent: AgentString, context: AgentContext) -> None:
    """Refuse, before the run, a service that is not there."""
    address = read_address(agent)
    client = ServiceClient(address, Scrub(address.secrets(), context.folder))
    forget_misses(address)
    try:
        client.greet_now()
    except ServiceFailure as failure:
        raise InputError(str(failure)) from None
