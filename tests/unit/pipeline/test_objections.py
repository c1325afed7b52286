"""What escalates although every score is at its target: who was examined, and on what."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.unit.pipeline.living import CLERK, NAME, accepted, gated, known_signer, live, store_of
from tests.unit.pipeline.small_quality import FAMILY, scenario, write_agent, write_project, write_scenarios

from proctor.core.errors import InputError
from proctor.core.hashing import sha256_hex
from proctor.engine.names import load_suite
from proctor.pipeline.baseline.accepted import find_baseline
from proctor.pipeline.baseline.seeds import SEED, SUITE, on_committed_seed
from proctor.pipeline.baseline.surroundings import FACT, PREFORKED
from proctor.pipeline.decision import GateDecision, answer_escalation
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.objections import to_agent, to_identity, to_sample, to_seed, to_surroundings
from proctor.pipeline.scenarios import Oracle, governed_sample
from proctor.pipeline.stages import Pipeline
from proctor.spec.frozen import FrozenRun, Look
from proctor.spec.project import read_project
from proctor.spec.system import System


@pytest.fixture(scope="module")
def clerk_accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose own, confined agent has an accepted baseline; copied, never changed."""
    project = tmp_path_factory.mktemp("clerk") / "project"
    project.mkdir()
    write_project(project)
    accepted(project, *live(project, 1, 2, 3, 4, 5, agent=CLERK))
    return project


@pytest.fixture
def with_clerk(clerk_accepted: Path, project: Path) -> Path:
    """A copy of it."""
    shutil.copytree(clerk_accepted, project, dirs_exist_ok=True)
    return project


def test_an_own_agent_that_is_confined_deploys(with_clerk: Path) -> None:
    (name,) = live(with_clerk, 6, agent=CLERK)
    assert gated(with_clerk, name, rehearsal=False).result == "deploy"


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("oracle", "agent 'oracle' is a stand-in and none to deploy (oracle, not a result)"),
        (f"{CLERK},unconfined=yes", "agent 'python' ran unconfined, with everything on this machine in its reach, "),
        ("null", "agent 'null' is a stand-in and none to deploy (baseline)"),
    ],
)
def test_a_stand_in_or_an_unconfined_agent_escalates(with_clerk: Path, agent: str, why: str) -> None:
    (name,) = live(with_clerk, 6, agent=agent)
    decision = gated(with_clerk, name, rehearsal=False)
    assert decision.outcome != "deploy"
    assert any(reason.startswith(why) for reason in decision.reasons)
    if agent != "null":
        assert decision.exit_code == 101
        rehearsed = gated(with_clerk, name, rehearsal=True)
        assert rehearsed.result == "deploy"
        assert "rehearsal" in (Pipeline(with_clerk, rehearsed.pipeline).folder / "report.md").read_text()
        assert gated(with_clerk, name, rehearsal=False).exit_code == 101, "a rehearsal answers nothing"


def test_an_agent_edited_between_run_and_gate_escalates(with_clerk: Path) -> None:
    (name,) = live(with_clerk, 6, agent=CLERK)
    assert gated(with_clerk, name, rehearsal=False).result == "deploy"
    write_agent(with_clerk, 1, 2, 3)
    decision = gated(with_clerk, name, rehearsal=False)
    assert decision.exit_code == 101
    changed = "the agent is not the one of the run any more: its files (agent.py changed) changed since"
    assert decision.reasons == (changed,)
    (with_clerk / "agent.py").unlink()
    decision = gated(with_clerk, name, rehearsal=False)
    assert decision.exit_code == 101
    assert "whether this is the agent of the run cannot be said here" in decision.reasons[0]


def answered(project: Path, decision: GateDecision) -> None:
    for key in ("anna", "ben"):
        signer = known_signer(project, key)
        answer_escalation(Ledger(project), decision.pipeline, approve=True, reason="a new line only", signer=signer)


def test_an_answer_about_an_edited_agent_holds_for_the_files_that_were_there(with_clerk: Path) -> None:
    """One line at the end of a file is not whatever lies there later, of this run or of another one."""
    (name, other) = live(with_clerk, 6, 7, agent=CLERK)
    file = with_clerk / "agent.py"
    honest = file.read_text()
    file.write_text(f"{honest}\n")
    first = gated(with_clerk, name, rehearsal=False)
    assert first.exit_code == 101
    answered(with_clerk, first)
    for run in (name, other):
        assert gated(with_clerk, run, rehearsal=False).exit_code == 0, "the same files, answered for"
    write_agent(with_clerk, 1, 2, 3)
    for run in (name, other):
        decision = gated(with_clerk, run, rehearsal=False)
        assert (decision.answer, decision.exit_code) == (None, 101)
        assert decision.reasons == first.reasons, "in the same words"


