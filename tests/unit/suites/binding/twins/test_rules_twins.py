"""A reader of plain English reads every text of 2.0 as its maker meant it."""

from __future__ import annotations

import pytest
from tests.unit.suites.binding.twins.drawn_twins import EVERY, drawn

from proctor.models.simulated.rules_twins import implied
from proctor.spec.task import Instance
from proctor.suites.binding.twins.corpora import TwinCorpus
from proctor.suites.binding.twins.four_codes import TwinFourCodes
from proctor.suites.binding.twins.topics import FAMILIES


def _matter(instance: Instance) -> str:
    return instance.goal.removeprefix("Decide what to do about ").partition(", going by ")[0]


def _wrong(family: TwinCorpus | TwinFourCodes, count: int) -> list[tuple[str, str, str | None, str]]:
    wrong = []
    for index in range(count):
        row = drawn(family, index, seed=5)
        meant = row.hidden["implied"]
        for name, field in row.state.items():
            if name in ("x-talk", "x-record"):
                continue
            read = implied(name, field["text"], row.hidden["options"], matter=_matter(row))
            if read != meant.get(name):
                wrong.append((name, field["text"], read, meant.get(name, "")))
    return wrong


@pytest.mark.parametrize("family", [*EVERY, *FAMILIES], ids=lambda one: one.spec.id)
def test_every_field_is_read_as_it_was_meant(family: TwinCorpus | TwinFourCodes) -> None:
    assert _wrong(family, 240) == []
