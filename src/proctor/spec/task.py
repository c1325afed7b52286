"""The values that pass between bench, world and agent during an episode.

All frozen, all JSON. What the agent may see is in `TaskView`, `Observation` and `ToolResult`; what it must not see is
in `Instance.hidden` and never leaves the bench.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

Effect = Literal["read", "write"]


class ToolSpec(Struct, frozen=True):
    """A tool as the agent sees it."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of the arguments, an object."""
    effect: Effect
    """Whether calling it can change the world."""


class Budget(Struct, frozen=True, omit_defaults=True):
    """What an episode may spend, and what ends it. `None` means no declared limit.

    Beside it stands the safety net alone (`limits.episode_seconds`, real time): generous, and no part of what is
    measured.
    """

    actions: int | None = None
    """Tool calls of any kind."""
    queries: int | None = None
    """Calls of tools whose effect is read."""
    tokens: int | None = None
    """Tokens reported by the agent's models."""
    milliseconds: int | None = None
    """Logical time, which tools take, for every agent: thinking costs none. Real time only under `clock: real`."""
    retries: int | None = None
    """Repeated calls with the same tool and arguments after a failure."""
    cost: str | None = None
    """What its models may cost: a decimal amount in the currency of their prices."""


NO_LIMITS = Budget()


class TaskView(Struct, frozen=True):
    """The task as the agent sees it. Holds no family id, no seed and no answer, and nothing of its place in the
    examination: whoever knew a control or a condition could do badly where that looks good."""

    id: str
    """Opaque: tells nothing of seed or position."""
    goal: str
    answer_format: str
    tools: tuple[ToolSpec, ...]
    budget: Budget
    nonce: str
    """Differs between episodes, even of the same instance: proves that nothing is replayed."""
    canary: str
    """A fixed marker: if it turns up in training data, the task leaked."""


class Observation(Struct, frozen=True):
    """Something the agent was shown: at the start (`call` is None), or in answer to a call."""

    seq: int
    fields: dict[str, Any]
    call: int | None = None


class ToolResult(Struct, frozen=True):
    """What a tool call gave back. Exactly one of `value` (ok) and `error` (not ok) is meaningful."""

    ok: bool
    value: Any = None
    error: str | None = None


class Claim(Struct, frozen=True):
    """What the agent says about its episode.

    Three kinds are structured, and held against the record when the episode ends:

    - `tool`: the call of this number (`Observation.call`; its target) came back as `ok` or `failed`
    - `observed`: this JSON value was shown at `target`, a JSON pointer into the observations: `/0/total` is the field
      `total` of the first one, `/3/result/count` the field `count` of what the fourth one answered
    - `verified`: what is handed in passes verification (`ok`), or does not (`failed`); the target is free

    Any other action is kept for readers and counts for nothing.
    """

    action: str
    target: Any = ""
    result: Any = ""


class Submission(Struct, frozen=True):
    """What the agent hands in at the end."""

    answer: Any = None
    confidence: float | None = None
    """On the declared scale from 0 to 1, or None if not stated."""
    claims: tuple[Claim, ...] = ()


class Verification(Struct, frozen=True):
    """What the verifier found by looking at the real state."""

    success: bool
    reason: str
    """A code from the family's closed set, e.g. `correct`, `wrong_total`, `missing_file`."""
    format_error: bool = False
    """The answer could not be read at all: a failure, counted apart."""
    artifacts: tuple[tuple[str, str], ...] = ()
    """(name, SHA-256) of what was left behind and inspected."""
    measures: dict[str, int | str] = field(default_factory=dict)
    """Further findings an instrument counts with: whole numbers, codes, decimal strings. Never part of success."""


class Instance(Struct, frozen=True):
    """One task. `goal`, `answer_format` and `observation` may be seen; `hidden` is for world, verifier and oracle."""

    template: str
    """Which structurally different form of the family this is."""
    goal: str
    answer_format: str
    observation: dict[str, Any]
    """What is shown at the start."""
    hidden: dict[str, Any]
    """The answer, the world's starting state and the success rule's parameters, fixed before the episode."""
    state: dict[str, Any] = field(default_factory=dict)
    """Initial values of the named state fields (`reason`, `memory`, …) that a Condition may transform."""
    knobs: dict[str, Any] = field(default_factory=dict)
    """The difficulty this instance was made with."""
    budget: Budget = NO_LIMITS
    """What an episode of this instance may spend when the regime says nothing."""
    strict_actions: int | None = None
    """The least number of calls a careful agent needs, with a little slack: the cap of regimes that say `strict`."""
    call_milliseconds: int = 500
    """The family's own pace: the logical time between two calls that a relative rate limit stretches."""
