"""The world of one probe: a question with named state, a finite set of action codes, and a verifier that knows more.

An instance's `state` holds everything event-specific that may be seen, as fields `{"event", "text"}`; the first
observation shows them through the condition in force, so that an agent without named state of its own meets the same
intervention. `hidden` holds what only the verifier knows:

- `target`, `before`, `probe`, `component` (empty where none decides), `decisive` (names of fields), `base_event`;
- `swapped`, `duplicate`: 0 unless said; `role`: `target` where a component decides, `baseline` for the probe of that
  name, `neutral` otherwise, unless said;
- `implied`: the code each field implies, where it implies one; `declared`: 1 where fields name their action themselves;
- `options`: the option names by code; `cue_code`, `strength`, `distance`, `arm_of`, `screen`: where they apply;
- in version 2.0 `dataset` (in 1.0 it is shown), `design`, `twin`, `polarity`, `surface`, `exchange` and `words`, as
  `docs/design/binding-2.md` has them.

Nothing hidden is shown, and with another target every byte shown stays the same.
"""

from __future__ import annotations

from typing import Any

from proctor.core.canonical import chainable
from proctor.evidence.measures import BINDING, NO_FIELD, TAG
from proctor.spec.condition import NO_INTERVENTION, PRIOR_FIELD, Condition, visible
from proctor.spec.ontology import ONTOLOGIES, Ontology
from proctor.spec.task import Instance, Submission, Verification
from proctor.worlds.choice.canonicaliser import Canonical, ParsedAnswer, parse_answer, read_action
from proctor.worlds.choice.own_words import OwnWords, own_words
from proctor.worlds.choice.reasking import ROLE as AGAIN
from proctor.worlds.choice.reasking import ExchangedField, exchanged_field
from proctor.worlds.choice.trace import trace_of
from proctor.worlds.world import BaseWorld, EpisodeContext, Place

REASONS = ("correct", "wrong_action", "unmapped", "nothing_submitted")
"""Every reason a verification of a probe may give."""
NEUTRAL = "neutral"
EVENT, SITUATION = "base_event", "x-situation"
_OPTIONAL = ("strength", "distance")
_TWINS = ("design", "twin", "polarity", "surface")
"""What rows of version 2.0 carry besides: change is read from two of them, and not recorded in one."""

OBSERVATION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "event_id": {"type": "string"},
        "dataset": {"type": "string"},
        "granularity": {"type": "string"},
        "ontology": {"type": "string"},
        "actions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"code": {"type": "string"}, "meaning": {"type": "string"}},
                "required": ["code", "meaning"],
            },
        },
        "state": {"type": "object", "description": "Named fields, each with its event and its text."},
    },
    "required": ["event_id", "dataset", "granularity", "ontology", "actions"],
}
"""What every probe of 1.0 shows first."""

PLAIN_OBSERVATION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        name: shape
        for name, shape in OBSERVATION_SCHEMA["properties"].items()
        if name not in ("dataset", "granularity")
    },
    "required": ["event_id", "ontology", "actions"],
}
"""The same without names of datasets, which tell nothing that an agent should act on."""


def answer_schema(ontology: Ontology) -> dict[str, Any]:
    """One of the codes, all of which are always offered."""
    return {"enum": list(ontology.codes)}


def actions_shown(ontology: Ontology, options: dict[str, str]) -> list[dict[str, str]]:
    """All codes with their meanings, an option's meaning completed by its name."""
    return [
        {"code": code, "meaning": f"{meaning}: {options[code]}" if code in options else meaning}
        for code, meaning in ontology.meanings.items()
    ]


