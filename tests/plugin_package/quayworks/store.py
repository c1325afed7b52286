"""The store `quay-drawer:PATH`: the built-in one, in a file called `PATH.drawer`."""

from __future__ import annotations

from proctor.evidence.store.store import Store


class Drawer(Store):
    """Keeps its own name for the place, so that every message shows what the user typed."""

    def __init__(self, place: str, *, create: bool) -> None:
        super().__init__(f"{place.removeprefix('quay-drawer:')}.drawer", create=create)
        self.place = place


def open_drawer(place: str, *, create: bool) -> Drawer:
    return Drawer(place, create=create)
