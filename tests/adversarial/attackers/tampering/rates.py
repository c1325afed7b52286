"""Tamperings that would raise a rate, or make one look better earned: failures that count for nothing, and the like.

`TAMPERS` contradict the record, the rules or the kind of the agent, and verification refuses each. `REWRITTEN` leave
no contradiction, and are found where the acts are carried out once more. `NOT_FOUND` stand with the reason in
docs/security.md.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from proctor.evidence.first_tries import with_first_try
from tests.adversarial.attackers.tampering.parts import Episode, Event, Parts

Tamper = Callable[[Random, Parts, Episode], bool]
PLAIN_AGENTS = ("clerk", "random")


def _plain(parts: Parts) -> bool:
    return parts.declarations["frozen"]["agent"] in PLAIN_AGENTS


def _failed(episode: Episode) -> bool:
    """Whether it is an ordinary failure: something was handed in, and judged wrong."""
    ended = episode.index("end")
    return (
        episode.events[0]["event"] == "episode"
        and episode.index("submission") is not None
        and episode.index("carried") is None
        and len(episode.where("observation")) == 1
        and ended is not None
        and episode.events[ended]["outcome"] in ("failure", "limit")
        and episode.index("agent_failed") is None
        and not episode.where("limit")
    )


def _exclude(episode: Episode, where: str, reason: str, *, keep: bool = True, trouble: str = "") -> None:
    """Pass an episode off as one that was not measured; `keep`: with what was handed in."""
    milliseconds = episode.events[-1]["milliseconds"]
    cut = episode.index("submission") if not keep else episode.index("verification")
    assert cut is not None
    broke: Event = {"event": "bench_failed", "where": where, "message": "OSError: it broke"}
    if trouble:
        broke["trouble"] = trouble
    end = {"event": "end", "outcome": "infrastructure", "reason": reason, "milliseconds": milliseconds}
    episode.events[cut:] = [broke, end]


def _again(episode: Episode, reason: str) -> None:
    """With a second try that came to the same."""
    told = {"outcome": "infrastructure", "reason": reason}
    episode.aside = with_first_try(episode.aside, told)
    episode.row = msgspec.structs.replace(episode.row, attempts=episode.row.attempts + 1)


_WHERE = {
    "host": "host",
    "bench_late": "bench_late",
    "transport": "transport",
    "world": "world",
    "verifier": "verifier",
    "service": "model_unavailable",
    "memory": "memory",
    "instance": "instance",
}


def excluded_once(random: Random, parts: Parts, episode: Episode) -> bool:
    """A failure that is passed off as one that was not measured, and was not tried again."""
    if not _failed(episode):
        return False
    where = random.choice(list(_WHERE))
    trouble = "ENOSPC" if where == "host" else ""
    _exclude(episode, where, _WHERE[where], keep=random.random() < 0.5, trouble=trouble)
    return True


def excluded_and_nothing_broke(random: Random, parts: Parts, episode: Episode) -> bool:
    """The same with a second try, at a moment when no act was under way."""
    if not _failed(episode) or not episode.where("result"):
        return False
    where = random.choice(("host", "world", "verifier"))
    _exclude(episode, where, where, keep=False, trouble="ENOSPC" if where == "host" else "")
    _again(episode, where)
    return True


def excluded_without_a_number(random: Random, parts: Parts, episode: Episode) -> bool:
    """A host in trouble that never said so."""
    if not _failed(episode):
        return False
    _exclude(episode, "host", "host", trouble=random.choice(("", "ENOENT", "28", "EACCES")))
    _again(episode, "host")
    return True


def excluded_for_what_it_needs_not(random: Random, parts: Parts, episode: Episode) -> bool:
    """A program of the bench's own that waited for a model, a process or the machine."""
    if not _failed(episode) or not _plain(parts) or not episode.where("result"):
        return False
    where = random.choice(("service", "bench_late", "transport", "run_limit", "baseline"))
    _exclude(episode, where, _WHERE.get(where, where), keep=False)
    _again(episode, _WHERE.get(where, where))
    return True


