"""What every family of the Agency Vector and the tiers must show. What is peculiar to a dimension is tested there.

Numbers hold for all families; where some need others, a table says which and why. An entry under the name of a family
goes before one of its dimension, and that before `every`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, TypeVar

import msgspec
import pytest
from tests.unit.suites.agency.examined import HOME, Examined, halves, hardest, used

from proctor.conformance.families import teaching
from proctor.conformance.family import FAMILY_CHECKS, TEACHING_CHECKS, check_family
from proctor.core.canonical import chainable, decode, encode
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries
from proctor.engine.names import load_suite
from proctor.spec.regime import STANDARD_REGIMES, Regime
from proctor.spec.task import Instance
from proctor.suites.agency import agency
from proctor.worlds.adversity.context_cut import MIN_TEXT

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

T = TypeVar("T")
CELLS = {
    "sensing": "S",
    "modeling": "M",
    "deciding": "D",
    "acting": "E",
    "learning": "L",
    "revising": "G1-",
    "prioritising": "G2-",
    "originating": "G3-",
    "robustness": "R",
    "planning": "T3-",
    "reflecting": "T4-",
    "social": "T5-",
    "modifying": "T6-",
}
"""How the cells of a dimension begin."""
ELSEWHERE: dict[str, tuple[str, ...]] = {"every": (), "email-triage": ("R",), "ticket-routing": ("R",)}
"""Cells of another dimension that a family evidences too: robustness is what is kept of another skill."""
TEMPLATES = {"every": 8, "revising": 9, "prioritising": 10, "open-workshop": 16, "town-garden": 16}
"""Revising and prioritising have common forms beside the usual eight; a stay is told in eight forms, with room or none.
"""
BESIDE: dict[str, tuple[str, ...]] = {
    "every": ("baseline",),
    "acting": (),
    "inventory": ("baseline", "moderate-standard", "severe-standard"),
    "account-transactions": ("baseline", "moderate-standard", "severe-standard"),
    "strategy-choice": ("baseline", "moderate-standard"),
}
"""Regimes a family must stand beside those that suites use it with. Stores, banks and sites are plain texts that may be
put under any of them; worlds on disk and in sandboxes take their time."""
EPISODES = {
    "every": 15,
    "modeling": 10,
    "prioritising": 10,
    "learning": 8,
    "originating": 8,
    "robustness": 6,
    "code-deployment": 3,
}
"""Instances for the checks: fewer where training comes before each, texts are long, regimes many or sandboxes slow (a
deployment takes a tenth of a second on a busy core)."""
SECOND_HALVES = 3
"""Instances for the checks of second halves, which the same code makes, judges and solves; ceilings and knobs are left
to the tests below."""
SOLVED = {"every": (8, 24), "prioritising": (8, 60), "acting": (6, 6), "code-deployment": (2, 2)}
"""Episodes of the oracle with usual and with hardest knobs: more where instances differ in their number of deeds, fewer
where a world is on disk."""
UNSOLVED = {"every": 0.0, "strategy-choice": 0.05, "learning": 1.0, "code-lock": 0.0, "known-unknowns": 0.6}
"""The share of these that it may fail: the best choice is unlucky in some seasons, without the training that comes
before, an oracle fails like anybody else, and half of the items of `known-unknowns` nobody can know."""
WITHOUT_KNOBS = {"every": False, "known-unknowns": True, "registry-desk": True}
"""Whether nothing about it can be made harder: what they ask about is there or not."""
DISTINCT = {"every": 1000, "registry-desk": 700}
"""How many of a thousand first observations differ: all that is seen of an office at first is its name and two numbers.
"""
IN_BRACES = {"every": False, "registry-desk": True}
"""Whether goals show JSON, in which braces are no gap that was left unfilled."""
ABOVE = {"every": 0.0, "coding-patterns": 0.05, "customer-sessions": 0.05, "derivable-goals": 0.35}
"""The share of instances with hardest knobs whose strict cap is above their budget, which then is the cap: long texts
take many readings there. No suite uses these families with other knobs than the usual ones."""
DRAWS = {"every": 150, "sensing": 250, "learning": 250, "prioritising": 250, "robustness": 120, "acting": 1000}
"""Draws for a ceiling: more where calls that fail vary it most or a draw costs little, fewer where regimes are many."""
CEILINGS = {
    "every": 0.99,
    # Severe noise spoils lines for good now and then, and strict caps do not leave readings without end.
    "email-triage": 0.95,
    "ticket-routing": 0.95,
    "inventory": 0.94,
    "account-transactions": 0.94,
    "five-crafts": 0.97,
    "triage-under-fire": 0.96,
    "port-control": 0.97,
    "open-workshop": 0.97,
    "town-garden": 0.97,
    "code-review": 0.94,
    "data-validation": 0.92,
    # What the scanner did to a digit, no reading undoes.
    "ocr-invoices": 0.94,
    # Of ten operations up to eight are needed and one in ten is lost; of five actions, three in ten.
    "code-deployment": 0.96,
    "lab-experiment": 0.94,
    "plant-recovery": 0.94,
    # Half of its items can be known.
    "known-unknowns": 0.45,
    "crew-promises": 0.95,
}
"""What an optimal policy reaches at least, under each regime."""
IN_TUPLES = {"every": False, "originating": True, "robustness": True, "known-unknowns": True, "house-talks": True}
"""Whether hidden places are tuples: as bytes, which is what is hashed, they are lists like all others."""


def own(table: dict[str, T], examined: Examined) -> T:
    """What a table says of a family."""
    return table.get(examined.name, table.get(examined.dimension, table["every"]))


def regimes(examined: Examined) -> tuple[Regime, ...]:
    """Those it is used with and those beside them, each once."""
    beside = {name: STANDARD_REGIMES[name] for name in own(BESIDE, examined)}
    return tuple({**beside, **{regime.id: regime for regime in examined.regimes}}.values())


@pytest.fixture(scope="module", autouse=True)
def _suites_are_read_once() -> Iterator[None]:
    """They do not change meanwhile, and reading them for each family takes longer than some of its tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("proctor.engine.usage.load_suite", cache(load_suite))
        yield


