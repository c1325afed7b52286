"""Opening a store by its place: a path, or `scheme:rest` where a store of that name is installed."""

from __future__ import annotations

from proctor.evidence.store.contract import EvidenceStore, StoreFactory
from proctor.plugins import registry

DEFAULT = "sqlite"


def open_store(location: str, *, create: bool) -> EvidenceStore:
    """The store at this place, open. A place without an installed scheme is a path, or an address SQLite knows."""
    scheme, colon, _ = location.partition(":")
    name = scheme if colon and scheme in registry.names("stores") else DEFAULT
    open_: StoreFactory = registry.load("stores", name)
    return open_(location, create=create)
