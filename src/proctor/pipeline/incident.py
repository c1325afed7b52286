"""Incidents: what went wrong in production, or in a recorded episode, becomes a candidate scenario.

A candidate is a scenario file with provenance `incident`. It judges nobody until it is added to a suite, which is a
change of the oracle and needs approval like any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import yaml

from proctor.core.atomic_write import atomic_write
from proctor.core.canonical import jsonable, unchain
from proctor.core.clock import format_timestamp, parse_timestamp
from proctor.core.errors import InputError
from proctor.core.folders import make_folder
from proctor.evidence.events import Called, EpisodeOpened, Event, Returned
from proctor.evidence.evidence import evidence_of
from proctor.evidence.measures import DecisionMeasures, measures_of
from proctor.evidence.store.contract import EvidenceStore
from proctor.pipeline.scenarios import oracle_of_frozen
from proctor.spec.documents import read_document
from proctor.spec.scenario import ENDINGS, Action, Scenario, ScenarioSet

CANDIDATES = "candidates"
HOLDS_FOR = timedelta(days=365)
"""How long a candidate holds unless it says otherwise."""
_OWN = ("incident", "at", "happened", "harm")
_TITLES = ("id", "title", "template", "category")
"""Fields of a scenario that lists show in one line; `context` may have several."""
_ACTION = re.compile(r"[A-Za-z_][\w.-]*")


class Candidate(msgspec.Struct, frozen=True):
    """What an incident became."""

    incident: str
    scenario: str
    hash: str
    file: str


class RecordedEpisode(msgspec.Struct, frozen=True):
    """An episode from which an incident is made."""

    run: str
    position: int
    timestamp: str
    events: Sequence[Event]
    scenario: Scenario | None = None
    """The scenario it was an episode of; None for a task of another kind."""


def scenario_from_file(path: Path, clocks: Sequence[str] = ()) -> Scenario:
    """The candidate described in an incident's file: fields of a scenario, and `incident`, `at`, `happened`, `harm`.

    Its number and names are shown in one line each, so they hold no control characters.
    `clocks` are the fixed dates that suites of the project are run at: it holds there as well.
    """
    data = read_document(path)
    if not isinstance(data, dict) or not str(data.get("incident") or "").strip():
        message = f"{path}: an incident needs its number under 'incident', e.g. `incident: INC-2041`"
        raise InputError(message)
    if "at" not in data:
        message = f"{path}: an incident needs the time it happened under 'at', in quotes"
        raise InputError(message)
    number = str(data["incident"]).strip()
    fields = {name: value for name, value in data.items() if name not in _OWN}
    happened, harm = data.get("happened"), data.get("harm")
    if happened is not None or harm is not None:
        _require_action(path, happened, fields.get("expected"))
    return _scenario(number, str(data["at"]), fields, happened, harm, source=str(path), clocks=clocks)


def _require_action(path: Path, happened: Any, expected: Any) -> None:
    """Refuse a story where an action is asked for: what happened has to be told apart from what should have."""
    name = happened.get("name") if isinstance(happened, dict) else None
    if not isinstance(name, str) or not _ACTION.fullmatch(name):
        message = (
            f"{path}: name that action under 'happened' with its arguments, as the agent calls it, e.g. "
            "`happened: {name: pay, args: {amount: 200}}`; the story belongs under 'context'"
        )
        raise InputError(message)
    args = happened.get("args")
    right = expected.get("name") if isinstance(expected, dict) else None
    if not isinstance(args, dict | None) or (args is None and right == name and name not in ENDINGS):
        message = f"{path}: '{name}' is also what should have been done; give its arguments under 'happened.args'"
        raise InputError(message)


def recorded_episode(store: EvidenceStore, run: str, position: int, folder: Path) -> RecordedEpisode:
    """An episode of a run in the store, with the scenario it was of where the run's families are here."""
    record = store.run(run)
    evidence = evidence_of(store, record.name)
    row = next((row for row in evidence.rows if row.position == position), None)
    if row is None:
        message = f"run {record.name} has no episode {position} that counts"
        raise InputError(message)
    scenario = None
    measures = measures_of(DecisionMeasures, row)
    if measures is not None:
        oracle = oracle_of_frozen(evidence.frozen, folder)
        scenario = None if oracle is None else oracle.scenarios.get(measures.scenario)
    return RecordedEpisode(
        record.name, position, evidence.frozen.timestamp, store.events(record.number, position), scenario
    )


def scenario_from_episode(episode: RecordedEpisode, given: Mapping[str, Any]) -> Scenario:
    """The candidate of a recorded episode; `given` (expected, coordinate, harm) goes before what was recorded."""
    number = f"{episode.run}/{episode.position}"
    stated = {name: value for name, value in given.items() if value is not None and name != "harm"}
    if episode.scenario is not None:
        kept = {"id", "provenance", "valid"}
        fields = {name: v for name, v in jsonable(episode.scenario).items() if name not in kept} | stated
    else:
        fields = _from_trace(episode.events) | stated
        for name in ("coordinate", "expected"):
            if name not in fields:
                message = (
                    f"{number} is not an episode of a scenario, so state what should have happened: --{name} is missing"
                )
                raise InputError(message)
    happened = _last_act(episode.events)
    return _scenario(number, episode.timestamp, fields, happened, given.get("harm"), source=f"episode {number}")


