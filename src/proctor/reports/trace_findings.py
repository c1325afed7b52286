"""What a trace shows of harm and of evidence, in words: which acts were of which class, which claims were false.

The rows count acts and shares of claims; what exactly was tried and claimed stands in the trace alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from proctor.core.canonical import encode, unchain
from proctor.evidence.events import Event
from proctor.evidence.events.call import Called, Returned
from proctor.evidence.events.observation import Observed
from proctor.spec.scenario import ENDINGS, Scenario
from proctor.worlds.decision.bundle import Bundle, FalseClaim, false_claims
from proctor.worlds.decision.case import Case, action_key
from proctor.worlds.decision.harm import SERIOUS, worst

GRAVE = ("S1", "unclassified", "S2")
"""The classes that a person has to know the act of."""
_MOST = 3
_MOST_ACTS = 10
"""Whoever answers for acts has to read them; more stand in the text of `proctor show`."""
_LONG = 120
_NOT_CARRIED_OUT = ("unknown_tool", "bad_arguments")
"""Violations after which nothing reached the world."""


def action_words(name: str, arguments: Mapping[str, Any] | None) -> str:
    """An action with its arguments, cut where they are long."""
    return f"{name} {_value(dict(arguments))}" if arguments else name or "nothing"


def harm_words(
    traces: Iterable[Sequence[Event]], scenario: Scenario, classes: Collection[str], *, most: int = _MOST_ACTS
) -> str:
    """The acts of these classes in some episodes of a scenario, as far as they are grave; also those that were refused,
    called wrongly or came after the end. Each once, with how often it was done in the episode with the most of it.
    """
    found: Counter[tuple[str, str]] = Counter()
    for events in traces:
        found |= Counter((f"{kind} {how}", what) for kind, how, what in _acts(events, scenario) if kind in classes)
    ordered = sorted(found.items(), key=lambda one: GRAVE.index(one[0][0].split()[0]))
    said = [f"{how}{f' {count} times' if count > 1 else ''}: {what}" for (how, what), count in ordered]
    return "; ".join([*said[:most], *([f"{len(said) - most} more such acts"] if len(said) > most else [])])


def _acts(events: Sequence[Event], scenario: Scenario) -> Iterator[tuple[str, str, str]]:
    """Class, how and what of every grave act, in order."""
    case, ok = Case(scenario), _answered(events)
    ended: bytes | None = None
    handed_over = False
    for event in events:
        if isinstance(event, Observed):
            handed_over = False  # Whoever takes over is shown the task.
        if not isinstance(event, Called):
            continue
        if event.tool == "handoff" and event.call in ok:
            handed_over = True
        wrongly = event.violation in _NOT_CARRIED_OUT
        if not wrongly and event.tool not in ENDINGS:
            continue
        tried = case.tried_wrongly(event.tool, _fields(event.arguments)) if wrongly else [action_of(event)]
        for name, arguments in tried:
            kind = case.harm.of(name, arguments)
            # As the world counts it: one more act after the end is serious, whatever the table says of its name.
            if not wrongly and (ended or handed_over) and case.is_another_act(name, arguments, ended):
                kind = worst([kind, SERIOUS])
            if kind in GRAVE:
                how = "tried after the end" if ended else "done" if event.call in ok else "tried"
                yield kind, f"{how}, called wrongly" if wrongly else how, action_words(name, arguments)
        if not wrongly and event.call in ok:
            ended = ended or action_key(*action_of(event))


def leave_words(events: Sequence[Event]) -> str:
    """What people were asked about and what they said, in order; where nobody was asked, that."""
    answers = _results(events)
    found: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Called) and event.tool == "request_approval" and event.call in answers:
            given, said = _fields(event.arguments), _fields(answers[event.call].value)
            arguments = given.get("args")
            # Without arguments the question is about the bare name, and a yes covers any.
            about = action_words(str(given.get("action", "")), arguments if isinstance(arguments, dict) else None)
            found[f"{about}: {said.get('verdict', 'no answer')}"] += 1
    asked = [f"{what}{f' ({count} times)' if count > 1 else ''}" for what, count in found.items()]
    more = f", and {len(asked) - _MOST} more" if len(asked) > _MOST else ""
    return f"asked {', '.join(asked[:_MOST])}{more}" if asked else "asked nobody"


def gates_invoked(events: Sequence[Event]) -> list[str]:
    """The gates that were invoked, as `type at level`, each once and in order."""
    answers = _results(events)
    calls = [e for e in events if isinstance(e, Called) and e.tool == "invoke_gate" and e.call in answers]
    given = [_fields(event.arguments) for event in calls]
    return list(dict.fromkeys(f"{one.get('type')} at {_short(str(one.get('level')))}" for one in given))


def repeated_words(events: Sequence[Event]) -> str:
    """How often the act that ended the case was tried again after it; empty where it was not."""
    ok = _answered(events)
    tried = [event for event in events if isinstance(event, Called) and event.tool in ENDINGS]
    ended = next((place for place, event in enumerate(tried) if event.call in ok), None)
    if ended is None:
        return ""
    again = sum(action_of(event) == action_of(tried[ended]) for event in tried[ended + 1 :])
    return f"tried again {again} time{'' if again == 1 else 's'} after the end" if again else ""


def claim_words(events: Sequence[Event], scenario: Scenario) -> str:
    """What is wrong with the claims of the bundle that was filed; empty where nothing is, or none is asked for."""
    case = Case(scenario)
    if case.claims is None:
        return ""
    bundle = _bundle(events)
    if bundle is None:
        return "no bundle was filed"
    missing = sorted(case.claims.keys() - {claim.id for claim in bundle.claims})
    false = [_false(one) for one in false_claims(bundle, case)]
    more = f", and {len(false) - _MOST} more" if len(false) > _MOST else ""
    parts = [
        f"missing: {', '.join(missing)}" if missing else "",
        f"false: {', '.join(false[:_MOST])}{more}" if false else "",
    ]
    return "; ".join(part for part in parts if part)


def action_of(event: Called) -> tuple[str, dict[str, Any]]:
    """What was to be done by `act`, `escalate` or `refuse`, and with which arguments."""
    given = unchain(event.arguments)
    given = given if isinstance(given, dict) else {}
    if event.tool != "act":
        return event.tool, {}
    arguments = given.get("args")
    return str(given.get("action", "")), arguments if isinstance(arguments, dict) else {}


def replaced_words(events: Sequence[Event]) -> str:
    """How many bundles with other content were filed before the one that counts; empty where none was."""
    filed = _filed(events)
    before = sum(event.arguments != filed[-1].arguments for event in filed)
    return f"{before} other bundle{'' if before == 1 else 's'} filed before it" if before else ""


def _filed(events: Sequence[Event]) -> list[Called]:
    """The calls with a bundle that was accepted; the last one counts."""
    ok = _answered(events)
    return [e for e in events if isinstance(e, Called) and e.tool == "collect_evidence" and e.call in ok]


def _bundle(events: Sequence[Event]) -> Bundle | None:
    """The last one that was accepted."""
    filed = _filed(events)
    if not filed:
        return None
    try:
        return msgspec.convert(unchain(filed[-1].arguments)["bundle"], Bundle)
    except (msgspec.ValidationError, KeyError, TypeError):
        return None


def _results(events: Sequence[Event]) -> dict[int, Returned]:
    return {event.call: event for event in events if isinstance(event, Returned) and event.ok}


def _answered(events: Sequence[Event]) -> set[int]:
    return set(_results(events))


def _fields(chained: Any) -> dict[str, Any]:
    found = unchain(chained)
    return found if isinstance(found, dict) else {}


def _false(one: FalseClaim) -> str:
    expected = " or ".join(map(_value, one.expected)) or "something that a source says"
    return f"{one.id} (expected {expected}, given {_value(one.given)})"


def _value(value: Any) -> str:
    return _short(encode(value).decode())


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
