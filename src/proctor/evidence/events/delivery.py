"""Receipts: an adversity counts when it was delivered, and this is the proof."""

from __future__ import annotations

from msgspec import Struct


class Delivery(Struct, frozen=True, omit_defaults=True):
    """One delivery of one layer, written where it happened (inside an observation or a result)."""

    layer: str
    detail: str = ""
    """What exactly was altered, e.g. the path of a field."""
