"""What a terminal shows of a binding reading."""

from __future__ import annotations

import msgspec
from tests.unit.instruments.binding.rows import evidence
from tests.unit.instruments.binding.test_instrument import benchmark, reading, sufficient

from proctor.instruments.binding.audits import Diagnostic
from proctor.instruments.binding.instrument import BindingInstrument
from proctor.reports.sections.binding.text import binding_text
from proctor.spec.rules import Rules


def test_gates_contrasts_and_how_far_they_reach() -> None:
    text = binding_text(reading("benchmark"))
    assert text.startswith("Causal state binding · 420 scored records, 0 duplicates collapsed")
    assert "behaviour gate: met, 9 of 9 criteria met" in text
    assert "7/7" in text
    assert "strata" in text
    assert "finite-action benchmark: none is supported: Rows of binding 1.0" in text, "gates that are met say no reason"


def test_what_was_not_met_is_listed_with_its_number() -> None:
    run = evidence([{**one, "code": "DEFER"} for one in benchmark()])
    text = binding_text(BindingInstrument().read(run, Rules()))
    assert "behaviour gate: not met" in text
    assert "not met: structured false positives: 1, 21 of 21 (asked: below 0.15)" in text
    assert "not met: veto above its lesion: 0 of 7 (asked: positive in at least 6 of 7 datasets)" in text


def test_replies_that_cannot_be_read_are_named_before_any_number() -> None:
    rows = [{**one, "code": "INVALID_OR_UNMAPPED", "how": "none", "parse": "not_json"} for one in benchmark()]
    text = binding_text(BindingInstrument().read(evidence(rows), Rules()))
    named = "420 replies are not the requested JSON object (payload_not_json 420); what they do is read from"
    assert text.index(named) < text.index("behaviour gate")


def test_a_model_that_never_replied_is_the_first_thing_said() -> None:
    lost = Diagnostic(source="request", model="m", type="connection", rows=12)
    none = Diagnostic(source="reply", model="m", type="no_reply", rows=12)
    text = binding_text(msgspec.structs.replace(reading("benchmark"), diagnostics=(lost, none)))
    assert "12 requests got no reply from the model (connection 12)" in text
    assert "nothing was handed in" not in text, "the same rows, named once"
    text = binding_text(msgspec.structs.replace(reading("benchmark"), diagnostics=(none,)))
    assert "12 records have no answer at all" in text


def test_few_corpora_say_so() -> None:
    run = evidence([one for one in benchmark() if one["dataset"] in ("d0", "d1")])
    text = binding_text(BindingInstrument().read(run, Rules()))
    assert "event-clustered interval" in text
    assert "no generalisation" in text


def test_sufficiency_and_cells() -> None:
    text = binding_text(BindingInstrument().read(evidence(sufficient()), Rules()))
    assert "recovery 1.000" in text
    assert "followed in 4/4, behind the guard in 0/4" in text
    assert "structured over no-fields" in binding_text(reading("families"))


def test_a_confidence_of_its_own_is_printed() -> None:
    rules = Rules(confidence=0.9)
    run = evidence(benchmark(), rules=rules)
    assert "90 % interval" in binding_text(BindingInstrument().read(run, rules))
