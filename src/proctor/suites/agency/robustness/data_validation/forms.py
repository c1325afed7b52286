"""Eight forms in which a batch is shown. Each writes a record as one or a few short lines."""

from __future__ import annotations

import json
from collections.abc import Callable

from proctor.suites.agency.robustness.data_validation.records import Record


def csv(r: Record) -> list[str]:
    """One line, values only."""
    return [";".join((r.id, *r.values.values()))]


def jsonl(r: Record) -> list[str]:
    """One JSON object."""
    return [json.dumps({"id": r.id, **r.values}, separators=(",", ":"))]


def card(r: Record) -> list[str]:
    """A field to a line, with dots."""
    return [f"== {r.id} ==", *(f"{name:.<12} {value}" for name, value in r.values.items())]


def xml(r: Record) -> list[str]:
    """Elements with attributes, grouped by what they are about."""
    v = r.values
    lines = [f'<r id="{r.id}">']
    for tag, names in _GROUPS.items():
        pairs = [f'{name}="{v[name]}"' for name in names if name in v]
        if pairs:
            lines.append(f"<{tag} {' '.join(pairs)}/>")
    return lines


def log(r: Record) -> list[str]:
    """An entry of a log, fields from the last to the first."""
    pairs = [f"{name}={value}" for name, value in reversed(r.values.items())]
    half = (len(pairs) + 1) // 2
    return [f"[{r.id}] " + " ".join(pairs[:half]), f"[{r.id}] " + " ".join(pairs[half:])]


def prose(r: Record) -> list[str]:
    """Sentences."""
    v = r.values
    lines = [f"{r.id} follows."]
    if "store" in v:
        lines.append(f"Store {v['store']} gave it the code {v['code']}.")
    if "quantity" in v:
        price = f" at {v['price']} each, {v['total']} in all" if "price" in v else ""
        lines.append(f"There are {v['quantity']} of it{price}.")
    if "ordered" in v:
        lines.append(f"Ordered {v['ordered']}, it shipped {v['shipped']}.")
    if "status" in v:
        lines.append(f"It is {v['status']}, receipt number {v['receipt']}.")
    if "account" in v:
        lines.append(f"Account {v['account']}.")
    return lines


def segments(r: Record) -> list[str]:
    """Short codes between slashes and plus signs."""
    v = r.values
    parts = [f"REC+{r.id}"]
    for code, names in _SEGMENTS.items():
        if names[0] in v:
            parts.append("+".join((code, *(v[name] for name in names))))
    half = (len(parts) + 1) // 2
    return ["'".join(parts[:half]) + "'", "'".join(parts[half:]) + "'"]


def dialogue(r: Record) -> list[str]:
    """One reads out, another asks."""
    v = r.values
    lines = [f"A: next? B: {r.id}"]
    if "status" in v:
        lines.append(f"A: paid? B: {'yes' if v['status'] == 'paid' else 'no, open'}; receipt {v['receipt']}")
    if "quantity" in v:
        price = f" for {v['price']} apiece, total {v['total']}" if "price" in v else ""
        lines.append(f"A: how many? B: {v['quantity']}{price}")
    if "account" in v:
        lines.append(f"A: account? B: {' '.join(v['account'])}")
    if "store" in v:
        lines.append(f"A: code? B: {v['code']}, from {v['store']}")
    if "ordered" in v:
        lines.append(f"A: shipped? B: {v['shipped']}, for an order of {v['ordered']}")
    return lines


_GROUPS = {
    "sum": ("total", "price", "quantity"),
    "days": ("shipped", "ordered"),
    "from": ("code", "store"),
    "money": ("receipt", "status", "account"),
}
_SEGMENTS = {
    "ACC": ("account",),
    "QTY": ("quantity",),
    "PRI": ("price",),
    "SUM": ("total",),
    "ORD": ("ordered",),
    "SHP": ("shipped",),
    "LOC": ("store",),
    "ART": ("code",),
    "PAY": ("status", "receipt"),
}

Form = Callable[[Record], list[str]]
FORMS: dict[str, Form] = {
    "csv": csv,
    "jsonl": jsonl,
    "card": card,
    "xml": xml,
    "log": log,
    "prose": prose,
    "segments": segments,
    "dialogue": dialogue,
}
