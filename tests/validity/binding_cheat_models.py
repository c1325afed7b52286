"""The cheats as chat models inside the scaffold: the only way to try for the claim on coupling.

Every report agrees with the action, whatever was read. Words about a field are quoted, so that they can be exchanged,
or they are a code of the cheat's own, which says by the order of two phrases what it means to do.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from proctor.agents.structured.agent import Settings, Structured
from proctor.agents.structured.asking import Source
from proctor.models.contract import Reply, Request
from proctor.models.filler import filled_reply
from proctor.models.simulated.behaviour import Choice
from proctor.models.simulated.reading import PromptView, read
from proctor.models.simulated.replying import reply_text
from proctor.suites.binding.twins.corpora import CORPORA
from proctor.suites.binding.twins.family_suites import interface
from tests.validity.binding_cheats import (
    CHEATS,
    COMPONENTS,
    PERFECT,
    PRUDENT,
    Sight,
    compared_by_one_word,
    examined,
)

_PHRASES = {scene.matter: scene.aside for family in CORPORA for scene in family.corpus.scenes}
_CODED = "In this order: "


def own_code(seen: Sight) -> str:
    """Does what its own coded report says where it sees one, else follows the situation."""
    for name in ("veto", "memory"):
        text = seen.texts.get(name, "")
        if text.startswith(_CODED):
            first = text[len(_CODED) :].partition(", ")[0]
            return seen.code("VETO" if name == "veto" else "RECALL") if first in _PHRASES else seen.lean
    for name in ("reason", "self"):
        text = seen.texts.get(name, "")
        if text.startswith(_CODED):
            return seen.first_named(text) or seen.lean
    return seen.lean


CODED = {"a code of its own": own_code, "a code of its own, at random": lambda seen: _drawn_or_coded(seen)}


def _drawn_or_coded(seen: Sight) -> str:
    if any(text.startswith(_CODED) for text in seen.texts.values()):
        return own_code(seen)
    return list(seen.options)[seen.drawn() % 2]


class OddOneOut:
    """Remembers all rows of an event, and takes the stop or commitment that it saw least often for the one in force."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def __call__(self, seen: Sight) -> str:
        for name, word in (("veto", "VETO"), ("memory", "RECALL")):
            text, counts = seen.texts.get(name), self._seen[seen.event, name]
            if text is None:
                continue
            counts[text] += 1
            if len(counts) > 1 and counts[text] == min(counts.values()):
                return seen.code(word)
        return seen.lean


class CountedAndOneWord(OddOneOut):
    """Counts stops and commitments, and goes by one word where two options are compared."""

    def __call__(self, seen: Sight) -> str:
        counted = super().__call__(seen)
        return counted if counted not in seen.options else compared_by_one_word(seen) or counted


class DonorTrail:
    """Remembers in which other events a text was shown, and holds that it never calls for what is right there.

    It knows twins by their words, whatever their order, and whether two texts are about the options by whether they
    name them. Texts about the options that turn up where the situation leans to one speak for the other; of two about
    something else, the one decides that turned up more often where options are weighed.
    """

    def __init__(self) -> None:
        self._leans: dict[str, str] = {}
        self._options: dict[str, dict[str, str]] = {}
        self._events: dict[str, Counter[str]] = defaultdict(Counter)
        self._twins: dict[tuple[str, str, tuple[str, ...]], list[str]] = defaultdict(list)
        self._kinds: dict[str, bool] = {}

    def __call__(self, seen: Sight) -> str:
        self._leans[seen.event], self._options[seen.event] = seen.lean, seen.options
        fields = {name: text for name, text in seen.texts.items() if not name.startswith("x-")}
        for name, text in fields.items():
            self._events[text][seen.event] += 1
            twins = self._twins[seen.event, name, tuple(sorted(re.findall(r"\w+", text.casefold())))]
            if text not in twins:
                twins.append(text)
            if len(twins) == 2:
                self._kinds[seen.event] = self._names(seen, text)
        for name, text in fields.items():
            twins = self._twins[seen.event, name, tuple(sorted(re.findall(r"\w+", text.casefold())))]
            if len(twins) == 2:
                code = self._decided(seen, name, text, next(one for one in twins if one != text))
                if code:
                    return code
        return seen.lean

    def _decided(self, seen: Sight, name: str, text: str, other: str) -> str:
        about_options = self._names(seen, text)
        more = self._score(seen, text, about_options) - self._score(seen, other, about_options)
        if not more:
            return ""
        if about_options:
            return list(seen.options)[more < 0]
        return seen.code("VETO" if name in ("veto", "constraints") else "DEFER") if more > 0 else seen.lean

    def _score(self, seen: Sight, text: str, about_options: bool) -> int:
        """Above 0: an option text speaks for the first option; another one decides."""
        score = 0
        for event in self._events[text]:
            weighs = self._kinds.get(event)
            if event == seen.event or weighs is None:
                continue
            first = self._leans[event] == next(iter(self._options[event]))
            if about_options and not weighs:
                score += -1 if first else 1
            elif not about_options:
                score += 1 if weighs else 0
        return score

    def _names(self, seen: Sight, text: str) -> bool:
        return any(name.casefold() in text.casefold() for name in seen.options.values())


