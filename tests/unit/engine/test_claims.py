"""What is refused before a run: claims a suite cannot earn, hidden fields in schemas, the wrong boundary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.engine.names import load_family
from proctor.engine.run import freeze, freeze_family
from proctor.spec.claims import not_evidenced, require_families
from proctor.spec.suite import Suite
from proctor.suites.agency import agency, core, extended, quick


def suite(*entries: tuple[str, str | None], **more: Any) -> Suite:
    return Suite.model_validate(
        {
            "name": "mine",
            "version": "1.0",
            "title": "Mine",
            "epoch": "2026-01-01T00:00:00Z",
            "entries": [{"family": family, "n": 10, "cell": cell} for family, cell in entries],
            **more,
        }
    )


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([("a", "S4")], "cell S4 claims level 4, which needs 2 families over S; it has 1 (a)"),
        ([("a", "G2-5"), ("b", "G2-1")], "cell G2-5 claims level 5, which needs 3 families over G2; it has 2 (a, b)"),
        ([("a", "L3"), ("a@1.0", "L1")], "needs 2 families over L; it has 1 (a)"),
    ],
)
def test_a_level_with_too_few_families_is_refused(entries: list[tuple[str, str | None]], says: str) -> None:
    with pytest.raises(InputError, match="claims level") as found:
        require_families(suite(*entries))
    assert says in str(found.value)


def test_what_can_be_earned_is_let_through() -> None:
    require_families(suite(("a", "S1"), ("b", "S3"), ("c", None), ("d", "R"), ("e", "anything")))
    for built_in in (agency(), core(), extended(), quick()):
        require_families(built_in)


@pytest.mark.parametrize(("family", "cell", "named"), [("inventory", "E1", "M1"), ("extract", "R", "nothing")])
def test_a_family_that_does_not_evidence_the_cell_is_refused(family: str, cell: str, named: str) -> None:
    says = rf"suite 'mine': family '{family}' does not evidence {cell} \(it evidences {named}\)"
    with pytest.raises(InputError, match=says):
        freeze(suite=suite((family, cell)), agent="null", folder=Path())


def test_every_shipped_suite_uses_families_for_what_they_evidence() -> None:
    for built_in in (agency(), quick()):
        specs = {entry.family: load_family(entry.family, Path()).spec for entry in built_in.entries}
        assert list(not_evidenced(built_in, specs)) == []


def test_cells_of_other_instruments_are_nobodys_business_here() -> None:
    spec = load_family("extract", Path()).spec
    assert list(not_evidenced(suite(("extract", "B1"), ("extract", None)), {"extract": spec})) == []


def test_confidence_is_not_declarable_where_levels_are_read() -> None:
    declared = suite(("email-triage", "S1"), rules={"confidence": 0.55})
    with pytest.raises(InputError, match=r"rules.confidence is 0.55, but cell S1 .* is always read at 0.95"):
        freeze(suite=declared, agent="null", folder=Path())
    other = suite(("email-triage", None), rules={"confidence": 0.55})
    assert freeze(suite=other, agent="null", folder=Path()).rules.confidence == 0.55


@pytest.mark.parametrize("cell", ["S1", "R"])
def test_conditions_are_refused_where_levels_are_read(cell: str) -> None:
    """One could hand the agent whatever its evaluator wrote there, and it counted for the level."""
    told = {"id": "told", "reads": {"x-hint": {"do": "replace", "value": "the answer"}}}

    def declared(cell: str | None) -> Suite:
        made = suite(("email-triage", cell), conditions=[told])
        entries = [entry.model_copy(update={"conditions": ("none", "told")}) for entry in made.entries]
        return made.model_copy(update={"entries": tuple(entries)})

    with pytest.raises(InputError, match=f"cell {cell}, .*episodes under an intervention"):
        freeze(suite=declared(cell), agent="null", folder=Path())
    assert freeze(suite=declared(None), agent="null", folder=Path()).suite.conditions


def test_a_hidden_field_in_an_observation_schema_is_refused() -> None:
    family: Any = load_family("extract", Path())
    hidden = next(iter(family.instance(_draw()).hidden))
    schema = {**family.spec.observation_schema, "properties": {hidden: {}}}
    spec = family.spec.model_copy(update={"observation_schema": schema})

    class Leaking(type(family)):  # type: ignore[misc]
        pass

    leaking = Leaking()
    leaking.spec = spec
    with pytest.raises(InputError, match=f"declares {hidden}, which its instances hide"):
        freeze_family("leaking", leaking, suite(("leaking", None)))


def _draw() -> Any:
    from proctor.engine.family import Draw

    family = load_family("extract", Path())
    return Draw.of("freeze", **{name: knob.default for name, knob in family.spec.knobs.items()})


def test_a_suite_for_one_boundary_refuses_the_other() -> None:
    with pytest.raises(InputError, match="is for the extended boundary and the system declares core"):
        freeze(suite=extended(), agent="null", folder=Path())


def test_both_boundaries_meet_the_same_instances() -> None:
    assert core().stream_name == extended().stream_name == agency().stream_name
    assert core().entries == extended().entries == agency().entries


def test_the_quick_suite_is_small_and_reads_no_higher_than_two() -> None:
    episodes = sum(
        entry.n * entry.parts * len(entry.regimes) * sum(step.episodes for step in entry.program)
        for entry in quick().entries
    )
    assert episodes <= 300
    levels = {(entry.cell or "")[-1] for entry in quick().entries if entry.cell != "R"}
    assert levels == {"1", "2"}


def test_every_cell_of_the_whole_suite_has_a_hundred_units() -> None:
    from proctor.instruments.agency.rubric import RUBRIC, Gain

    cells = {level.cell: level for levels in RUBRIC.values() for level in levels}
    per_cell: dict[str, int] = {}
    for entry in agency().entries:
        level = cells.get(entry.cell or "")
        after = level.rule.after if level is not None and isinstance(level.rule, Gain) else None
        steps = [step.episodes for step in entry.program if after in (None, step.phase)]
        units = entry.n * (1 if after is None else sum(steps))
        per_cell[entry.cell or ""] = per_cell.get(entry.cell or "", 0) + units
    assert per_cell.keys() >= cells.keys() | {"R"}
    assert min(per_cell.values()) >= 100, per_cell


CONSTRAINED = [
    ("ocr-invoices", "S4", {"intensity": "moderate", "information": {"context_cut": 0.25}}, "noise"),
    (
        "document-questions",
        "S5",
        {"intensity": "severe", "stability": {"failures": 0.3}, "information": {"queries": 14}},
        "a cap on queries",
    ),
    ("api-drift", "M4", {"intensity": "moderate", "stability": {"failures": 0.05}}, "a drift"),
    ("data-pipeline", "E4", {"intensity": "moderate", "action": {"rate": {"factor": 0.7}}}, "tools that fail"),
    (
        "project-plan",
        "D5",
        {"intensity": "severe", "information": {"context_cut": 0.75}, "stability": {"failures": 0.05}},
        "a cap on calls or time",
    ),
]


@pytest.mark.parametrize(("family", "cell", "regime", "lacks"), CONSTRAINED)
def test_another_constraint_than_the_cell_is_about_will_not_do(
    family: str, cell: str, regime: dict[str, Any], lacks: str
) -> None:
    others = [(one.family, one.cell) for one in agency().entries if (one.cell or "")[0] == cell[0] and one.cell != cell]
    declared = suite(*others, regimes=[{"id": "own", **regime}])
    entry = declared.entries[0].model_copy(update={"family": family, "cell": cell, "regimes": ("own",)})
    kept = tuple(one for one in agency().entries if one.cell in {found for _, found in others})
    alone = declared.model_copy(update={"entries": (*kept, entry), "regimes": (*agency().regimes, *declared.regimes)})
    with pytest.raises(InputError, match=f"cell {cell}: the cell is about {lacks}"):
        freeze(suite=alone, agent="null", folder=Path())


def test_a_family_in_a_file_does_not_take_the_name_of_one_of_proctors(tmp_path: Path) -> None:
    (tmp_path / "fake.py").write_text(
        "from proctor.suites.agency.sensing.email_triage import family\n\nfamily = type(family)()\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match=r"calls itself email-triage@1.0; email-triage is a family of Proctor's own"):
        freeze(suite=suite(("fake.py", "S1")), agent="null", folder=tmp_path)
