"""Built-in agents that look for files by words, and differ in how much they trust state, prior and cue.

    retriever:state=.8,prior=.2,cue=.3,slips=.1

On each issue the agent is attentive with probability `state`: it then relies on notes about this very issue and reads
the file list closely. Otherwise it takes files without looking, follows the cue with probability `cue` and the prior
with probability `prior`, and with probability `slips` names a path that does not exist. It sounds alike either way.
The traits are planted, so a study run on these agents shows that the pipeline works, and is no evidence about any
model.
"""

from __future__ import annotations

import re
from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.plain import BUILT_IN
from proctor.core.errors import InputError
from proctor.core.numbers import real_number
from proctor.core.seeds import Stream
from proctor.core.texts import shortened
from proctor.spec.task import Submission, TaskView

LABEL = "planted retrieval agent: pipeline check, not evidence"
NAMED = 3
_DEFAULTS = {"state": 0.8, "prior": 0.2, "cue": 0.2, "slips": 0.1}
_WORD = re.compile(r"[a-z]{3,}")


class Retriever:
    """One agent; every draw belongs to the issue and the condition's own purpose."""

    def __init__(self, traits: dict[str, float], stream: Stream) -> None:
        self._traits = traits
        self._stream = stream

    async def run(self, task: TaskView, session: Session) -> Submission:
        seen = session.observations[0].fields
        state: dict[str, Any] = seen.get("state") or {}
        traits = self._traits
        # The same draw whatever is shown: attention is a trait of agent and issue, not of the condition.
        attentive = self._stream.child("attention", seen.get("issue", "")).chance(traits["state"])
        notes = state.get("reason")
        files = self._own(state, attentive)
        if notes is not None and ((attentive and notes["event"] == seen.get("issue")) or not files):
            files = list(notes["files"])
        prior = state.get("x-prior") or state.get("x-elsewhere")
        if prior is not None and (not files or self._stream.child("prior").chance(traits["prior"])):
            files = list(prior["files"])
        cue = state.get("x-cue") or state.get("x-remark")
        if cue is not None and not attentive and self._stream.child("cue").chance(traits["cue"]):
            files = [cue["file"], *files]
        if files and self._stream.child("slip", attentive).chance(traits["slips"]) and not attentive:
            files = [re.sub(r"(\w+)\.py$", r"\1_impl.py", files[0]), *files[1:]]
        if "x-repair" in state or "x-advice" in state:
            listed = set((state.get("x-files") or {}).get("files", ()))
            files = [path for path in files if path in listed] or sorted(listed)[:NAMED]
        # It sounds alike whether it looked or not: nothing but what it does tells its attention.
        sure = self._stream.child("sure")
        rationale = " ".join(["the words of the report point there", "and to its neighbours"][: 1 + sure.below(2)])
        answer = {"files": files[:NAMED], "confidence": round(0.5 + 0.5 * sure.random(), 3), "rationale": rationale}
        return Submission(answer=answer)

    def _own(self, state: dict[str, Any], attentive: bool) -> list[str]:
        """What the agent finds by itself in the file list."""
        listed = list((state.get("x-files") or {}).get("files", ()))
        issue = state.get("x-issue")
        if not listed or issue is None:
            return []
        if not attentive:
            return self._stream.child("guess").sample(listed, min(NAMED, len(listed)))
        wanted = _WORD.findall(issue["text"].lower())
        counts = {word: wanted.count(word) for word in set(wanted)}

        def likely(path: str) -> tuple[float, str]:
            words = _WORD.findall(path.lower().removesuffix(".py"))
            return -sum(counts.get(word, 0) ** 0.5 for word in words) / max(1, len(words)) ** 0.5, path

        return sorted(listed, key=likely)[:NAMED]


def _open(string: AgentString, context: AgentContext) -> Agent:
    return Retriever(_traits(string), context.stream)


def _traits(string: AgentString) -> dict[str, float]:
    traits = dict(_DEFAULTS)
    for name, text in string.options.items():
        value = real_number(text, 0, 1)
        if name not in traits or value is None:
            message = (
                f"agent '{shortened(string.text)}': {name}={shortened(text)} is not understood; set "
                f"{', '.join(traits)} from 0 to 1"
            )
            raise InputError(message)
        traits[name] = value
    if string.detail:
        message = f"agent '{string.text}' takes no detail; write retriever or retriever:state=.8,cue=.3"
        raise InputError(message)
    return traits


def _check(string: AgentString, context: AgentContext) -> None:
    _traits(string)


kind = AgentKind(
    name="retriever",
    description="Finds files by words; relies on state, prior and cue as much as you set.",
    open=_open,
    trusted=True,
    waits=False,
    label=LABEL,
    check=_check,
    boundary=BUILT_IN,
)
