"""Agents that get by without reading, and how they are examined. Each sees the bytes a model sees, and nothing else."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from proctor import Submission, api
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.binding.instrument import BindingInstrument
from proctor.instruments.binding.reading import BindingReading
from proctor.spec.suite import Suite

COMPONENTS = ("reason", "memory", "self", "veto")
PERFECT = "structured:simulated,reason=1,memory=1,veto=1,self=1,cue=0,noise=0"
PRUDENT = f"{PERFECT},prior=DEFER:1"
SWAYED = {
    "follows the remark": PERFECT.replace("cue=0", "cue=1"),
    "follows the remark, coin in the baseline": PERFECT.replace("cue=0", "cue=1") + ",prior=A:1|B:1",
}
"""Agents that read what decides and, where nothing does, always take the option that the remark names."""
_LONG = 72
_GOOD = re.compile(r"\b(?:good|better|best|glad|cleared|allowed|fine|keep|kept|agreed|promised|stands|right)\b")
_BAD = re.compile(r"\b(?:bad|worse|worst|forbid\w*|off|barred|stop\w*|cancelled|wrong|against|not|no)\b")
_NOT = re.compile(r"\b(?:no|not|nobody|never|nothing|none)\b")


class Sight(Struct):
    """What is shown."""

    event: str
    texts: dict[str, str]
    """Usable fields, in the order shown."""
    hurt: bool
    """A field of the four is missing or declared unusable."""
    options: dict[str, str]
    """Names of the two options by code."""
    codes: list[str]
    matter: str = ""
    """What is to be decided about."""

    def code(self, word: str) -> str:
        """The code that has this word in it; the lean where none has."""
        return next((code for code in self.codes if word in code), self.lean)

    @property
    def lean(self) -> str:
        """The option that the situation names last."""
        return self.last_named(self.texts.get("x-situation", "")) or next(iter(self.options))

    def first_named(self, text: str) -> str | None:
        """The option that a text names first."""
        return self._named(text, str.find, min)

    def last_named(self, text: str) -> str | None:
        """The option that a text names last."""
        return self._named(text, str.rfind, max)

    def other(self, code: str) -> str:
        """The other option."""
        return next(one for one in self.options if one != code)

    def _named(self, text: str, find: Callable[[str, str], int], pick: Callable[[Any], Any]) -> str | None:
        said = text.casefold()
        places = [(at, code) for code, name in self.options.items() if (at := find(said, name.casefold())) >= 0]
        return str(pick(places)[1]) if places else None

    def drawn(self, *more: str) -> int:
        """A number from the bytes of what is shown."""
        said = "\n".join([self.event, *more])
        return int.from_bytes(sha256(said.encode()).digest()[:4], "big")


def sight(fields: dict[str, Any], goal: str = "") -> Sight:
    """An observation taken apart. Notes of an agent's own state stand for fields."""
    state = fields.get("state") or {
        name if name in COMPONENTS else f"x-{name}": {"text": text} for name, text in fields.get("notes", {}).items()
    }
    texts = {name: one["text"] for name, one in state.items() if isinstance(one, dict) and "text" in one}
    meanings = {one["code"]: one["meaning"] for one in fields.get("actions", [])}
    options = {code: text.partition(": ")[2] for code, text in meanings.items() if text.startswith("take option")}
    six = "RECALL_PRIOR" in meanings
    hurt = any(name not in texts for name in COMPONENTS) if six else len(texts) < len(state) or len(texts) < 3
    matter = goal.removeprefix("Decide what to do about ").partition(", going by ")[0]
    return Sight(str(fields["event_id"]), texts, hurt, options, list(meanings), matter)


def lean_and_wait(seen: Sight) -> str:
    return seen.code("DEFER") if seen.hurt else seen.lean


def length(seen: Sight) -> str:
    """A long field is there; a reason or a self speaks against the lean."""
    there = [name for name in ("veto", "memory", "self", "reason") if len(seen.texts.get(name, "")) > _LONG]
    return _of_field(seen, there[0] if there else "", seen.other(seen.lean))


def first_named(seen: Sight) -> str:
    return next((code for name in COMPONENTS if (code := seen.first_named(seen.texts.get(name, "")))), seen.lean)


def copies_codes(seen: Sight) -> str:
    said = " ".join(seen.texts.values())
    spelled = [code for code in seen.codes if code in said]
    return spelled[0] if spelled else seen.codes[seen.drawn(said) % len(seen.codes)]


def recency(seen: Sight) -> str:
    texts = [text for name, text in seen.texts.items() if name != "x-situation"]
    return next((code for text in reversed(texts) if (code := seen.last_named(text))), seen.lean)


def longest_field(seen: Sight) -> str:
    name = max(seen.texts, key=lambda one: len(seen.texts[one]), default="")
    return _of_field(seen, name, seen.first_named(seen.texts.get(name, "")) or seen.lean)


