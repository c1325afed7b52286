"""What can be read off a prompt: fields, actions, the keys asked for. Nothing but the request's own text is looked at.

    [reason] The second quotation is the only one within the budget.
    [memory] (declared unusable: do not rely on it) Last week the first option was promised.
    - ACTION_A: take option A: the blue folder
    Keys: final_action, rationale
    Decide what to do about the move, going by what is given under `state`, …

One line holds one thing. A line that is none of these is prose, and skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct, field

from proctor.models.contract import Message
from proctor.models.marks import KEYS, UNUSABLE

_QUESTION = "Decide what to do about "
_NUMBER = re.compile(r"\D{0,24}?(\d+(?:\.\d+)?)")


class PromptView(Struct):
    """All that a prompt says, taken apart."""

    fields: dict[str, str] = field(default_factory=dict)
    """Usable fields, in the order shown."""
    unusable: dict[str, str] = field(default_factory=dict)
    codes: list[str] = field(default_factory=list)
    """Every action listed, in the order shown."""
    options: dict[str, str] = field(default_factory=dict)
    """The two options' codes with their names."""
    keys: tuple[str, ...] = ()
    matter: str = ""
    """What the question is about, where it says so in one phrase."""
    decided: str | None = None
    """The action of an earlier turn, where the model is only asked to report on it."""


def read(messages: Iterable[Message]) -> PromptView:
    """Take a conversation apart. What comes later in it replaces what came before."""
    sight = PromptView()
    for message in messages:
        if message.role == "assistant":
            sight.decided = _decided(message.content)
        elif message.role == "user":
            _read_lines(message.content, sight)
    return sight


def _read_lines(content: str, sight: PromptView) -> None:
    for line in content.split("\n"):
        first = line[:1]
        if first == "[":
            name, closed, text = line[1:].partition("] ")
            if not closed:
                continue
            if text.startswith(UNUSABLE):
                sight.unusable[name] = text[len(UNUSABLE) :]
                sight.fields.pop(name, None)
            else:
                sight.fields[name] = text
        elif first == "-":
            code, colon, meaning = line[2:].partition(": ")
            if colon and code.isupper() and code not in sight.codes:
                sight.codes.append(code)
                if meaning.startswith("take option"):
                    sight.options[code] = option_name(meaning)
        elif first == "K" and line.startswith(KEYS):
            sight.keys = _keys(line)
        elif first == "D" and line.startswith(_QUESTION):
            matter, going, _ = line[len(_QUESTION) :].partition(", going by ")
            sight.matter = matter if going else ""


def option_name(meaning: str) -> str:
    """What the option behind a code is called: what completes `take option A: …`."""
    return meaning.partition(": ")[2].strip()


@lru_cache(maxsize=64)
def _keys(line: str) -> tuple[str, ...]:
    return tuple(key.strip() for key in line[len(KEYS) :].rstrip(".").split(",") if key.strip())


def named_code(text: str, codes: list[str]) -> str | None:
    """The one code that a text spells out; None where it spells none, or two."""
    mentioned = [code for code in codes if code in text and re.search(rf"(?<!\w){code}(?!\w)", text)]
    return mentioned[0] if len(mentioned) == 1 else None


def shown_prior(text: str, codes: list[str]) -> dict[str, float]:
    """How often each action was taken, where a field says so: a code, and a number soon after it."""
    shares: dict[str, float] = {}
    for code in codes:
        mention = re.search(rf"(?<!\w){code}(?!\w)", text)
        number = _NUMBER.match(text, mention.end()) if mention else None
        if number is not None:
            shares[code] = float(number[1])
    return shares


def _decided(reply: str) -> str | None:
    try:
        said: Any = msgspec.json.decode(reply)
    except msgspec.DecodeError:
        return None
    action = said.get("final_action") if isinstance(said, dict) else None
    return action if isinstance(action, str) else None
