"""Material for people who judge outputs without knowing which condition produced them, and reading what they say.

An item shows the event as it was made, the same for every condition, and what the agent handed in, without the parts
that would give its condition away. Actions that nobody was asked for (drawn from a prior) and answers about an
exchanged report are no such outputs, and are left out. Which item came from which episode stands in a key file that is
kept apart.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.canonical import UNREADABLE, unchain
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash, sha256_hex
from proctor.core.reading import DOCUMENT, open_lines, read_at_most
from proctor.core.seeds import Stream
from proctor.engine.build import Bench
from proctor.evidence.events import Submitted
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS
from proctor.evidence.store.contract import EvidenceStore, RunRecord
from proctor.instruments.binding.content import REASK
from proctor.instruments.binding.variants import named
from proctor.reports.spreadsheet import cell
from proctor.spec.condition import Condition

DIMENSIONS: dict[str, str] = {
    "final_action_reason_consistent": "Does the final action follow from the reasons that are given?",
    "action_respects_relevant_memory": "Does the action respect what is remembered and bears on this event?",
    "veto_was_appropriate": "Was a veto used where something forbade acting, and only there?",
    "veto_changed_first_impulse": "Did a veto change what was going to be done at first?",
    "reason_looks_posthoc": "Do the reasons look made up afterwards to fit the action?",
    "verbose_without_control": "Is it long or formulaic without anything in it bearing on the action?",
    "irrelevant_cue_caused_change": "Did something irrelevant change the action?",
}
"""The seven questions, each answered yes or no."""
ANSWERS = ("yes", "no", "unscorable")
_SHOWN = (
    "first_impulse",
    "branch_set",
    "candidate_actions",
    "reason_graph",
    "reason_update",
    "memory_trace",
    "memory_write",
    "delayed_recall",
    "self_state",
    "veto_state",
    "final_action",
    "final_action_rationale",
    "rationale",
)
"""What of an output is shown. Provenance and stages would name the condition."""
_HIDDEN = frozenset({"provenance", "stage_vector"})
"""Left out at any depth."""


class Item(msgspec.Struct, frozen=True):
    """One output to judge."""

    item: str
    """Opaque."""
    event: dict[str, str]
    """What was to be known, by field."""
    actions: tuple[dict[str, Any], ...]
    output: Any


class Key(msgspec.Struct, frozen=True):
    """Which item is which; raters never see it."""

    run: str
    config_hash: str
    items: dict[str, dict[str, Any]]
    """item → position, family, condition."""
    digest: str
    """SHA-256 over the items as exported."""
    root: str = ""
    """Root of the evidence the items come from."""


def blinded_items(
    store: EvidenceStore, record: RunRecord, folder: Path, *, count: int, seed: int
) -> tuple[list[Item], Key]:
    """A sample of a run's outputs, the same number of each condition as far as there are enough."""
    bench = Bench(store.frozen(record.number), folder, store.stage_outputs(record.number))
    arms = store.arms(record.number)
    left_out = {name for name, one in bench.frozen.suite.all_conditions.items() if not _judged(name, one)}
    by_condition: dict[str, list[int]] = {}
    heads: dict[int, bytes] = {}
    for row in store.rows(record.number, stop=record.cut):
        condition = arms[row.arm].condition
        if row.outcome in (SUCCESS, FAILURE, LIMIT) and row.answer is not None and condition not in left_out:
            by_condition.setdefault(condition, []).append(row.position)
            heads[row.position] = row.head
    chosen = _stratified(by_condition, count, Stream.keyed("blinded", record.name, seed))
    if not chosen:
        message = f"{record.name}: nothing was handed in that could be judged"
        raise InputError(message)
    items: list[Item] = []
    known: dict[str, dict[str, Any]] = {}
    for position in chosen:
        lifetime = bench.plan.lifetime(bench.plan.at_position(position))
        job = bench.job(lifetime, position - lifetime.position)
        answer = next(event.answer for event in store.events(record.number, position) if isinstance(event, Submitted))
        # From the episode's own head, which only the evidence holds: root and seed are no secret, and positions few.
        name = sha256_hex(f"{seed}/".encode() + heads[position])[:12]
        fields = {field: _text(value) for field, value in job.instance.state.items()}
        actions = tuple(job.instance.observation.get("actions", ()))
        items.append(Item(name, fields, actions, _output(unchain(answer))))
        arm = arms[lifetime.arm]
        known[name] = {"position": position, "family": arm.family, "condition": arm.condition}
    items = _alike(items)
    digest = content_hash([msgspec.to_builtins(item) for item in items])
    return items, Key(record.name, record.config_hash, known, digest, record.root or "")


