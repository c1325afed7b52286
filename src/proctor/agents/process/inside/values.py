"""The agent contract's values, as a user's code sees them inside its own process: `from proctor import Submission`.

Same names, same fields, same order as in the bench; plain frozen objects without any of its code.
"""

from __future__ import annotations

from collections import namedtuple


class ToolSpec(namedtuple("ToolSpec", "name description parameters effect")):
    """A tool: name, description, JSON Schema of its arguments, effect (`read` or `write`)."""

    __slots__ = ()


class Budget(
    namedtuple(
        "Budget", "actions queries tokens milliseconds retries cost", defaults=(None, None, None, None, None, None)
    )
):
    """What an episode may spend, or has left; None means no declared limit."""

    __slots__ = ()


class TaskView(namedtuple("TaskView", "id goal answer_format tools budget nonce canary")):
    """The task."""

    __slots__ = ()


class Observation(namedtuple("Observation", "seq fields call", defaults=(None,))):
    """Something that was shown: at the start (`call` is None), or in answer to a call."""

    __slots__ = ()


class ToolResult(namedtuple("ToolResult", "ok value error", defaults=(None, None))):
    """What a call gave back: `value` where `ok`, otherwise `error`."""

    __slots__ = ()


class Claim(namedtuple("Claim", "action target result", defaults=("", ""))):
    """What the agent says it did."""

    __slots__ = ()


class Submission(namedtuple("Submission", "answer confidence claims", defaults=(None, None, ()))):
    """What the agent hands in: an answer, a confidence from 0 to 1 or None, claims."""

    __slots__ = ()


class Sampling(namedtuple("Sampling", "temperature top_p", defaults=(None, None))):
    """How the condition asks models to be sampled; None where it does not."""

    __slots__ = ()


class LimitReached(Exception):
    """A declared cap was hit; `limit` is its name. The agent may still submit."""

    def __init__(self, limit: str, message: str | None = None) -> None:
        super().__init__(message or f"the declared limit on {limit} is reached")
        self.limit = limit


def task_of(message: dict[str, object]) -> TaskView:
    """The task in a `task` message."""
    fields = {name: message.get(name) for name in TaskView._fields}
    tools = message["tools"]
    assert isinstance(tools, list)
    fields["tools"] = tuple(ToolSpec(*(tool.get(name) for name in ToolSpec._fields)) for tool in tools)
    fields["budget"] = budget_of(message["budget"])
    return TaskView(**fields)


def budget_of(left: object) -> Budget:
    """The budget in a message."""
    assert isinstance(left, dict)
    return Budget(**{name: left.get(name) for name in Budget._fields})
