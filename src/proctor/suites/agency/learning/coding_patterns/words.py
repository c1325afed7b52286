"""Names for functions and variables: one set for training, another for tests, with nothing in common.

Signatures differ as well: in training the collection comes first, in tests it never does.
"""

from __future__ import annotations

from msgspec import Struct


class Words(Struct, frozen=True):
    """What names are drawn from."""

    collections: tuple[tuple[str, str], ...]
    """Many and one."""
    verbs: tuple[str, ...]
    objects: tuple[str, ...]
    limits: tuple[str, ...]
    extras: tuple[str, ...]
    results: tuple[str, ...]
    fields: tuple[str, ...]
    signatures: tuple[tuple[str, ...], ...]


TRAINING = Words(
    collections=(
        *(("parcels", "parcel"), ("invoices", "invoice"), ("guests", "guest"), ("bottles", "bottle")),
        *(("readings", "reading"), ("trucks", "truck"), ("pages", "page"), ("orders", "order")),
    ),
    verbs=("handle", "process", "run", "do", "make", "work"),
    objects=("batch", "round", "shift", "lot", "report", "sheet", "queue", "day"),
    limits=("limit", "bound", "mark", "quota"),
    extras=("options", "settings", "mode"),
    results=("out", "res", "acc", "value"),
    fields=("weight", "price", "age", "size", "speed", "count"),
    signatures=(("many", "limit"), ("many", "limit", "extra"), ("many", "extra", "limit")),
)
TESTS = Words(
    collections=(
        *(("tickets", "ticket"), ("samples", "sample"), ("members", "member"), ("crates", "crate")),
        *(("wells", "well"), ("flights", "flight"), ("loans", "loan"), ("tiles", "tile"), ("bees", "bee")),
    ),
    verbs=("derive", "resolve", "apply", "build", "treat", "settle", "serve"),
    objects=("ledger", "stage", "tour", "bundle", "draft", "panel", "series", "basin"),
    limits=("threshold", "cutoff", "edge", "ceiling"),
    extras=("context", "profile", "hint"),
    results=("answer", "got", "kept", "z"),
    fields=("depth", "cost", "score", "length", "load", "rank", "dose"),
    signatures=(("limit", "many"), ("extra", "many", "limit"), ("limit", "extra", "many")),
)