@pytest.fixture(
    scope="module", params=halves(), ids=lambda half: f"{half[0]}, second half" if half[1] else str(half[0])
)
def examined(request: pytest.FixtureRequest) -> Examined:
    """Each family in turn; those of pairs twice."""
    name, second = request.param
    return Examined(name, second=second)


def test_the_suite_leaves_no_family_out() -> None:
    assert {path.parent.name.replace("_", "-") for path in HOME.glob("*/*/family.py")} == set(used())


def test_every_regime_the_suite_declares_is_used() -> None:
    suite = agency()
    used_regimes = {name for entry in suite.entries for name in entry.regimes}
    assert {regime.id for regime in suite.regimes} == used_regimes - set(STANDARD_REGIMES)


def test_exceptions_are_of_families_and_dimensions() -> None:
    tables = (ELSEWHERE, TEMPLATES, BESIDE, EPISODES, SOLVED, UNSOLVED, ABOVE, DRAWS, CEILINGS, IN_TUPLES, DISTINCT)
    for table in (*tables, WITHOUT_KNOBS, IN_BRACES):
        assert set(table) <= {"every", *CELLS, *used()}


def test_declarations(examined: Examined) -> None:
    spec = examined.spec
    assert spec.id == examined.name
    assert examined.folder.name == spec.id.replace("-", "_")
    assert spec.evidences == examined.cells
    own_cells = spec.evidences[: len(spec.evidences) - len(own(ELSEWHERE, examined))]
    assert spec.evidences == (*own_cells, *own(ELSEWHERE, examined))
    assert all(cell.startswith(CELLS[examined.dimension]) for cell in own_cells)
    assert len(spec.templates) == len(set(spec.templates)) == own(TEMPLATES, examined)
    assert bool(spec.knobs) != own(WITHOUT_KNOBS, examined)
    assert spec.artifacts == (examined.dimension == "acting")
    assert (spec.training > 0) == (examined.dimension == "learning" and spec.id != "code-lock")


def test_same_draw_same_bytes(examined: Examined) -> None:
    again = examined.sample(30)
    assert [encode(instance) for instance in again] == [encode(instance) for instance in examined.thousand[:30]]


