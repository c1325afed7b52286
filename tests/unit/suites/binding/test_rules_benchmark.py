"""The reading rules find what a generated text implies, and nothing where it implies nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.unit.suites.binding.drawn import EVERY, drawn, instances, options_of

import proctor.models.simulated.rules_benchmark as rules
from proctor.models.simulated.rules_benchmark import implied
from proctor.suites.binding.corpora import CorpusFamily, probes

ARMS = ("plain", "paraphrase", "placebo")
PER_FAMILY = pytest.mark.parametrize("family", EVERY, ids=lambda family: family.spec.id)


@PER_FAMILY
def test_every_generated_field_is_read_as_it_was_meant(family: CorpusFamily) -> None:
    for arm in ARMS if "arm" in family.spec.knobs else ("plain",):
        for instance in instances(family, arm=arm):
            options = options_of(instance)
            read = {name: implied(name, field["text"], options) for name, field in instance.state.items()}
            assert {name: code for name, code in read.items() if code} == instance.hidden["implied"]


@pytest.mark.parametrize("strength", [1, 2, 3, 4, 5])
def test_reasons_of_every_strength_are_read(strength: int) -> None:
    for index in range(0, 120 * 6, 6):
        instance = drawn(probes, index, strength=strength)
        assert instance.hidden["probe"] == "reason_strength"
        code = implied("reason", instance.state["reason"]["text"], options_of(instance))
        assert code == instance.hidden["target"]


@PER_FAMILY
def test_without_the_decisive_field_nothing_implies_the_target(family: CorpusFamily) -> None:
    for instance in instances(family):
        for name in instance.hidden["decisive"]:
            rest = {field: value["text"] for field, value in instance.state.items() if field != name}
            read = {implied(field, text, options_of(instance)) for field, text in rest.items()}
            assert instance.hidden["target"] not in read


def test_prompts_with_other_codes_are_left_to_other_rules() -> None:
    assert implied("veto", "Any step is forbidden.", {"ACT_A": "the red urn", "ACT_B": "the glass jar"}) is None
    assert implied("veto", "Any step is forbidden.", {}) is None


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("reason", "The red urn is sound; the glass jar is sound."),
        ("self", "You like the red urn and the glass jar."),
        ("x-situation", "The red urn or the glass jar."),
        ("memory", "The weather was fine."),
        ("x-notes", "The red urn is forbidden."),
    ],
)
def test_what_cannot_be_read_implies_nothing(field: str, text: str) -> None:
    assert implied(field, text, {"ACTION_A": "the red urn", "ACTION_B": "the glass jar"}) is None


def test_the_rules_cannot_reach_the_generators() -> None:
    tree = ast.parse(Path(rules.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [name for name in imported if name and name.startswith("proctor")]
