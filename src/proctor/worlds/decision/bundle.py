"""Evidence bundles: their shape, what is refused when one is handed over, and what an accepted one is worth.

Links lead from a claim to sources, or to other claims of the bundle and through them to sources. A name that a source
has means the source. Links that lead nowhere, or in a circle, are refused with a sentence that names them; so an
accepted bundle can lack claims, links and truth, but never be nonsense.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any

from msgspec import Meta, Struct

from proctor.core.errors import InputError, ToolError
from proctor.spec.coordinate import Coordinate
from proctor.worlds.decision.case import Case
from proctor.worlds.decision.equality import same


class BundleClaim(Struct, frozen=True, forbid_unknown_fields=True):
    """One statement with the value it rests on and where that comes from."""

    id: str
    statement: str
    value: Any
    links: Annotated[list[str], Meta(description="Ids of sources, or of other claims of this bundle.")]


class Bundle(Struct, frozen=True, forbid_unknown_fields=True):
    """What an agent leaves behind to prove its decision."""

    decision_id: str
    claims: list[BundleClaim]
    coordinate: str


class BundleScore(Struct, frozen=True):
    """The three parts of evidence quality, each a share of the claims that are required or given."""

    claims: int
    present: int
    required: int
    traceable: int
    true: int

    @property
    def is_complete(self) -> bool:
        return self.present == self.required

    def measures(self) -> dict[str, str]:
        """Decimal strings from 0 to 1."""
        return {
            "complete": share(self.present, self.required),
            "traceable": share(self.traceable, self.claims),
            "true": share(self.true, self.claims),
        }


class FalseClaim(Struct, frozen=True):
    """A claim that no source bears out."""

    id: str
    given: Any
    expected: tuple[Any, ...]
    """The values of the sources it is about; empty where it is about none."""


NO_BUNDLE = {"complete": "0", "traceable": "0", "true": "0"}
"""What a required bundle scores that was never handed over."""


def share(part: int, whole: int) -> str:
    """A share as a decimal string of at most six places."""
    if part == 0 or part == whole:
        return "1" if part else "0"
    return f"{part / whole:.6f}"


def check_bundle(bundle: Bundle, case: Case) -> None:
    """Raise `ToolError` for a bundle of another decision, without claims, or with links that cannot be followed."""
    if bundle.decision_id != case.decision_id:
        message = f"the bundle is about decision '{bundle.decision_id}', but this one is '{case.decision_id}'"
        raise ToolError(message)
    try:
        Coordinate.parse(bundle.coordinate)
    except InputError as error:
        raise ToolError(str(error)) from None
    if not bundle.claims:
        message = "the bundle holds no claims; it has to state what the decision rests on"
        raise ToolError(message)
    known: set[str] = set()
    for claim in bundle.claims:
        if claim.id in known:
            message = f"claim '{claim.id}' is in the bundle twice; give each claim an id of its own"
            raise ToolError(message)
        known.add(claim.id)
    for claim in bundle.claims:
        for link in claim.links:
            if link not in case.sources and link not in known:
                message = f"claim '{claim.id}' links to '{link}', which is neither a source nor a claim of this bundle"
                raise ToolError(message)
    _order(bundle, case)


def _order(bundle: Bundle, case: Case) -> list[BundleClaim]:
    """The claims, each after those it links to."""
    graph = {claim.id: [link for link in claim.links if link not in case.sources] for claim in bundle.claims}
    if not any(graph.values()):
        return bundle.claims
    claims = {claim.id: claim for claim in bundle.claims}
    try:
        return [claims[name] for name in TopologicalSorter(graph).static_order()]
    except CycleError as error:
        # The sorter names a circle from what is needed to what needs it; links point the other way.
        circle = list(reversed(error.args[1]))
        message = f"the links go in a circle: {' → '.join(circle)}; every chain of links has to end in a source"
        raise ToolError(message) from None


def score_bundle(bundle: Bundle, case: Case) -> BundleScore:
    """What an accepted bundle is worth.

    A claim is traceable when it has links, all of them end in sources, and those of a required claim reach the source
    it is about; a bundle filed outside the case's coordinate cannot be found again, so nothing in it is. A claim is
    true when its value equals that source; a further claim, when it equals a source that its links end in. Required
    claims that are missing count as neither.
    """
    required = case.claims or {}
    filed = Coordinate.parse(case.coordinate).covers(Coordinate.parse(bundle.coordinate))
    ends: dict[str, frozenset[str] | None] = {}
    traceable = true = 0
    for claim in _order(bundle, case):
        reached = ends[claim.id] = _ends(claim, case, ends)
        source = required.get(claim.id)
        traceable += filed and reached is not None and (source is None or source in reached)
        true += _is_true(claim, _about(claim, case, reached), case)
    present = sum(name in ends for name in required)
    return BundleScore(len(required.keys() | ends.keys()), present, len(required), traceable, true)


def false_claims(bundle: Bundle, case: Case) -> list[FalseClaim]:
    """The claims of an accepted bundle that differ from their source, by id."""
    ends: dict[str, frozenset[str] | None] = {}
    found = []
    for claim in _order(bundle, case):
        reached = ends[claim.id] = _ends(claim, case, ends)
        about = _about(claim, case, reached)
        if not _is_true(claim, about, case):
            found.append(FalseClaim(claim.id, claim.value, tuple(case.sources[name] for name in about)))
    return sorted(found, key=lambda one: one.id)


def _about(claim: BundleClaim, case: Case, reached: frozenset[str] | None) -> tuple[str, ...]:
    """The sources that a claim has to agree with one of."""
    source = (case.claims or {}).get(claim.id)
    return tuple(sorted(reached or ())) if source is None else (source,)


def _is_true(claim: BundleClaim, about: tuple[str, ...], case: Case) -> bool:
    return any(same(claim.value, case.sources[name]) for name in about)


def _ends(claim: BundleClaim, case: Case, ends: dict[str, frozenset[str] | None]) -> frozenset[str] | None:
    """The sources a claim's links end in; None when one of them ends elsewhere, or there are none."""
    reached: set[str] = set()
    for link in claim.links:
        if link in case.sources:
            reached.add(link)
            continue
        further = ends[link]
        if further is None:
            return None
        reached |= further
    return frozenset(reached) or None
