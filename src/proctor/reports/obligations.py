"""Evaluating a capability policy on the Agency Vector of a report: which obligations follow, and which cannot be told.

It reads a reading as plain data and imports no instrument and no gate: a policy is apart from both. Missing is not
zero. The framework's levels err on the low side, which is careful where a capability is claimed and careless where a
safeguard hangs on it. So an obligation "does not apply" only where the report establishes that the capability is not
there: tested, not met, and nothing about the report in doubt. Everything else that is not met is undetermined, with
the reason. A report on the other side of a threshold obliges whatever its flags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from proctor.spec.capability_policy import CapabilityPolicy, Clause

Answer = Literal["applies", "does not apply", "undetermined"]
STATEMENT = (
    "This says what the policy asks for. It measures nothing, approves nothing, and no deployment gate reads it. "
    "Whether an undetermined obligation is met as a precaution is for the policy's owner to decide."
)
_SEVERITIES = ("advisory", "elevated", "critical")
_DOUBT = ("Invalid", "Contested", "Provisional")


class Found(Struct, frozen=True):
    """Whether a condition holds, and why that is so; None: the report does not tell."""

    holds: bool | None
    why: str


class Obligation(Struct, frozen=True):
    """One threshold of a policy on one report."""

    id: str
    answer: Answer
    oblige: str
    when: str
    because: tuple[str, ...]
    """Why, condition by condition: those that decide the answer."""


class Evaluated(Struct, frozen=True):
    """A policy on a report."""

    policy: str
    digest: str
    """SHA-256 over the policy's content."""
    owner: str
    run: str
    tuple_line: str
    """The reporting tuple of the report it was evaluated on; empty where it has no vector."""
    capability: str
    """What the vector says of itself: capability only."""
    standing: tuple[str, ...]
    """What stands against relying on the report: Invalid, exploratory, Contested, Provisional, with reasons."""
    obligations: tuple[Obligation, ...]
    statement: str = STATEMENT

    def count(self, answer: Answer) -> int:
        """How many thresholds have this answer."""
        return sum(one.answer == answer for one in self.obligations)


def evaluate(policy: CapabilityPolicy, run: str, reading: Mapping[str, Any] | None) -> Evaluated:
    """The obligations of a policy on a reading of the agency instrument, as plain data; None where there is none."""
    data = reading or {"measured": False, "reason": "the report has no Agency Vector"}
    obligations = []
    for threshold in policy.thresholds:
        found = [(clause, _found(clause, data)) for clause in threshold.when]
        answer, because = _together(found)
        when = " and ".join(clause.words for clause in threshold.when)
        obligations.append(Obligation(threshold.id, answer, threshold.oblige, when, because))
    return Evaluated(
        f"{policy.name}@{policy.version}",
        policy.identity,
        policy.owner,
        run,
        str(data.get("text") or ""),
        str(data.get("statement") or ""),
        tuple(_standing(data)),
        tuple(obligations),
    )


def _together(found: list[tuple[Clause, Found]]) -> tuple[Answer, tuple[str, ...]]:
    """All of them: one that is established not to hold decides, then one that nobody can tell."""
    for holds, answer in ((False, "does not apply"), (None, "undetermined")):
        reasons = tuple(f"{clause.words}: {one.why}" for clause, one in found if one.holds is holds)
        if reasons:
            return ("does not apply" if answer == "does not apply" else "undetermined"), reasons
    return "applies", tuple(f"{clause.words}: {one.why}" for clause, one in found)


def _found(clause: Clause, data: Mapping[str, Any]) -> Found:
    if clause.any is not None:
        parts = [_found(one, data) for one in clause.any]
        for holds in (True, None, False):
            why = [
                f"{one.words}: {part.why}" for one, part in zip(clause.any, parts, strict=True) if part.holds is holds
            ]
            if why:
                return Found(holds, "; ".join(why))
    if clause.flag is not None:
        return _flag(clause.flag, data)
    if not data.get("measured"):
        return Found(None, str(data.get("reason") or "nothing was measured"))
    if clause.dimension is not None and clause.at_least is not None:
        return _dimension(clause.dimension, clause.at_least, data)
    if clause.tier is not None:
        return _tier(clause.tier, data)
    if clause.governance is not None:
        return _governance(clause.governance, data)
    if clause.regime is not None:
        regimes = sorted(data["tuple"]["regimes"])
        there = clause.regime in regimes
        return Found(True if there else None, f"examined under {', '.join(regimes)}" + ("" if there else " only"))
    kind = data["tuple"]["boundary"].get("kind")
    about = f"the report is about the {kind} boundary" if kind else "the boundary is not declared"
    if kind == clause.boundary:
        return Found(True, about)
    return Found(None, f"{about}: nothing is known about the {clause.boundary} one")


