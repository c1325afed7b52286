"""Every error Proctor raises on purpose.

    ProctorError
    ├── InputError          what the user gave cannot be used            exit 2
    │   ├── NeedsData       a family or suite over a file was named without one
    │   ├── NeedsExtra      a library is needed that comes with an extra
    │   └── PluginError     the code of an installed plug-in failed
    ├── BenchError          the bench failed, or a check did not hold     exit 1
    │   ├── StoreError      the store cannot be read or written           exit 2
    │   │   └── StoreLost   it went away while it was written to           exit 1
    │   └── IntegrityError  evidence is not what its digests say
    ├── ToolError           a tool refuses; the agent sees the message
    ├── LimitReached        a declared cap was hit; raised into the agent
    └── NotEvaluable        a part this machine lacks is needed; the cell is skipped and says why

Messages are one sentence that says what is wrong and what to do next. Plugin authors raise plain exceptions;
only boundaries (episode, executor, command) catch `Exception`, and classify it once.
"""

from __future__ import annotations


class Terminated(SystemExit):
    """Whoever started the command told it to end. It is no error of what was going on, and nobody classifies it."""


class ProctorError(Exception):
    """The root of every error raised on purpose; the message is meant for a person."""

    exit_code = 1


class InputError(ProctorError):
    """What the user gave (a file, a name, an option) cannot be used."""

    exit_code = 2


class NeedsExtra(InputError):
    """A library is needed that a plain install leaves out; the message says which extra brings it."""


class BenchError(ProctorError):
    """The bench itself failed, or a check did not hold."""


class StoreError(BenchError):
    """The store cannot be opened, read or written; nothing already stored is lost."""

    exit_code = 2


class StoreLost(StoreError):
    """A store went away while it was written to: what was asked for did not take place."""

    exit_code = 1


class IntegrityError(BenchError):
    """Evidence does not match its digests. `place` names where."""

    def __init__(self, message: str, *, where: str) -> None:
        super().__init__(f"{where}: {message}")
        self.where = where


class ToolError(ProctorError):
    """Raised by a tool that refuses; becomes `ToolResult(ok=False, error=message)` for the agent."""


class LimitReached(ProctorError):
    """A declared cap was hit. `limit` is the name of the cap, e.g. `actions`."""

    def __init__(self, limit: str, message: str | None = None) -> None:
        super().__init__(message or f"the declared limit on {limit} is reached")
        self.limit = limit


class NeedsData(InputError):
    """A family or suite whose tasks come from a file was named without one."""


class PluginError(InputError):
    """The code of an installed plug-in raised, or gave something it must not give; the message names the plug-in."""


class NotEvaluable(ProctorError):
    """Something this machine lacks (bubblewrap, say) is needed here; never counted as a failure of the agent."""
