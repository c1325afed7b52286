"""Small sets of scenarios: what can be told about them is told, and what cannot is not a failure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.e2e.test_docs import DOCS, blocks
from tests.unit.pipeline.small_quality import scenario

from proctor.conformance import Conformance, check_family, check_suite
from proctor.conformance.families.baselines import ENOUGH
from proctor.engine.names import load_family, load_suite
from proctor.spec.scenario import ScenarioSet
from proctor.suites.quality.family import ScenarioFamily

REFUSED: dict[str, Any] = {"expected": {"name": "refuse"}, "gates": [], "approvals": [], "evidence_schema": None}
"""What makes a request one that is right to refuse at once."""


def family(count: int, *, refused: int = 0) -> ScenarioFamily:
    rows = [scenario(number, **(REFUSED if number < refused else {})) for number in range(count)]
    return ScenarioFamily(ScenarioSet.parse({"name": "few", "title": "Few", "scenarios": rows}, source="test"))


def checked(made: ScenarioFamily, *only: str, instances: int = 30) -> Conformance:
    return check_family(made, instances=instances, fresh_process=False, only=only or None)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the page on scenarios of one's own."""
    folder = tmp_path_factory.mktemp("desk")
    for block in blocks(DOCS / "how-to" / "your-scenarios.md"):
        if block.file is not None:
            (folder / block.file).write_text(block.text)
    return folder


@pytest.mark.parametrize("count", [3, 10])
def test_a_few_sound_scenarios_fail_nothing(count: int) -> None:
    report = checked(family(count))
    assert report.findings == ()
    assert report.result("baselines").status == "passed"
    assert report.result("determinism").measured["compared"] == count


@pytest.mark.parametrize("name", ["front_desk.py", "refunds.py"])
def test_the_sets_of_the_page_fail_nothing(desk: Path, name: str) -> None:
    report = check_family(load_family(name, desk), fresh_process=False)
    assert report.findings == ()


def test_the_suite_of_the_page_fails_nothing(desk: Path) -> None:
    report = check_suite(load_suite("front_desk.py@suite", desk), folder=desk)
    assert report.findings == ()
    samples = report.result("samples")
    assert samples.status == "not measured"
    assert "4 scenarios of 'front_desk.py' are too few" in samples.detail


@pytest.mark.parametrize(
    ("count", "refused", "status"),
    [
        (4, 1, "passed"),
        (4, 2, "not measured"),
        (10, 2, "passed"),
        (10, 6, "not measured"),
        (10, 8, "failed"),
        (ENOUGH, 12, "passed"),
        (ENOUGH, 13, "failed"),
    ],
)
def test_a_shortcut_counts_from_where_it_cannot_be_chance(count: int, refused: int, status: str) -> None:
    result = checked(family(count, refused=refused), "baselines", instances=4 * ENOUGH if count < ENOUGH else count)
    assert result.result("baselines").measured["refuse"] == pytest.approx(refused / count, abs=1e-4)
    assert result.result("baselines").status == status
    if status == "not measured":
        said = result.result("baselines").detail
        assert f"with {count} scenarios that can be chance: add scenarios, {ENOUGH} are enough" in said


def test_a_scenario_file_is_no_suite(desk: Path) -> None:
    from proctor.core.errors import InputError

    with pytest.raises(InputError, match=r"front_desk\.yaml contains scenarios and is not a suite; `proctor lint"):
        load_suite("front_desk.yaml", desk)
