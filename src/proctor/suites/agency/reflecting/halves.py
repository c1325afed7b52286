"""Two kinds of instance, exactly half of each: what one kind needs fails on the other, so none may be more frequent."""

from __future__ import annotations

from proctor.engine.family import Draw

_BLOCK = 10


def in_first_half(draw: Draw) -> bool:
    """Whether an instance is of the first kind: five of every ten, in an order of the family in this suite and seed."""
    block, place = divmod(draw.index, _BLOCK)
    kinds = [True, False] * (_BLOCK // 2)
    draw.source.child("kinds", block).shuffle(kinds)
    return kinds[place]
