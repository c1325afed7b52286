"""Tamperings that leave no contradiction: an episode rewritten as it could have been.

No digest and no grammar can find these. `FOUND_BY_LIVING_IT_AGAIN` are found where the acts are carried out once more
in a fresh world (`proctor audit --reverify`). `BEYOND` nobody can find in a bundle that nobody signed: they are listed
with the reason, counted, and stand in docs/security.md.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

from tests.adversarial.attackers.tampering.parts import Episode, Parts

Rewrite = Callable[[Random, Parts, Episode], bool]


def other_verdict_throughout(random: Random, parts: Parts, episode: Episode) -> bool:
    """A failure becomes a success, or the other way round: verdict, end and row alike."""
    verified, ended = episode.index("verification"), episode.index("end")
    if verified is None or ended is None or episode.events[ended]["outcome"] not in ("success", "failure"):
        return False
    family = next(
        one["spec"]
        for one in parts.declarations["frozen"]["families"]
        if f"{one['spec']['id']}@{one['spec']['version']}" == episode.events[0].get("family")
    )
    if family.get("artifacts"):
        return False
    success = episode.events[ended]["outcome"] == "failure"
    wrong = [reason for reason in family["reasons"] if reason != "correct"]
    if not wrong or "correct" not in family["reasons"]:
        return False
    reason = "correct" if success else random.choice(wrong)
    episode.events[verified].update(success=success, reason=reason)
    episode.events[verified].pop("format_error", None)
    episode.events[ended].update(outcome="success" if success else "failure", reason=reason)
    return True


def result_rewritten(random: Random, parts: Parts, episode: Episode) -> bool:
    """What a tool gave back."""
    fine = [
        n
        for n in episode.where("result")
        if episode.events[n]["ok"] and isinstance(episode.events[n].get("value"), str)
    ]
    if not fine:
        return False
    episode.events[random.choice(fine)]["value"] += "!"
    return True


def shown_otherwise(random: Random, parts: Parts, episode: Episode) -> bool:
    """What was shown at first."""
    number = episode.index("observation")
    if number is None or not isinstance(episode.events[number]["fields"], dict) or not episode.events[number]["fields"]:
        return False
    fields = episode.events[number]["fields"]
    name = random.choice(list(fields))
    fields[name] = "something else" if fields[name] != "something else" else "x"
    return True


def excluded_as_broken(random: Random, parts: Parts, episode: Episode) -> bool:
    """A failure that is passed off as the world's."""
    ended = episode.index("end")
    if ended is None or episode.events[ended]["outcome"] != "failure":
        return False
    episode.events[ended].update(outcome="infrastructure", reason="world")
    episode.events[ended].pop("state", None)
    episode.events.insert(ended, {"event": "bench_failed", "message": "OSError: no space", "where": "world"})
    return True


FOUND_BY_LIVING_IT_AGAIN: tuple[Rewrite, ...] = (
    other_verdict_throughout,
    result_rewritten,
    shown_otherwise,
    excluded_as_broken,
)


def words(random: Random, parts: Parts, episode: Episode) -> bool:
    number = episode.index("say")
    if number is None:
        return False
    episode.events[number]["text"] += " indeed"
    return True


def duration(random: Random, parts: Parts, episode: Episode) -> bool:
    episode.row = msgspec.structs.replace(episode.row, elapsed_us=episode.row.elapsed_us + 1 + random.randrange(1000))
    return True


def identity(random: Random, parts: Parts, episode: Episode) -> bool:
    parts.declarations["frozen"]["system"]["version"] = f"9.{random.randrange(1000)}"
    parts.derive_inputs()
    return True


def moment(random: Random, parts: Parts, episode: Episode) -> bool:
    parts.execution["finished"] = f"2026-01-01T00:00:{random.randrange(60):02d}Z"
    return True


BEYOND: dict[str, tuple[Rewrite, str]] = {
    "words": (words, "what an agent said besides is its own choice; no reading counts it"),
    "duration": (duration, "real time is nobody's to make again; it enters the seal and no reading of success"),
    "identity": (
        identity,
        "name and version of a system are its owner's word; only a signature or a registration binds",
    ),
    "moment": (moment, "when a run was made is the word of its machine; a published digest or a registration dates it"),
}
"""What cannot be found in an unsigned bundle, whoever looks, and why."""