class ChoiceWorld(BaseWorld):
    """One question. It has no tools: what there is to know is in the first observation, or is not to be known."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.ontology = ONTOLOGIES[instance.observation["ontology"]]
        self._condition: Condition = NO_INTERVENTION
        self._donor: Instance | None = None
        self._donor_state: dict[str, Any] = {}
        self._prior: dict[str, int] | None = None
        self._again: ExchangedField | OwnWords | None = None
        self._shown: dict[str, Any] | None = None

    def set_context(self, context: EpisodeContext) -> None:
        """Learn under which intervention this episode is lived."""
        self._condition = context.condition
        self._donor = context.donor
        self._donor_state = context.donor_state
        self._prior = context.prior
        hidden = self.instance.hidden
        if self._first:
            lean = hidden["implied"].get(SITUATION, hidden["before"])
            self._again = exchanged_field(
                context.condition, context.replies, self.ontology, lean, hidden.get("options"), first=True
            )
        else:
            self._again = own_words(context.condition, context.replies, hidden, self.ontology)
        self._shown = None

    @property
    def shown(self) -> dict[str, Any]:
        """The named fields as the condition lets them be read, and the prior where the condition shows one."""
        if self._shown is None:
            decisive = tuple(self.instance.hidden["decisive"])
            self._shown = visible(self.instance.state, self._condition, decisive, self._donor_state)
            if self._condition.prior is not None and self._prior is not None:
                self._shown[PRIOR_FIELD] = {"event": NO_FIELD, "text": prior_text(self._prior, self.ontology)}
            if self._again is not None and self._again.field:
                # Nothing to show instead: the field stays as it is.
                kept, text = self.instance.state.get(self._again.field), self._again.text
                self._shown[self._again.field] = (
                    kept if text is None else {"event": self.instance.hidden[EVENT], "text": text}
                )
        return self._shown

    def observe(self) -> dict[str, Any]:
        return {**self.instance.observation, "state": self.shown}

    @property
    def target(self) -> str:
        """The code that counts as right: the instance's, or what a report that was shown again calls for."""
        if isinstance(self._again, ExchangedField):
            return self._again.code
        if self._again is not None and self._again.target:
            return self._again.target
        return str(self.instance.hidden["target"])

    @property
    def _first(self) -> bool:
        """Whether replies are read as in version 1.0, whose verdicts do not change."""
        return "design" not in self.instance.hidden

    def verify(self, submission: Submission) -> Verification:
        given = parse_answer(submission.answer, first=self._first)
        final = read_action(given, self.ontology, self.instance.hidden.get("options"), first=self._first)
        correct = final.code == self.target and final.how in ("exact", "rule")
        measures = self._measures(given, final, correct)
        return Verification(correct, self._reason(given, final, correct), measures=measures)

    def _reason(self, given: ParsedAnswer, final: Canonical, correct: bool) -> str:
        if correct:
            return "correct"
        if final.how in ("exact", "rule"):
            return "wrong_action"
        return "nothing_submitted" if given.parse in ("none", "empty") else "unmapped"

    def _measures(self, given: ParsedAnswer, final: Canonical, correct: bool) -> dict[str, int | str]:
        hidden = self.instance.hidden
        role = hidden.get("role") or _role(hidden["probe"], hidden["component"])
        if self._again is not None:
            role = AGAIN
        measures: dict[str, int | str] = {
            TAG: BINDING,
            "dataset": hidden["dataset"] if "dataset" in hidden else self.instance.observation["dataset"],
            "event": hidden[EVENT],
            "probe": hidden["probe"],
            "component": hidden["component"] if self._again is None else self._again.field,
            "role": role,
            "ontology": self.ontology.name,
            "swapped": hidden.get("swapped", 0),
            "before": hidden["before"],
            "target": self.target,
            "code": final.code,
            "how": final.how,
            "parse": given.parse,
            "c": int(correct),
            "raw": chainable(final.emitted),
            "cue_code": hidden.get("cue_code", ""),
            "duplicate": hidden.get("duplicate", 0),
            "arm_of": hidden.get("arm_of", ""),
            **self._field(),
        }
        if "design" in hidden:
            measures.update({name: hidden[name] for name in _TWINS})
        elif role == NEUTRAL:
            # Whatever is not the action from before counts as moved, what cannot be mapped included.
            measures["u"] = int(final.code != hidden["before"])
        if "screen" in hidden:
            measures["screen"] = hidden["screen"]
        for name in _OPTIONAL:
            if name in hidden:
                measures[name] = hidden[name]
        if given.reply is not None:
            measures.update(trace_of(given.reply, final, self.ontology, first=self._first))
        return measures

    def _field(self) -> dict[str, int | str]:
        """Whose decisive field was visible, which code it implies, and whether it names that code itself.

        Under another event's state it may be another field that decides: the one that decided there.
        """
        if isinstance(self._again, ExchangedField):
            return {"field_event": self.instance.hidden[EVENT], "field_code": self._again.code, "declared": 1}
        if self._again is not None:
            event = self.instance.hidden[EVENT] if self._again.field else NO_FIELD
            return {"field_event": event, "field_code": self._again.calls, "declared": int(self._again.spelled)}
        measures: dict[str, int | str] = {"field_event": NO_FIELD, "field_code": "", "declared": 0}
        donor = () if self._donor is None else self._donor.hidden["decisive"]
        for name in dict.fromkeys((*self.instance.hidden["decisive"], *donor)):
            shown = self.shown.get(name)
            if isinstance(shown, dict) and shown.get("unusable") is True:
                shown = shown.get("value")
            if not isinstance(shown, dict) or "event" not in shown:
                continue
            source = self._made(name, shown)
            code = "" if source is None else source.hidden["implied"].get(name, "")
            if code and source is not None:
                declared = int(source.hidden.get("declared", 0))
                return {"field_event": str(shown["event"]), "field_code": code, "declared": declared}
            if measures["field_event"] == NO_FIELD and name in self.instance.hidden["decisive"]:
                measures["field_event"] = str(shown["event"])
        return measures

    def _made(self, name: str, shown: dict[str, Any]) -> Instance | None:
        """The instance a shown field was made for; None for one that belongs to neither."""
        if shown == self.instance.state.get(name):
            return self.instance
        donor = self._donor
        return donor if donor is not None and shown == donor.state.get(name) else None


def _role(probe: str, component: str) -> str:
    return "target" if component else "baseline" if probe == "baseline" else NEUTRAL


def prior_text(counts: dict[str, int], ontology: Ontology) -> str:
    """Frozen counts as a sentence: how often each code was given, all codes of the ontology listed."""
    total = sum(counts.values())
    listed = ", ".join(f"{code} {counts.get(code, 0)}" for code in ontology.codes)
    return f"How often each action was taken in {total} earlier cases, whatever they were about: {listed}."
