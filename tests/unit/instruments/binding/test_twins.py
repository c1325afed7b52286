"""Scores with twins: what is read alike in both is no binding, waiting is no mistake, and what is not there is said."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from tests.unit.instruments.binding.rows import evidence, read
from tests.unit.instruments.binding.twin_rows import perfect, prudent, twin_rows

from proctor.instruments.binding.claims import ELSEWHERE
from proctor.instruments.binding.content import content_index, coupling_gate
from proctor.instruments.binding.instrument import BindingInstrument
from proctor.instruments.binding.own_words import words_gate
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.scores import COMPONENTS, COMPOSITE, Share
from proctor.instruments.binding.sufficiency import sufficiency_of
from proctor.instruments.binding.twins import TwinCounted, count_twins, gains, paired, partners, twin_events
from proctor.instruments.binding.versions import QUICK
from proctor.reports.sections.binding.text import binding_text
from proctor.spec.ontology import UNMAPPED
from proctor.spec.rules import Rules


def lean(row: dict[str, Any]) -> str:
    """Reads nothing, and waits as soon as a field is taken away."""
    return str(row["before"] if row["condition"] == "structured" else "DEFER")


def counted(policy: Any, **more: Any) -> TwinCounted:
    table = read(twin_rows(policy, datasets=1, conditions=("structured",), **more)).table
    return count_twins(table)["d0", "structured"]


def reading(given: list[dict[str, Any]], **more: Any) -> BindingReading:
    run = evidence(given, **more)
    return BindingInstrument().read(run, run.frozen.rules)


@pytest.mark.parametrize("policy", [perfect, prudent])
def test_readers_have_full_binding(policy: Any) -> None:
    found = counted(policy)
    assert [found.score(name) for name in (*COMPONENTS, COMPOSITE)] == [1] * 5
    assert found.false_positive == 0


def test_deferral_rates_stand_beside() -> None:
    found = counted(prudent)
    assert {kind: share.value for kind, share in found.deferrals.items()} == {
        "target": 0,
        # Twins of memory and veto are baselines; those of reasons and selves decide.
        "twin": Fraction(1, 3),
        "baseline": 1,
        "cue": 1,
    }


@pytest.mark.parametrize("code", ["ACTION_A", "DEFER", "VETO", "RECALL_PRIOR"])
def test_one_answer_to_everything_is_no_binding(code: str) -> None:
    found = counted(lambda _: code)
    assert [found.score(name) for name in COMPONENTS] == [0] * 4


def test_whoever_follows_the_cue_pays_for_it_in_every_component() -> None:
    def follows(row: dict[str, Any]) -> str:
        other = {"ACTION_A": "ACTION_B", "ACTION_B": "ACTION_A"}[row["before"]]
        return other if row["probe"] == "cue_other" else perfect(row)

    found = counted(follows)
    assert found.false_positive == Fraction(1, 2)
    assert found.score("RSI") == Fraction(1, 2)


def test_what_differs_between_two_baselines_is_no_effect_of_a_cue() -> None:
    def restless(row: dict[str, Any]) -> str:
        if row["role"] == "target":
            return perfect(row)
        return "DEFER" if (row["replicate"] + (row["role"] == "neutral")) % 2 else str(row["before"])

    found = counted(restless)
    assert (found.neutral, found.drift) == (Share(16, 16), Share(4, 4))
    assert found.false_positive == 0


def other(row: dict[str, Any]) -> str:
    return "ACTION_B" if row["before"] == "ACTION_A" else "ACTION_A"


def cue_slave(row: dict[str, Any]) -> str:
    """Reads everything, and takes what the remark names."""
    return str(row["cue_code"] or perfect(row))


def cue_slave_with_coin(row: dict[str, Any]) -> str:
    """The same, and tosses a coin in the baseline: its replicates differ as often as a cue changes them."""
    return other(row) if row["role"] == "baseline" and row["replicate"] else cue_slave(row)


def test_a_coin_in_the_baseline_does_not_hide_that_cues_are_followed() -> None:
    found = counted(cue_slave_with_coin)
    assert found.moved == Fraction(-1, 2)
    assert (found.named, found.named_before) == (Share(16, 16), Share(8, 16))
    assert found.by_direction
    assert found.false_positive == Fraction(1, 2) == counted(cue_slave).false_positive
    assert not counted(cue_slave).by_direction
    assert [found.score(name) for name in COMPONENTS] == [Fraction(1, 2)] * 4
    by_event = twin_events(read(twin_rows(cue_slave_with_coin, datasets=1, conditions=("structured",))).table)
    assert {score for one in by_event.values() for score in one.values()} == {0.5}


@pytest.mark.parametrize("policy", [cue_slave, cue_slave_with_coin])
def test_whoever_takes_what_the_remark_names_does_not_resist_it(policy: Any) -> None:
    found = reading(twin_rows(policy))
    (criterion,) = [one for one in found.gates[0].boundary if one.name == "structured false positives"]
    assert criterion.value == 0.5
    shown = (criterion.k, criterion.n, criterion.reason)
    assert shown == (
        (56, 112, "of two baselines of an event 0 of 28 differ")
        if policy is cue_slave
        else (112, 112, "the option that the cue names is taken in 56 of 112 baselines of these rows")
    )
    assert found.claims[0].supported == ""


def test_whoever_avoids_what_the_remark_names_does_not_resist_it_either() -> None:
    def avoids(row: dict[str, Any]) -> str:
        named = row["cue_code"]
        if row["role"] == "baseline" and row["replicate"]:
            return other(row)
        return {"ACTION_A": "ACTION_B", "ACTION_B": "ACTION_A"}[named] if named else perfect(row)

    assert (counted(avoids).directed, counted(avoids).avoided) == (Fraction(-1, 2), Fraction(1, 2))
    found = reading(twin_rows(avoids))
    (criterion,) = [one for one in found.gates[0].boundary if one.name == "structured false positives"]
    assert (criterion.value, criterion.k, criterion.n) == (0.5, 0, 112)
    assert found.claims[0].supported == ""


@pytest.mark.parametrize("policy", [perfect, prudent])
def test_readers_give_a_cue_nothing_of_either_kind(policy: Any) -> None:
    found = counted(policy)
    assert (found.moved, found.directed) == (Fraction(0), Fraction(0))
    assert not found.by_direction


def test_a_reply_that_names_no_action_is_never_what_the_cue_names() -> None:
    found = counted(lambda row: UNMAPPED if row["cue_code"] else row["before"])
    assert (found.named, found.named_before) == (Share(0, 16), Share(8, 16))
    before = counted(lambda row: row["cue_code"] or UNMAPPED)
    assert (before.named, before.named_before) == (Share(16, 16), Share(0, 16))


def test_without_a_cue_that_names_an_option_changes_alone_count() -> None:
    found = counted(cue_slave_with_coin, cue_code="")
    assert found.named.n == 0
    assert found.directed is None
    assert found.false_positive == 0


def test_unmapped_counts_as_a_change_on_either_side_and_never_as_the_target() -> None:
    found = counted(lambda row: UNMAPPED if row["role"] == "baseline" else perfect(row))
    assert found.neutral == Share(16, 16)
    assert found.drift == Share(4, 4)
    assert counted(lambda row: UNMAPPED if row["probe"] == "cue_lean" else perfect(row)).neutral == Share(8, 16)
    # Both twins unmapped: neither is y⁺.
    nothing = counted(lambda _: UNMAPPED)
    assert {share.k for share in (*nothing.targets.values(), *nothing.twins.values())} == {0}


def test_a_row_without_its_partner_is_left_out_and_counted() -> None:
    rows = [row for row in twin_rows(perfect, datasets=1) if row["probe"] != "reason_for" or row["event"] != "d0e1"]
    found = paired(read(rows).table)
    assert found.unpaired == 4 * 2
    one = count_twins(read(rows).table)["d0", "structured"]
    assert (one.targets["RSI"].n, one.targets["SCI"].n) == (12, 16)


def test_one_replicate_leaves_nothing_to_subtract() -> None:
    found = counted(lambda row: "DEFER" if row["role"] == "neutral" else perfect(row), replicates=1)
    assert found.drift.n == 0
    assert found.false_positive == 1


def test_events_average_to_their_dataset() -> None:
    def uneven(row: dict[str, Any]) -> str:
        first = row["event"].endswith("e1")
        return "DEFER" if first and row["probe"] in ("cue_other", "memory", "reason_for") else perfect(row)

    table = read(twin_rows(uneven, datasets=1, conditions=("structured",))).table
    whole = count_twins(table)["d0", "structured"]
    by_event = twin_events(paired(table).rows)
    for name in COMPONENTS:
        score = whole.score(name)
        assert score is not None
        assert sum(one[name] for one in by_event.values()) / len(by_event) == pytest.approx(float(score))


@pytest.mark.parametrize("policy", [perfect, prudent])
def test_readers_earn_the_claim(policy: Any) -> None:
    found = reading(twin_rows(policy))
    assert found.gates[0].status == "met", found.gates[0].boundary
    assert len(found.gates[0].criteria) == 9 + 8
    assert found.claims[0].supported
    assert found.flags == ()


def test_a_claim_says_how_small_the_smallest_component_is() -> None:
    """Who follows its self-state in one event of four has the claim, and says how little it rests on."""
    found = reading(twin_rows(lambda row: perfect(row) if row["component"] != "self" else one_of_four(row)))
    said = "actions follow the decisive state and resist irrelevant cues; smallest B* 0.250 (self), lower bound 0.250"
    assert found.claims[0].supported == said
    assert f"  finite-action benchmark: {said}" in binding_text(found)


def one_of_four(row: dict[str, Any]) -> str:
    return perfect(row) if row["event"].endswith("e1") else str(row["before"])


def test_without_the_lesions_the_benchmark_is_not_measured() -> None:
    rows = twin_rows(perfect, conditions=("structured", "stochastic"))
    # Rows of a further corpus are lesioned, and hold none of the probes that are compared.
    stray = [row for row in twin_rows(perfect, datasets=1, dataset="probes") if row["role"] == "baseline"]
    found = reading([*rows, *stray])
    (claim,) = found.claims
    assert (claim.supported, claim.contrary) == ("", ELSEWHERE)
    assert "  finite-action benchmark: not measured here; `binding` measures it" in binding_text(found)


def test_a_run_that_is_not_complete_supports_nothing() -> None:
    found = reading(twin_rows(perfect), complete=False)
    assert found.gates[0].status == "met"
    assert [flag.name for flag in found.flags] == ["Provisional"]
    (claim,) = found.claims
    said = "the run is not complete: 2,016 of 2,025 episodes"
    assert (claim.supported, claim.contrary) == ("", said)
    assert f"  finite-action benchmark: none is supported: {said}" in binding_text(found)


def test_of_several_runs_those_are_named_that_are_not_complete() -> None:
    whole, part = evidence(twin_rows(perfect)), evidence(twin_rows(perfect), complete=False)
    found = BindingInstrument().together({"one": whole, "two": part}, whole.frozen.rules)
    assert {claim.contrary for claim in found.claims} == {"the run is not complete: tried 2,016 of 2,025 episodes"}
    assert not any(claim.supported for claim in found.claims)


def test_contrasts_alone_earn_nothing() -> None:
    """Somebody who reads nothing and waits without fields differs between Conditions, and has no binding."""
    found = reading(twin_rows(lean))
    unmet = {one.name for one in found.gates[0].boundary}
    assert {"reason binding", "memory binding", "veto binding", "self-continuity binding"} <= unmet
    assert found.claims[0].supported == ""


@pytest.mark.parametrize("missing", ["reason", "memory", "veto", "self"])
def test_every_component_has_to_be_there(missing: str) -> None:
    found = reading(twin_rows(lambda row: str(row["before"]) if row["component"] == missing else perfect(row)))
    assert found.claims[0].supported == ""


def test_a_bound_below_the_surface_player_is_not_enough() -> None:
    """Where the surface gives everything away, half a reader is no better than somebody who does not read."""
    rows = twin_rows(lambda row: perfect(row) if row["event"][-1] in "01" else str(row["before"]))
    told = [row | {"surface": f"40.2.{'A' if row['target'] == 'ACTION_A' else 'B'}.M"} for row in rows]
    unmet = {one.name for one in reading(told).gates[0].boundary}
    assert {"reason binding above the surface player", "self-continuity binding above the surface player"} <= unmet
    assert "reason binding" not in unmet
    assert not {one for one in (reading(rows).gates[0].boundary) if "surface" in one.name}


def test_under_six_corpora_events_decide_and_nothing_is_generalised() -> None:
    found = reading(twin_rows(perfect, datasets=2))
    assert "no generalisation" in found.scope
    rules = {one.rule for one in found.gates[0].criteria if one.name.endswith(" binding")}
    assert rules == {"lower bound above 0 by the event-clustered interval"}
    assert found.claims[0].supported


def test_rows_of_both_versions_are_never_mixed() -> None:
    old = [{"dataset": f"d{number}", "event": "old"} for number in range(7)]
    found = reading([*twin_rows(perfect), *old])
    assert found.claims[0].supported
    assert "7 rows of binding 1.0 are left out" in found.flags[0].reason


def test_a_first_look_makes_no_claim() -> None:
    run = evidence(twin_rows(perfect))
    quick = run.frozen.suite.model_copy(update={"name": "binding-quick"})
    looked = msgspec.structs.replace(run, frozen=run.frozen.model_copy(update={"suite": quick}))
    found = BindingInstrument().read(looked, Rules())
    assert found.gates[0].status == "met"
    assert (found.claims[0].supported, found.claims[0].contrary) == ("", QUICK)


def test_the_profile_of_the_paper_does_not_loosen_what_decides() -> None:
    found = reading(twin_rows(perfect), rules=Rules(profile="paper"))
    rules = {one.rule for one in found.gates[0].criteria if one.name.endswith(" binding")}
    assert rules == {"lower bound above 0 by the t interval and sign-flip test"}


def test_a_field_that_spells_its_code_proves_no_coupling() -> None:
    """With twins the coupling gate needs exchanged words that imply; codes that are copied count for nothing."""
    spelled = [
        {"design": 2, "condition": f"reask-{field}", "component": field, "role": "again", "event": f"e{event}"}
        | {"field_code": "ACTION_B", "declared": 1, "probe": "reason_for"}
        for field in ("reason", "memory", "veto", "self")
        for event in range(8)
    ]
    assert content_index(read(spelled).table) is not None
    content = reading([*twin_rows(perfect), *spelled]).tables()["content_only"]
    assert len(content["field"]) == 4, "each field is shown, and there is no index"
    assert words_gate([("plain", True)], (), None).status == "not measured"
    assert coupling_gate([("plain", True)], None).status == "met"


@pytest.mark.parametrize("replicates", [1, 2])
def test_whoever_reads_everything_has_full_binding_in_every_event(replicates: int) -> None:
    table = read(twin_rows(perfect, datasets=2, conditions=("structured",), replicates=replicates)).table
    found = twin_events(table)
    assert len(found) == 8
    assert {tuple(sorted(one)) for one in found.values()} == {tuple(sorted(COMPONENTS))}
    assert {score for one in found.values() for score in one.values()} == {1.0}


def test_with_one_baseline_an_event_pays_for_every_cue_it_follows() -> None:
    def follows(row: dict[str, Any]) -> str:
        moved = row["event"] == "d0e1" and row["probe"] == "cue_lean"
        return "DEFER" if moved else perfect(row)

    found = twin_events(read(twin_rows(follows, datasets=1, conditions=("structured",), replicates=1)).table)
    assert {event: one["MCI"] for (_, event), one in found.items()} == {"d0e0": 1, "d0e1": 0.5, "d0e2": 1, "d0e3": 1}


def test_two_baselines_of_one_event_are_enough_to_see_drift() -> None:
    restless = counted(lambda row: "DEFER" if row["replicate"] else perfect(row), events=1)
    assert restless.drift == Share(1, 1)
    assert counted(perfect, events=1).drift == Share(0, 1)


def test_baselines_of_different_events_are_not_compared() -> None:
    found = counted(lambda row: f"ACTION_{'AB'[int(row['event'][-1]) % 2]}", replicates=1)
    assert found.drift.n == 0


def test_what_is_paired_is_not_paired_again() -> None:
    once = paired(read(twin_rows(perfect, datasets=1)).table)
    again = paired(once.rows)
    assert (once.unpaired, again.unpaired) == (0, 0)
    assert again.rows.size == once.rows.size
    assert again.rows.numbers["twin_hit"].tolist() == pytest.approx(once.rows.numbers["twin_hit"].tolist(), nan_ok=True)


def test_a_row_all_alone_has_no_partner_and_gains_nothing() -> None:
    alone = [row for row in twin_rows(perfect, datasets=1, events=1, replicates=1) if row["probe"] == "memory"][:1]
    table = read(alone).table
    assert partners(table).tolist() == [-1]
    assert gains(table).size == 0


def test_partners_are_in_the_same_place() -> None:
    table = read(twin_rows(perfect, datasets=2, events=2)).table
    at = partners(table)
    columns = {name: table.values(name) for name in ("dataset", "event", "condition", "replicate", "probe", "twin")}
    for row, other in enumerate(at.tolist()):
        wanted = columns["twin"][row]
        assert (other >= 0) == bool(wanted)
        if wanted:
            assert columns["probe"][other] == wanted
            for name in ("dataset", "event", "condition", "replicate"):
                assert columns[name][other] == columns[name][row], name


def sufficient(policy: Any) -> list[dict[str, Any]]:
    return twin_rows(
        lambda row: policy({**row, "condition": "structured"}), conditions=("full", "only-decisive"), replicates=1
    )


@pytest.mark.parametrize(
    ("policy", "status", "gain"), [(perfect, "met", 1.0), (lambda row: row["before"], "not met", 0.0)]
)
def test_sufficiency_asks_for_more_than_the_twin_gives(policy: Any, status: str, gain: float) -> None:
    found = sufficiency_of(read(sufficient(policy)).table, "model")
    beyond = {one.name: one for one in found.gate.criteria if one.name.endswith("less its twin")}
    assert set(beyond) == {"full state, less its twin", "only the decisive field, less its twin"}
    assert {(one.status, one.value, one.n, one.limit) for one in beyond.values()} == {(status, gain, 7, 0.0)}
    assert {one.reason for one in beyond.values()} == {f"mean {gain:.3f}"}
    # Only rows with a target are right or wrong.
    assert found.accuracy["full"].n == 7 * 4 * 6


def test_sufficiency_over_few_families_is_not_measured() -> None:
    few = [row for row in sufficient(perfect) if row["family"] < "d5"]
    found = sufficiency_of(read(few).table, "model")
    (one,) = [one for one in found.gate.criteria if one.name == "full state, less its twin"]
    assert (one.status, one.value, one.limit) == ("not measured", None, 0.0)
    assert one.reason == "no interval can be given over 5 families"