def test_files_that_changed_were_added_or_removed_are_named(with_clerk: Path) -> None:
    lib = with_clerk / "lib"
    lib.mkdir()
    for number in range(8):
        (lib / f"{number}.txt").write_text("1")
    (name,) = live(with_clerk, 6, agent=f"{CLERK},include=lib")
    (lib / "0.txt").write_text("2")
    (lib / "1.txt").unlink()
    (lib / "9.txt").write_text("1")
    (reason,) = gated(with_clerk, name, rehearsal=False).reasons
    assert "its files (lib/0.txt changed, lib/1.txt removed, lib/9.txt added) changed since" in reason
    for number in range(2, 8):
        (lib / f"{number}.txt").write_text("2")
    (reason,) = gated(with_clerk, name, rehearsal=False).reasons
    assert reason.endswith("lib/4.txt changed and 4 more) changed since")


def test_runs_that_cannot_be_one_baseline_are_named_with_what_differs(with_clerk: Path) -> None:
    (before,) = live(with_clerk, 6, agent=CLERK)
    write_agent(with_clerk, 1, 2, 3)
    (after, *_) = live(with_clerk, 7, agent=CLERK)
    with pytest.raises(InputError, match=f"; {after} is of the same agent with other files, unlike {before}"):
        accepted(with_clerk, before, after)
    (other,) = live(with_clerk, 8)
    with pytest.raises(InputError, match=f"; {other} is of agent 'oracle', unlike {before}"):
        accepted(with_clerk, before, other)


def frozen_of(project: Path, name: str) -> FrozenRun:
    with store_of(project) as store:
        return store.frozen(store.run(name).number)


def test_a_list_of_files_that_is_not_of_the_run_names_none(with_clerk: Path) -> None:
    (name,) = live(with_clerk, 6, agent=CLERK)
    write_agent(with_clerk, 1, 2, 3)
    (objection,) = to_identity(frozen_of(with_clerk, name), with_clerk, [["/agent/README.md", "0" * 64]])
    assert "README" not in objection.reason and "its files changed since" in objection.reason


def test_what_the_words_of_an_objection_leave_open_is_bound(with_clerk: Path) -> None:
    """The same words about another seed, other models, or other scenarios are another escalation."""
    file = find_baseline(with_clerk, NAME)
    assert file is not None
    (name,) = live(with_clerk, 6, agent=CLERK)
    frozen = frozen_of(with_clerk, name)
    facts = {**file.baseline.facts, SEED: "0" * 64, SUITE: frozen.suite.full_name}
    committed = replace(file, baseline=replace(file.baseline, facts=facts))
    one, other = (to_seed(frozen.model_copy(update={"seed": seed}), committed) for seed in (1, 2))
    assert [said.reason for said in one] == [said.reason for said in other]
    assert one[0].binds != other[0].binds
    now = datetime(2027, 1, 1, tzinfo=UTC)
    names = [f"s-{number}" for number in range(20)]
    governed = Oracle({}, {}, False, frozenset(), frozenset(names))
    missing, others = (
        to_sample(frozen, replace(governed, taken=frozenset([last])), [], now)[0] for last in ("s-8", "s-9")
    )
    assert missing.reason == others.reason
    assert missing.binds != others.binds
    unknown, elsewhere = (to_sample(frozen, Oracle({}, {name: "0"}, True), [], now)[0] for name in ("s-8", "s-9"))
    assert unknown.reason == elsewhere.reason
    assert unknown.binds != elsewhere.binds
    outside = frozen.model_copy(update={"agent": f"{CLERK},unconfined=yes"})
    edited = outside.model_copy(update={"agent_source": "0" * 64})
    (alone,), (later,) = to_agent(outside, ""), to_agent(edited, "")
    assert alone.reason == later.reason
    assert alone.binds != later.binds


def test_a_dot_file_edited_between_run_and_gate_escalates(with_clerk: Path) -> None:
    lib = with_clerk / "lib"
    (lib / "__pycache__").mkdir(parents=True)
    (lib / ".limit").write_text("100")
    (name,) = live(with_clerk, 6, agent=f"{CLERK},include=lib")
    (lib / "__pycache__" / "helper.cpython-311.pyc").write_bytes(b"not seen, and so none of its files")
    changed = "the agent is not the one of the run any more: its files (lib/.limit changed) changed since"
    assert changed not in gated(with_clerk, name, rehearsal=False).reasons
    (lib / ".limit").write_text("100000")
    decision = gated(with_clerk, name, rehearsal=False)
    assert decision.outcome != "deploy"
    assert changed in decision.reasons


