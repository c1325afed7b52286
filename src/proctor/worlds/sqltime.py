"""SQLite's date and time functions on logical time.

`now`, CURRENT_TIMESTAMP and the like would read the host's clock. Here they are computed by SQLite itself, on a
connection of its own, with the logical instant put in the place of `now`; local time is UTC.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, Final

from proctor.core.clock import Clock

_FUNCTIONS: Final = ("date", "time", "datetime", "julianday", "strftime", "unixepoch", "timediff")
_CURRENT: Final = {"current_date": "date", "current_time": "time", "current_timestamp": "datetime"}
_LOCAL: Final = frozenset(("localtime", "utc"))


class SqlClock:
    """Computes dates for connections; close it after them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._computer = sqlite3.connect(":memory:", check_same_thread=False)

    def install(self, connection: sqlite3.Connection) -> None:
        """Replace the date and time functions of a connection."""
        known = {name for (name,) in self._computer.execute("SELECT DISTINCT name FROM pragma_function_list")}
        for name in _FUNCTIONS:
            if name in known:
                connection.create_function(name, -1, self._function(name))
        for name, function in _CURRENT.items():
            connection.create_function(name, 0, self._function(function))

    def close(self) -> None:
        """Close the connection that computes."""
        self._computer.close()

    def _function(self, name: str) -> Callable[..., Any]:
        def compute(*arguments: Any) -> Any:
            now = self._clock.now.strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
            # Without a time, these functions mean now; strftime has its format before it.
            given = [*arguments, "now"] if len(arguments) <= (name == "strftime") else list(arguments)
            given = [now if _word(value) == "now" else value for value in given if _word(value) not in _LOCAL]
            marks = ", ".join("?" * len(given))
            return self._computer.execute(f"SELECT {name}({marks})", given).fetchone()[0]

        return compute


def _word(value: Any) -> str | None:
    return value.strip().lower() if isinstance(value, str) else None
