"""The reading rules find what a generated text implies, and nothing where it implies nothing."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.suites.binding.families.events import instances

import proctor.models.simulated.rules_families as rules
from proctor.api import run
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.models.simulated.rules_families import implied
from proctor.spec.suite import Entry, Suite
from proctor.suites.binding.conditions import LESION, STRUCTURED
from proctor.suites.binding.families import FAMILIES, FourCodeFamily
from proctor.suites.binding.families.conditions import LESION_STRICT

PER_FAMILY = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.spec.id)
OPTIONS = {"ACT_A": "the red urn", "ACT_B": "the glass jar"}
PERFECT = "structured:simulated,reason=1,memory=1,veto=1,self=1,cue=0,noise=0"
EVENTS = 30
CONDITIONS = (STRUCTURED, LESION, LESION_STRICT)


@PER_FAMILY
def test_every_generated_field_is_read_as_it_was_meant(family: FourCodeFamily) -> None:
    for seed in (3, 11):
        for instance in instances(family, 120, seed):
            options = instance.hidden["options"]
            read = {name: implied(name, field["text"], options) for name, field in instance.state.items()}
            assert {name: code for name, code in read.items() if code} == instance.hidden["implied"]


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Counter[int]]:
    """How often a simulant that follows everything is right, by family and Condition."""
    suite = Suite(
        name="reading",
        version="1.0",
        title="For testing",
        epoch="2026-01-01T00:00:00Z",
        conditions=CONDITIONS,
        entries=tuple(
            Entry(family=family.spec.id, n=EVENTS, conditions=tuple(one.id for one in CONDITIONS))
            for family in FAMILIES
        ),
    )
    store = str(tmp_path_factory.mktemp("reading") / "store.db")
    result = run(suite, agent=PERFECT, seed=3, store=store)
    with Store(store, create=False) as opened:
        evidence = evidence_of(opened, result.run)
    found: dict[tuple[str, str], Counter[int]] = {}
    for row in evidence.rows:
        arm = evidence.arms[row.arm]
        measures: dict[str, Any] = msgspec.json.decode(row.measures or "{}")
        found.setdefault((arm.family.partition("@")[0], arm.condition), Counter())[measures["c"]] += 1
    return found


@PER_FAMILY
def test_who_follows_everything_is_right(family: FourCodeFamily, right: dict[tuple[str, str], Counter[int]]) -> None:
    counted = right[family.spec.id, "structured"]
    assert counted.total() == EVENTS
    assert counted[1] / EVENTS >= 0.98


@pytest.mark.parametrize("condition", ["lesion", "lesion-strict"])
def test_without_the_decisive_field_the_prior_is_left(
    condition: str, right: dict[tuple[str, str], Counter[int]]
) -> None:
    """A third of the targets is what any constant answer gets; four standard errors over all families."""
    shares = [right[family.spec.id, condition][1] / EVENTS for family in FAMILIES]
    assert abs(sum(shares) / len(shares) - 1 / 3) < 4 * (2 / 9 / (EVENTS * len(FAMILIES))) ** 0.5
    assert max(shares) < 0.7


def test_prompts_with_other_codes_are_left_to_other_rules() -> None:
    assert implied("veto", "Any step is forbidden.", {"ACTION_A": "the red urn", "ACTION_B": "the glass jar"}) is None
    assert implied("veto", "Any step is forbidden.", {}) is None


@pytest.mark.parametrize(
    ("field", "text", "code"),
    [
        ("reason", "The red urn is sound; the glass jar is broken.", "ACT_A"),
        ("reason", "The glass jar is sound; the red urn is sound.", None),
        ("self", "The red urn or the glass jar.", None),
        ("memory", "The weather was fine.", None),
        ("memory", "Somebody mentioned the red urn, on the surface.", None),
        ("plan", "The report is pending.", "ACT_DEFER"),
        ("constraints", "Entry is prohibited until the report is in.", "ACT_VETO"),
        (
            "veto",
            "There is a stop for both. The stop was lifted for the red urn; for the glass jar it was not.",
            "ACT_A",
        ),
        ("x-notes", "The red urn is forbidden.", None),
        ("x-cue", "A poster of the glass jar.", "ACT_B"),
    ],
)
def test_plain_sentences(field: str, text: str, code: str | None) -> None:
    assert implied(field, text, OPTIONS) == code


def test_the_rules_cannot_reach_the_generators() -> None:
    tree = ast.parse(Path(rules.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [name for name in imported if name and name.startswith("proctor")]