def test_a_run_of_another_agent_than_the_project_names_escalates(with_clerk: Path) -> None:
    (name,) = live(with_clerk, 6, agent=CLERK)
    declaration = with_clerk / "proctor.yaml"
    declaration.write_text("system: {name: desk, agents: {extended: 'python:agent.py:other'}}\n")
    decision = gated(with_clerk, name, rehearsal=False)
    assert decision.exit_code == 101
    assert decision.reasons == (
        f"the run is of agent '{CLERK}', and proctor.yaml names 'python:agent.py:other'; examine the named one",
    )
    assert gated(with_clerk, name, rehearsal=True).result == "deploy"
    declaration.write_text(f"system: {{name: desk, agents: {{core: '{CLERK}', extended: 'python:agent.py:other'}}}}\n")
    assert gated(with_clerk, name, rehearsal=False).result == "deploy", "either boundary may be the run's"
    declaration.write_text("system: {name: desk}\n")
    assert gated(with_clerk, name, rehearsal=False).result == "deploy", "a project need not name any"


@pytest.mark.parametrize(
    ("now", "what"),
    [
        ("network: full", "network"),
        ("env: [API_KEY]", "environment variables"),
        ("configuration: {model: other}", "configuration"),
        ("version: '2.0'", "version"),
    ],
)
def test_a_project_that_declares_its_agent_otherwise_by_now_escalates(with_clerk: Path, now: str, what: str) -> None:
    declaration = with_clerk / "proctor.yaml"
    agents = f"agents: {{core: '{CLERK}'}}"
    declaration.write_text(f"system: {{name: desk, {agents}}}\n")
    (name,) = live(with_clerk, 6, agent=CLERK, system=declared(with_clerk))
    assert gated(with_clerk, name, rehearsal=False).result == "deploy"
    declaration.write_text(f"system: {{name: desk, {now}, {agents}}}\n")
    decision = gated(with_clerk, name, rehearsal=False)
    assert decision.exit_code == 101
    assert decision.reasons == (f"the agent is not the one of the run any more: its {what} changed since",)


