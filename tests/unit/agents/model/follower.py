"""A model that does what a prompt says, to the letter: it files the papers of `files` and knows nothing else.

It reads what any model would be sent, and no more: the task in the first message, the results of its calls since.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from proctor.models.contract import Message

Called = list[tuple[str, dict[str, Any]]]


def follow(messages: tuple[Message, ...]) -> Called:
    """The calls it makes next."""
    task = next(message.content for message in messages if message.role == "user")
    shown = json.loads(task.partition("# Observation 0\n")[2])
    results = [json.loads(message.content) for message in messages if message.role == "tool"]
    if "folder" not in shown or "/task/inbox" not in task:
        return [("submit", {"answer": "I do not know how to do this."})]
    if not results:
        return [("read_file", {"path": f"{shown['folder']}/{name}"}) for name in shown["files"]]
    papers = {name: _paper(result) for name, result in zip(shown["files"], results, strict=False)}
    if len(results) == len(papers) and all(papers.values()):
        return _filing(task, shown, papers)
    return [("submit", {"answer": "done", "confidence": 0.9})]


def _paper(result: dict[str, Any]) -> dict[str, str]:
    """A paper's lines by name; empty where one of them cannot be read."""
    lines = str(result.get("result", "")).splitlines()
    paper = {name: value for name, colon, value in (line.partition(": ") for line in lines) if colon}
    return paper if {"Kind", "Number", "Date", "Amount", "Status"} <= paper.keys() else {}


def _filing(task: str, shown: dict[str, Any], papers: dict[str, dict[str, str]]) -> Called:
    only_paid = "paid" in task
    calls: Called = []
    lines: list[str] = []
    total = Decimal(0)
    for name, paper in papers.items():
        if paper["Kind"] != "invoice":
            continue
        words = {
            "name": name,
            "year": paper["Date"][:4],
            "date": paper["Date"],
            "number": paper["Number"],
            "amount": paper["Amount"],
        }
        stays = only_paid and paper["Status"] == "open"
        if not stays:
            target = shown["target"].format(**words)
            calls.append(("move_file", {"source": f"{shown['folder']}/{name}", "target": target}))
        if stays or not only_paid:
            lines.append(shown["line"].format(**words))
            total += Decimal(paper["Amount"])
    lines.sort()
    if only_paid:
        lines.append(f"total,{total:.2f}")
    calls.append(("write_file", {"path": shown["index"], "text": "".join(f"{line}\n" for line in lines)}))
    return calls
