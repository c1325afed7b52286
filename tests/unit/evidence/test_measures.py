"""Measures are told apart by their tag, in one place; what was recorded without one is still read."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.instruments.quality.made import row as scenario_row
from tests.unit.suites.binding.swebench import repository
from tests.unit.suites.binding.swebench.test_localisation import verdict
from tests.unit.suites.quality.living import calling, lived, pay
from tests.unit.worlds.choice.test_world import instance, verified
from tests.unit.worlds.test_decision_world import PLAIN

import proctor
from proctor.core.canonical import decode, encode
from proctor.core.errors import InputError
from proctor.evidence.measures import (
    BindingMeasures,
    DecisionMeasures,
    LocalisationMeasures,
    all_measures_of,
    is_a,
    measures_of,
)
from proctor.evidence.row import Row
from proctor.suites.binding.swebench.family import source


def row(measures: dict[str, Any] | None) -> Row:
    return replace(scenario_row(0), measures=None if measures is None else encode(measures).decode())


def untagged() -> dict[str, Any]:
    """As scenarios were recorded before measures had a kind."""
    found: dict[str, Any] = decode(scenario_row(3).measures or "")
    found.pop("kind", None)
    return found


def test_what_was_recorded_without_a_kind_is_read_as_before() -> None:
    old, new = row(untagged()), row({"kind": "decision", **untagged()})
    assert is_a(DecisionMeasures, old) and is_a(DecisionMeasures, new)
    assert measures_of(DecisionMeasures, old) == measures_of(DecisionMeasures, new)
    both = all_measures_of(DecisionMeasures, [old, new])
    assert [one.scenario for one in both] == ["s-3", "s-3"]


@pytest.mark.parametrize(
    "other",
    [
        None,
        {},
        {"scenario": "mine", "score": 3},
        {"kind": "mine", **{name: value for name, value in untagged().items() if name != "kind"}},
        {"kind": 7},
        {"note": '"scenario" and "kind":"binding"'},
    ],
)
def test_measures_of_other_families_are_left_alone(other: dict[str, Any] | None) -> None:
    kinds: tuple[Any, ...] = (DecisionMeasures, BindingMeasures, LocalisationMeasures)
    for kind in kinds:
        assert not is_a(kind, row(other))
        assert measures_of(kind, row(other)) is None


def test_one_kind_is_not_another() -> None:
    assert measures_of(BindingMeasures, row(untagged())) is None
    assert measures_of(LocalisationMeasures, row({"kind": "decision", **untagged()})) is None


def test_a_row_that_lacks_what_its_kind_has_is_one_sentence() -> None:
    with pytest.raises(InputError, match=r"says it is a binding probe and lacks what one has \(.*dataset"):
        measures_of(BindingMeasures, row({"kind": "binding"}))
    with pytest.raises(InputError, match="says it is a decision"):
        measures_of(DecisionMeasures, row({"kind": "decision", **untagged(), "correct": "yes"}))


def test_worlds_write_what_is_declared_and_nothing_else(tmp_path: Path) -> None:
    issues = source.open_data(repository.write(tmp_path / "own"), "")
    written: list[tuple[type[Any], dict[str, Any]]] = [
        (DecisionMeasures, decode(lived(PLAIN, calling(pay())).row.measures or "")),
        (BindingMeasures, verified("ACTION_B").measures),
        (BindingMeasures, verified("ACTION_B", instance(strength="0.5", distance="2", screen="s")).measures),
        (LocalisationMeasures, verdict(issues, "task", {"files": ["a.py"], "confidence": 0.5}).measures),
    ]
    for kind, measures in written:
        assert measures_of(kind, row(measures)) is not None
        assert set(measures) <= {"kind", *kind.__struct_fields__}


def test_nothing_else_looks_into_the_text_of_measures() -> None:
    """A substring of the JSON is no tag: `"…" in row.measures` stands nowhere."""
    for path in sorted(Path(proctor.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and any(isinstance(one, ast.In | ast.NotIn) for one in node.ops):
                searched = [one.attr for one in node.comparators if isinstance(one, ast.Attribute)]
                assert "measures" not in searched, path
