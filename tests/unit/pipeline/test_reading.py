"""Which instrument sums a run up, and what abilities are asked of it: declared, never known by name."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from proctor.conformance.evidence import practice_evidence
from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence
from proctor.instruments.base import Reading
from proctor.instruments.rates import RatesInstrument
from proctor.pipeline.reading import readings_of, readings_together, summary_instruments
from proctor.plugins import registry

EVIDENCE = practice_evidence()


class Own(RatesInstrument):
    """An instrument that says of every run that it is its."""

    name = "own"
    priority = 25

    def __init__(self, *, applies: bool = True) -> None:
        self._applies = applies

    def applies(self, evidence: Evidence) -> bool:
        return self._applies

    def beside(self, reading: Reading, evidence: Evidence, other: Evidence) -> Reading:
        return replace(reading, reason=f"{reading.instrument} beside {other.run}")


class Plain:
    """Reads, and can do nothing else."""

    name, version = "plain", "1.0"
    read = RatesInstrument.read


def installed(monkeypatch: pytest.MonkeyPatch, **instruments: Any) -> None:
    def load(group: str, name: str) -> Any:
        if instruments[name] is None:
            message = f"instrument '{name}' cannot be loaded"
            raise InputError(message)
        return instruments[name]

    monkeypatch.setattr(registry, "names", lambda group: sorted(instruments))
    monkeypatch.setattr(registry, "load", load)


def test_the_highest_priority_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, rates=RatesInstrument(), own=Own(), other=Own(applies=False), plain=Plain())
    assert summary_instruments(EVIDENCE).names == ("own", "rates")


def test_a_broken_plugin_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, rates=RatesInstrument(), own=None)
    chosen = summary_instruments(EVIDENCE)
    assert chosen.names == ("rates",)
    assert chosen.broken == ("instrument 'own' cannot be loaded",)


def test_an_ordinary_run_is_summed_up_by_its_rates() -> None:
    assert summary_instruments(EVIDENCE).names == ("rates",)


def test_the_other_boundary_goes_to_those_who_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, own=Own(), plain=Plain())
    readings = readings_of(EVIDENCE, store="x.db", other=EVIDENCE)
    assert readings["own"].reason == f"own beside {EVIDENCE.run}"
    assert readings["plain"].measured


def test_runs_are_read_together_by_those_who_can(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="reads runs of one suite by different models"):
        readings_together([EVIDENCE, EVIDENCE])
    installed(monkeypatch, plain=Plain())
    assert readings_together([EVIDENCE]) == {}
    with pytest.raises(InputError, match="'plain' reads one run at a time"):
        readings_together([EVIDENCE], ["plain"])
