"""What raters of goals are shown: each lifetime as brief and trace, blinded, among the control items (§4.2, §10.3.4).

An item has what the agent was told and what it did, and nothing that says whose it is, under which conditions it ran or
what the verifier found. Control items have the same form. Which item is which stands in the key, kept by the examiner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from proctor.core.canonical import unchain
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash, sha256_hex
from proctor.core.seeds import Stream
from proctor.evidence.events import Called, EpisodeOpened, Event, ModelAsked
from proctor.evidence.evidence import Evidence
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.agency.control_items import Control, goal_controls
from proctor.instruments.agency.sample import control_templates, sampled
from proctor.instruments.agency.units import Unit, units_of
from proctor.reports.trace import Content, as_lines, shorten, steps_of

MAX_STEP = 1_200
MAX_BRIEF = 6_000
_WHO = {"observe": "sees", "act": "does", "say": "says", "reply": "says", "decide": "hands in", "fault": "trouble"}
"""Steps that are shown, and how. What the bench or the verifier says of the episode is not, nor what names a model."""
_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
_CODE = 3
_SHORTEST_NAME = 3
_LONG = 80
SAME = "[a text that it was given before, word for word]"


class Part(msgspec.Struct, frozen=True):
    """One episode of a lifetime: what was told, then what happened."""

    told: str
    steps: tuple[tuple[str, str], ...]


class GoalItem(msgspec.Struct, frozen=True):
    """One lifetime to judge, or a control item; nothing tells which."""

    item: str
    declared: tuple[str, ...]
    """Goals in the agent's own words, where it stated any."""
    parts: tuple[Part, ...]


class GoalKey(msgspec.Struct, frozen=True):
    """Which item is which; raters never see it."""

    format: str
    run: str
    root: str
    config_hash: str
    digest: str
    """SHA-256 over the items as exported."""
    lifetimes: dict[str, int]
    """Item → position at which the lifetime begins."""
    controls: dict[str, str]
    """Item → name of the control item."""


FORMAT = "proctor-goal-sheet/1"


def goal_items(store: EvidenceStore, evidence: Evidence, *, seed: int = 0) -> tuple[list[GoalItem], GoalKey]:
    """The lifetimes that need a verdict and the twenty control items, mixed; and their key."""
    units = list(_to_judge(evidence))
    if not units:
        message = (
            f"{evidence.run} has no lifetime that raters have to judge: none in the cells G3-3 to G3-5 left room for a "
            "goal and succeeded"
        )
        raise InputError(message)
    record = store.run(evidence.run)
    store.require_traces(record.number, "raters have nothing to read")
    names = _names(evidence)
    subjects: list[Unit | Control] = [*units, *goal_controls()]
    stream = Stream.keyed("goal-sheet", evidence.config_hash, evidence.root or "", seed)
    stream.shuffle(subjects)
    code = _code(f"{evidence.config_hash}/{evidence.root}/{seed}")
    items: list[GoalItem] = []
    lifetimes: dict[str, int] = {}
    controls: dict[str, str] = {}
    for number, subject in enumerate(subjects, start=1):
        item = f"{code}-{number:0{len(str(len(subjects)))}d}"
        if isinstance(subject, Control):
            items.append(_control(item, subject))
            controls[item] = subject.name
        else:
            items.append(_lifetime(item, subject, store, evidence, names))
            lifetimes[item] = subject.lifetime
    digest = content_hash([msgspec.to_builtins(item) for item in items])
    key = GoalKey(FORMAT, evidence.run, evidence.root or "", evidence.config_hash, digest, lifetimes, controls)
    return items, key


def _to_judge(evidence: Evidence) -> Iterator[Unit]:
    """Lifetimes of the sample with a verdict to give, each once however many cells it counts for."""
    controls, seen = control_templates(evidence), set[int]()
    for unit in sampled(units_of(evidence), evidence):
        if unit.success and (unit.family, unit.template) not in controls and unit.lifetime not in seen:
            seen.add(unit.lifetime)
            yield unit


def _lifetime(
    item: str, unit: Unit, store: EvidenceStore, evidence: Evidence, names: re.Pattern[str] | None
) -> GoalItem:
    parts: list[Part] = []
    declared: list[str] = []
    seen: list[str] = []
    for position in unit.positions:
        run, place = evidence.locate(position)
        events = list(store.events(store.run(run).number, place))
        parts.append(_part(events, store.content, names, seen))
        declared += [_blind(text, names) for text in _declared(events)]
    return GoalItem(item, tuple(dict.fromkeys(declared)), tuple(parts))


def _part(events: list[Event], content: Content, names: re.Pattern[str] | None, seen: list[str]) -> Part:
    """`seen` is what was shown so far in this lifetime, and grows."""
    told = [event.task.goal for event in events if isinstance(event, EpisodeOpened)]
    known = _names_of_models(events)
    steps: list[tuple[str, str]] = []
    for step in steps_of(events, content, as_lines):
        if step.kind not in _WHO:
            continue
        text = _blind(_blind(step.text, names), known).removeprefix("hands in ")
        if step.kind == "observe" and not steps:
            # What is shown before the agent does anything belongs to what it was told.
            told.append(text)
        else:
            steps.append((_WHO[step.kind], shorten(_once(text, seen), MAX_STEP)))
        if step.kind == "observe":
            seen.append(text)
    return Part(shorten(_blind("\n\n".join(told), names), MAX_BRIEF), tuple(steps))


def _once(text: str, seen: list[str]) -> str:
    """The text without what stood there before: people do not compare long texts, and need not."""
    if any(len(text) >= _LONG and text in one for one in seen):
        return SAME
    for one in sorted(seen, key=len, reverse=True):
        if len(one) >= _LONG:
            text = text.replace(one, SAME)
    return text


def _control(item: str, control: Control) -> GoalItem:
    days = control.course.days
    parts = tuple(
        Part(f"Day {number} of {len(days)}. {control.brief}", steps) for number, steps in enumerate(days, start=1)
    )
    return GoalItem(item, (control.course.goal,), parts)


def _declared(events: Iterable[Event]) -> Iterator[str]:
    """Goals put on record in a call that is about goals; the world's contract says which argument is the statement."""
    for event in events:
        if isinstance(event, Called) and "goal" in event.tool:
            arguments = unchain(event.arguments)
            if isinstance(arguments, dict) and isinstance(arguments.get("statement"), str):
                yield shorten(arguments["statement"], MAX_STEP)


def _names(evidence: Evidence) -> re.Pattern[str] | None:
    """Whatever would say whose lifetime it is: system, agent and run by name."""
    frozen = evidence.frozen
    return _pattern([frozen.system.name, frozen.agent, *re.split(r"[:,/=\s]", frozen.agent), evidence.run])


def _names_of_models(events: Iterable[Event]) -> re.Pattern[str] | None:
    models = {event.model for event in events if isinstance(event, ModelAsked)}
    return _pattern([part for model in models for part in (model, *re.split(r"[:,/\s]", model))])


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    known = sorted({name for name in names if len(name) >= _SHORTEST_NAME}, key=len, reverse=True)
    if not known:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, known))})(?!\w)", re.IGNORECASE)


def _blind(text: str, names: re.Pattern[str] | None) -> str:
    return text if names is None else names.sub("[name]", text)


def _code(text: str) -> str:
    """Three letters that tell the sheets of one export from those of another; no spreadsheet reads them as a number."""
    digest = bytes.fromhex(sha256_hex(text.encode()))
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_CODE])
