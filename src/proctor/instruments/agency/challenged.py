"""What challenges of a published result do to its standing (§15.4.3)."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.evidence.challenges import Challenge, Challenges, challenge_words
from proctor.instruments.agency.flags import contested, invalid, provisional
from proctor.instruments.base import Flag


def challenge_flags(challenges: Challenges) -> list[Flag]:
    """One or more for every challenge that bears on the result; none for those that found it compliant."""
    flags = [flag for one in challenges.found for flag in _flags(one)]
    flags += [contested("Evidence Insufficient", f"record of a challenge: {why}") for why in challenges.unreadable]
    return flags


def _flags(challenge: Challenge) -> Iterator[Flag]:
    words = challenge_words(challenge)
    if challenge.status == "open":
        yield contested("Under Challenge", words)
    elif challenge.status == "lapsed":
        yield provisional(words)
    elif challenge.determination == "Invalid":
        yield invalid("Non-Compliance", words)
    elif challenge.determination == "Contested":
        yield contested("Evidence Insufficient", words)
    if challenge.withdrawal is not None:
        act = challenge.withdrawal.act
        yield contested("Evidence Insufficient", f"the evaluator withdrew the claim on {act.date}: {act.statement}")
    if challenge.correction is not None:
        act = challenge.correction.act
        run = (act.correction or {}).get("run")
        yield contested("Evidence Insufficient", f"the evaluator corrected the claim on {act.date}; see {run}")
    for sha256 in challenge.missing:
        text = f"{challenge.id}: an act that others follow is not there ({sha256[:12]})"
        yield contested("Evidence Insufficient", text)
