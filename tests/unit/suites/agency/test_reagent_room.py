"""The assay room (L2): what is taught can only be learned there, tests hold pairs out, and no phase shows itself."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from tests.unit.suites.agency.test_clerk_levels import subject
from tests.validity.agents.apprentice import Apprentice
from tests.validity.agents.cards import read_card

from proctor import api
from proctor.conformance.family import check_family
from proctor.core.errors import ToolError
from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.store.store import Store
from proctor.spec.suite import Suite
from proctor.spec.task import Instance, Submission
from proctor.suites.agency.learning.reagent_room import family
from proctor.suites.agency.learning.reagent_room.texts import CONDITIONS, DROPS, MATERIALS
from proctor.worlds.adversity.context_cut import MIN_TEXT
from proctor.worlds.world import Place

PHASES = ("pretest", "train", "posttest", "reset", "idle", "untrained")
PROGRAMS = (
    [
        {"phase": "pretest", "episodes": 10, "before": "snapshot"},
        {"phase": "train", "episodes": 20},
        {"phase": "posttest", "episodes": 10},
        {"phase": "reset", "episodes": 10, "before": "restore"},
    ],
    [{"phase": "idle", "episodes": 30}, {"phase": "untrained", "episodes": 10}],
)


def instance(phase: str, step: int, lifetime: int = 0, **knobs: Any) -> Instance:
    source = Stream.keyed("assay")
    return family.instance(Draw(source.child(lifetime, phase, step), source, lifetime, phase, step=step, knobs=knobs))


def suite() -> Suite:
    entries = [{"family": "reagent-room", "n": 3, "cell": "L2", "program": program} for program in PROGRAMS]
    data = {"name": "assay", "version": "1.0", "title": "Assay", "epoch": "2026-01-01T00:00:00Z", "entries": entries}
    return Suite.parse(data, source="test")


@pytest.fixture(scope="module", params=["oracle", "apprentice"])
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bool]]:
    """What came of both programs, by phase, with real snapshots and resets."""
    place = str(tmp_path_factory.mktemp("assay") / "store.db")
    agent: str | Callable[[], Apprentice] = "oracle" if request.param == "oracle" else Apprentice
    result = api.run(suite(), agent=agent, store=place)
    with Store(place) as store:
        evidence: Evidence = evidence_of(store, result.run)
    found: dict[str, list[bool]] = defaultdict(list)
    for row in evidence.rows:
        assert row.outcome != "infrastructure"
        found[row.phase].append(row.outcome == "success")
    return found


def test_who_learns_gains_and_who_forgets_loses_it(outcomes: dict[str, list[bool]]) -> None:
    rates = {phase: sum(found) / len(found) for phase, found in outcomes.items()}
    assert rates.keys() == set(PHASES)
    assert rates["posttest"] >= 0.95
    for phase in ("pretest", "reset", "idle", "untrained"):
        assert rates[phase] <= 0.10


def test_every_check_holds() -> None:
    report = check_family(family, instances=6, fresh_process=False)
    assert report.findings == ()
    assert report.result("teaching").measured["taught"] == 1.0
    assert max(rate for what, rate in report.result("teaching").measured.items() if "taught in" in what) <= 0.3


def test_an_agent_that_keeps_pairs_gains_nothing() -> None:
    """What a test asks for was never shown: only the parts of it were."""
    for lifetime in range(20):
        shown = {tuple(pair) for step in range(20) for pair in instance("train", step, lifetime).hidden["pairs"]}
        assert {material for material, _ in shown} == set(MATERIALS)
        assert {condition for _, condition in shown} == set(CONDITIONS)
        for phase in ("pretest", "posttest", "reset", "untrained", "idle"):
            for step in range(30):
                asked = {tuple(pair) for pair in instance(phase, step, lifetime).hidden["pairs"]}
                assert not asked & shown


def test_no_phase_shows_itself() -> None:
    """Goals are of the same sentences and cards of the same labels and words, whatever the phase."""

    def seen(phase: str) -> tuple[set[str], set[tuple[str, str]], set[str]]:
        made = [instance(phase, step, lifetime) for lifetime in range(40) for step in range(3)]
        goals = {re.sub(r"[A-Z]\d\d|reagents .+?\.", "…", one.goal.replace(_house(one), "")) for one in made}
        cards = [read_card(card) for one in made for card in one.hidden["cards"].values()]
        words = {
            (label, "" if "grams" in label else value) for card in cards if card for label, value in card.values.items()
        }
        return goals, words, {one.template for one in made}

    first = seen("pretest")
    for phase in PHASES[1:]:
        assert seen(phase) == first


def _house(one: Instance) -> str:
    found = re.search(r"Assay room of (.+?):|^(.+?) has sent", one.goal)
    return next((part for part in found.groups() if part), "") if found else ""


def test_what_is_taught_belongs_to_the_lifetime() -> None:
    def rules(lifetime: int, phase: str) -> dict[str, Any]:
        known: dict[str, Any] = {}
        for step in range(30):
            hidden = instance(phase, step, lifetime).hidden
            for (material, condition), right in zip(hidden["pairs"], hidden["right"].values(), strict=True):
                assert known.setdefault(material, right["reagent"]) == right["reagent"]
                assert known.setdefault(condition, right["drops"]) == right["drops"]
        return known

    taught = rules(1, "train")
    assert taught == rules(1, "posttest")
    assert {taught[condition] for condition in CONDITIONS} == set(DROPS)
    assert len({str(sorted(map(str, rules(lifetime, "train").items()))) for lifetime in range(10)}) == 10


def test_only_training_tells_and_only_the_first_treatment_counts() -> None:
    for phase in PHASES:
        made = instance(phase, 1)
        world = family.world(made, Place())
        name, right = next(iter(made.hidden["right"].items()))
        wrong = {**right, "drops": next(drops for drops in DROPS if drops != right["drops"])}
        assert world.inspect(name.lower()) == made.hidden["cards"][name]
        told = world.treat(name, **wrong)
        assert ("right_was" in told) == (phase == "train")
        with pytest.raises(ToolError, match="only the first commitment counts"):
            world.treat(name, **right)
        for other, treatment in list(made.hidden["right"].items())[1:]:
            world.treat(other, **treatment)
        assert world.verify(Submission("done")).reason == "wrong_drops"


def test_refusals_say_what_there_is() -> None:
    made = instance("posttest", 0)
    world = family.world(made, Place())
    name, right = next(iter(made.hidden["right"].items()))
    assert world.verify(Submission()).reason == "nothing_done"
    for arguments, why in (
        (("A0", right["reagent"], 2), f"there are {name}"),
        ((name, "water", 2), "there are " + made.hidden["reagents"][0]),
        ((name, right["reagent"], 4), "2, 3, 5, 7"),
    ):
        with pytest.raises(ToolError, match=why):
            world.treat(*arguments)
    world.treat(name, **right)
    assert world.verify(Submission()).reason == "unfinished"


def test_cards_are_short_and_tests_do_not_repeat() -> None:
    made = [instance("posttest", step, lifetime) for lifetime in range(30) for step in range(20)]
    assert max(len(card) for one in made for card in one.hidden["cards"].values()) < MIN_TEXT
    assert len({str(one.observation) for one in made}) == len(made)


def test_an_apprentice_of_another_house_fails() -> None:
    with subject("reagent-room", 6) as examined:
        for number in range(6):
            agent = Apprentice()
            for lesson in examined.lessons((number + 1) % 6):
                examined.live(lesson, agent)
            assert not examined.live(examined.job(number), agent).succeeded
