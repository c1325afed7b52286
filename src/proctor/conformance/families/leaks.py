"""Nothing hidden reaches the agent.

What may be shown cannot be told from what may not by its value alone: the answer of an extraction stands in the
observation, and reading tools are there to disclose the world. So the check asks what no sound family does:

- a goal, answer format or tool description states the answer, and not as one of several to choose from;
- the first observation has a field that `observation_schema` does not declare;
- an object that is shown has the answer under the name it has in `hidden`, or all of `hidden`;
- an error message tells a hidden value that no successful call tells, or states the answer before the agent met it,
  though the agent did not send it itself;
- a text that is shown has the key of the instance's stream, or names the family.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from proctor.conformance.contract import Check, Tally
from proctor.conformance.secrets import Leaf, appears_in, groups, is_distinctive, leaves, objects, texts
from proctor.conformance.subject import BASELINES, Subject
from proctor.engine.trial import Trial
from proctor.spec.task import Instance, TaskView

CHECK = Check(
    "leaks",
    "Nothing hidden leaks",
    "No goal, tool description, first observation, tool result or error message gives away what is hidden.",
)
TELLTALE = frozenset({"answer", "expected", "solution", "target", "correct", "truth", "verdict"})
"""Names under which families keep what is judged."""
COMMON = 0.25
"""An answer that this share of the instances has is no secret: a fixed word, one of a few options."""
_KEY_DIGITS = 12
AGENTS = ("oracle", "prober", *BASELINES)


def check(subject: Subject, tally: Tally) -> None:
    """Look at what every instance shows, and at everything the agents are told on some of them."""
    secrets = Secrets(subject)
    for index in range(subject.options.instances):
        trial = subject.trial(index, "oracle")
        if trial.task is not None:
            _fixed_texts(secrets, tally, index, trial.task)
            _first_observation(subject, tally, trial)
    texts_seen = 0
    for index in range(subject.options.few):
        trials = {agent: subject.trial(index, agent) for agent in AGENTS}
        known = "\n".join(text for trial in trials.values() for text in _disclosed(trial))
        for trial in trials.values():
            texts_seen += len(trial.seen)
            _objects(subject, tally, trial)
            _whole(tally, trial)
            _errors(secrets, tally, index, trial, known)
            _origin(subject, tally, index, trial)
    errors = tally.measured.get("errors", 0)
    tally.measured |= {"instances": subject.options.instances, "observations": texts_seen, "errors": errors}
    tally.summary = (
        f"{subject.options.instances} tasks, and on {subject.options.few} of them {texts_seen} observations of which "
        f"{errors} are error messages, reveal nothing hidden."
    )


class Secrets:
    """The answers of all instances, by their path in the answer: what is secret in one is a rival in another."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._answers = [
            list(leaves(subject.family.answer(subject.instance(index)))) for index in range(subject.options.instances)
        ]
        counts = Counter(pair for answer in self._answers for pair in set(answer))
        most = max(1.0, COMMON * len(self._answers))
        self._common = {pair for pair, count in counts.items() if count > most}
        self._rivals = {path: {leaf for other, leaf in counts if other == path} for path, _ in counts}

    def of(self, index: int) -> list[tuple[str, Leaf]]:
        """The telling parts of one answer."""
        return [pair for pair in self._answers[index] if is_distinctive(pair[1]) and pair not in self._common]

    def stated_in(self, text: str, index: int) -> Leaf | None:
        """A secret that the text states; one among rivals that the text offers as well is none."""
        for path, leaf in self.of(index):
            if appears_in(leaf, text) and not any(
                other != leaf and is_distinctive(other) and appears_in(other, text)
                for other in self._rival(index, path, leaf)
            ):
                return leaf
        return None

    def _rival(self, index: int, path: str, leaf: Leaf) -> set[Leaf]:
        """What else the answer might be: answers of other instances, and values of its kind in this one."""
        instance = self._subject.instance(index)
        kinds = chain(groups(instance.hidden), groups(instance.observation))
        return self._rivals[path].union(*(group for group in kinds if leaf in group))


def _fixed_texts(secrets: Secrets, tally: Tally, index: int, task: TaskView) -> None:
    fixed = {"the goal": task.goal, "the answer format": task.answer_format}
    for tool in task.tools:
        fixed[f"the description of tool '{tool.name}'"] = f"{tool.description}\n{json.dumps(tool.parameters)}"
    for where, text in fixed.items():
        leaf = secrets.stated_in(text, index)
        if leaf is not None:
            tally.find(f"leak: the answer '{leaf}' appears in {where}; state the question there, never its answer")


def _first_observation(subject: Subject, tally: Tally, trial: Trial) -> None:
    declared = subject.family.spec.observation_schema.get("properties")
    if isinstance(declared, dict) and trial.seen:
        for name in sorted(trial.seen[0].fields.keys() - declared.keys()):
            tally.find(
                f"leak: the first observation has the field '{name}', which observation_schema does not declare; "
                "declare it if agents may see it, or keep it in hidden"
            )


