"""The wire protocol of agents in a process of their own: one JSON object a line, UTF-8, over stdin and stdout.

To the agent:

    {"type": "task", "id", "goal", "answer_format", "tools", "budget", "nonce", "canary", "sampling"?}
    {"type": "observation", "seq", "fields", "call": null}
    {"type": "result", "id", "ok", "value" | "error", "seq"?, "call"?, "limit"?, "budget"?}
    {"type": "limit", "limit"}
    {"type": "state", "id", "name", "value"} or {"type": "state", "id", "names"}, with "error" where it cannot be done
    {"type": "memory", "do": "snapshot" | "restore" | "clear", "data"?}

From the agent:

    {"type": "ready", "remembers"?}
    {"type": "tool_call", "tool", "arguments"?, "id"?}
    {"type": "say", "text"}
    {"type": "submit", "answer", "confidence"?, "claims"?: [{"action", "target"?, "result"?}]}
    {"type": "usage", "tokens"?, "cost"?}
    {"type": "state_read", "name"?, "id"?} and {"type": "state_write", "name", "value", "id"?}
    {"type": "fail", "error", "reason"?: "crashed" | "protocol" | "limit"}
    {"type": "memory", "data"?, "error"?}

What always holds:

- The first message must come within five seconds of the start. An agent that thinks longer before its first call says
  `ready` first.
- A task starts an episode; at least one observation follows it. The episode lasts until `submit` or `fail`; until the
  next task the agent is silent. One process lives several episodes, one after another.
- Every call is answered by one `result`, in order of completion, before the next task. Several may be open at once;
  `id` is text or a whole number, and is given back. Without one, the number of the call within the episode is used.
- A result's `call` and `seq` are the numbers of the call and of the observation it makes. `budget` is what is left of
  the declared limits, and missing where there are none.
- When a declared budget is used up, a `limit` message comes, and the call that went too far gets an error result that
  names the limit. The agent may still submit. If it goes on calling, or ends, the episode ended by that limit.
- A read of named state passes through the condition in force; without a name it gives the names that can be read.
- `memory` comes between episodes, and only to agents whose `ready` said that they remember. `data` is Base64.
- Fields not named here are ignored. A line of more than 4 MiB, more than 64 MiB or 100,000 lines in one episode, and
  lines that are no message are failures of the agent.
"""

from __future__ import annotations

import base64
import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from proctor.agents.contract import AgentFailure
from proctor.models.charging import amount_text, money
from proctor.spec.condition import Sampling
from proctor.spec.task import Budget, Claim, Observation, Submission, TaskView, ToolResult

MiB = 1024 * 1024
MAX_LINE_BYTES = 4 * MiB
MAX_EPISODE_BYTES = 64 * MiB
MAX_EPISODE_LINES = 100_000

Identity = Annotated[str, Meta(max_length=200)] | int
MemoryAction = Literal["snapshot", "restore", "clear"]


class _FromAgent(Struct, frozen=True, tag_field="type"):
    pass


class Ready(_FromAgent, frozen=True, tag="ready"):
    """The agent is up."""

    remembers: bool = False
    """It answers `memory` messages."""
    forgets: bool = False
    """Whether the agent can be made anew for every step: it is asked step by step, and named by what makes it."""


class CallMessage(_FromAgent, frozen=True, tag="tool_call"):
    """A tool is to be called."""

    tool: str
    arguments: dict[str, Any] = {}
    id: Identity | None = None


class Say(_FromAgent, frozen=True, tag="say"):
    """A remark for the trace."""

    text: str


class Submit(_FromAgent, frozen=True, tag="submit"):
    """The end of the episode."""

    answer: Any = None
    confidence: float | None = None
    claims: tuple[Claim, ...] = ()

    @property
    def submission(self) -> Submission:
        """The same as the bench knows it."""
        return Submission(self.answer, self.confidence, self.claims)


class Usage(_FromAgent, frozen=True, tag="usage"):
    """What the agent's models used since it last said."""

    tokens: Annotated[int, Meta(ge=0, le=10**12)] = 0
    cost: Annotated[str, Meta(max_length=40)] | Annotated[float, Meta(ge=0)] | None = None

    @property
    def amount(self) -> str | None:
        """The cost as decimal text; anything else is the agent's failure."""
        if self.cost is None:
            return None
        try:
            return amount_text(money(str(self.cost)))
        except ValueError:
            message = "the agent's usage message names a cost that is no amount of money"
            raise AgentFailure("agent_protocol", message) from None


