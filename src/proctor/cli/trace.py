"""A trace for the terminal: the steps of an episode with labels in the margin, wrapped."""

from __future__ import annotations

import textwrap

from proctor.cli.output import clean
from proctor.evidence.events import EpisodeOpened, Event
from proctor.reports.data import Step
from proctor.reports.trace import Content, steps_of, tools_of

_WIDTH = 110
_MARGIN = 12


def trace_text(run: str, position: int, events: list[Event], content: Content) -> str:
    """The whole episode."""
    lines = [f"{run} · episode {position}"]
    for event in events:
        if isinstance(event, EpisodeOpened):
            lines += _opened(event, content)
    for step in steps_of(events, content):
        lines += _entry(_label(step), step.text)
    return "\n".join(lines)


def _opened(event: EpisodeOpened, content: Content) -> list[str]:
    heading = f"{event.family} · template {event.template} · instance {event.instance}"
    under = f"regime {event.regime} · condition {event.condition} · phase {event.phase} · replicate {event.replicate}"
    lines = [*_entry("task", heading), *_entry("", under)]
    if event.adversity:
        lines += _entry("", f"adversity in force: {', '.join(event.adversity)}")
    lines += _entry("goal", event.task.goal)
    lines += _entry("answer as", event.task.answer_format)
    tools = tools_of(event, content)
    if tools is not None:
        lines += _entry("tools", ", ".join(tools) or "none")
    return lines


def _label(step: Step) -> str:
    if step.kind == "act":
        return f"act {step.call}"
    return f"  {step.kind}" if step.kind == "fault" else step.kind


def _entry(label: str, text: str) -> list[str]:
    """A label in the margin and wrapped text beside it."""
    pieces: list[str] = []
    for line in clean(text).splitlines() or [""]:
        pieces += textwrap.wrap(line, _WIDTH - _MARGIN, break_on_hyphens=False) or [""]
    return [f"{label if i == 0 else '':<{_MARGIN}}{piece}".rstrip() for i, piece in enumerate(pieces)]
