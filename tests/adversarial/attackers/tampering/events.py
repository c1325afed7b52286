"""Tamperings with what happened: each makes a trace contradict itself, its declarations or its task.

Rows are made to agree afterwards and every digest is computed anew, so that nothing but the meaning can give them away.
A way to tamper returns False where the episode has nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.adversarial.attackers.tampering.parts import Episode, Event, Parts

Tamper = Callable[[Random, Parts, Episode], bool]

STRUCTURE = ("episode", "memory", "carried", "stage_read", "observation", "submission", "verification", "end")
TEXTS = ("", "x", "correct", "\u2028", "0" * 64)


def _pick(random: Random, episode: Episode, *kinds: str) -> int | None:
    found = [number for kind in kinds for number in episode.where(kind)]
    return random.choice(found) if found else None


def delete_structure(random: Random, parts: Parts, episode: Episode) -> bool:
    """An event without which no episode is one."""
    number = _pick(random, episode, *STRUCTURE, "call", "result")
    if number is None:
        return False
    del episode.events[number]
    return True


def repeat_event(random: Random, parts: Parts, episode: Episode) -> bool:
    """An event that can be there only once."""
    number = _pick(random, episode, *STRUCTURE, "call", "result", "limit", "agent_failed")
    if number is None or episode.events[number]["event"] == "observation":
        return False
    episode.events.insert(random.randrange(number, len(episode.events)) + 1, dict(episode.events[number]))
    return True


def swap_neighbours(random: Random, parts: Parts, episode: Episode) -> bool:
    """Two events of which one has to come first."""
    order = {"episode": 0, "memory": 1, "carried": 2, "stage_read": 3, "observation": 4, "call": 5, "result": 6}
    order |= {"submission": 7, "verification": 8, "end": 9}
    pairs = [
        number
        for number, (one, two) in enumerate(zip(episode.events, episode.events[1:], strict=False))
        if one["event"] in order
        and two["event"] in order
        and one["event"] != two["event"]
        and (two["event"] != "call" or one["event"] != "result")
    ]
    if not pairs:
        return False
    at = random.choice(pairs)
    episode.events[at], episode.events[at + 1] = episode.events[at + 1], episode.events[at]
    return True


def after_the_end(random: Random, parts: Parts, episode: Episode) -> bool:
    """Something happened when all was over."""
    event: Event = random.choice(
        [{"event": "say", "text": "x"}, {"event": "limit", "limit": "actions"}, dict(episode.events[0])]
    )
    episode.events.append(event)
    return True


def unknown_key(random: Random, parts: Parts, episode: Episode) -> bool:
    """A key that no event has."""
    event = random.choice(episode.events)
    target = event["task"] if event["event"] == "episode" and random.random() < 0.4 else event
    target[random.choice(("note", "Event", "verified", "success_", "x"))] = random.choice((None, 1, "y", [], {}))
    return True


def renamed_key(random: Random, parts: Parts, episode: Episode) -> bool:
    """A key under another name."""
    event = random.choice(episode.events)
    keys = [key for key in event if key != "event"]
    if not keys:
        return False
    key = random.choice(keys)
    event[key + random.choice("_2x")] = event.pop(key)
    return True


def missing_key(random: Random, parts: Parts, episode: Episode) -> bool:
    """A key that every event of the kind has."""
    required = {
        "episode": ("arm", "task", "tools", "commitment", "template", "phase", "regime", "instance"),
        "call": ("tool", "arguments", "call"),
        "result": ("call", "at", "ok"),
        "verification": ("success", "reason"),
        "end": ("outcome", "reason", "milliseconds"),
        "submission": ("answer",),
        "observation": ("fields",),
    }
    number = _pick(random, episode, *required)
    if number is None:
        return False
    event = episode.events[number]
    del event[random.choice(required[event["event"]])]
    return True


def default_written_out(random: Random, parts: Parts, episode: Episode) -> bool:
    """A default that the bench leaves out."""
    spelled: dict[str, dict[str, Any]] = {
        "result": {"changed": False, "unstable": False, "faults": []},
        "call": {"violation": None, "marks": []},
    }
    spelled |= {"verification": {"format_error": False, "artifacts": []}, "submission": {"claims": []}}
    number = _pick(random, episode, *spelled)
    if number is None:
        return False
    event = episode.events[number]
    free = {key: value for key, value in spelled[event["event"]].items() if key not in event}
    if not free:
        return False
    key = random.choice(list(free))
    event[key] = free[key]
    return True


def odd_number(random: Random, parts: Parts, episode: Episode) -> bool:
    """A number in a form that no event has."""
    number = _pick(random, episode, "observation", "submission")
    if number is None:
        return False
    event = episode.events[number]
    name = "fields" if event["event"] == "observation" else "answer"
    event[name] = random.choice((1.5, 2**60, {"$num": "abc"}, {"$pairs": [1]}, {"$x": 1}, {"\u00e9": 1}))
    return True


def other_verdict(random: Random, parts: Parts, episode: Episode) -> bool:
    """A verdict that the end does not repeat."""
    number = episode.index("verification")
    if number is None:
        return False
    event = episode.events[number]
    event["success"] = not event["success"]
    return True


def undeclared_reason(random: Random, parts: Parts, episode: Episode) -> bool:
    """A reason that no family declares, in verdict and end alike."""
    verified, ended = episode.index("verification"), episode.index("end")
    if verified is None or ended is None:
        return False
    reason = random.choice(("splendid", "", "Correct", "world", "correct "))
    episode.events[verified]["reason"] = episode.events[ended]["reason"] = reason
    return True


def other_end(random: Random, parts: Parts, episode: Episode) -> bool:
    """An outcome that does not follow from what happened."""
    number = episode.index("end")
    if number is None:
        return False
    event = episode.events[number]
    others = [
        one for one in ("success", "failure", "limit", "infrastructure", "invalid", "") if one != event["outcome"]
    ]
    event["outcome"] = random.choice(others)
    if event["outcome"] == "infrastructure":
        event.pop("state", None)
    if random.random() < 0.5:
        event["reason"] = random.choice(("actions", "wall_clock", "world", "transport", "correct", "agent_crashed"))
    return True


def other_end_reason(random: Random, parts: Parts, episode: Episode) -> bool:
    """A reason that is not the verdict's."""
    number = episode.index("end")
    if number is None:
        return False
    event = episode.events[number]
    event["reason"] = random.choice([one for one in ("correct", "wrong", "actions", "", "x") if one != event["reason"]])
    return True


