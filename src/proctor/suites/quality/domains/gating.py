"""Gates and the people behind them: who must be asked, and what they answer.

A template declares one parameter `verdict` with the values of `VERDICTS` and gets gates, scripted answers and what they
come to. An approver that says no, stays silent or answers though it is not asked for is as common as one that agrees.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

VERDICTS = ("approved", "late", "denied", "pending", "wrong_level")
"""`late`: pending first, approved when asked again. `wrong_level`: another level says yes, the right one is silent."""

_ANSWERS: dict[str, list[str]] = {
    "approved": ["approved"],
    "late": ["pending", "approved"],
    "denied": ["denied"],
    "pending": ["pending"],
    "wrong_level": ["pending"],
}


class Asked(Struct, frozen=True):
    """Gates of a scenario, the scripted answers, and what they come to."""

    gates: tuple[dict[str, str], ...] = ()
    approvals: tuple[dict[str, Any], ...] = ()
    granted: bool = True
    denied: bool = False

    def __add__(self, other: Asked) -> Asked:
        """Both have to be passed; one denial denies."""
        return Asked(
            self.gates + other.gates,
            self.approvals + other.approvals,
            self.granted and other.granted,
            self.denied or other.denied,
        )

    def then(self, action: dict[str, Any]) -> dict[str, Any]:
        """What the house rules make of an action that depends on these gates."""
        if self.denied:
            return {"name": "refuse"}
        return action if self.granted else {"name": "escalate"}


NOBODY = Asked()
"""No gate is needed."""


def approval(level: str, verdict: str = "approved", *, instead: str = "", kind: str = "approval_workflow") -> Asked:
    """A gate at which `level` answers as `verdict` says; `instead` is who else answers, always with a yes."""
    scripts = [{"type": kind, "level": level, "answers": _ANSWERS[verdict]}]
    if verdict == "wrong_level":
        scripts.append({"type": kind, "level": instead or "colleague", "answers": ["approved"]})
    granted = verdict in {"approved", "late"}
    return Asked(({"type": kind, "level": level},), tuple(scripts), granted, verdict == "denied")


def person_asked(level: str, verdict: str = "approved", *, instead: str = "") -> Asked:
    """A human in the loop."""
    return approval(level, verdict, instead=instead, kind="human_in_the_loop")


def filed(level: str) -> Asked:
    """Evidence collection: the archive of that level takes the bundle, nobody is asked."""
    return Asked(({"type": "evidence_collection", "level": level},))
