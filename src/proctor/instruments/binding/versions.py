"""Which version of binding a reading is of, and where nothing may be claimed from it.

Models that read no state have met every gate of 1.0, so claims come from 2.0; under `profile: paper` the rules of the
paper are what was asked for. A first look makes none. That a control has the entropy of the structured Condition is
worth saying beside binding, and nothing by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.reading import Claim
from proctor.instruments.binding.twins import TWINS, has_twins
from proctor.spec.rules import Rules

OLD = (
    "Rows of binding 1.0, not comparable with 2.0: models that read no state can meet these gates, and no claim is "
    "made from them except under the profile `paper`"
)
QUICK = "a first look makes no claim; `binding` does"
UNMATCHED = "nothing to stand beside: no claim about binding is supported here"
QUICK_SUITE = "binding-quick"
CONTROL_BLOCKS = ("entropy calibration", "entropy-prior control")
"""Lines that speak of a control alone."""


def of_one_design(table: BindingTable) -> tuple[BindingTable, int]:
    """The rows of the newest design that is there, and how many of the other are left out."""
    twins = table.numbers["design"] == TWINS
    return (table.where(twins), int((~twins).sum())) if twins.any() else (table, 0)


def permitted(claims: Sequence[Claim], table: BindingTable, suites: Iterable[str], rules: Rules) -> tuple[Claim, ...]:
    """The ledger with what these rows may support; `suites` are the names of the suites they come from."""
    if QUICK_SUITE in set(suites):
        return withhold(claims, QUICK)
    if not has_twins(table):
        return tuple(claims) if rules.profile == "paper" else withhold(claims, OLD)
    if any(one.supported for one in claims if one.block not in CONTROL_BLOCKS):
        return tuple(claims)
    return tuple(_without(one, UNMATCHED) if one.block in CONTROL_BLOCKS and one.supported else one for one in claims)


def withhold(claims: Iterable[Claim], reason: str) -> tuple[Claim, ...]:
    """Lines of which none is supported, with the reason beside each."""
    return tuple(_without(one, reason) for one in claims)


def _without(claim: Claim, reason: str) -> Claim:
    return msgspec.structs.replace(
        claim, supported="", contrary="; ".join(part for part in (reason, claim.contrary) if part)
    )