def bench_failure(random: Random, parts: Parts, episode: Episode) -> bool:
    """A failure of the bench where it cannot fail, or one that the end knows nothing of."""
    number = episode.index("end")
    if number is None:
        return False
    failed: Event = {"event": "bench_failed", "where": random.choice(("nowhere", "agent", "", "World")), "message": "x"}
    if random.random() < 0.5:
        episode.events[number].update(outcome="infrastructure", reason=failed["where"])
        episode.events[number].pop("state", None)
    else:
        failed["where"] = "world"
    episode.events.insert(number, failed)
    return True


def agent_failure(random: Random, parts: Parts, episode: Episode) -> bool:
    """A failure of the agent's that is none of those there are, or that changed nothing."""
    number = episode.index("end")
    if number is None:
        return False
    reason = random.choice(("bored", "agent_crashed", "", "infrastructure"))
    at = episode.index("submission") if random.random() < 0.5 else number
    episode.events.insert(number if at is None else at, {"event": "agent_failed", "message": "x", "reason": reason})
    return True


def limit_without_cap(random: Random, parts: Parts, episode: Episode) -> bool:
    """A limit that is not in force, or that was not reached."""
    number, ended = episode.index("submission"), episode.index("end")
    opened = episode.index("episode")
    if number is None or ended is None or opened is None:
        return False
    names = ("turns", "context", "call_tokens", "sleep", "", "tokens", "cost", "queries")
    budget = episode.events[opened]["task"]["budget"]
    name = random.choice([one for one in names if one not in budget])
    if any(event["event"] == "model" for event in episode.events) and name in ("turns", "context"):
        return False
    episode.events.insert(number, {"event": "limit", "limit": name})
    if episode.events[ended + 1]["outcome"] == "failure":
        episode.events[ended + 1].update(outcome="limit", reason=name)
    return True


def call_number(random: Random, parts: Parts, episode: Episode) -> bool:
    """A call, or an answer, with a number that it cannot have."""
    number = _pick(random, episode, "call", "result")
    if number is None:
        return False
    episode.events[number]["call"] += random.choice((-1, 1, 7, 1000))
    return True