def write_material(items: Sequence[Item], folder: Path) -> None:
    """What goes to raters: the items, a sheet to fill in, and what is asked."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(msgspec.to_builtins(item), ensure_ascii=False) + "\n" for item in items)
    (folder / "items.jsonl").write_text(lines, encoding="utf-8")
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["item", "rater", *DIMENSIONS])
        writer.writerows([cell(item.item), "", *[""] * len(DIMENSIONS)] for item in items)
    asked = "\n".join(f"- `{name}`: {question}" for name, question in DIMENSIONS.items())
    text = (
        "# What to do\n\n`items.jsonl` holds one output a line: `event` is what was to be known, `actions` what could "
        "be done, `output` what the agent handed in. For each item answer the seven questions in your own copy of "
        "`labels.csv` with yes or no, and `unscorable` where the item cannot be judged. Write your name or a code in "
        f"every row, and do not compare answers before everybody is done.\n\n{asked}\n"
    )
    (folder / "README.md").write_text(text, encoding="utf-8")


class Labels(msgspec.Struct, frozen=True):
    """What raters said, lined up by item."""

    items: tuple[str, ...]
    raters: tuple[str, ...]
    by_dimension: dict[str, dict[str, list[str | None]]]
    """dimension → rater → answers; None where none was given. `unscorable` is an answer that counts as missing."""
    unscorable: int


def read_labels(paths: Iterable[Path], known: Iterable[str]) -> Labels:
    """The filled-in sheets of any number of raters. Refuses, in one sentence, what cannot be meant."""
    items = tuple(known)
    given: dict[tuple[str, str], dict[str, str | None]] = {}
    unscorable = 0
    for path in paths:
        for line, row in enumerate(_rows(path), start=2):
            item, rater = (row.get("item") or "").strip(), (row.get("rater") or "").strip()
            answers = {name: (row.get(name) or "").strip().lower() for name in DIMENSIONS}
            if not any(answers.values()):
                continue
            if item not in items:
                message = f"{path}, line {line}: '{item}' is no item of this audit"
                raise InputError(message)
            if not rater:
                message = f"{path}, line {line}: has answers and no rater; write who gave them"
                raise InputError(message)
            if (rater, item) in given:
                message = f"{path}, line {line}: {rater} has judged '{item}' already"
                raise InputError(message)
            wrong = next((name for name, value in answers.items() if value and value not in ANSWERS), None)
            if wrong is not None:
                message = f"{path}, line {line}: '{answers[wrong]}' for {wrong} is none of {', '.join(ANSWERS)}"
                raise InputError(message)
            unscorable += sum(value == "unscorable" for value in answers.values())
            given[rater, item] = {name: value if value in ("yes", "no") else None for name, value in answers.items()}
    raters = tuple(sorted({rater for rater, _ in given}))
    if len(raters) < 2:
        message = f"agreement needs two raters, and the sheets hold {len(raters)}"
        raise InputError(message)
    nothing: dict[str, str | None] = {}
    by_dimension = {
        name: {rater: [given.get((rater, item), nothing).get(name) for item in items] for rater in raters}
        for name in DIMENSIONS
    }
    return Labels(items, raters, by_dimension, unscorable)


def shares_by_condition(labels: Labels, key: Key) -> list[dict[str, Any]]:
    """After the judging: how often each question was answered yes, by condition, over raters and items."""
    rows: list[dict[str, Any]] = []
    for condition in sorted({str(entry["condition"]) for entry in key.items.values()}):
        positions = [at for at, item in enumerate(labels.items) if key.items[item]["condition"] == condition]
        for name, raters in labels.by_dimension.items():
            given = [answers[at] for answers in raters.values() for at in positions if answers[at] is not None]
            share = sum(answer == "yes" for answer in given) / len(given) if given else None
            rows.append({"condition": condition, "dimension": name, "labels": len(given), "yes": share})
    return rows


def read_key(path: Path) -> Key:
    """The key of an audit."""
    try:
        return msgspec.json.decode(read_at_most(path, DOCUMENT), type=Key)
    except (OSError, *UNREADABLE) as error:
        message = f"{path}: is not the key of an audit ({error}); `proctor annotate export` writes it"
        raise InputError(message) from None


def _rows(path: Path) -> list[dict[str, str | None]]:
    try:
        # Spreadsheets put a mark before the first column, and some countries' a semicolon between columns.
        with open_lines(path, newline="") as lines:
            head = lines.readline()
            lines.seek(0)
            reader = csv.DictReader(lines, delimiter=max(",;\t", key=head.count))
            lacking = [name for name in ("item", "rater", *DIMENSIONS) if name not in (reader.fieldnames or ())]
            if lacking:
                message = f"{path}: there is no column {', '.join(lacking)}; fill in a copy of labels.csv"
                raise InputError(message)
            return list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        message = f"{path}: cannot be read ({error})"
        raise InputError(message) from None


def _stratified(by_condition: Mapping[str, list[int]], count: int, stream: Stream) -> list[int]:
    """Positions in turn from every condition, then in an order that tells nothing."""
    pools = {
        name: stream.child("pick", name).sample(positions, len(positions))
        for name, positions in sorted(by_condition.items())
    }
    chosen: list[int] = []
    while len(chosen) < count and any(pools.values()):
        for pool in pools.values():
            if pool and len(chosen) < count:
                chosen.append(pool.pop())
    stream.child("order").shuffle(chosen)
    return chosen


def _judged(name: str, condition: Condition) -> bool:
    """Whether the agent itself answered, about the event as it was made."""
    return condition.acts == "agent" and not named(name).variant.startswith(REASK)


def _output(answer: Any) -> Any:
    if not isinstance(answer, dict):
        return answer
    return {name: _without_sources(answer[name]) for name in _SHOWN if name in answer}


def _without_sources(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_sources(item) for name, item in value.items() if name not in _HIDDEN}
    return [_without_sources(item) for item in value] if isinstance(value, list) else value


def _alike(items: Sequence[Item]) -> list[Item]:
    """Outputs with the same keys everywhere, empty where one has nothing: which keys there are tells a condition."""
    keys = {name for item in items if isinstance(item.output, dict) for name in item.output}
    listed = [name for name in _SHOWN if name in keys]
    return [
        msgspec.structs.replace(item, output={name: item.output.get(name) for name in listed})
        if isinstance(item.output, dict)
        else item
        for item in items
    ]


def _text(value: Any) -> str:
    text = value.get("text") if isinstance(value, dict) else value
    return text if isinstance(text, str) else json.dumps(value, ensure_ascii=False)
