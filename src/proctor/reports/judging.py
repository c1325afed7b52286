"""Automated judges of a blinded audit: a chat model fills in a sheet. Auxiliary only, and always told apart.

A model gets what a rater gets, one item at a time: event, actions, output and the seven questions, held to a form where
its interface can do so. It answers as `auto:MODEL`. Agreement, and rates by condition, are those of people; what
automated judges said stands beside, each compared with each person.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from proctor.agents.structured.parsing import parse
from proctor.core.canonical import UNREADABLE
from proctor.core.errors import BenchError, InputError
from proctor.core.hashing import sha256_hex
from proctor.core.reading import DOCUMENT, read_at_most
from proctor.models.contract import ChatModel, Message, Request, refusal
from proctor.reports.blinded import ANSWERS, DIMENSIONS, Labels
from proctor.reports.spreadsheet import cell

AUTOMATED: Final = "auto:"
"""How the names of automated raters begin."""
_ROOM: Final = 256
_SYSTEM: Final = (
    "You judge what an agent handed in. You do not know which agent it was. Answer seven questions about it, each with "
    "yes, no or unscorable, as one JSON object and nothing else."
)


def read_items(folder: Path) -> list[dict[str, Any]]:
    """The items of a folder for raters, or one sentence on what it lacks."""
    path = folder / "items.jsonl"
    try:
        items = [msgspec.json.decode(line) for line in read_at_most(path, DOCUMENT).splitlines() if line.strip()]
    except (OSError, *UNREADABLE) as error:
        message = f"{path}: cannot be read as items ({error}); `proctor annotate export` writes them"
        raise InputError(message) from None
    if not items or not all(isinstance(one, dict) and isinstance(one.get("item"), str) for one in items):
        message = f"{path}: holds no items, or lines without `item`; `proctor annotate export` writes them"
        raise InputError(message)
    return items


def request_of(item: Mapping[str, Any]) -> Request:
    """What a judge is asked about one item: the item as raters have it, less its opaque name."""
    shown = json.dumps({name: item.get(name) for name in ("event", "actions", "output")}, ensure_ascii=False, indent=1)
    asked = "\n".join(f"  {name}: {question}" for name, question in DIMENSIONS.items())
    text = f"{shown}\n\nReply with one JSON object whose keys are these, each answered {', '.join(ANSWERS)}:\n{asked}"
    form = {
        "type": "object",
        "properties": {name: {"type": "string", "enum": list(ANSWERS)} for name in DIMENSIONS},
        "required": list(DIMENSIONS),
        "additionalProperties": False,
    }
    seed = int(sha256_hex(str(item["item"]).encode())[:7], 16)
    messages = (Message("system", _SYSTEM), Message("user", text))
    return Request(messages, temperature=0.0, max_tokens=_ROOM, seed=seed, form=form)


async def judged(
    items: Sequence[Mapping[str, Any]], model: ChatModel, tell: Callable[[int], None]
) -> list[dict[str, str]]:
    """One row of the sheet an item. What a model did not answer, or not with one of the words, stays empty.

    Raises `BenchError` where the provider refuses: a sheet of nothing helps nobody.
    """
    rows = []
    for number, item in enumerate(items, start=1):
        reply = await model.ask(request_of(item))
        refused = refusal(model.name, reply.status)
        if refused:
            raise BenchError(refused)
        report = parse(reply.text).report or {}
        answers = {name: str(report.get(name, "")).strip().lower() for name in DIMENSIONS}
        kept = {name: value if value in ANSWERS else "" for name, value in answers.items()}
        rows.append({"item": str(item["item"]), "rater": f"{AUTOMATED}{model.name}", **kept})
        tell(number)
    return rows


def write_sheet(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """A filled-in sheet, as a person would hand it in."""
    with path.open("x", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, ["item", "rater", *DIMENSIONS])
        writer.writeheader()
        writer.writerows({name: cell(value) for name, value in row.items()} for row in rows)


def people(labels: Labels) -> Labels:
    """The labels of people alone."""
    kept = tuple(rater for rater in labels.raters if not rater.startswith(AUTOMATED))
    return msgspec.structs.replace(
        labels,
        raters=kept,
        by_dimension={
            name: {rater: given[rater] for rater in kept if rater in given}
            for name, given in labels.by_dimension.items()
        },
    )


def automated(labels: Labels) -> tuple[str, ...]:
    """The raters that are no people."""
    return tuple(rater for rater in labels.raters if rater.startswith(AUTOMATED))
