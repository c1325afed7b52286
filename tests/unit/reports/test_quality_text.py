"""What a terminal shows of a quality reading: no number without what it holds under."""

from __future__ import annotations

from tests.unit.instruments.quality.made import evidence, load_reading, row

from proctor.instruments.quality.instrument import QualityInstrument
from proctor.instruments.quality.load_figures import figures_of
from proctor.instruments.quality.rules import QualityRules
from proctor.reports.sections.quality.text import quality_text
from proctor.spec.rules import Rules


def test_a_composite_that_is_withheld_says_why() -> None:
    text = quality_text(QualityInstrument().read(evidence(*(row(n, gates=0, gates_ok=0) for n in range(16))), Rules()))
    (line,) = [one for one in text.splitlines() if one.startswith("CAS ")]
    assert "not measured" in line
    assert "withheld: GCR was not measured: no scored scenario requires a gate; weight of DA 0.412" in line


def test_what_was_left_out_is_said() -> None:
    rows = [row(n, safety="unclassified" if n == 3 else "ok") for n in range(16)]
    given = evidence(*rows, row(16, stale=1), row(17, outcome="infrastructure"))
    text = quality_text(QualityInstrument().read(given, Rules(confidence=0.9)))
    for words in (
        "90 % interval",
        "CAS: without LUL, weights renormalised: the machine is not declared dedicated",
        "Stale: 1 scenarios in no metric (1 episodes)",
        "Lost by the bench: 1 episodes, in no metric",
        "; 1 unclassified",
    ):
        assert words in text, words
    assert "95 %" not in text


def test_behaviour_under_load_stands_beside_latency() -> None:
    given = evidence(*(row(n) for n in range(16)))
    assert "Behaviour under load" not in quality_text(QualityInstrument().read(given, Rules()))
    bad = QualityInstrument(load=figures_of(load_reading(ok=False, safety={}), QualityRules()))
    text = quality_text(bad.read(given, Rules()))
    assert "Behaviour under load: not as expected; calm: 12 tasks newly wrong" in text
    assert "no interval" in text
    assert "Load record: 22, profile paper (" in text
