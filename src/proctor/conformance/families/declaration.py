"""The declaration is complete, and instances are what it says."""

from __future__ import annotations

from typing import Any

from proctor.conformance.contract import Check, Tally
from proctor.conformance.schemas import ill_formed, misfits, not_json
from proctor.conformance.subject import Subject
from proctor.spec.task import Instance

CHECK = Check(
    "declaration",
    "The declaration is complete",
    "Reasons, schemas, templates and knobs are declared, every template occurs, and instances and answers fit.",
)
PER_TEMPLATE = 40
"""Instances drawn per declared template before one of them counts as unreachable."""


def check(subject: Subject, tally: Tally) -> None:
    """Look at the declaration itself, then at instances until every template was met."""
    _texts(subject, tally)
    _knobs(subject, tally)
    sound = _schemas(subject, tally)
    spec = subject.family.spec
    reached: set[str] = set()
    most = max(subject.options.instances, PER_TEMPLATE * len(spec.templates))
    index = 0
    while index < subject.options.instances or (index < most and not reached >= set(spec.templates)):
        instance = subject.instance(index)
        reached.add(instance.template)
        _instance(subject, instance, tally, sound)
        index += 1
    tally.measured = {"instances": index, "templates": len(spec.templates), "reached": len(reached)}
    for template in spec.templates:
        tally.require(
            template in reached,
            f"declaration: template '{template}' did not occur in {index} instances; let instance() choose it, or "
            "take it out of the spec",
        )
    tally.summary = (
        f"{len(reached)} of {len(spec.templates)} templates within {index} instances; all fit their schemas."
    )


def _texts(subject: Subject, tally: Tally) -> None:
    spec = subject.family.spec
    tally.require(
        "correct" in spec.reasons,
        "declaration: reasons lack 'correct', the code of a success; add it and let verify() give it",
    )
    for name in ("title", "description", "criterion", "verification"):
        tally.require(
            bool(getattr(spec, name).strip()), f"declaration: {name} is empty; say in a sentence what it is for"
        )
    for name in ("reasons", "templates"):
        items: tuple[str, ...] = getattr(spec, name)
        tally.require(all(item.strip() for item in items), f"declaration: one of the {name} is empty; name it")
        tally.require(len(set(items)) == len(items), f"declaration: {name} are listed twice; list each once")


def _knobs(subject: Subject, tally: Tally) -> None:
    for name, knob in subject.family.spec.knobs.items():
        tally.require(
            knob.default in knob.values,
            f"declaration: the default {knob.default!r} of knob '{name}' is none of its values; use one of "
            f"{', '.join(map(repr, knob.values))}",
        )
        tally.require(
            len(set(knob.values)) == len(knob.values) >= 2,
            f"declaration: knob '{name}' has fewer than two different values; give several, from easy to hard",
        )
        tally.require(
            bool(knob.description.strip()), f"declaration: knob '{name}' has no description; say what it does"
        )


def _schemas(subject: Subject, tally: Tally) -> bool:
    spec = subject.family.spec
    sound = True
    for name in ("observation_schema", "answer_schema"):
        for problem in ill_formed(getattr(spec, name)):
            sound = tally.require(False, f"declaration: {name} is no JSON Schema: {problem}; correct it")
    tally.require(
        isinstance(spec.observation_schema.get("properties"), dict),
        "declaration: observation_schema lists no properties; name every field that is shown, so that others stand out",
    )
    return sound


def _instance(subject: Subject, instance: Instance, tally: Tally, sound: bool) -> None:
    spec = subject.family.spec
    tally.require(
        instance.template in spec.templates,
        f"declaration: an instance has the template '{instance.template}', which is not declared; add it to templates",
    )
    for name in ("goal", "answer_format"):
        tally.require(
            bool(getattr(instance, name).strip()),
            f"declaration: an instance of template '{instance.template}' has no {name}; write one that a person "
            "could follow",
        )
    for name in ("observation", "hidden", "state", "knobs"):
        bad = not_json(getattr(instance, name))
        if bad is not None:
            tally.find(f"declaration: {name} of an instance is not JSON: {bad}; use objects, lists, texts and numbers")
    if sound:
        _fits(subject, instance, tally)


def _fits(subject: Subject, instance: Instance, tally: Tally) -> None:
    spec = subject.family.spec
    # Fields beyond the declared ones are the business of the check for leaks.
    declared: dict[str, Any] = spec.observation_schema.get("properties") or {}
    shown = {name: value for name, value in instance.observation.items() if name in declared}
    for problem in misfits(shown, spec.observation_schema):
        tally.find(f"declaration: an observation does not fit observation_schema: {problem}; correct one of the two")
    answer = subject.family.answer(instance)
    if answer is not None:
        for problem in misfits(answer, spec.answer_schema):
            tally.find(f"declaration: answer() does not fit answer_schema: {problem}; correct one of the two")
