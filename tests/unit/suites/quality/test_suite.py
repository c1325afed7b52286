"""The suite `quality`: every scenario of every domain, once, in the order of the harness paper."""

from __future__ import annotations

from proctor.suites.quality import suite
from proctor.suites.quality.families import DOMAINS, domain


def test_every_scenario_is_taken_once() -> None:
    sizes = {entry.family: entry.n for entry in suite().entries}
    assert sizes == {name: len(domain(name).scenarios.scenarios) for name in DOMAINS}
    assert suite().shuffle == "mulberry32"


def test_domains_are_found_by_name_and_nothing_else_is() -> None:
    from proctor.suites.quality import families

    assert families.expenses is domain("expenses")
    assert not hasattr(families, "nothing")
