"""Nobody who does not read earns a claim of binding 2.0, in any suite; who reads earns what there is to earn."""

from __future__ import annotations

import pytest

from proctor.instruments.binding.reading import BindingReading
from proctor.spec.suite import Suite
from proctor.suites.binding.families.interface import BUDGET
from proctor.suites.binding.twins.family_suites import budget, controls, families, interface, sufficiency
from proctor.suites.binding.twins.suites import binding, extended, own_state
from tests.validity.binding_cheat_models import CODED, REMEMBERING, scaffolded
from tests.validity.binding_cheats import CHEATS, PERFECT, PRUDENT, SWAYED, agent, examined

NINE = 9


def short(suite: Suite, events: int) -> Suite:
    """The first events of every corpus."""
    few = tuple(entry.model_copy(update={"n": events * NINE}) for entry in suite.entries)
    return suite.model_copy(update={"entries": few})


def small_families() -> Suite:
    """The cell matrix in one scaffold style, two events of each family."""
    suite = families()
    kept = tuple(one for one in suite.conditions if one.id.startswith("react"))
    names = {one.id for one in kept}
    return suite.model_copy(
        update={
            "conditions": kept,
            "entries": tuple(
                entry.model_copy(
                    update={
                        "conditions": tuple(name for name in entry.conditions if name in names),
                        "n": 4,
                        "first": min(entry.first, 4),
                        "replicates": 1,
                    }
                )
                for entry in suite.entries
            ),
        }
    )


def supported(reading: BindingReading) -> list[str]:
    return [one.block for one in reading.claims if one.supported]


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_earns_nothing_on_a_few_events(name: str) -> None:
    found = examined(short(binding(), 2), agent(name), 1)
    assert found.claims
    assert found.interface == "", "it is not its format that stops it"
    assert supported(found) == []
    unmet = {one.name for one in found.gates[0].boundary}
    # It is never one criterion alone that stands in the way.
    assert len({"reason binding", "memory binding", "veto binding", "self-continuity binding"} & unmet) >= 2


@pytest.mark.parametrize("name", SWAYED)
def test_whoever_follows_the_remark_is_not_said_to_resist_it(name: str) -> None:
    found = examined(short(binding(), 4), SWAYED[name], 1)
    assert supported(found) == []
    (swayed,) = [one for one in found.gates[0].criteria if one.name == "structured false positives"]
    assert swayed.status == "not met"
    assert swayed.value == pytest.approx(0.5, abs=0.1)
    # What it reads it does read: this criterion is what stands between it and the claim.
    assert {one.name for one in found.gates[0].boundary} == {"structured false positives"}


@pytest.mark.parametrize("name", ["lean, waits without a field", "first option named", "copies spelled codes"])
def test_a_cheat_earns_nothing_in_families(name: str) -> None:
    assert supported(examined(controls(), agent(name), 1)) == []


def small_interface() -> Suite:
    """The matched interface with its own words, two events of every corpus."""
    suite = interface()
    kept = tuple(entry for entry in suite.entries if not set(entry.conditions) & {one.id for one in BUDGET})
    return short(suite.model_copy(update={"entries": kept}), 2)


@pytest.mark.parametrize("name", ["copies spelled codes", "first option named", *CODED, *REMEMBERING])
def test_no_cheat_earns_coupling_by_its_own_words(name: str) -> None:
    found = examined(small_interface(), scaffolded(name), 1)
    assert {"coupling"} == {one.name for one in found.gates}
    assert supported(found) == []
    words = found.tables()["own_words"]
    assert words["pairs"][-1], "its words were asked about"
    assert words["exchanged"] == words["pairs"], "they could be exchanged"
    for name in ("reason", "self"):
        assert words["effect"][words["field"].index(name)] == pytest.approx(0, abs=0.2)


@pytest.mark.parametrize("who", [PERFECT, PRUDENT])
def test_readers_earn_what_there_is(who: str) -> None:
    assert supported(examined(short(binding(), 4), who, 1)) == ["finite-action benchmark"]
    assert supported(examined(controls(), who, 1)) == ["state-boundary controls"]
    assert supported(examined(sufficiency(), who, 1)) == ["sufficiency"]
    assert supported(examined(small_interface(), who, 1)) == ["matched-interface coupling"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_earns_nothing_anywhere(name: str, seed: int) -> None:
    for suite in (
        short(binding(), 32), controls(), sufficiency(), small_families(), short(own_state(), 32), interface(),
    ):  # fmt: skip
        found = examined(suite, agent(name), seed)
        assert supported(found) == [], suite.name


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", [*CHEATS, *CODED, *REMEMBERING])
def test_a_cheat_in_the_scaffold_earns_nothing_anywhere(name: str, seed: int) -> None:
    for suite in (short(binding(), 32), controls(), sufficiency(), interface(), budget(), extended()):
        assert supported(examined(suite, scaffolded(name), seed)) == [], suite.name


def test_where_else_a_text_was_shown_says_nothing_in_the_cell_matrix() -> None:
    """26,400 episodes: where donors were chosen by what is right, this earned the claim on state boundaries."""
    found = examined(families(), scaffolded("where else a text was shown"), 1)
    assert {claim.block for claim in found.claims if claim.supported} <= {"entropy-prior control"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", SWAYED)
def test_whoever_follows_the_remark_earns_no_benchmark(name: str, seed: int) -> None:
    assert supported(examined(short(binding(), 32), SWAYED[name], seed)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("who", [PERFECT, PRUDENT])
def test_readers_earn_every_claim(who: str, seed: int) -> None:
    assert supported(examined(short(binding(), 32), who, seed)) == ["finite-action benchmark"]
    assert supported(examined(controls(), who, seed)) == ["state-boundary controls"]
    assert supported(examined(sufficiency(), who, seed)) == ["sufficiency"]
    assert "state-boundary controls" in supported(examined(small_families(), who, seed))
    assert supported(examined(interface(), who, seed)) == ["matched-interface coupling"]