def test_a_thousand_instances_do_not_repeat(examined: Examined) -> None:
    shown = [instance.observation for instance in examined.thousand]
    texts = [fields.get("text") or fields.get("material") or msgspec.json.encode(fields) for fields in shown]
    assert len(set(texts)) >= own(DISTINCT, examined)
    # Where a text comes in pieces, each escapes the context cut.
    assert max(len(text) for instance in examined.thousand for text in instance.hidden.get("texts", ("",))) < MIN_TEXT
    for instance in examined.thousand[:50]:
        plain = decode(encode(instance)) if own(IN_TUPLES, examined) else msgspec.to_builtins(instance)
        assert chainable(plain) == plain


def test_every_template_and_wording_comes_up(examined: Examined) -> None:
    templates = examined.spec.templates
    seen = Counter(instance.template for instance in examined.thousand[: 50 * len(templates)])
    assert set(seen) == set(templates)
    assert min(seen.values()) >= 25
    goals = [instance.goal for instance in examined.thousand]
    assert len({goal[:8] for goal in goals[:60]}) >= 3
    assert any("{" in goal for goal in goals) == own(IN_BRACES, examined)


def test_every_check_holds(examined: Examined) -> None:
    instances = SECOND_HALVES if examined.second else own(EPISODES, examined)
    left_out = {"knobs", "ceiling"} if examined.second else set()
    report = check_family(
        examined.family,
        regimes=regimes(examined),
        instances=instances,
        fresh_process=False,
        only=[check.id for check in (*FAMILY_CHECKS, *TEACHING_CHECKS) if check.id not in left_out],
    )
    assert report.findings == ()
    judged_by_state = examined.family.answer(examined.thousand[0]) is None
    unmeasured = [result.check.id for result in report.results if result.status != "passed"]
    assert unmeasured == ["formats"] * judged_by_state + ["knobs"] * own(WITHOUT_KNOBS, examined)
    shortcuts = report.result("baselines").measured
    assert max(rate for agent, rate in shortcuts.items() if agent not in ("instances", "tasks")) == 0
    if teaching.applies(examined.spec):
        taught = report.result("teaching").measured
        assert max(rate for what, rate in taught.items() if "taught in" in what) <= 0.3
        assert taught["taught"] == 1.0


def test_ceilings(examined: Examined) -> None:
    instances = examined.thousand[: own(DRAWS, examined)]
    for regime in regimes(examined):
        reached = sum(
            examined.family.attainable(instance, Deliveries(regime, Stream.keyed("ceiling", regime.id, number)))
            for number, instance in enumerate(instances)
        )
        assert reached / len(instances) >= own(CEILINGS, examined), regime.id


def test_strict_caps_are_stated_and_enough_for_the_oracle(examined: Examined, drive: Drive) -> None:
    family = examined.family
    usual, hard = own(SOLVED, examined)
    most = examined.sample(hard, **hardest(family))
    failed: Counter[str] = Counter()
    for instance in [*examined.thousand[:usual], *most]:
        driver = drive(family, instance)
        found = driver.run(family.oracle(instance))
        failed[found.reason] += not found.success
        assert bool(found.artifacts) == examined.spec.artifacts
        assert driver.session.calls <= min(caps(instance))
    assert failed.total() <= own(UNSOLVED, examined) * (usual + hard), failed
    assert not any(strict > budget for strict, budget in map(caps, examined.thousand))
    assert sum(strict > budget for strict, budget in map(caps, most)) <= own(ABOVE, examined) * hard


def caps(instance: Instance) -> tuple[int, int]:
    """Strict cap and budget of calls; both have to be stated."""
    assert instance.strict_actions is not None
    assert instance.budget.actions is not None
    return instance.strict_actions, instance.budget.actions


def test_knobs_are_recorded(examined: Examined) -> None:
    knobs = examined.spec.knobs
    assert examined.thousand[0].knobs == {name: knob.default for name, knob in knobs.items()}
    bare = msgspec.structs.replace(examined.draw(0), knobs={})
    assert encode(examined.family.instance(bare)) == encode(examined.thousand[0])
    for name, knob in knobs.items():
        for value in knob.values:
            assert {instance.knobs[name] for instance in examined.sample(25, **{name: value})} == {value}
