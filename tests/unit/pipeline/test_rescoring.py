"""Baselines under a changed oracle, and baselines that rise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.pipeline.conftest import MakeSigner
from tests.unit.pipeline.living import known_signer
from tests.unit.pipeline.small_quality import scenario

from proctor.instruments.quality.baseline import Anchor, Baseline, Decided, RunSummary, ScenarioRecord
from proctor.instruments.quality.ratchet import Ratcheted
from proctor.instruments.quality.rules import QualityRules
from proctor.pipeline.baseline.accepted import baseline_path, find_baseline, install_signed
from proctor.pipeline.baseline.file import BaselineFile, read_baseline, sign, write_baseline
from proctor.pipeline.baseline.lawful import record_of
from proctor.pipeline.baseline.raise_baseline import raise_baseline
from proctor.pipeline.keys import Signer
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.rescoring import action_digest, questions_of, under_oracle
from proctor.reports.gate_results import BaselineStep
from proctor.spec.scenario import Action, Scenario

APPROVE = Action(name="approve", args={"number": 0})


def made(**changes: Any) -> Scenario:
    return Scenario.parse(scenario(0, **changes), source="test")


def summary(name: str, action: str, key: str, correct: int) -> RunSummary:
    record = ScenarioRecord(
        made().content_hash[:16], "desk/form-0", 1.0, 1, (Decided(0, action, key, correct, 1, 1.0),)
    )
    return RunSummary(
        run=name,
        root="r",
        config_hash="c",
        timestamp="2026-03-01T00:00:00Z",
        agent="oracle",
        system="s",
        suite="small-quality@1.0",
        suite_hash="h",
        rules_hash="x",
        complete=True,
        s1=0,
        metrics={},
        scenarios={"request-0": record},
    )


def file_of(*runs: RunSummary) -> BaselineFile:
    return BaselineFile(
        suite="small-quality",
        charter="c",
        questions=questions_of([made()]),
        baseline=Baseline(runs=runs, anchor=Anchor("1.0", runs), accepted_at="2026-03-01T00:00:00Z"),
        lineage=(),
    )


@pytest.mark.parametrize(
    ("action", "key", "changed", "correct"),
    [
        ("approve", action_digest(APPROVE), {"expected": {"name": "escalate"}}, 0),
        ("approve", action_digest(APPROVE), {"weight": 0.5}, 1),
        ("escalate", "", {"acceptable": [{"name": "escalate"}]}, 1),
        ("refuse", "", {"acceptable": [{"name": "escalate"}]}, 0),
    ],
)
def test_old_decisions_are_judged_by_the_new_answer(
    action: str, key: str, changed: dict[str, Any], correct: int
) -> None:
    now = made(**changed)
    found = under_oracle(file_of(summary("a", action, key, 1 - correct)), {"request-0": now})
    for run in (found.runs[0], found.anchor.runs[0]):
        record = run.scenarios["request-0"]
        assert record.hash == now.content_hash[:16]
        assert record.decided[0].correct == correct
        assert record.weight == now.weight


def test_another_question_is_not_judged_again() -> None:
    file = file_of(summary("a", "approve", action_digest(APPROVE), 1))
    now = made(context="Something else is asked.", expected={"name": "refuse"})
    assert under_oracle(file, {"request-0": now}) == file.baseline


def test_an_action_known_by_name_alone_cannot_be_judged() -> None:
    file = file_of(summary("a", "approve", "", 1))
    now = made(acceptable=[{"name": "escalate"}])
    assert under_oracle(file, {"request-0": now}).runs[0].scenarios["request-0"].hash != now.content_hash[:16]


def test_the_file_gives_back_what_it_was_given(tmp_path: Path, signer: MakeSigner) -> None:
    one, two = summary("a", "approve", "", 1), summary("b", "approve", "", 1)
    file = sign(file_of(one, two), signer("anna"))
    for name in ("baseline.json", "baseline.zst"):
        write_baseline(file, tmp_path / name)
        assert read_baseline(tmp_path / name) == file
    assert (tmp_path / "baseline.json").read_bytes().count(b'"run":"a"') == 1, "a run is written once"


@pytest.fixture
def rising(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ratchet that always takes the run in."""

    def always(baseline: Baseline, run: RunSummary, *_: Any, **__: Any) -> Ratcheted:
        return Ratcheted(msgspec.structs.replace(baseline, rising=(*baseline.rising, run)), "rising", "better")

    monkeypatch.setattr("proctor.pipeline.baseline.raise_baseline.ratchet", always)


