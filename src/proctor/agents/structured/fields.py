"""Reports that did not lead to the action: drawn at random, or taken from another event.

They have the shape of real ones and nothing to do with what was decided: the negative controls of coupling scores.
"""

from __future__ import annotations

import re
from typing import Any, Final

from proctor.core.seeds import Stream
from proctor.spec.condition import Scaffold
from proctor.spec.reporting import (
    COUPLED,
    FINAL,
    POSTHOC,
    PROVENANCE,
    RANDOM,
    SCRAMBLED,
    TEMPLATE,
    UNKNOWN,
)

_PHRASES: Final = (
    "it fits the usual pattern",
    "the balance of considerations",
    "as the situation calls for",
    "nothing speaks against it",
    "an earlier impression",
)
_SOURCES: Final = {"random": RANDOM, "posthoc": POSTHOC, "scrambled": SCRAMBLED, "scratchpad": TEMPLATE}


def provenance(scaffold: Scaffold) -> str:
    """How the reports of this scaffold come about."""
    if scaffold.fields in _SOURCES:
        return _SOURCES[scaffold.fields]
    # With every module off there is nothing that could have coupled a report to the action.
    modules = (scaffold.self_state, scaffold.memory, scaffold.reason, scaffold.veto)
    return COUPLED if any(modules) else UNKNOWN


def random_report(codes: list[str], stream: Stream) -> dict[str, Any]:
    """Every key of the matched interface but the action, filled from phrases and codes drawn at random."""

    def code() -> str | None:
        return stream.choice(codes) if codes else None

    return {
        "first_impulse": code(),
        "candidate_actions": [code(), code()],
        "reason_graph": {"preferred": code(), "nodes": [{"reason": stream.choice(_PHRASES), "supports": code()}]},
        "memory_trace": {"commitment": code(), "items": [{"text": stream.choice(_PHRASES), "supports": code()}]},
        "self_state": {
            "identity": stream.integer(0, 10) / 10,
            "continuity": stream.integer(0, 10) / 10,
            "commitment": code(),
        },
        "veto_state": {"required": stream.chance(0.5), "applied": stream.chance(0.5), "reason": ""},
        "final_action_rationale": stream.choice(_PHRASES),
    }


def scrambled_report(own: dict[str, Any], donor: Any, codes: list[str], stream: Stream) -> dict[str, Any]:
    """The report of another event beside the own action; where none is at hand, the own one with every code replaced.

    `donor` is what another event's scaffold left behind, or None.
    """
    report = {key: value for key, value in (donor if isinstance(donor, dict) else own).items() if key != FINAL}
    report.pop(PROVENANCE, None)
    if not isinstance(donor, dict) and len(codes) > 1:
        shift = 1 + stream.below(len(codes) - 1)
        swap = {code: codes[(number + shift) % len(codes)] for number, code in enumerate(codes)}
        # Longest first: no code is taken for the beginning of another.
        pattern = re.compile("|".join(re.escape(code) for code in sorted(codes, key=len, reverse=True)))
        report = {key: _swapped(value, pattern, swap) for key, value in report.items()}
    return report


def _swapped(value: Any, pattern: re.Pattern[str], swap: dict[str, str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(lambda match: swap[match[0]], value)
    if isinstance(value, list):
        return [_swapped(item, pattern, swap) for item in value]
    if isinstance(value, dict):
        return {key: _swapped(item, pattern, swap) for key, item in value.items()}
    return value
