"""Eight forms in which it is told what depends on what. Each writes a condition as a few short lines."""

from __future__ import annotations

import json
from collections.abc import Callable

from proctor.suites.agency.originating.subgoals.plans import Condition


def table(c: Condition) -> list[str]:
    """Columns."""
    return [f"| {c.name} | {c.action} | {', '.join(c.needs) or '-'} | {'yes' if c.holds else 'no'} |"]


def letter(c: Condition) -> list[str]:
    """Sentences, backwards from what is wanted."""
    thing, state = c.name.split(" ")
    if c.holds:
        return [f"The {thing} is {state} already, so nobody has to {_spoken(c)}."]
    lines = [f"To have the {thing} {state}, {_spoken(c)}."]
    if c.needs:
        lines.append(f"That cannot be done before the {_joined(c.needs, ' is ', ' and the ')}.")
    return lines


def chat(c: Condition) -> list[str]:
    """Question and answer, one need at a time."""
    lines = [f"Q: how do we get '{c.name}'? A: {c.action}"]
    lines += [f"Q: at once? A: no, '{need}' comes first" for need in c.needs]
    if c.holds:
        lines.append("Q: anything to do? A: nothing, it is so already")
    return lines


def records(c: Condition) -> list[str]:
    """JSON, a line each."""
    return [json.dumps({"reach": c.name, "by": c.action, "after": c.needs, "done": c.holds})]


def recipes(c: Condition) -> list[str]:
    """Rules as a build tool has them; what is there already has no recipe."""
    head = f"{_joined([c.name], '-', '')}: {' '.join(_joined([need], '-', '') for need in c.needs)}".rstrip()
    return [head, f"\t@echo present  # {c.action}" if c.holds else f"\t{c.action}"]


def log(c: Condition) -> list[str]:
    """Attempts of last year, refused for what was missing."""
    lines = [f"try  '{c.action}': refused for want of {need}" for need in c.needs]
    return [*lines, f"{'kept' if c.holds else 'try '} '{c.action}': {'since then' if c.holds else 'ok, now'} {c.name}"]


def transcript(c: Condition) -> list[str]:
    """Spoken, forwards from what is there."""
    thing, state = c.name.split(" ")
    if c.holds:
        return [f"and the {thing} that one is {state} we did {c.action} last week so leave it"]
    if not c.needs:
        return [f"you can {_spoken(c)} any time and then it is {state}"]
    return [
        f"once the {_joined(c.needs, ' is ', ' and also the ')} well then you can",
        f"{_spoken(c)} and it is {state}",
    ]


def arrows(c: Condition) -> list[str]:
    """A graph, an edge to a line."""
    lines = [f"[{c.name}] <== {c.action}{'  (holds)' if c.holds else ''}"]
    return [*lines, *(f"[{need}] --> [{c.name}]" for need in c.needs)]


def _spoken(c: Condition) -> str:
    verb, thing = c.action.split(" ")
    return f"{verb} the {thing}"


def _joined(names: list[str], between: str, and_: str) -> str:
    return and_.join(between.join(name.split(" ")) for name in names)


Form = Callable[[Condition], list[str]]
FORMS: dict[str, Form] = {
    "table": table,
    "letter": letter,
    "chat": chat,
    "records": records,
    "recipes": recipes,
    "log": log,
    "transcript": transcript,
    "arrows": arrows,
}
LEGENDS = {
    "table": "the columns are condition, the action that brings it about, what must hold before, and whether it holds "
    "now",
    "letter": "a condition such as 'kiln hot' is told as 'the kiln is hot', its action as 'heat the kiln'",
    "chat": "for each condition, how it comes about and what, if anything, must come first",
    "records": "`by` is the action, `after` what must hold before, `done` whether it holds already",
    "recipes": "before the colon stands a condition (kiln-hot is 'kiln hot'), after it what must hold before, below "
    "it the "
    "action; a condition that is present holds already",
    "log": "an action was refused for want of something, and then brought about the condition named; kept "
    "means that the condition holds already",
    "transcript": "a condition such as 'kiln hot' is spoken as 'the kiln is hot', its action as 'heat the kiln'",
    "arrows": "--> leads from what must hold before, <== names the action; (holds) means that it holds already",
}
"""How each form is to be read."""