def write_candidate(scenario: Scenario, folder: Path) -> Candidate:
    """Write a candidate as a scenario file of its own.

    The same one again is the same candidate: whoever was killed before it was in the ledger gives the command again.
    One that somebody has edited is left as it is.
    """
    name = re.sub(r"[^a-z0-9]+", "-", scenario.id.lower()).strip("-")
    candidates = ScenarioSet(name=name, title=f"From incident {scenario.provenance.source}", scenarios=(scenario,))
    path = folder / CANDIDATES / f"{name}.yaml"
    text = yaml.safe_dump(jsonable(candidates), sort_keys=False, allow_unicode=True, width=120).encode()
    if path.exists() and path.read_bytes() != text:
        message = f"{path} already exists; edit it, or remove it first"
        raise InputError(message)
    make_folder(path.parent)
    with atomic_write(path) as file:
        file.write(text)
    return Candidate(scenario.provenance.source, scenario.id, scenario.content_hash, str(path.relative_to(folder)))


def _scenario(
    incident: str,
    at: str,
    fields: Mapping[str, Any],
    happened: Any,
    harm: Any,
    *,
    source: str,
    clocks: Sequence[str] = (),
) -> Scenario:
    moment = parse_timestamp(at)
    held = [moment, *map(parse_timestamp, clocks)]
    slug = re.sub(r"[^a-z0-9]+", "-", incident.lower()).strip("-")
    data = {
        "id": f"incident-{slug}",
        "category": "correctness" if harm is None else "safety",
        "template": "incident",
        "valid": {"from": format_timestamp(min(held)), "to": format_timestamp(max(held) + HOLDS_FOR)},
        **fields,
        "provenance": {"kind": "incident", "source": incident},
    }
    _require_printable(source, incident, data, happened)
    expected = data.get("expected")
    named = [
        one["name"] for one in (expected, happened) if isinstance(one, Mapping) and isinstance(one.get("name"), str)
    ]
    own = [name for name in named if name not in ENDINGS]
    # What was done and what should have been done are actions of the domain, whatever else the writer lists.
    data["actions"] = {**{name: {} for name in own}, **(data.get("actions") or {})} or {"act": {}}
    if isinstance(happened, Mapping) and harm is not None:
        if named.count(happened["name"]) > 1 and happened["name"] in own:
            # The right thing done wrongly: the arguments did the harm, not the action.
            misuse = {"action": happened["name"], "safety": harm, "equal": happened.get("args") or {}}
            data["misuse"] = [*(data.get("misuse") or ()), misuse]
        else:
            data["safety"] = {**(data.get("safety") or {}), happened["name"]: harm}
    if isinstance(expected, Mapping):
        data["safety"] = {expected.get("name"): "ok", **(data.get("safety") or {})}
    scenario = Scenario.parse(data, source=source)
    if isinstance(happened, Mapping) and harm is not None:
        done = Action(name=happened["name"], args=happened.get("args") or {})
        if done.key in {accepted.key for accepted in (scenario.expected, *scenario.acceptable)}:
            message = (
                f"{source}: what was done is what the oracle accepts; say in `expected` what should have been done"
            )
            raise InputError(message)
    return scenario


def _require_printable(source: str, incident: str, data: Mapping[str, Any], happened: Any) -> None:
    """Refuse a number, title or name that would split its line or say something to a terminal."""
    shown: list[tuple[str, Any]] = [("incident", incident), *((name, data.get(name)) for name in _TITLES)]
    actions = (data.get("expected"), happened)
    shown += [("action", one.get("name")) for one in actions if isinstance(one, Mapping)]
    bad = [what for what, value in shown if isinstance(value, str) and not value.isprintable()]
    if bad:
        message = f"{source}: '{bad[0]}' is shown in one line and holds a line break or another control character"
        raise InputError(message)


def _from_trace(events: Sequence[Event]) -> dict[str, Any]:
    """What the agent read and what it looked up."""
    opened = next((event for event in events if isinstance(event, EpisodeOpened)), None)
    if opened is None:
        message = "the trace of this episode lacks its first event, so it cannot become a scenario"
        raise InputError(message)
    asked = {event.call: event for event in events if isinstance(event, Called)}
    sources: dict[str, Any] = {}
    for event in events:
        if isinstance(event, Returned) and event.ok and event.content is None and event.call in asked:
            call = asked[event.call]
            name = call.arguments.get("source_id", call.tool) if isinstance(call.arguments, dict) else call.tool
            value = unchain(event.value)
            if isinstance(value, dict) and "source_id" in value and "value" in value:
                value = value["value"]
            sources[str(name) if name not in sources else f"{name}-{event.call}"] = value
    return {"context": opened.task.goal, "sources": sources}


def _last_act(events: Sequence[Event]) -> dict[str, Any] | None:
    """How the agent ended it: the action of its last `act`, or the ending itself."""
    for event in reversed(events):
        if isinstance(event, Called) and event.tool in ENDINGS:
            arguments = unchain(event.arguments) if isinstance(event.arguments, dict) else {}
            if event.tool == "act":
                return {"name": str(arguments.get("action", "act")), "args": arguments.get("args") or {}}
            return {"name": event.tool, "args": {}}
    return None
