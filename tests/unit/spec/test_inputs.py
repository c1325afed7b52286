"""The nine inputs: complete, missing, and changed after they were written down."""

from __future__ import annotations

import json
from typing import Any

from tests.unit.spec.test_frozen import FAMILY, SPEC, SUITE, frozen

from proctor.core.hashing import content_hash
from proctor.spec.evaluation import Evaluation, Use
from proctor.spec.inputs import NINE, altered_inputs, former_inputs, missing_inputs, required_inputs
from proctor.spec.regime import Action, Intensity, Rate, Regime, Stability
from proctor.spec.suite import Entry, Suite
from proctor.spec.system import Boundary, BoundaryKind, HumanPolicy, System

OWN = Regime(
    id="narrow",
    intensity=Intensity.MODERATE,
    action=Action(scope=("look",), rate=Rate(factor=0.5)),
    stability=Stability(timeouts=0.1),
)


def suite(*regimes: str) -> Suite:
    return Suite(
        name="mine",
        version="1.0",
        title="Mine",
        epoch="2026-01-01T00:00:00Z",
        entries=(Entry(family="fam", n=3, regimes=regimes),),
        regimes=(OWN,),
    )


def written(**changes: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(required_inputs(frozen(**changes))))
    return data


def test_permissions_rates_and_inclusions_are_there() -> None:
    extended = Boundary(
        kind=BoundaryKind.EXTENDED, includes=("loop",), tools=("search",), human_policy=HumanPolicy(allowed=False)
    )
    made = suite("baseline", "narrow")
    inputs = required_inputs(
        frozen(suite=made, rules=made.rules, system=System(name="ours", configuration={"m": 1}, boundary=extended))
    )
    assert inputs["action_schema"]["permissions"] == {"baseline": "every tool of the task", "narrow": ["look"]}
    assert inputs["action_schema"]["rate_limits"]["narrow"] == {"factor": 0.5, "milliseconds_between": None}
    assert inputs["boundary_type"]["inclusion"] == ["loop", "tool search"]
    assert "16 hex digits" in inputs["task_instances"]["identifiers"]
    assert inputs["verification_method"]["instruments"] == {"fam@1.0": "comparison"}
    assert inputs["protocol"]["approach"] == "benchmark"
    assert inputs["protocol"]["normalisation"] == "none"
    core = required_inputs(frozen(system=System(name="ours", boundary=Boundary(kind=BoundaryKind.CORE))))
    assert core["boundary_type"]["inclusion"] == ["the policy with its weights and internal state, and nothing else"]


def test_declared_schemas_carry_their_version() -> None:
    inputs = required_inputs(
        frozen(
            system=System(name="ours", action_schema={"look": {}}, action_schema_version="2.1", observation_schema={})
        )
    )
    assert (inputs["action_schema"]["version"], inputs["action_schema"]["declared"]) == ("2.1", {"look": {}})
    assert inputs["observation_schema"]["version"] == "not declared"


def test_who_evaluates_is_written_down() -> None:
    assert required_inputs(frozen(evaluation=Evaluation(use=Use.RESEARCH)))["evaluation"]["use"] == "research"
    assert required_inputs(frozen())["evaluation"] is None


def test_what_is_missing_is_named() -> None:
    bare = frozen(system=System(name="ours"))
    assert list(missing_inputs(bare)) == ["system identifier", "boundary type"]
    declared = System(name="ours", boundary=Boundary(kind=BoundaryKind.CORE))
    assert list(missing_inputs(frozen(system=declared))) == ["system identifier"]
    for identified in (
        {"agent_source": "ab" * 32},
        {"agent_identity": "clerk of proctor 1"},
        {"system": declared.model_copy(update={"configuration": {"model": "m"}})},
    ):
        assert missing_inputs(frozen(**{"system": declared, **identified})) == {}


def test_a_hash_of_nothing_is_not_shown() -> None:
    """The hash of `{}` looks like an identity and is none."""
    nothing = required_inputs(frozen(system=System(name="ours")))["system_identifier"]
    assert nothing["configuration_hash"] == "not declared"
    assert content_hash({}) not in json.dumps(required_inputs(frozen(system=System(name="ours"))))
    one, two = (frozen(system=System(name="ours"), agent_source=digest * 32).identity_hash for digest in ("aa", "bb"))
    assert one is not None and two is not None
    assert one != two


def test_untouched_inputs_follow_from_the_declarations() -> None:
    assert altered_inputs(written(), frozen()) == ()
    assert set(NINE) < written().keys()


def test_a_changed_declaration_no_longer_fits_what_was_written() -> None:
    reworded = FAMILY.model_copy(update={"spec": SPEC.model_copy(update={"criterion": "any answer will do"})})
    assert altered_inputs(written(), frozen(families=(reworded,))) == ("success_criteria",)
    core = System(name="ours", configuration={"model": "m"}, boundary=Boundary(kind=BoundaryKind.CORE))
    assert altered_inputs(written(), frozen(system=core)) == ("boundary_type",)
    assert altered_inputs("nonsense", frozen()) == NINE


def test_inputs_of_runs_from_before_are_compared_with_what_they_were() -> None:
    """Evidence that was written before still verifies."""
    old = json.loads(json.dumps(former_inputs(frozen())))
    assert old["system_identifier"]["configuration_hash"] == content_hash({"model": "m"})
    assert set(old) == set(NINE)
    assert altered_inputs(old, frozen()) == ()
    assert altered_inputs({**old, "success_criteria": {"fam@1.0": "other"}}, frozen()) == ("success_criteria",)


def test_regime_ids() -> None:
    alone = suite("baseline")
    assert frozen(suite=alone, rules=alone.rules).regime_id == "baseline"
    own = suite("narrow")
    assert frozen(suite=own, rules=own.rules).regime_id == f"narrow#{content_hash(OWN)[:12]}"
    several = frozen().regime_id
    assert several.startswith("mine@1.0#")
    assert len(several) == len("mine@1.0#") + 12
    other = SUITE.model_copy(update={"entries": (SUITE.entries[0].model_copy(update={"regimes": ("baseline",)}),)})
    assert frozen(suite=other).regime_id != several, "other regimes, another id"
