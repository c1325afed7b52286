"""The files of an agent one by one, so that whoever answers for a change can be told which of them changed.

A list of `[name, what is there]` for each file or folder that an agent is shown: a digest, or of a folder one entry for
everything that counts in it. The digest that is part of a configuration follows from it (`source`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from proctor.core.hashing import content_hash
from proctor.core.texts import one_line, shortened

AGENT_FILES: Final = "agent_files"
"""Where the record of an execution has them."""
MOST_FILES: Final = 1_000
"""Of an agent with more they are not kept one by one."""
_NAMED: Final = 5
_ROOT: Final = "/agent/"


def source(files: Sequence[Sequence[Any]]) -> str:
    """SHA-256 over these files, by the names the agent sees."""
    return content_hash(sorted([name, held if isinstance(held, str) else content_hash(held)] for name, held in files))


def by_name(files: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Every single file and what is there, by the path that the agent sees without `/agent/`."""
    found: dict[str, Any] = {}
    for name, held in files:
        plain = str(name).removeprefix(_ROOT)
        if isinstance(held, str):
            found[plain] = held
        else:
            found |= {f"{plain}/{inner}": what for inner, *what in held}
    return found


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Which files changed, were added or removed, in words: a few, and how many more."""
    names = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    said = [
        f"{shortened(one_line(name))} {'added' if name not in before else 'removed' if name not in now else 'changed'}"
        for name in names[:_NAMED]
    ]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(said) + more