def in_force(project: Path, file: BaselineFile) -> Path:
    """Where this baseline lies, once it is the accepted one."""
    install_signed(file, project, Ledger(project), "acceptance", record_of(file, QualityRules()), known_signer(project))
    return baseline_path(project, file.suite)


def raised(project: Path, run: RunSummary, signer: Signer | None = None) -> BaselineStep | None:
    compared = find_baseline(project, "small-quality")
    assert compared is not None
    return raise_baseline(project, compared, run, None, QualityRules(), at="2026-03-02T00:00:00Z", signer=signer)


@pytest.mark.usefixtures("rising")
def test_a_run_moves_the_baseline_once(project: Path) -> None:
    zoe = known_signer(project)
    path = in_force(project, file_of(summary("a", "approve", "", 1)))
    run = summary("b", "approve", "", 1)
    step = BaselineStep(step="rising", reason="better")
    assert raised(project, run, zoe) == step
    assert raised(project, run, zoe) == step, "repeated after a kill, a stage gives what it gave"
    assert [one.run for one in read_baseline(path).baseline.rising] == ["b"]
    (entry,) = [entry for entry in Ledger(project).entries() if entry.kind == "rise"]
    assert entry.body["baseline"] == read_baseline(path).digest


@pytest.mark.usefixtures("rising")
def test_a_baseline_that_became_another_one_meanwhile_is_left_alone(project: Path) -> None:
    compared = file_of(summary("a", "approve", "", 1))
    path = in_force(project, file_of(summary("z", "approve", "", 1)))
    before = path.read_bytes()
    run = summary("b", "approve", "", 1)
    assert raise_baseline(project, compared, run, None, QualityRules(), at="2026-03-02T00:00:00Z", signer=None) is None
    assert path.read_bytes() == before


@pytest.mark.usefixtures("rising")
def test_killed_between_record_and_file_the_rise_is_finished_by_the_next_reader(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_force(project, file_of(summary("a", "approve", "", 1)))
    with monkeypatch.context() as killed:
        killed.setattr(Path, "replace", _killed_at("next"))
        with pytest.raises(KeyboardInterrupt):
            raised(project, summary("b", "approve", "", 1), known_signer(project))
    found = find_baseline(project, "small-quality")
    assert found is not None
    assert [one.run for one in found.baseline.rising] == ["b"]


def _killed_at(folder: str) -> Callable[[Path, Path], Path]:
    """`Path.replace`, except that who moves a file out of this folder is gone."""
    replace = Path.replace

    def moved(path: Path, target: Path) -> Path:
        if path.parent.name == folder and Path(target).parent.name != folder:
            raise KeyboardInterrupt
        return replace(path, target)

    return moved


@pytest.mark.usefixtures("rising")
def test_a_signature_is_never_written_over_without_a_key(project: Path, signer: MakeSigner) -> None:
    anna = signer("anna")
    path = in_force(project, file_of(summary("a", "approve", "", 1)))
    before = path.read_bytes()
    step = raised(project, summary("b", "approve", "", 1))
    assert step is not None
    assert (step.step, "--key" in step.reason) == ("unchanged", True)
    assert path.read_bytes() == before
    raised(project, summary("b", "approve", "", 1), anna)
    assert read_baseline(path).signature is not None
    assert len(read_baseline(path).baseline.rising) == 1


def test_a_run_that_is_no_better_changes_nothing(project: Path) -> None:
    path = in_force(project, file_of(*(summary(name, "approve", "", 1) for name in "abcde")))
    before = path.read_bytes()
    step = raised(project, summary("f", "approve", "", 1))
    assert step is not None
    assert step.step == "unchanged"
    assert path.read_bytes() == before
