"""When a conversation outgrows the model's context window: the oldest results of tools are shortened, half at a time.

What the model itself wrote, the task and the newest results stay. A shortened result says so, so that the model can
call the tool again.
"""

from __future__ import annotations

from typing import Final

import msgspec

from proctor.models.contract import Message

KEPT: Final = 200
"""Characters of a shortened result that stay."""
_NOTE: Final = " [shortened: the conversation is too long; call the tool again if you need the rest]"
_LONG: Final = KEPT + 2 * len(_NOTE)


def shorten_oldest(messages: list[Message]) -> list[Message] | None:
    """The conversation with the older half of its long results shortened; None where there are none."""
    long = [
        number for number, message in enumerate(messages) if message.role == "tool" and len(message.content) > _LONG
    ]
    if not long:
        return None
    cut = set(long[: (len(long) + 1) // 2])
    return [
        msgspec.structs.replace(message, content=message.content[:KEPT] + _NOTE) if number in cut else message
        for number, message in enumerate(messages)
    ]
