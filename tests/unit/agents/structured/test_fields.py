"""Reports that had no part in the action, and what is said about how reports came about."""

from __future__ import annotations

import msgspec
import pytest

from proctor.agents.structured.fields import provenance, random_report, scrambled_report
from proctor.agents.structured.modules import PRESETS
from proctor.core.seeds import Stream
from proctor.spec.reporting import FINAL, MATCHED_KEYS

CODES = ["ACTION_A", "ACTION_B", "VETO", "DEFER"]


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("A4_full", "action-coupled"),
        ("A4_compressed", "action-coupled"),
        ("A5_plain", "unknown"),
        ("A5_schema_random_fields", "random"),
        ("A5_schema_posthoc_fields", "post-hoc"),
        ("A5_schema_scrambled_fields", "scrambled"),
        ("A4_posthoc_fields", "post-hoc"),
        ("A4_scrambled_fields", "scrambled"),
        ("A5_long_scratchpad", "template"),
    ],
)
def test_the_nine_variants_say_how_their_reports_came_about(variant: str, said: str) -> None:
    assert provenance(PRESETS[variant].scaffold) == said


def test_a_random_report_has_every_key_and_follows_the_stream_alone() -> None:
    reports = [random_report(CODES, Stream.keyed("r", number)) for number in range(60)]
    assert all(set(report) == set(MATCHED_KEYS) - {FINAL} for report in reports)
    assert reports[0] == random_report(CODES, Stream.keyed("r", 0))
    assert {report["first_impulse"] for report in reports} == set(CODES)
    assert random_report([], Stream.keyed("r"))["first_impulse"] is None


def test_a_report_without_a_donor_names_other_actions_throughout() -> None:
    own = {
        FINAL: "VETO",
        "reason_graph": {"preferred": "ACTION_B", "nodes": [{"reason": "ACTION_B wins", "supports": "ACTION_B"}]},
        "veto_state": {"required": True},
    }
    report = scrambled_report(own, None, CODES, Stream.keyed("s"))
    assert FINAL not in report and "ACTION_B" not in msgspec.json.encode(report).decode()
    assert report["reason_graph"]["preferred"] in CODES
    assert report["veto_state"] == {"required": True}
    assert own["reason_graph"]["preferred"] == "ACTION_B", "what was reported stays as it was"  # type: ignore[index]


def test_a_donor_s_report_is_taken_as_it_is() -> None:
    donor = {FINAL: "ACTION_A", "first_impulse": "DEFER", "provenance": "action-coupled"}
    assert scrambled_report({"first_impulse": "VETO"}, donor, CODES, Stream.keyed("s")) == {"first_impulse": "DEFER"}
