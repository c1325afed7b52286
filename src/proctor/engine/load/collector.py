"""Keeping Python's garbage collector from being taken for latency."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_ALLOCATIONS = 5_000
"""New containers between two collections: about a hundred requests, milliseconds to look through."""


@contextmanager
def short_collections() -> Iterator[None]:
    """Set aside all that is there already, so that a collection looks only at what requests leave behind.

    A full collection takes a tenth of a second once the bench is loaded, and every request in flight would wait for it.
    Garbage is still collected: memory stays bounded however long the load is.
    """
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