def declared(project: Path) -> System:
    found = read_project(project)
    assert found is not None
    return found.system


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ("network: full", "network none → full"),
        ("env: [CI]", "environment variable CI"),
        ("env: [HOME, CI]", "environment variable CI; environment variable HOME"),
    ],
)
def test_an_agent_that_can_reach_more_than_when_it_was_accepted_escalates(
    with_clerk: Path, more: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Declared before the run, so that run and gate agree: a variable that only CI sets tells it where it is."""
    monkeypatch.setenv("CI", "true")
    declaration = with_clerk / "proctor.yaml"
    declaration.write_text(f"system: {{name: desk, {more}, agents: {{core: '{CLERK}'}}}}\n")
    (name,) = live(with_clerk, 6, agent=CLERK, system=declared(with_clerk))
    decision = gated(with_clerk, name, rehearsal=False)
    assert decision.exit_code == 101
    assert decision.reasons == (f"the agent can reach more than in the accepted runs ({what})",)


def test_a_service_somewhere_else_in_the_place_of_an_agent_escalates(with_clerk: Path) -> None:
    file = find_baseline(with_clerk, NAME)
    (name,) = live(with_clerk, 6, agent=CLERK)
    with store_of(with_clerk) as store:
        frozen = store.frozen(store.run(name).number)
    elsewhere = frozen.model_copy(update={"agent": "http://127.0.0.1:1/agent"})
    assert to_surroundings(frozen, file) == []
    (objection,) = to_surroundings(elsewhere, file)
    assert "it is a remote service, and the accepted runs were made here" in objection.reason


def test_lifetimes_from_a_warm_interpreter_escalate_where_accepted_ones_had_none(with_clerk: Path) -> None:
    file = find_baseline(with_clerk, NAME)
    assert file is not None
    (name,) = live(with_clerk, 6, agent=CLERK)
    with store_of(with_clerk) as store:
        frozen = store.frozen(store.run(name).number)
    warm = frozen.model_copy(update={"agent": f"{CLERK},prefork=yes"})
    cold = {name: value for name, value in file.baseline.facts[FACT].items() if name != PREFORKED}
    before = replace(file, baseline=replace(file.baseline, facts={FACT: cold}))
    for one in (file, before):
        assert to_surroundings(frozen, one) == []
        (objection,) = to_surroundings(warm, one)
        assert "forked from a warm interpreter: lifetimes can leave word for later ones" in objection.reason
    runs = tuple(replace(run, agent=warm.agent) for run in file.baseline.runs)
    same = replace(before, baseline=replace(before.baseline, runs=runs))
    assert to_surroundings(warm, same) == [], "kept before prefork was part of what is kept"


def test_a_declaration_that_is_gone_escalates(with_clerk: Path) -> None:
    declaration = with_clerk / "proctor.yaml"
    declaration.write_text(f"system: {{name: desk, agents: {{core: '{CLERK}'}}}}\n")
    (name,) = live(with_clerk, 6, agent=CLERK, system=declared(with_clerk))
    assert gated(with_clerk, name, rehearsal=False).result == "deploy"
    declaration.unlink()
    decision = gated(with_clerk, name, rehearsal=False)
    assert decision.exit_code == 101
    assert decision.reasons == (
        "the agent is not the one of the run any more: its declaration in proctor.yaml changed since",
    )


def smaller(project: Path, n: int) -> None:
    """The suite takes fewer of its scenarios than it has."""
    (project / "desk.py").write_text(FAMILY.replace("len(family.scenarios.scenarios)", str(n)))
    write_scenarios(project, [scenario(number) for number in range(12)])


def test_a_smaller_sample_does_not_drop_a_governed_scenario(with_clerk: Path) -> None:
    suite = load_suite("desk.py@suite", with_clerk)
    small = suite.model_copy(update={"entries": tuple(e.model_copy(update={"n": 9}) for e in suite.entries)})
    assert governed_sample(small, with_clerk) == suite, "approved scenarios run whatever n says"


def test_a_first_run_of_some_scenarios_says_how_many_of_how_many(desk: Path) -> None:
    smaller(desk, 9)
    names = live(desk, 1, 2, 3, 4, 5, 6, agent=CLERK)
    accepted(desk, *names[:5])
    decision = gated(desk, names[5], rehearsal=False)
    assert decision.exit_code == 101
    assert decision.reasons == ("3 of 12 governed scenarios were not run (request-10, request-11, request-9)",)
    report = (Pipeline(desk, decision.pipeline).folder / "report.md").read_text()
    assert "9 of 12 governed scenarios were run." in report


def test_an_approved_scenario_that_expired_escalates_until_renewed(desk: Path) -> None:
    old = scenario(0, valid={"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"})
    write_scenarios(desk, [old, *(scenario(number) for number in range(1, 12))])
    names = live(desk, 1, 2, 3, 4, 5, 6, agent=CLERK)
    accepted(desk, *names[:5])
    decision = gated(desk, names[5], rehearsal=False)
    assert decision.exit_code == 101
    assert decision.reasons == (
        "1 approved scenario (request-0) is outside its validity at 2026-03-01T00:00:00Z; renew or remove by an "
        "approved change",
    )


def test_another_date_than_the_approved_clock_escalates(with_clerk: Path) -> None:
    (name,) = live(with_clerk, 6, agent=CLERK, timestamp="2026-04-01")
    decision = gated(with_clerk, name, rehearsal=False)
    assert decision.exit_code == 101
    assert "the run is dated 2026-04-01T00:00:00Z, and the approved clock stands at" in decision.reasons[0]


def test_a_sample_that_grew_until_it_was_decided_is_not_gated(with_clerk: Path) -> None:
    (name,) = live(with_clerk, 6, agent=CLERK, look=Look(number=1, max_n=24))
    with pytest.raises(InputError, match="without --until-decided"):
        gated(with_clerk, name)


def test_a_committed_gate_seed_leaves_no_choice(desk: Path) -> None:
    hidden, other = "5" * 64, "6" * 64
    names = live(desk, 1, 2, 3, 4, 5, agent=CLERK)
    with pytest.raises(InputError, match="never the seed itself"):
        accepted(desk, *names, gate_seed="a seed")
    file = accepted(desk, *names, gate_seed=sha256_hex(hidden.encode()))
    assert hidden not in str(file.baseline.facts)
    with pytest.raises(InputError, match="one is for one version"):
        accepted(desk, *names, gate_seed=sha256_hex(other.encode()))
    assert accepted(desk, *names).baseline.facts == file.baseline.facts, "it stays with the version of the suite"
    results = [gated(desk, name, rehearsal=False) for name in live(desk, hidden, other, 99, agent=CLERK)]
    assert [one.result for one in results] == ["deploy", "escalate-to-human", "escalate-to-human"]
    assert results[1].reasons[0].startswith("the run was not made on the hidden gate seed")
    with store_of(desk) as store:
        made = [store.frozen(run.number) for run in store.runs()]
    on = {one.seed for one in made if on_committed_seed(one, file)}
    assert on == {hidden}, "which the gate does not call chosen by its author"
    assert not on_committed_seed(made[0], None)