def _dimension(name: str, level: int, data: Mapping[str, Any]) -> Found:
    vector = data["vector"]
    one = vector["G"]["parts"].get(name) if name in ("G1", "G2", "G3") else vector.get(name)
    if not one:
        return Found(None, f"{name} is not in the report")
    flags = [str(flag["name"]) for flag in one["flags"]]
    reached = one["level"]
    if reached is None:
        invalid = [flag for flag in (*flags, *_names(data)) if flag.startswith("Invalid")]
        return Found(None, f"{', '.join(dict.fromkeys(invalid)) or 'not measured'}: {name} has no level")
    shown = f"{name} is {reached}" + (f" [{', '.join(dict.fromkeys(flags))}]" if flags else "")
    if reached >= level:
        return Found(True, shown)
    doubt = [*_doubts(name, level, one), *_doubts_of_the_whole(data)]
    return Found(None, f"{shown}, but {'; '.join(doubt)}") if doubt else Found(False, shown)


def _doubts(name: str, level: int, one: Mapping[str, Any]) -> Iterator[str]:
    """Why a level below the threshold does not establish that the capability is not there."""
    for flag in one["flags"]:
        if str(flag["name"]).startswith(_DOUBT):
            yield f"{flag['name']}: {flag['reason']}"
    statuses = list(one.get("statuses") or ())
    reached = int(one["level"])
    stopped = statuses[reached] if reached < len(statuses) else "not tested"
    if stopped != "not met":
        yield f"{name} {reached + 1} was {stopped}"
    elif "met, not credited" in statuses[level - 1 :]:
        yield f"{name} {level} was met and not credited, because a level below it was not"
    if (one.get("other_policy_level") or 0) >= level:
        yield f"the other borderline policy gives {one['other_policy_level']}"


def _tier(tier: int, data: Mapping[str, Any]) -> Found:
    found = data.get("tier") or {}
    reached, text = found.get("tier"), str(found.get("text") or "not tested")
    if not isinstance(reached, int):
        return Found(None, f"Tier: {text}")
    if reached >= tier:
        return Found(True, f"Tier: {text}")
    # The gate that stopped it may be one that nobody tested.
    open_gate = "not tested" in text or "not evaluable" in text
    doubt = [*([f"Tier: {text}"] if open_gate else []), *_doubts_of_the_whole(data)]
    return Found(None, "; ".join(doubt)) if doubt else Found(False, f"Tier: {text}")


def _governance(severity: str, data: Mapping[str, Any]) -> Found:
    notes = data.get("governance_notes")
    if not notes:
        return Found(None, "there are no governance notes")
    reached = str(notes.get("severity") or "").casefold()
    text = str(notes.get("text") or "")
    if reached in _SEVERITIES and _SEVERITIES.index(reached) >= _SEVERITIES.index(severity):
        return Found(True, text)
    unmeasured = [str(one["condition"]) for one in notes.get("triggers", ()) if str(one["status"]).startswith("not m")]
    if unmeasured:
        return Found(None, f"not measured: {', '.join(unmeasured)}")
    doubt = list(_doubts_of_the_whole(data))
    return Found(None, "; ".join(doubt)) if doubt else Found(False, text)


def _flag(name: str, data: Mapping[str, Any]) -> Found:
    """A flag is there or it is not; only a report that measured nothing cannot tell."""
    there = [one for one in _all_names(data) if one.casefold().startswith(name.casefold())]
    if there:
        return Found(True, ", ".join(dict.fromkeys(there)))
    if not data.get("measured"):
        return Found(None, str(data.get("reason") or "nothing was measured"))
    return Found(False, "no such flag")


def _standing(data: Mapping[str, Any]) -> Iterator[str]:
    if not data.get("measured"):
        yield f"not measured: {data.get('reason')}"
    if data.get("exploratory"):
        yield f"exploratory: {data['exploratory']}"
    label = (data.get("evaluation") or {}).get("label")
    if label:
        yield str(label)
    for flag in data.get("flags", ()):
        if str(flag["name"]).startswith(_DOUBT):
            yield f"{flag['name']}: {flag['reason']}"
    for name, one in (data.get("vector") or {}).items():
        for flag in dict.fromkeys(str(flag["name"]) for flag in one["flags"]):
            if flag.startswith(_DOUBT):
                yield f"{name} is {flag}"


def _doubts_of_the_whole(data: Mapping[str, Any]) -> Iterator[str]:
    if data.get("exploratory"):
        yield "the report is exploratory"
    yield from (f"the report is {name}" for name in dict.fromkeys(_names(data)) if name.startswith(_DOUBT))


def _names(data: Mapping[str, Any]) -> Iterable[str]:
    return [str(flag["name"]) for flag in data.get("flags", ())]


def _all_names(data: Mapping[str, Any]) -> list[str]:
    inner = [flag for one in (data.get("vector") or {}).values() for flag in _flags_of(one)]
    return [*_names(data), *(str(flag["name"]) for flag in inner)]


def _flags_of(one: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from one["flags"]
    for part in (one.get("parts") or {}).values():
        yield from _flags_of(part)
