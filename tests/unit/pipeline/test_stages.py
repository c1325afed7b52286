"""The stages: killed at any boundary, a pipeline comes to the same single decision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import BenchError, InputError, IntegrityError
from proctor.pipeline.decision import record_decision
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.stages import STAGES, Outputs, Pipeline, StageFunction, StageName, pipelines


class Killed(BaseException):
    """Stands for a process that is gone: nothing catches it."""


class Counted:
    """Seven stage functions that count how often each is carried out; the last one decides."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.calls: list[str] = []

    def functions(self) -> dict[StageName, StageFunction]:
        return {stage: self._function(stage) for stage in STAGES}

    def _function(self, stage: StageName) -> StageFunction:
        def carry_out(outputs: Outputs) -> dict[str, Any]:
            assert list(outputs) == ["opened", *STAGES[: STAGES.index(stage)]]
            self.calls.append(stage)
            if stage != "gate-decision":
                return {"summary": f"{stage} done", "value": len(outputs)}
            body = {"run": "r", "result": "deploy", "reasons": ["fine"], "standing": "s"}
            return {"entry": record_decision(self.ledger, "p", body).hash}

        return carry_out


@pytest.fixture
def counted(ledger: Ledger) -> Counted:
    return Counted(ledger)


def test_stages_have_the_names_of_the_paper() -> None:
    assert STAGES == (
        "scenario-generation",
        "agent-execution",
        "oracle-comparison",
        "metric-calculation",
        "regression-detection",
        "report-generation",
        "gate-decision",
    )


def test_every_stage_is_carried_out_once_and_visible(project: Path, counted: Counted) -> None:
    told: list[tuple[str, str, str]] = []
    pipeline = Pipeline(project, "p")
    pipeline.open({"run": "r"})
    outputs = pipeline.execute(counted.functions(), lambda *what: told.append(what))
    assert counted.calls == list(STAGES)
    assert [(stage, state) for stage, state, _ in told] == [(s, state) for s in STAGES for state in ("begins", "done")]
    assert told[1][2] == "scenario-generation done"
    assert pipeline.finished
    assert pipeline.outputs() == outputs
    assert [p.name for p in pipelines(project)] == ["p"]
    written = sorted(path.name for path in pipeline.folder.glob("*-*.json"))
    assert written == ["0-opened.json", *(f"{n}-{stage}.json" for n, stage in enumerate(STAGES, start=1))]


@pytest.mark.parametrize("state", ["begins", "done"])
@pytest.mark.parametrize("boundary", STAGES)
def test_killed_at_a_boundary_it_resumes_to_the_same_decision(
    project: Path, ledger: Ledger, counted: Counted, boundary: str, state: str
) -> None:
    def killer(stage: str, now: str, _summary: str) -> None:
        if (stage, now) == (boundary, state):
            raise Killed

    pipeline = Pipeline(project, "p")
    pipeline.open({"run": "r"})
    with pytest.raises(Killed):
        pipeline.execute(counted.functions(), killer)
    again = Pipeline(project, "p")
    again.open({"run": "r"})
    outputs = again.execute(counted.functions())
    assert sorted(counted.calls) == sorted(STAGES), "none is repeated, none left out"
    assert [entry.hash for entry in ledger.entries()] == [outputs["gate-decision"]["entry"]]


def test_killed_between_ledger_and_file_there_is_still_one_decision(
    project: Path, ledger: Ledger, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = Pipeline(project, "p")
    pipeline.open({})
    write = Pipeline._write

    def dying(self: Pipeline, name: str, value: Any) -> None:
        if name.startswith("7-"):
            raise Killed
        write(self, name, value)

    monkeypatch.setattr(Pipeline, "_write", dying)
    with pytest.raises(Killed):
        pipeline.execute(counted.functions())
    monkeypatch.undo()
    outputs = pipeline.execute(counted.functions())
    assert [entry.hash for entry in ledger.entries()] == [outputs["gate-decision"]["entry"]]


def test_a_finished_pipeline_is_read_not_repeated(project: Path, counted: Counted) -> None:
    pipeline = Pipeline(project, "p")
    pipeline.open({})
    first = pipeline.execute(counted.functions())
    assert pipeline.execute(counted.functions()) == first
    assert len(counted.calls) == len(STAGES)


def test_an_edited_output_is_found(project: Path, counted: Counted) -> None:
    pipeline = Pipeline(project, "p")
    pipeline.open({})
    pipeline.execute(counted.functions())
    path = pipeline.folder / "3-oracle-comparison.json"
    path.write_text(path.read_text().replace('"value": 3', '"value": 4'))
    with pytest.raises(IntegrityError, match="4-metric-calculation"):
        pipeline.outputs()
    path.write_text("{")
    with pytest.raises(IntegrityError, match="3-oracle-comparison"):
        pipeline.outputs()


def test_other_inputs_are_another_pipeline(project: Path) -> None:
    pipeline = Pipeline(project, "p")
    pipeline.open({"run": "a"})
    with pytest.raises(InputError, match="other inputs"):
        pipeline.open({"run": "b"})


def test_two_processes_do_not_execute_one_pipeline(project: Path, counted: Counted) -> None:
    pipeline = Pipeline(project, "p")
    pipeline.open({})
    functions = counted.functions()

    def nested(outputs: Outputs) -> dict[str, Any]:
        with pytest.raises(BenchError, match="another process"):
            Pipeline(project, "p").execute(functions)
        return {}

    pipeline.execute({**functions, "agent-execution": nested})


def test_a_failing_stage_leaves_the_ones_before_it(project: Path, counted: Counted) -> None:
    pipeline = Pipeline(project, "p")
    pipeline.open({})

    def failing(_outputs: Outputs) -> dict[str, Any]:
        raise InputError("no")

    with pytest.raises(InputError):
        pipeline.execute({**counted.functions(), "metric-calculation": failing})
    assert list(pipeline.outputs()) == ["opened", *STAGES[:3]]
    assert not pipeline.finished


@pytest.mark.parametrize("name", ["", "../x", ".hidden", "a/b"])
def test_names_stay_in_their_folder(project: Path, name: str) -> None:
    with pytest.raises(InputError):
        Pipeline(project, name)