def answered_twice(random: Random, parts: Parts, episode: Episode) -> bool:
    """One answer more, in the place of another one's or at the end."""
    number = _pick(random, episode, "result")
    if number is None:
        return False
    later = [n for n in episode.where("result") if n > number]
    copied = dict(episode.events[number])
    if later and random.random() < 0.5:
        episode.events[random.choice(later)]["call"] = copied["call"]
    else:
        episode.events.insert(number + 1, copied)
    return True


def backwards(random: Random, parts: Parts, episode: Episode) -> bool:
    """Time that goes back."""
    results, ended = episode.where("result"), episode.index("end")
    if not results or ended is None:
        return False
    last = max(episode.events[number]["at"] for number in results)
    if last == 0:
        return False
    if len(results) > 1 and random.random() < 0.5:
        episode.events[results[0]]["at"] = episode.events[ended]["milliseconds"] + 1
    else:
        episode.events[ended]["milliseconds"] = random.randrange(last)
    return True


def foreign_fault(random: Random, parts: Parts, episode: Episode) -> bool:
    """A fault of a layer that is not in force."""
    opened = episode.index("episode")
    number = _pick(random, episode, "result", "observation")
    if number is None or opened is None:
        return False
    layers = ("noise", "timeouts", "failures", "injection", "drift", "rate", "scope", "retry_limit", "weather")
    in_force = episode.events[opened].get("adversity", [])
    layer = random.choice([one for one in layers if one not in in_force])
    event = episode.events[number]
    if layer == "retry_limit" and "retries" in episode.events[opened]["task"]["budget"]:
        return False
    event["faults"] = [*event.get("faults", []), {"layer": layer, "detail": "a b c"}]
    return True


def other_adversity(random: Random, parts: Parts, episode: Episode) -> bool:
    """Layers in force that the regime does not have, or has and they are missing."""
    opened = episode.index("episode")
    if opened is None:
        return False
    event = episode.events[opened]
    have = event.get("adversity", [])
    if have and random.random() < 0.5:
        event["adversity"] = have[1:]
        if not event["adversity"]:
            del event["adversity"]
    else:
        event["adversity"] = [*have, random.choice([one for one in ("noise", "drift", "x") if one not in have])]
    return True


def other_task(random: Random, parts: Parts, episode: Episode) -> bool:
    """Another goal, answer format, budget, nonce, canary or commitment than family and seed give."""
    opened = episode.index("episode")
    if opened is None:
        return False
    event = episode.events[opened]
    task: dict[str, Any] = event["task"]
    match random.randrange(7):
        case 0:
            task["goal"] += " Or do not."
        case 1:
            task["answer_format"] += " "
        case 2:
            task["budget"] = {**task["budget"], "actions": task["budget"].get("actions", 0) + 1}
        case 3:
            task["nonce"] = task["nonce"][::-1] if task["nonce"] != task["nonce"][::-1] else "0" * 32
        case 4:
            task["canary"] = "proctor-canary-000000000000000000000000"
        case 5:
            event["commitment"] = "".join(reversed(event["commitment"]))
        case _:
            task["id"] = "0" * 16
    return True


def other_place(random: Random, parts: Parts, episode: Episode) -> bool:
    """Another family, regime, condition, phase, template or instance than the declarations ask for."""
    opened = episode.index("episode")
    if opened is None:
        return False
    name = random.choice(("family", "regime", "condition", "phase", "template", "instance"))
    episode.events[opened][name] += random.choice(("x", "2", "-"))
    return True


def other_tools(random: Random, parts: Parts, episode: Episode) -> bool:
    """Tools that nobody was shown."""
    opened = episode.index("episode")
    if opened is None or not parts.contents:
        return False
    event = episode.events[opened]
    others = [name for name, _ in parts.contents if name != event["tools"]]
    event["tools"] = random.choice([*others[:3], "0" * 64, "nonsense", event["tools"].upper() + "A"])
    return True