def _objects(subject: Subject, tally: Tally, trial: Trial) -> None:
    """Objects that carry what is judged under its own name, or everything hidden."""
    hidden = trial.instance.hidden
    declared = subject.family.spec.observation_schema.get("properties") or {}
    judged = _judged(subject, trial.instance)
    for observation in trial.seen:
        where = _place(trial, observation.call)
        for shown in objects(observation.fields):
            for name in judged:
                if name in shown and shown[name] == hidden[name] and name not in declared:
                    tally.find(
                        f"leak: '{name}' of hidden is shown under its own name in {where}; "
                        "what is judged must not be shown"
                    )
            if len(hidden) > 1 and all(name in shown and shown[name] == value for name, value in hidden.items()):
                tally.find(f"leak: the whole of hidden is shown in {where}; show only what agents may see")


def _judged(subject: Subject, instance: Instance) -> list[str]:
    answer = subject.family.answer(instance)
    visible = "\n".join((instance.goal, *texts(instance.observation)))
    judged = []
    for name, value in instance.hidden.items():
        if answer is not None and value == answer and not isinstance(value, bool):
            judged.append(name)
        elif name.lower() in TELLTALE:
            secret = [leaf for _, leaf in leaves(value) if is_distinctive(leaf) and not appears_in(leaf, visible)]
            if secret:
                judged.append(name)
    return judged


def _whole(tally: Tally, trial: Trial) -> None:
    hidden = trial.instance.hidden
    if not hidden:
        return
    written = (repr(hidden), json.dumps(hidden, default=str), json.dumps(hidden, default=str, separators=(",", ":")))
    for where, text in _told(trial):
        if any(form in text for form in written):
            tally.find(f"leak: all of hidden is written out in {where}; never put it into a text")


def _errors(secrets: Secrets, tally: Tally, index: int, trial: Trial, known: str) -> None:
    """Hidden values in error messages that were neither sent by the agent nor to be had otherwise."""
    own = {leaf for _, leaf in secrets.of(index)}
    everything = own | {leaf for _, leaf in leaves(trial.instance.hidden) if is_distinctive(leaf)}
    met = [trial.instance.goal, trial.instance.answer_format]
    sent = {pair.called.call: pair.called for pair in trial.calls}
    for observation in trial.seen:
        if observation.call is not None:
            met.extend(texts(sent[observation.call].arguments) if observation.call in sent else ())
        message = observation.fields.get("error") if observation.call is not None else None
        if not isinstance(message, str):
            met.extend(texts(observation.fields))
            continue
        tally.measured["errors"] = tally.measured.get("errors", 0) + 1
        stated = secrets.stated_in(message, index)
        for leaf in (leaf for leaf in everything if appears_in(leaf, message)):
            before = "\n".join(met)
            if not appears_in(leaf, before) and (leaf == stated or not appears_in(leaf, known)):
                what = "the answer" if leaf in own else "the hidden value"
                tally.find(
                    f"leak: {what} '{leaf}' appears in {_place(trial, observation.call, error=True)}; error messages "
                    "must not contain hidden values"
                )


def _origin(subject: Subject, tally: Tally, index: int, trial: Trial) -> None:
    """Where the instance came from must not be told: neither its stream nor its family."""
    keys = [subject.source.child(index).key.hex()[:_KEY_DIGITS], subject.source.key.hex()[:_KEY_DIGITS]]
    name = subject.family.spec.full_name
    for where, text in _told(trial):
        if any(key in text.lower() for key in keys):
            tally.find(f"leak: the key of the instance's stream appears in {where}; draw from streams, never show them")
        if name in text:
            tally.find(f"leak: the family's name '{name}' appears in {where}; agents must not learn which family it is")


def _told(trial: Trial) -> Iterator[tuple[str, str]]:
    """Every text the agent was given, with where it stood."""
    if trial.task is not None:
        yield "the goal", trial.task.goal
        yield "the answer format", trial.task.answer_format
        for tool in trial.task.tools:
            yield f"the description of tool '{tool.name}'", tool.description
    for observation in trial.seen:
        is_error = observation.call is not None and "error" in observation.fields
        for text in texts(observation.fields):
            yield _place(trial, observation.call, error=is_error), text


def _disclosed(trial: Trial) -> Iterator[str]:
    """What the agent could know without any error message: the task, observations, successful results."""
    yield trial.instance.goal
    yield trial.instance.answer_format
    for observation in trial.seen:
        if observation.call is None or "error" not in observation.fields:
            yield from texts(observation.fields)


def _place(trial: Trial, call: int | None, *, error: bool = False) -> str:
    if call is None:
        return "the first observation"
    return f"{'the error message' if error else 'a result'} of tool '{trial.tool_of.get(call, '?')}'"
