"""Suites: what cannot be run, or would be counted twice, is refused in one sentence that names file and place."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.spec.condition import NO_INTERVENTION, Condition
from proctor.spec.suite import Suite


def declared(**changes: Any) -> dict[str, Any]:
    return {
        "name": "mine",
        "version": "1.2",
        "title": "Mine",
        "epoch": "2026-01-01T00:00:00Z",
        "entries": [{"family": "track", "n": 3}],
        **changes,
    }


def refused(**changes: Any) -> str:
    with pytest.raises(InputError) as caught:
        Suite.parse(declared(**changes), source="mine.yaml")
    message = str(caught.value)
    assert message.startswith("mine.yaml: ")
    assert "\n" not in message
    return message


def entry(**changes: Any) -> list[dict[str, Any]]:
    return [{"family": "track", "n": 3, **changes}]


MILD = {"id": "mild", "intensity": "mild", "stability": {"noise": {"share": 0.05}}}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"entrys": []}, "'entrys' is not a field of a suite; did you mean 'entries'?"),
        ({"owner": "me"}, "'owner' is not a field of a suite; remove it or check its spelling"),
        ({"entries": entry(regime="mild")}, "'regime' is not a field of a suite; did you mean 'regimes'?"),
        ({"entries": [{"n": 3}]}, "'family' is required; add it"),
        ({"entries": []}, "at least 1 item"),
        ({"entries": entry() * 10_001}, "at entries: 10,001 are too many; the most is 10,000"),
        ({"entries": [None] * 10_001}, "at entries: 10,001 are too many; the most is 10,000"),
        ({"stages": [{"id": f"s{number}"} for number in range(1_001)]}, "at stages: 1,001 are too many"),
        ({"entries": entry(program=[{}] * 1_001)}, "1,001 are too many"),
        ({"entries": entry(program=[{"episodes": 10**9}])}, "less than or equal to 100000"),
        ({"entries": entry(program=[{"episodes": 60_000}] * 2)}, "a lifetime of more than 100,000 episodes"),
        ({"entries": entry(parts=10**9)}, "less than or equal to 1000"),
        (
            {"conditions": [{"id": "often", "sampling": {"samples": 10**9}}]},
            "less than or equal to 1000",
        ),
        ({"entries": entry(n=True)}, "entries.0.n: true is not a number; YAML reads yes and on as true"),
        ({"entries": entry(program=[{"episodes": True}])}, "true is not a number"),
        ({"entries": entry(knobs={"size": True})}, "knobs.size.int: true is not a number"),
        ({"entries": entry(n="1:30")}, "valid integer"),
        ({"rules": {"confidence": True}}, "true is not a number"),
        ({"entries": entry(n=0)}, "greater than 0"),
        ({"entries": entry(regimes=[])}, "at least 1 item"),
        ({"entries": entry(conditions=[])}, "at least 1 item"),
        ({"entries": entry(program=[])}, "at least 1 item"),
        ({"stages": []}, "at least 1 item"),
        ({"entries": entry(regimes=["mild", "mild"])}, "'mild' is declared twice"),
        ({"entries": entry(conditions=["none", "none"])}, "'none' is declared twice"),
        ({"entries": entry(regimes=["mildish"])}, "regime 'mildish' is unknown; choose from baseline, mild"),
        ({"entries": entry(program=[{"regime": "nope"}])}, "regime 'nope' is unknown"),
        ({"entries": entry(conditions=["lesion"])}, "condition 'lesion' is unknown; choose from none"),
        ({"entries": entry(stage="second")}, "stage 'second' is unknown; choose from main"),
        ({"stages": [{"id": "a"}, {"id": "a"}]}, "stage 'a' is declared twice"),
        ({"regimes": [{**MILD, "id": "own"}, {**MILD, "id": "own"}]}, "regime 'own' is declared twice"),
        ({"conditions": [{"id": "c"}, {"id": "c"}]}, "condition 'c' is declared twice"),
        (
            {"regimes": [{**MILD, "stability": {"noise": {"share": 0.9}}}]},
            "'mild' is a standard id with fixed parameters",
        ),
        ({"conditions": [{"id": "none", "reads": {"memory": "remove"}}]}, "'none' is the arm without intervention"),
        (
            {"conditions": [{"id": "c", "reads": {"memroy": "remove"}}]},
            "'memroy' is not a state field; there are reason",
        ),
        ({"conditions": [{"id": "c", "reads": {"memory": "forget"}}]}, "Input should be 'keep', 'remove'"),
        ({"version": 1.0}, "1.0 has to be text; put it in quotes"),
        ({"version": "1"}, "pattern"),
        ({"name": "My Suite"}, "pattern"),
        ({"epoch": "tomorrow"}, "'tomorrow' is not ISO 8601"),
        ({"rules": {"infrastructure_cutoff": 0.5}}, "less than or equal to 0.35"),
        ({"rules": {"post_hoc_cutoff": 0.1}}, "greater than or equal to 0.15"),
        ({"rules": {"limits": {"run_cost": "a lot"}}}, "pattern"),
    ],
)
def test_mistakes(changes: dict[str, Any], complaint: str) -> None:
    assert complaint in refused(**changes)


def test_a_date_without_quotes_is_the_text_it_is() -> None:
    from proctor.spec.documents import parse_document

    text = "name: mine\nversion: '1.0'\ntitle: Mine\nepoch: 2026-01-01\nentries: [{family: track, n: 1}]\n"
    assert Suite.parse(parse_document(text, source="mine.yaml"), source="mine.yaml").epoch == "2026-01-01"


@pytest.mark.parametrize("text", ["1:30", "1:30:00:00", "-2:05", "1:30.5"])
def test_numbers_in_base_60_are_the_text_they_are(text: str) -> None:
    from proctor.spec.documents import parse_document

    assert parse_document(f"n: {text}\n", source="mine.yaml") == {"n": text}
    for tag in ("int", "float"):
        with pytest.raises(
            InputError, match=f"mine.yaml: not valid YAML at line 1, column 4: '{text}' is not a number"
        ):
            parse_document(f'n: !!{tag} "{text}"\n', source="mine.yaml")


def test_other_numbers_are_read_as_before() -> None:
    from proctor.spec.documents import parse_document

    text = "[1, -2, 1_000, 0x1F, 1.5, .5, 2., 1.0e+3, yes, 'no']"
    assert parse_document(text, source="mine.yaml") == [1, -2, 1000, 31, 1.5, 0.5, 2.0, 1000.0, True, "no"]


def test_a_mistake_within_a_list_is_not_said_of_the_list_as_well() -> None:
    assert refused(entries=entry(n=0)).endswith("entries.0.n: Input should be greater than 0")


def test_every_mistake_is_said_and_unknown_keys_come_first() -> None:
    data = {"name": "mine", "version": "1.0", "epoch": "2026-01-01T00:00:00Z", "titel": "Mine", "entrys": []}
    with pytest.raises(InputError) as raised:
        Suite.parse(data, source="mine.yaml")
    assert str(raised.value) == (
        "mine.yaml: suite at titel: 'titel' is not a field of a suite; did you mean 'title'?; "
        "at entrys: 'entrys' is not a field of a suite; did you mean 'entries'?; "
        "at title: 'title' is required; add it; at entries: 'entries' is required; add it"
    )


def test_of_many_mistakes_the_rest_is_counted() -> None:
    said = refused(a=1, b=2, c=3, d=4, e=5, f=6)
    assert said.count("is not a field") == 4
    assert said.endswith("(and 2 more)")


@pytest.mark.parametrize("data", [None, [], "suite", 3])
def test_what_is_no_mapping_is_one_sentence(data: Any) -> None:
    with pytest.raises(InputError, match=r"x\.yaml: suite at the top level"):
        Suite.parse(data, source="x.yaml")


STAGES = [{"id": "first", "freeze": "answers"}, {"id": "second"}]


def test_a_condition_reads_an_earlier_stage() -> None:
    conditions = [{"id": "c", "after": "first"}]
    suite = Suite.parse(
        declared(stages=STAGES, conditions=conditions, entries=entry(stage="second", conditions=["c"])), source="s"
    )
    assert suite.all_conditions["c"].after == "first"


@pytest.mark.parametrize(
    ("after", "stage"), [("second", "second"), ("second", "first"), ("first", "first"), ("first", None)]
)
def test_a_condition_never_reads_its_own_or_a_later_stage(after: str, stage: str | None) -> None:
    message = refused(
        stages=STAGES, conditions=[{"id": "c", "after": after}], entries=entry(stage=stage, conditions=["c"])
    )
    assert f"condition 'c' reads stage '{after}', which is not before '{stage or 'first'}'" in message


def test_a_condition_never_reads_an_unknown_stage() -> None:
    message = refused(
        stages=STAGES, conditions=[{"id": "c", "after": "zero"}], entries=entry(stage="second", conditions=["c"])
    )
    assert "stage 'zero' is unknown; choose from first, second" in message


def test_streams_are_keyed_by_the_major_version() -> None:
    names = {Suite.parse(declared(version=version), source="s").stream_name for version in ("1.0", "1.9")}
    assert names == {"mine@1"}
    assert Suite.parse(declared(version="2.0"), source="s").stream_name == "mine@2"


def test_own_state_fields_may_be_lesioned() -> None:
    condition = Condition.parse({"id": "c", "reads": {"x-scratch": "remove", "veto": "scramble"}}, source="s")
    assert condition.reads["veto"].donor == "instance"
    assert condition.reads["x-scratch"].do == "remove"
    assert NO_INTERVENTION.reads == {}


def test_a_declaration_cannot_be_changed() -> None:
    suite = Suite.parse(declared(), source="s")
    with pytest.raises(ValueError, match="frozen"):
        suite.title = "other"  # type: ignore[misc]