class StateRead(_FromAgent, frozen=True, tag="state_read"):
    """A named state field is to be read; without a name, the names are asked for."""

    name: Annotated[str, Meta(max_length=200)] | None = None
    id: Identity | None = None


class StateWrite(_FromAgent, frozen=True, tag="state_write"):
    """A named state field is to be kept."""

    name: Annotated[str, Meta(max_length=200)]
    value: Any = None
    id: Identity | None = None


class Fail(_FromAgent, frozen=True, tag="fail"):
    """The agent gives this episode up and stays for the next."""

    error: str = ""
    reason: Literal["crashed", "protocol", "limit"] = "crashed"
    place: str = ""
    """Where in its own code, e.g. `at matcher.py:31 in run`; shown to its author, and not recorded."""


class MemoryAnswer(_FromAgent, frozen=True, tag="memory"):
    """What was asked of the agent's memory is done; `data` is what a snapshot gives."""

    data: str = ""
    error: str | None = None


Message = Ready | CallMessage | Say | Submit | Usage | StateRead | StateWrite | Fail | MemoryAnswer

_decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_encoder = msgspec.json.Encoder()


def decode(line: bytes) -> Message:
    """The message in a line; anything else is the agent's failure."""
    try:
        try:
            return _decoder.decode(line)
        except (msgspec.ValidationError, RecursionError):
            raise
        except (msgspec.DecodeError, UnicodeDecodeError):
            # Text cut in the middle of a surrogate pair is JSON all the same; a slower reader takes it.
            read: Message = msgspec.convert(json.loads(line, parse_constant=_no_constant), Message)
            return read
    except (ValueError, RecursionError) as error:
        problem = "it is not JSON"
        if isinstance(error, msgspec.ValidationError | RecursionError):
            problem = str(error) if isinstance(error, msgspec.ValidationError) else "it is nested too deeply"
        message = f"the agent wrote a line that is no message ({problem}): {_brief(line)}"
        raise AgentFailure("agent_protocol", message) from None


def task_message(task: TaskView, sampling: Sampling, baseline: str | None = None) -> bytes:
    """The line that starts an episode."""
    fields: dict[str, Any] = {"type": "task", **msgspec.structs.asdict(task)}
    if baseline is not None:
        fields["baseline"] = baseline
    asked = {"temperature": sampling.temperature, "top_p": sampling.top_p}
    asked = {name: value for name, value in asked.items() if value is not None}
    return _line(fields | ({"sampling": asked} if asked else {}))


def observation_message(observation: Observation) -> bytes:
    """The line for something shown that answers no call."""
    return _line({"type": "observation", **msgspec.structs.asdict(observation)})


def result_message(identity: str | int, result: ToolResult, made: Observation | None, left: Budget) -> bytes:
    """The line that answers a call; `made` is the observation it became."""
    fields: dict[str, Any] = {"type": "result", "id": identity, "ok": result.ok}
    fields |= {"value": result.value} if result.ok else {"error": result.error}
    if made is not None:
        fields |= {"seq": made.seq, "call": made.call}
    if left != _UNLIMITED:
        fields["budget"] = left
    return _line(fields)


def refusal_message(identity: str | int, limit: str, error: str) -> bytes:
    """The line that answers a call for which no budget is left."""
    return _line({"type": "result", "id": identity, "ok": False, "error": error, "limit": limit})


def limit_message(limit: str) -> bytes:
    """The line that says that a declared budget is used up."""
    return _line({"type": "limit", "limit": limit})


def state_message(identity: str | int | None, **fields: Any) -> bytes:
    """The line that answers a read or write of named state."""
    return _line({"type": "state", "id": identity, **fields})


def memory_message(action: MemoryAction, data: bytes | None = None) -> bytes:
    """The line that asks something of the agent's memory."""
    fields: dict[str, Any] = {"type": "memory", "do": action}
    return _line(fields if data is None else {**fields, "data": base64.b64encode(data).decode()})


_UNLIMITED = Budget()


def _line(fields: dict[str, Any]) -> bytes:
    try:
        return _encoder.encode(fields) + b"\n"
    except UnicodeEncodeError:
        # A world may show text that is no valid Unicode; escaped, it still travels.
        return json.dumps(msgspec.to_builtins(fields)).encode() + b"\n"


def _no_constant(name: str) -> None:
    message = f"{name} is not JSON"
    raise ValueError(message)


def _brief(line: bytes) -> str:
    text = line[:80].decode(errors="replace")
    shown = "".join(character if character.isprintable() else "·" for character in text)
    return f"{shown}…" if len(line) > 80 else shown