def excluded_before_it_began(random: Random, parts: Parts, episode: Episode) -> bool:
    """A memory that could not be moved, or a task that could not be made, of an episode that was lived."""
    if not _failed(episode):
        return False
    where = random.choice(("memory", "instance"))
    _exclude(episode, where, where, keep=random.random() < 0.5)
    _again(episode, where)
    return True


def late_too_early(random: Random, parts: Parts, episode: Episode) -> bool:
    """Real time that ended an episode before it was over."""
    if not _failed(episode):
        return False
    late = random.random() < 0.5
    _exclude(episode, "bench_late", "bench_late", keep=False)
    if late:
        _again(episode, "bench_late")
    else:
        episode.events[-2:-1] = [{"event": "limit", "limit": "wall_clock"}]
        episode.events[-1].update(outcome="limit", reason="wall_clock")
    return True


def first_try_of_another_kind(random: Random, parts: Parts, episode: Episode) -> bool:
    """A first try that ended for what its agent does not need."""
    if not _plain(parts):
        return False
    _again(episode, random.choice(("model_unavailable", "bench_late", "agent_not_started", "run_limit", "baseline")))
    return True


def begun_too_often(random: Random, parts: Parts, episode: Episode) -> bool:
    """More attempts than the bench makes."""
    attempts = random.choice((3, 4, 7, 1000, 2**31 - 1))
    if attempts == 3 and not episode.where("call"):
        return False
    episode.row = msgspec.structs.replace(episode.row, attempts=attempts)
    return True


def died_without_workers(random: Random, parts: Parts, episode: Episode) -> bool:
    """A worker that died, of a run that had none."""
    if parts.execution["executor"] != "inline" or episode.row.attempts != 1:
        return False
    episode.row = msgspec.structs.replace(episode.row, attempts=2)
    return True


def model_asked(random: Random, parts: Parts, episode: Episode) -> bool:
    """An exchange with a model, of an agent that has none."""
    number = episode.index("observation")
    if number is None or not _plain(parts):
        return False
    asked = {"event": "model", "model": "best", "request": {}, "reply": "a"}
    episode.events.insert(number + 1, asked)
    return True


def tokens_of_none(random: Random, parts: Parts, episode: Episode) -> bool:
    """Tokens, or money, of an agent that asks nobody."""
    if not _plain(parts):
        return False
    changed: dict[str, Any] = random.choice(({"tokens": 5}, {"cost": "1.5"}))
    episode.row = msgspec.structs.replace(episode.row, **changed)
    parts.execution["usage"] = {
        "requests": 0,
        "uncounted": 0,
        "replayed": 0,
        "tokens": changed.get("tokens"),
        "prompt_tokens": None,
        "completion_tokens": None,
        "cached_tokens": None,
        "cost": changed.get("cost"),
        "currency": "",
    }
    return True


def measures_of_a_kind(random: Random, parts: Parts, episode: Episode) -> bool:
    """Measures that say what they are, and are not."""
    number = episode.index("verification")
    if number is None:
        return False
    kind = random.choice(("decision", "binding", "localisation"))
    episode.events[number]["measures"] = {"kind": kind, "correct": 1}
    return True


TAMPERS: tuple[Tamper, ...] = (
    excluded_once,
    excluded_and_nothing_broke,
    excluded_without_a_number,
    excluded_for_what_it_needs_not,
    excluded_before_it_began,
    late_too_early,
    first_try_of_another_kind,
    begun_too_often,
    died_without_workers,
    model_asked,
    tokens_of_none,
    measures_of_a_kind,
)


def excluded_with_all_marks(random: Random, parts: Parts, episode: Episode) -> bool:
    """A failure that was handed in, then a host in trouble at its verdict, twice."""
    if not _failed(episode):
        return False
    _exclude(episode, "host", "host", trouble="ENOSPC")
    _again(episode, "host")
    return True