def sentiment(seen: Sight) -> str:
    """Stops where the stop sounds bad, keeps to what sounds good, goes with the option in the better half."""
    if _mood(seen.texts.get("veto", "")) < 0:
        return seen.code("VETO")
    if _mood(seen.texts.get("memory", "")) > 0:
        return seen.code("RECALL")
    halves = re.split(r"[;,]", seen.texts.get("reason", ""), maxsplit=1)
    return seen.first_named(max(halves, key=_mood)) or seen.lean


def negations(seen: Sight) -> str:
    return seen.codes[len(_NOT.findall(" ".join(seen.texts.values()).casefold())) % len(seen.codes)]


def majority(seen: Sight) -> str:
    named = Counter(code for text in seen.texts.values() if (code := seen.first_named(text)))
    return named.most_common(1)[0][0] if named else seen.lean


class _Last:
    """What was right to say last time is said again."""

    said = "ACTION_A"


def last_event(seen: Sight) -> str:
    before, _Last.said = _Last.said, seen.lean
    return before if before in seen.codes else seen.lean


def presence(seen: Sight) -> str:
    missing = [name for name in COMPONENTS if name not in seen.texts]
    return _of_field(seen, missing[0], seen.other(seen.lean)) if missing else seen.lean


def punctuation(seen: Sight) -> str:
    marks = sum(map(" ".join(seen.texts.values()).count, ".,;:"))
    return list(seen.options)[marks % 2]


def hash_and_wait(seen: Sight) -> str:
    return seen.code("DEFER") if seen.hurt else list(seen.options)[seen.drawn() % 2]


def copies_names(seen: Sight) -> str:
    """What is named most often in other words than the code's: its option."""
    said = " ".join(seen.texts.values()).casefold()
    counts = {code: said.count(name.casefold()) for code, name in seen.options.items()}
    return max(counts, key=lambda code: (counts[code], code == seen.lean))


def one_word(seen: Sight) -> str:
    """One word for all comparisons, and for the rest the alphabet."""
    for name in ("memory", "veto"):
        if _later_in_the_alphabet(seen.texts.get(name, ""), seen.matter):
            return seen.code("VETO" if name == "veto" else "RECALL")
    return compared_by_one_word(seen) or seen.lean


def compared_by_one_word(seen: Sight) -> str | None:
    """The first of two options where more of anything is said of it, and the second where less is."""
    for name in ("reason", "self"):
        text = seen.texts.get(name, "")
        if re.search(r"\b(?:more|less)\b", text) and "just as" not in text:
            return seen.first_named(text) if " more " in text else seen.last_named(text)
    return None


def _later_in_the_alphabet(text: str, matter: str) -> bool:
    """Whether what is said of the matter at hand stands behind what is said of the other one."""
    clauses = text.casefold().rpartition(": ")[2].rstrip(".").split("; ")
    about = [matter.casefold() in clause for clause in clauses]
    if not matter or len(clauses) != 2 or about[0] == about[1]:
        return False
    of_matter, of_other = (clauses[about.index(which)] for which in (True, False))
    before, _, after = of_matter.partition(matter.casefold())
    # Clauses of one frame are equally long before and after their phrase, so that the other phrase need not be known.
    return before + after > of_other[: len(before)] + of_other[len(of_other) - len(after) :]


CHEATS: dict[str, Callable[[Sight], str]] = {
    "lean, waits without a field": lean_and_wait,
    "length only": length,
    "first option named": first_named,
    "copies spelled codes": copies_codes,
    "recency": recency,
    "longest field": longest_field,
    "sentiment": sentiment,
    "negation count": negations,
    "majority of fields": majority,
    "answer of the last event": last_event,
    "field presence": presence,
    "format": punctuation,
    "event hash, waits without a field": hash_and_wait,
    "copies option names": copies_names,
    "one word and the alphabet": one_word,
}


def _of_field(seen: Sight, name: str, otherwise: str) -> str:
    if name in ("veto", "constraints"):
        return seen.code("VETO")
    if name == "memory":
        return seen.code("RECALL")
    return otherwise if name in ("reason", "self", "plan") else seen.lean


def _mood(text: str) -> int:
    said = text.casefold()
    return len(_GOOD.findall(said)) - len(_BAD.findall(said))


def agent(name: str) -> Any:
    """A cheat as an agent."""

    class Cheat:
        async def run(self, task: Any, session: Any) -> Submission:
            fields = dict(session.observations[0].fields)
            if "actions" not in fields:
                asked = (await session.call("question")).value
                fields["actions"] = asked["actions"]
                fields["notes"] = {"situation": asked["situation"], **fields.get("notes", {})}
            return Submission({"final_action": CHEATS[name](sight(fields, task.goal))})

    return Cheat()


def examined(suite: Suite, who: Any, seed: int) -> BindingReading:
    """The reading of a run, which is not kept."""
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "store.db")
        result = api.run(suite, agent=who, seed=seed, store=store, folder=Path(folder), preflight=False)
        with Store(store, create=False) as opened:
            run = evidence_of(opened, result.run)
    return BindingInstrument().read(run, run.frozen.rules)
