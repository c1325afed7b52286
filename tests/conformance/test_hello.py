"""Every family of the suite `hello` passes every check, under the regimes the suite uses it with."""

from __future__ import annotations

from importlib import import_module

import pytest

from proctor.conformance import check_family
from proctor.engine.family import Family

NAMES = ("extract", "track", "route", "files", "orders", "pipeline")
REGIMES = ("baseline", "moderate-standard")


@pytest.mark.parametrize("name", NAMES)
def test_a_hello_family_passes_everything(name: str) -> None:
    family: Family = import_module(f"proctor.suites.hello.{name}.family").family
    report = check_family(family, regimes=REGIMES, instances=6)
    assert report.failed == (), [finding.detail for finding in report.findings]
    unmeasured = {result.check.id for result in report.results if result.status == "not measured"}
    # Where only the state of the world is judged there is no answer to write down in other ways.
    assert unmeasured <= {"formats"}
    assert report.result("determinism").measured["made_elsewhere"] == 20
