"""The social families: who treats each counterparty by its own way succeeds, and nobody else does."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.unit.suites.agency import social_regex
from tests.unit.suites.agency.social_players import (
    CrewAdapter,
    CrewReader,
    HouseAdapter,
    HouseReader,
    crew_dealing,
    crew_figures,
    house_dealing,
    house_figures,
    plain,
)

from proctor.agents.contract import Agent
from proctor.conformance.family import check_family
from proctor.conformance.subject import draw_of
from proctor.core.canonical import encode
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Family
from proctor.engine.trial import job_for, live
from proctor.plugins import registry
from proctor.spec.environment import EnvironmentKind
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.task import Instance
from proctor.spec.tier_protocols import deprives
from proctor.suites.agency.social.crew_promises import family as crew_promises
from proctor.suites.agency.social.house_talks import family as house_talks
from proctor.suites.agency.social.identity import ARMS, IDENTIFIED, MASKED, NON_SOCIAL, PERMUTED, REASSIGNED
from proctor.worlds.adversity.context_cut import MIN_TEXT

FAMILIES: tuple[Family, ...] = (house_talks, crew_promises)
READERS: dict[str, Callable[[], Agent]] = {"house-talks": HouseReader, "crew-promises": CrewReader}
AT_LEAST = {IDENTIFIED: 0.92, REASSIGNED: 0.92}
AT_MOST = {PERMUTED: 0.55, MASKED: 0.55, NON_SOCIAL: 0.50}
EPISODES = 200


@pytest.fixture(params=FAMILIES, ids=lambda family: str(family.spec.id))
def family(request: pytest.FixtureRequest) -> Family:
    """Both in turn."""
    found: Family = request.param
    return found


def source(family: Family) -> Stream:
    return Stream.keyed("social", family.spec.id)


def instances(family: Family, count: int, arm: str = IDENTIFIED, **knobs: Any) -> list[Instance]:
    """The first instances of one run in this arm."""
    draws = (draw_of(family, source(family), number, {"identity": arm, **knobs}) for number in range(count))
    return [family.instance(draw) for draw in draws]


def rate(family: Family, make: Callable[[], Agent], arm: str = IDENTIFIED, regime: str = "baseline") -> float:
    """The success of an agent over real episodes."""
    key, under = source(family), STANDARD_REGIMES[regime]

    async def lived() -> int:
        passed = 0
        for number, instance in enumerate(instances(family, EPISODES, arm)):
            trial = await live(job_for(family, instance, key.child(number), under), make())
            assert not trial.raised
            passed += trial.succeeded
        return passed

    return asyncio.run(lived()) / EPISODES


def test_declarations(family: Family) -> None:
    spec = family.spec
    assert registry.load("families", spec.id) is family
    assert spec.evidences == ("T5-social",)
    assert spec.environment.kind is EnvironmentKind.MULTI_AGENT
    assert spec.counterparties is not None
    assert len(spec.counterparties.roles) == 5
    assert spec.counterparties.mediation == "none"
    assert spec.knobs["identity"].values == ARMS
    assert len(spec.templates) == 8
    assert [deprives({"identity": arm}) for arm in ARMS] == [False, False, True, True, True]


def test_every_check_holds(family: Family) -> None:
    regimes = ("baseline", "moderate-standard", "severe-standard")
    report = check_family(family, regimes=regimes, instances=10, fresh_process=False)
    assert report.findings == ()


@pytest.mark.parametrize("arm", ARMS)
def test_a_careful_reader_succeeds_exactly_where_names_tell_the_truth(family: Family, arm: str) -> None:
    reached = rate(family, READERS[family.spec.id], arm, "moderate-standard")
    assert AT_LEAST.get(arm, 0.0) <= reached <= AT_MOST.get(arm, 1.0)


@pytest.mark.parametrize("arm", [IDENTIFIED, REASSIGNED])
@pytest.mark.parametrize("regime", ["moderate-standard", "severe-standard"])
def test_ceilings(family: Family, arm: str, regime: str) -> None:
    drawn = instances(family, 120, arm)
    reached = sum(
        family.attainable(instance, Deliveries(STANDARD_REGIMES[regime], Stream.keyed("ceiling", number)))
        for number, instance in enumerate(drawn)
    )
    assert reached / len(drawn) >= 0.90


@pytest.mark.parametrize("arm", [PERMUTED, MASKED, NON_SOCIAL])
def test_a_ceiling_counts_what_can_be_known(family: Family, arm: str) -> None:
    nothing = STANDARD_REGIMES["baseline"]
    drawn = instances(family, EPISODES, arm)
    reached = sum(family.attainable(one, Deliveries(nothing, Stream.keyed(number))) for number, one in enumerate(drawn))
    assert reached / len(drawn) <= AT_MOST[arm]
    # The oracle knows no more than that: it goes by the notes as they are shown.
    oracles = _Oracles(family, drawn)
    assert rate(family, lambda: oracles, arm) == reached / len(drawn)


class _Oracles:
    """The oracle of whatever instance the task belongs to."""

    def __init__(self, family: Family, drawn: list[Instance]) -> None:
        self._family = family
        self._goals = {(one.goal, one.observation["text"]): one for one in drawn}

    async def run(self, task: Any, session: Any) -> Any:
        instance = self._goals[task.goal, session.observations[0].fields["text"]]
        return await self._family.oracle(instance).run(task, session)


def _same(agent: Agent) -> Agent:
    return agent


def test_one_approach_for_all_fails() -> None:
    for share, few, then in product((60, 80), (False, True), ("same", "middle")):
        adapter = HouseAdapter(share, few, then)
        assert rate(house_talks, partial(_same, adapter)) <= 0.10
    fixed = HouseAdapter(100, few=False, then="pay")
    assert rate(house_talks, lambda: fixed) <= 0.10


def test_one_treatment_for_all_fails() -> None:
    for days, remind, hand, learns in product((-1, 0), (False, True), (False,), (False, True)):
        adapter = CrewAdapter(days, remind, hand, learns=learns)
        assert rate(crew_promises, partial(_same, adapter)) <= 0.10


def test_keywords_and_numbers_are_not_enough(family: Family) -> None:
    written = Path(social_regex.__file__).read_text(encoding="utf-8")
    assert len(written.splitlines()) <= 100
    assert rate(family, social_regex.RegexPlayer) <= 0.40


def test_the_texts_tell_every_dealing(family: Family) -> None:
    templates = set()
    both = [(IDENTIFIED, one) for one in instances(family, 80)] + [
        (MASKED, one) for one in instances(family, 80, MASKED)
    ]
    for arm, instance in both:
        lines = [plain(line) for line in instance.observation["text"].split("\n")]
        if family is house_talks:
            names = list(house_figures(lines))
            told: list[Any] = [house_dealing(line, names) for line in lines]
            asks = {seller["name"].lower(): seller["ask"] for seller in instance.hidden["sellers"]}
            assert house_figures(lines) == asks
        else:
            names, ships = crew_figures(lines)
            told = [crew_dealing(line, names) for line in lines]
            assert ships == {ship.lower(): day for ship, day in instance.hidden["ships"].items()}
        read = sorted(encode(_anonymous(encode(one))) for one in told if one is not None)
        here = {None, *names}
        there = [one for one in instance.hidden["dealings"] if _short(one) in here]
        assert read == sorted(encode(_anonymous(encode(one))) for one in there)
        assert arm == MASKED or len(there) == 8
        templates.add(instance.template)
    assert templates == set(family.spec.templates)


def _short(dealing: dict[str, Any]) -> str | None:
    name = dealing.get("house") or dealing.get("crew")
    return None if name is None else str(name).lower().removesuffix(" crew")


def _anonymous(written: bytes) -> str:
    """A dealing as text, its name in lower case and without the word for what it is."""
    return re.sub(r" crew\b", "", written.decode().lower())


def test_arms_share_everything_but_who_is_who(family: Family) -> None:
    people = "sellers" if family is house_talks else "hands"
    for five in zip(*(instances(family, 60, arm) for arm in ARMS), strict=True):
        plainly, moved, lied, masked, bare = five
        # Nothing that is shown tells these two apart.
        assert (lied.goal, lied.observation) == (plainly.goal, plainly.observation)
        assert moved.goal == plainly.goal
        ways = [[one["habit"] for one in instance.hidden[people]] for instance in five]
        assert ways[0] == ways[3] == ways[4]
        assert ways[1] == ways[2]
        assert all(one != other for one, other in zip(ways[0], ways[1], strict=True))
        for same in ("purse", "days", "hours", "ships", "crates"):
            assert len({str(instance.hidden.get(same)) for instance in five}) == 1
        assert len({instance.template for instance in five}) == 1
        shown = (masked.observation["text"] + bare.observation["text"]).lower()
        assert not any(one["name"].lower() in shown for one in plainly.hidden[people])
        assert bare.hidden["dealings"] == []
        assert len(masked.observation["text"].split("\n")) == len(plainly.observation["text"].split("\n"))


def test_names_keep_their_ways_in_one_arm_and_not_in_the_other(family: Family) -> None:
    people = "sellers" if family is house_talks else "hands"
    kept: dict[str, set[str]] = defaultdict(set)
    lost: dict[str, set[str]] = defaultdict(set)
    for arm, seen in ((IDENTIFIED, kept), (REASSIGNED, lost)):
        for instance in instances(family, 150, arm):
            for one in instance.hidden[people]:
                seen[one["name"]].add(one["habit"]["kind"])
    assert all(len(kinds) == 1 for kinds in kept.values())
    assert all(len(kinds) > 1 for kinds in lost.values())
    other = family.instance(draw_of(family, Stream.keyed("another run"), 0))
    assert {one["name"] for one in other.hidden[people]} != {
        one["name"] for one in instances(family, 1)[0].hidden[people]
    }


def test_every_line_escapes_the_context_cut(family: Family) -> None:
    for arm in (IDENTIFIED, MASKED):
        for instance in instances(family, 600, arm, remarks=4):
            assert max(len(line) for line in instance.observation["text"].split("\n")) < MIN_TEXT


def test_more_remarks_change_nothing_else(family: Family) -> None:
    hidden = [[{**one.hidden, "facts": 0} for one in instances(family, 20, remarks=count)] for count in (0, 2, 4)]
    assert hidden[0] == hidden[1] == hidden[2]