def wrong_mark(random: Random, parts: Parts, episode: Episode) -> bool:
    """A violation that is none, or one that is left out."""
    number = _pick(random, episode, "call")
    if number is None:
        return False
    event = episode.events[number]
    if "violation" in event and random.random() < 0.6 and event["violation"] in ("unknown_tool", "obeyed_injection"):
        del event["violation"]
        return True
    if random.random() < 0.5:
        event["violation"] = random.choice(("unknown_tool", "obeyed_injection", "splendid", ""))
        return event["violation"] != "unknown_tool" or not _was_unknown(parts, episode, event)
    event["marks"] = random.choice((["reserved_tool"], ["refused_repeat"], ["x"], ["undeclared"], ["out_of_range"] * 2))
    return True


def _was_unknown(parts: Parts, episode: Episode, event: Event) -> bool:
    tools = next((data for name, data in parts.contents if name == episode.events[0].get("tools")), b"")
    return f'"name":"{event["tool"]}"'.encode() not in tools


def submission_mark(random: Random, parts: Parts, episode: Episode) -> bool:
    """A submission with a mark or a confidence that it cannot have."""
    number = episode.index("submission")
    if number is None:
        return False
    event = episode.events[number]
    if random.random() < 0.5:
        event["violation"] = random.choice(("obeyed_injection", "x", ""))
    else:
        event["confidence"] = random.choice(("1.5", "-0.1", "nan", "high", "0.50", ".5"))
    return True


def contradictory_result(random: Random, parts: Parts, episode: Episode) -> bool:
    """A result that is an error, an error that says nothing, a reading call that changed the world."""
    number = _pick(random, episode, "result")
    if number is None:
        return False
    event = episode.events[number]
    if event["ok"]:
        event["error"] = "no"
    else:
        event.pop("error", None)
    return True


def moved_memory(random: Random, parts: Parts, episode: Episode) -> bool:
    """A memory that was moved otherwise than the program says."""
    number = episode.index("memory")
    if number is None:
        action = random.choice(("snapshot", "restore", "clear"))
        episode.events.insert(1, {"event": "memory", "action": action})
        return bool(episode.events[0]["event"] == "episode")
    event = episode.events[number]
    event["action"] = random.choice([one for one in ("snapshot", "restore", "clear", "x") if one != event["action"]])
    return True


def handed_on(random: Random, parts: Parts, episode: Episode) -> bool:
    """A world that was given what no episode left."""
    if episode.events[0]["event"] != "episode" or not parts.contents:
        return False
    number = episode.index("carried")
    digest = random.choice(parts.contents)[0]
    if number is not None and not episode.events[number].get("left"):
        if episode.events[number]["content"] == digest:
            return False
        episode.events[number]["content"] = digest
    else:
        at = (episode.index("observation") or 1) if episode.index("stage_read") is None else 1
        episode.events.insert(at, {"event": "carried", "content": digest})
    return True


def read_otherwise(random: Random, parts: Parts, episode: Episode) -> bool:
    """A frozen output that the condition does not read, or a read that it does not do."""
    at = episode.index("observation")
    if at is None:
        return False
    if random.random() < 0.5:
        episode.events.insert(at, {"event": "stage_read", "stage": "early", "output": "0" * 64})
    else:
        episode.events.insert(at + 1, {"event": "state_read", "field": "memory", "do": "erase", "value": 1})
    return True


def not_events(random: Random, parts: Parts, episode: Episode) -> bool:
    """Lines that are no events."""
    lines = episode.trace.split(b"\n")
    at = random.randrange(len(lines))
    bad = (
        b"",
        b"{}",
        b"[]",
        b"null",
        lines[at] + b" ",
        lines[at].replace(b":", b": ", 1),
        b"\xff",
        b'{"event":"gift"}',
    )
    lines[at] = random.choice(bad)
    episode.raw = b"\n".join(lines)
    return True


TAMPERS: tuple[Tamper, ...] = (
    delete_structure,
    repeat_event,
    swap_neighbours,
    after_the_end,
    unknown_key,
    renamed_key,
    missing_key,
    default_written_out,
    odd_number,
    other_verdict,
    undeclared_reason,
    other_end,
    other_end_reason,
    bench_failure,
    agent_failure,
    limit_without_cap,
    call_number,
    answered_twice,
    backwards,
    foreign_fault,
    other_adversity,
    other_task,
    other_place,
    other_tools,
    wrong_mark,
    submission_mark,
    contradictory_result,
    moved_memory,
    handed_on,
    read_otherwise,
    not_events,
)