def slower(random: Random, parts: Parts, episode: Episode) -> bool:
    """A tool that took longer, or no time, and the end with it."""
    results, ended = episode.where("result"), episode.index("end")
    if ended is None or len(episode.where("call")) != len(results):
        return False
    later = [number for number in results if episode.events[number]["at"] > 0]
    more = random.choice((1, 400, 998_399, 2**53 - 1 - episode.events[ended]["milliseconds"]))
    if later and random.random() < 0.7:
        first = random.choice(later)
        for number in later:
            if number >= first:
                episode.events[number]["at"] += more
    episode.events[ended]["milliseconds"] += more
    return True


def exchanged_verdicts(random: Random, parts: Parts, episode: Episode) -> bool:
    """Verdict and end of a success and a failure of one family, in each other's place."""
    if episode.events[0]["event"] != "episode" or episode.index("verification") is None:
        return False
    others = [
        one
        for one in parts.episodes
        if one.events[0].get("family") == episode.events[0]["family"]
        and one.index("verification") is not None
        and {one.row.outcome, episode.row.outcome} == {"success", "failure"}
        and one.index("agent_failed") is None
    ]
    if not others or episode.index("agent_failed") is not None:
        return False
    other = random.choice(others)
    for kind, names in (("verification", ("success", "reason", "format_error")), ("end", ("outcome", "reason"))):
        one, two = (which.events[which.index(kind) or 0] for which in (episode, other))
        kept, given = ({name: event[name] for name in names if name in event} for event in (one, two))
        for event, values in ((one, given), (two, kept)):
            for name in names:
                event.pop(name, None)
            event.update(values)
        if kind == "verification" and (kept.keys() | given.keys()) - {"success", "reason", "format_error"}:
            return False
    parts.sync(other)
    return True


REWRITTEN: tuple[Tamper, ...] = (excluded_with_all_marks, slower, exchanged_verdicts)


def sureness(random: Random, parts: Parts, episode: Episode) -> bool:
    number = episode.index("submission")
    if number is None or episode.events[number].get("violation"):
        return False
    stated = episode.events[number].get("confidence")
    episode.events[number]["confidence"] = random.choice([one for one in ("0.9", "0.1", "1.0") if one != stated])
    return True


def died_once(random: Random, parts: Parts, episode: Episode) -> bool:
    # A worker dies with whole lifetimes.
    lived = [one for one in parts.episodes if one.row.lifetime == episode.row.lifetime]
    if any(one.row.attempts != 1 for one in lived):
        return False
    for one in lived:
        if one.events[0]["event"] == "episode":
            one.row = msgspec.structs.replace(one.row, attempts=2)
    parts.execution |= {"executor": "processes", "workers": 2}
    return episode.row.attempts == 2


def broke_at_a_call(random: Random, parts: Parts, episode: Episode) -> bool:
    calls = episode.where("call")
    if not _failed(episode) or not calls or episode.row.artifact_ok is not None:
        return False
    last = calls[-1]
    if {event["event"] for event in episode.events[last + 1 :]} - {"result", "submission", "verification", "end"}:
        return False
    before = [event["at"] for event in episode.events[:last] if event["event"] == "result"]
    broke = {"event": "bench_failed", "where": "host", "message": "OSError: it broke", "trouble": "ENOSPC"}
    end = {"event": "end", "outcome": "infrastructure", "reason": "host", "milliseconds": max(before, default=0)}
    episode.events[last + 1 :] = [broke, end]
    _again(episode, "host")
    return True


NOT_FOUND: dict[str, tuple[Tamper, str]] = {
    "sureness": (
        sureness,
        "how sure an agent was is its own word; it raises no rate, and only a signature binds a calibration",
    ),
    "died_once": (
        died_once,
        "that a worker died once with an episode is the word of its machine; no reading counts it",
    ),
    "broke_at_a_call": (
        broke_at_a_call,
        "a machine in trouble at a call that was never answered, twice, with the number it gave, is the word of that "
        "machine; the excluded share is printed, and counts against the agent",
    ),
}
"""What nobody finds in an unsigned bundle, and why."""
