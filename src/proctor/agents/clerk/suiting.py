"""Suiting: makes several choices for somebody, and remembers what would have suited whom, word by word.

For each choice the option is taken that suited those who had most words in common with this one; where nobody had any,
one that has suited nobody yet. Words are compared, not what they mean: who is described in other words is a stranger.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.clerk.desk import Desk, Finding, Lesson, required
from proctor.agents.seen import words
from proctor.spec.task import ToolSpec

MAX_REMEMBERED = 200
_SHORTEST = 4
"""Letters that a word must have to tell anything."""


def _options(tool: ToolSpec, name: str) -> list[str]:
    return list(tool.parameters.get("properties", {}).get(name, {}).get("enum", ()))


def _chooser(desk: Desk) -> ToolSpec | None:
    """The tool that takes several choices, each from a list."""
    for tool in desk.task.tools:
        names = required(tool)
        if tool.effect == "write" and len(names) > 1 and all(_options(tool, name) for name in names):
            return tool
    return None


def fits(desk: Desk) -> bool:
    """There is a tool for several choices, and what suits is to be found out."""
    return _chooser(desk) is not None and "suits" in desk.task.goal


def likely(said: set[str], name: str, options: list[str], lessons: list[Lesson]) -> str:
    """The option that suited those with most words in common; else the first that has suited nobody yet."""
    known = [lesson for lesson in lessons if lesson.about == name and lesson.label in options]
    shared = dict.fromkeys(options, 0)
    for lesson in known:
        shared[lesson.label] = max(shared[lesson.label], len(said & set(lesson.notions)))
    best = max(options, key=lambda option: shared[option])
    if shared[best]:
        return best
    suited = {lesson.label for lesson in known}
    return next((option for option in options if option not in suited), options[0])


async def work(desk: Desk) -> Finding | None:
    """Choose, and learn from what comes back."""
    tool = _chooser(desk)
    if tool is None:
        return None
    text = max(desk.texts(), key=len, default="")
    said = {word for word in words(text.lower()) if len(word) >= _SHORTEST}
    choices = {name: likely(said, name, _options(tool, name), desk.lessons) for name in required(tool)}
    result = await desk.call(tool, **choices)
    for name, option in _right(result.value).items():
        if name in choices and isinstance(option, str):
            desk.lessons.append(Lesson(sorted(said), option, name))
    del desk.lessons[:-MAX_REMEMBERED]
    return Finding("done", 0.2)


def _right(answer: Any) -> dict[str, Any]:
    """What an answer says would have been right."""
    entries = answer.items() if isinstance(answer, dict) else ()
    return next((value for key, value in entries if key.startswith("right") and isinstance(value, dict)), {})
