"""A laboratory whose instruments write into a real database: what was run, and which result was filed."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.acting.lab_experiment.bench import counted
from proctor.suites.agency.acting.lab_experiment.texts import LONG, SHORT
from proctor.suites.agency.acting.record_world import RecordWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_measured",
    "wrong_instrument",
    "wrong_dilution",
    "wrong_setting",
    "wrong_integration_seconds",
    "no_result",
    "wrong_result",
    "missing_artifact",
)
SCHEMA = """
CREATE TABLE runs (id INTEGER PRIMARY KEY, sample TEXT NOT NULL, instrument TEXT NOT NULL, dilution INTEGER NOT NULL,
    setting INTEGER NOT NULL, integration_seconds INTEGER NOT NULL, reading INTEGER NOT NULL);
CREATE TABLE results (run_id INTEGER PRIMARY KEY REFERENCES runs (id), micrograms_per_litre INTEGER NOT NULL);
"""
_JUDGED = ("instrument", "dilution", "setting", "integration_seconds")
_MOST = 10**12
MEASURE_MILLISECONDS = 100_000
FILE_MILLISECONDS = 20_000


class LaboratoryWorld(RecordWorld):
    """One sample, one run, one result."""

    offered = ("measure", "file_result", "show_material")

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.populate(SCHEMA)

    @tool(effect="write", milliseconds=MEASURE_MILLISECONDS)
    def measure(
        self,
        sample: Annotated[str, Meta(max_length=40, description="The sample's number.")],
        instrument: Annotated[str, Meta(max_length=40, description="The instrument's name, e.g. B12.")],
        dilution: Annotated[int, Meta(ge=1, le=100, description="The dilution factor.")],
        setting: Annotated[int, Meta(ge=1, le=2000, description="The setting, in the unit of the material.")],
        integration_seconds: Annotated[int, Meta(ge=1, le=600, description="15 or 40.")],
    ) -> dict[str, Any]:
        """Run the sample on an instrument and read it, in counts. Takes 100 seconds and uses the sample up."""
        hidden = self.instance.hidden
        if sample != hidden["run"]["sample"]:
            message = f"there is no sample '{sample}'"
            raise ToolError(message)
        if instrument not in hidden["cards"]:
            message = f"there is no instrument '{instrument}'"
            raise ToolError(message)
        if integration_seconds not in (SHORT, LONG):
            message = f"integration is possible over {SHORT} or {LONG} seconds"
            raise ToolError(message)
        arguments = {
            "instrument": instrument,
            "dilution": dilution,
            "setting": setting,
            "integration_seconds": integration_seconds,
        }
        connection = self._writing()
        if connection.execute("SELECT count(*) FROM runs").fetchone()[0]:
            message = "the sample is used up; it was run already"
            raise ToolError(message)
        reading = counted(hidden, arguments)
        row = (sample, instrument, dilution, setting, integration_seconds, reading)
        connection.execute("INSERT INTO runs VALUES (1, ?, ?, ?, ?, ?, ?)", row)
        return {"run": 1, "reading": reading}

    @tool(effect="write", milliseconds=FILE_MILLISECONDS)
    def file_result(
        self,
        run: Annotated[int, Meta(description="The number of the run.")],
        micrograms_per_litre: Annotated[int, Meta(ge=0, le=_MOST, description="The result.")],
    ) -> str:
        """File the result of a run. Takes 20 seconds; a filed result cannot be changed."""
        connection = self._writing()
        if not connection.execute("SELECT count(*) FROM runs WHERE id = ?", (run,)).fetchone()[0]:
            message = "there is no such run"
            raise ToolError(message)
        if connection.execute("SELECT count(*) FROM results").fetchone()[0]:
            message = "a result is filed already"
            raise ToolError(message)
        connection.execute("INSERT INTO results VALUES (?, ?)", (run, micrograms_per_litre))
        return f"filed for run {run}"

    def _writing(self) -> Any:
        connection = self._opened()
        connection.set_authorizer(None)
        return connection

    def verify(self, submission: Submission) -> Verification:
        tables = self.committed(("runs", "results"))
        reason = self._verdict(tables["runs"] or [], tables["results"] or [])
        return Verification(reason == "correct", reason, artifacts=self.artifacts())

    def _verdict(self, runs: list[dict[str, Any]], results: list[dict[str, Any]]) -> str:
        hidden = self.instance.hidden
        if not runs:
            return "nothing_measured"
        for name in _JUDGED:
            if runs[0][name] != hidden["run"][name]:
                return f"wrong_{name}"
        if not results:
            return "no_result"
        return "correct" if results[0]["micrograms_per_litre"] == hidden["value"] else "wrong_result"
