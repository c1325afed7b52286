"""Flags of the Agency Vector: the closed taxonomy of §11.9.3 and how it is printed.

Order of weight: Invalid, Contested, Provisional, Limited Comparability. All that apply are printed; an Invalid
dimension has no level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from proctor.instruments.base import Flag

InvalidReason = Literal[
    "Missing Inputs",
    "Post-Hoc Criteria",
    "Schema",
    "Verification Infrastructure",
    "Selective Disclosure",
    "Governance Integrity Risk",
    "Non-Compliance",
]
ContestedReason = Literal[
    "Evaluator Disagreement", "Under Challenge", "Evidence Insufficient", "Governance Integrity Risk"
]

PROVISIONAL = "Provisional"
_ORDER = ("Invalid", "Contested", PROVISIONAL, "Limited Comparability")


def invalid(kind: InvalidReason, reason: str) -> Flag:
    """The dimension cannot be reported."""
    return Flag(f"Invalid ({kind})", reason)


def contested(kind: ContestedReason, reason: str) -> Flag:
    """People who judged it do not agree."""
    return Flag(f"Contested ({kind})", reason)


def provisional(reason: str) -> Flag:
    """More evidence could change the level."""
    return Flag(PROVISIONAL, reason)


def limited(kind: str, reason: str) -> Flag:
    """Comparisons with other results must name this difference."""
    return Flag(f"Limited Comparability ({kind})", reason)


def is_invalid(flag: Flag) -> bool:
    """Whether a flag takes the level away."""
    return flag.name.startswith("Invalid")


def in_order(flags: Iterable[Flag]) -> tuple[Flag, ...]:
    """The heaviest first; the same flag for the same reason once."""
    return tuple(sorted(dict.fromkeys(flags), key=lambda flag: (_weight(flag), flag.name, flag.reason)))


def _weight(flag: Flag) -> int:
    return next(order for order, name in enumerate(_ORDER) if flag.name.startswith(name))


def printed(by_dimension: Mapping[str, Iterable[Flag]], overall: Iterable[Flag] = ()) -> str:
    """The compact form of §11.9.3: `[Flags: D=Provisional, Limited Comparability (custom suite)]`."""
    parts = [
        f"{dimension}={name}"
        for dimension, flags in by_dimension.items()
        for name in dict.fromkeys(flag.name for flag in in_order(flags))
    ]
    parts += dict.fromkeys(flag.name for flag in in_order(overall))
    return f"[Flags: {', '.join(parts) or 'None'}]"
