"""Two-level factors that are balanced over events: labels, naming orders, listing order.

Events come in blocks of sixteen. A block is an orthogonal array of strength 3 with eight columns: any three factors
occur in all eight combinations equally often. Its rows go in neighbours that complement each other, so that any even
number of events from the start of a block has every single factor balanced. Columns, rows and signs are drawn anew for
each block.
"""

from __future__ import annotations

from proctor.core.seeds import Stream

FACTORS = 8
BLOCK = 2 * FACTORS


def factors(stream: Stream, number: int) -> tuple[bool, ...]:
    """The eight factors of the event of this number."""
    block, within = divmod(number, BLOCK)
    own = stream.child("block", block)
    rows, columns = own.sample(range(FACTORS), FACTORS), own.sample(range(FACTORS), FACTORS)
    signs, turned = [own.chance(0.5) for _ in range(FACTORS)], [own.chance(0.5) for _ in range(FACTORS)]
    pair, second = divmod(within, 2)
    complement = turned[pair] ^ bool(second)
    row = rows[pair]
    return tuple(
        bool((row & column).bit_count() % 2) ^ complement ^ sign for column, sign in zip(columns, signs, strict=True)
    )
