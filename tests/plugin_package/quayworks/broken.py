"""Plug-ins that fail in every way: registered only by the tests that want to see what is said of them."""

from __future__ import annotations

from typing import Any

from proctor.instruments.quality.metric import Metric, Ratio
from proctor.reports.sections.generic import GenericSection


def _boom(case: Any) -> float:
    message = "the crane is stuck"
    raise ValueError(message)


def _metric(name: str, part: Any) -> Metric:
    source = Ratio(part=part, whole=lambda case: 1.0, nothing="no episode was scored")
    return Metric(name=name, title="Broken", target=0.9, floor=0.2, source=source)


raising = _metric("RAISING", _boom)
too_much = _metric("MUCH", lambda case: 7.0)
no_number = _metric("WORDS", lambda case: "many")
not_finite = _metric("NAN", lambda case: float("nan"))


class BrokenInstrument:
    """Raises when it reads."""

    name = "quay-broken"
    version = "1.0"

    def read(self, evidence: Any, rules: Any) -> Any:
        message = "no crane to read"
        raise RuntimeError(message)


class DictInstrument:
    """Gives something that is no reading."""

    name = "quay-dict"
    version = "1.0"

    def read(self, evidence: Any, rules: Any) -> Any:
        return {"crane": 1}


class RaisingSection(GenericSection):
    """Shows nothing but trouble."""

    place = "first"  # type: ignore[assignment]

    def text(self, reading: Any, evidence: Any, *, asked: bool) -> Any:
        return 42

    def data(self, reading: Any, evidence: Any) -> Any:
        message = "no ink"
        raise OSError(message)

    def html(self, section: Any, report: Any) -> Any:
        return "<script>alert(1)</script>"


instrument = BrokenInstrument()
no_reading = DictInstrument()
section = RaisingSection()


def function() -> None:
    """Is no module with a `command`."""