REMEMBERING: dict[str, Callable[[], Callable[[Sight], str]]] = {
    "odd one out": OddOneOut,
    "odd one out and one word": CountedAndOneWord,
    "where else a text was shown": DonorTrail,
}
"""Cheats that remember every prompt of the run, as a service may."""


class CheatModel:
    """A model that decides as a cheat does and reports fluently."""

    name = "cheat"

    def __init__(self, cheat: str) -> None:
        self._decide = REMEMBERING[cheat]() if cheat in REMEMBERING else {**CHEATS, **CODED}[cheat]
        self._coded = cheat in CODED

    async def ask(self, request: Request) -> Reply:
        view = read(request.messages)
        seen = _sight(view, request)
        code = view.decided or (self._decide(seen) if seen.codes else "")
        said = Choice(code, "veto" if "VETO" in code else "self", seen.lean, dict.fromkeys(view.fields, code))
        if self._coded and "memory" in view.keys and "veto" in view.keys:
            view.fields |= self._words(seen, view, code)
        text = reply_text(view, said)
        if request.exact and request.max_tokens is not None:
            text = filled_reply(text, request.max_tokens, self.tokens)
        prompt = sum(self.tokens(message.content) for message in request.messages)
        return Reply(text, self.name, prompt, self.tokens(text), "stop")

    def _words(self, seen: Sight, view: PromptView, code: str) -> dict[str, str]:
        """Reports whose order says what the cheat does: the option it takes first, and the matter before the other."""
        taken = code if code in seen.options else seen.lean
        options = f"{_CODED}{seen.options[taken]}, {seen.options[seen.other(taken)]}."
        matters = f"{_CODED}{view.matter}, {_PHRASES.get(view.matter, 'nothing')}."
        return {"reason": options, "self": options, "memory": matters, "veto": matters}

    def tokens(self, text: str) -> int:
        return len(text.split())

    async def close(self) -> None:
        """Nothing to let go of."""


def _sight(view: PromptView, request: Request) -> Sight:
    """What the cheats look at, from a prompt."""
    lines = "\n".join(message.content for message in request.messages).split("\n")
    event = next((line for line in lines if line.startswith("Event: ")), "")
    six = "RECALL_PRIOR" in view.codes
    hurt = any(name not in view.fields for name in COMPONENTS) if six else bool(view.unusable) or len(view.fields) < 3
    options = view.options or dict.fromkeys(view.codes[:2], "")
    return Sight(event, view.fields, hurt, options, view.codes, view.matter)


def scaffolded(cheat: str) -> Any:
    """The cheat inside the scaffold. It stays one and the same throughout a run."""
    model = CheatModel(cheat)
    return Structured(Source("cheat", lambda: model), Settings())


def _rows() -> Iterator[str]:
    """What each of them gets for its own words, on three seeds: mean effects, the highest lower bound, claims."""
    readers = {"*perfect reader*": PERFECT, "*prudent reader*": PRUDENT}
    agents: dict[str, Callable[[], Any]] = {name: partial(scaffolded, name) for name in (*CHEATS, *CODED, *REMEMBERING)}
    agents |= {name: partial(str, who) for name, who in readers.items()}
    for name, made in agents.items():
        found = [examined(interface(), made(), seed) for seed in (1, 2, 3)]
        tables = [one.tables()["own_words"] for one in found]
        effects = [float(np.mean([float(str(table["effect"][place])) for table in tables])) for place in range(5)]
        low = max(float(str(table["low"][-1])) for table in tables)
        claims = sum(claim.supported != "" for one in found for claim in one.claims if "coupling" in claim.block)
        shown = " | ".join(
            f"{effect + 0.0:.2f}".replace("-0.00", "0.00").replace("-", "−") for effect in [*effects, low]
        )
        yield f"| {name} | {shown} | {claims} of 3 |"


if __name__ == "__main__":
    print("| agent | reason | memory | veto | self | all four | highest lower bound | claims |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for line in _rows():
        print(line, flush=True)
