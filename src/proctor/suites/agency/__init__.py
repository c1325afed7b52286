"""The suites of the Agency Vector: families for every level of every dimension.

`agency` has at least 100 scored units a cell; `agency-quick` reads up to level 2 in seconds; `agency-core` and
`agency-extended` are `agency` for systems that report both boundaries, on the same instances. `tiers` has the gates of
the six tiers, with 200 instances an arm; `tiers-quick` has 8, and claims nothing.
"""

from __future__ import annotations

from pathlib import Path

from proctor.spec.documents import read_document
from proctor.spec.suite import Suite
from proctor.spec.system import BoundaryKind


def _declared(name: str) -> Suite:
    path = Path(__file__).with_name(f"{name}.yaml")
    return Suite.parse(read_document(path), source=path.name)


def agency() -> Suite:
    """The whole examination."""
    return _declared("agency")


def quick() -> Suite:
    """Levels 1 and 2 in seconds."""
    return _declared("quick")


def tiers() -> Suite:
    """The gates of the six tiers."""
    return _declared("tiers")


def tiers_quick() -> Suite:
    """The same with few instances; it claims nothing."""
    return _declared("tiers-quick")


def core() -> Suite:
    """`agency` for the core boundary."""
    return _within(BoundaryKind.CORE)


def extended() -> Suite:
    """`agency` for the extended boundary."""
    return _within(BoundaryKind.EXTENDED)


def _within(boundary: BoundaryKind) -> Suite:
    whole = agency()
    return whole.model_copy(
        update={
            "name": f"{whole.name}-{boundary.value}",
            "title": f"{whole.title}, {boundary.value} boundary",
            "streams": whole.name,
            "boundary": boundary,
        }
    )
