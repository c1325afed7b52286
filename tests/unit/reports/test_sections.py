"""Sections by instrument: an instrument without one of its own is shown all the same, and well."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace
from tests.unit.reports.reading_html import Page

from proctor.conformance.evidence import practice_evidence
from proctor.instruments.agency.rubric import PARTS_OF_G
from proctor.instruments.base import Flag, Reading, Value
from proctor.reports.data import Report, Section
from proctor.reports.html.page import render
from proctor.reports.numbers import NOT_MEASURED, interval, number, percent, points, points_interval
from proctor.reports.section import section_kind
from proctor.reports.sections.agency.needs import needs_text
from proctor.spec.claims import VECTOR
from proctor.stats.estimate import Estimate

EVIDENCE = practice_evidence()


class Curve(Reading, frozen=True):
    """A reading with fields of its own."""

    note: str = "steady"
    curve: dict[str, float] = {}  # noqa: RUF012


def estimate(value: float | None, **more: object) -> Estimate:
    reason = None if value is not None else "nobody counted"
    low, high = (None, None) if value is None else (value - 1, value + 1)
    given = {"estimate": value, "low": low, "high": high, "n": 12, "method": "mean", "reason": reason, **more}
    return msgspec.convert(given, Estimate)


def shown(report: Report, *values: Value, **more: object) -> str:
    """The visible text of a generic section."""
    reading = Curve("thrift", "2.0", True, None, values, (Flag("Careful", "it is new"),), {"suite": "x"})
    kind = section_kind("thrift")
    data = kind.data(replace(reading, **more), EVIDENCE)
    section = Section("thrift", "2.0", kind.title(reading), True, None, "", tuple(kind.flags(reading)), data)
    return Page(render(replace(report, sections=(section,), failures=())).decode()).text


def test_an_instrument_of_ones_own_gets_the_generic_section() -> None:
    assert section_kind("thrift") is section_kind("generic") is section_kind("../agency") is section_kind("__init__")
    assert section_kind("agency") is not section_kind("rates")


def test_single_values_have_a_row_each(report: Report) -> None:
    text = shown(
        report,
        Value("tokens", estimate(1234.5, missing=3), flags=(Flag("Rough", "a proxy"),)),
        Value("retry rate", estimate(0.25, low=0.1, high=0.4), successes=3, reasons={"failure: slow": 9}),
        Value("cost", estimate(None)),
    )
    for words in ("1,234.5", "1,233.5 to 1,235.5", "Rough: a proxy", "25.0\u00a0% (3/12)", "10.0–40.0\u00a0%"):
        assert words in text
    assert "nobody counted" in text and text.count(NOT_MEASURED) >= 2
    assert "Careful" in text and "Thrift" in text


def test_quantities_measured_on_the_same_things_are_columns(report: Report) -> None:
    places = [{"family": f"f{i}@1.0", "regime": "baseline", "condition": "none"} for i in range(3)]
    values = [
        Value(name, estimate(float(i)), where=place) for i, place in enumerate(places) for name in ("calls", "time")
    ]
    values += [Value("cost", estimate(None), where=place) for place in places]
    text = shown(report, *values)
    assert "f2@1.0 · baseline" in text and "n = 12" in text
    assert "cost: not measured: nobody counted" in text


def test_long_tables_are_folded(report: Report) -> None:
    text = shown(report, *(Value(f"within {i}", estimate(i / 40)) for i in range(40)))
    assert "Thrift: 40 values" in text


def test_fields_beyond_the_usual_are_shown(report: Report) -> None:
    text = shown(report, Value("tokens", estimate(2.0)), curve={"1": 0.5})
    assert "steady" in text and '"1": 0.5' in text and "Conditions of this reading" in text


def test_values_of_another_shape_are_shown_as_they_are(report: Report) -> None:
    kind = section_kind("thrift")
    section = Section("thrift", "1", "Thrift", True, None, "", (), {"values": [{"odd": 1}]})
    assert '"odd": 1' in Page(kind.html(section, report)).text


def test_what_each_level_needs() -> None:
    for name in (*VECTOR[:-1], *PARTS_OF_G):
        for level in range(1, 6):
            assert needs_text(name, level, 0.7)
    assert needs_text("S", 1, 0.7) == "≥\u00a070\u00a0%"
    assert needs_text("E", 5, 0.75) == "≥\u00a075\u00a0% pooled and in 2 families each"
    assert needs_text("M", 4, 0.7) == "≥\u00a070\u00a0%, at most 20 points below baseline"
    assert needs_text("L", 5, 0.7).endswith("at most 10 points lost on what was mastered")
    assert needs_text("R", 2, 0.7) == "at most 40 points below baseline in 1 family"
    assert needs_text("R", 5, 0.7).endswith("an adversarial condition passed, constraints kept in 95 %")


def test_numbers() -> None:
    assert percent(0.696) == "69.6\u00a0%" and percent(None) == interval(None, 1.0) == NOT_MEASURED
    assert points(-0.125) == "−12.5\u00a0points" and points_interval(-0.1, 0.2) == "−10.0 to +20.0\u00a0points"
    assert [number(value) for value in (0.0, 12.0, 1234567.0, 0.03456, -1.5, 123.45, 1e-7)] == [
        "0",
        "12",
        "1,234,567",
        "0.0346",
        "−1.5",
        "123.5",
        "1e-07",
    ]
