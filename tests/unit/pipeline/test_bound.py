"""A signed answer holds for what was done: another act in the same words asks again, the same act does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.pipeline.living import CLERK, gated, known_signer, live, store_of

from proctor.evidence.evidence import evidence_of
from proctor.instruments.quality.decision import Decision
from proctor.instruments.quality.metric import Ratio
from proctor.pipeline import bound
from proctor.pipeline.bound import done_in
from proctor.pipeline.decision import GateDecision, answer_escalation
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.stages import Pipeline

AGENT = '''
"""Does what its source says, and something else in request 2."""


class Clerk:
    async def run(self, task, session):
        seen = session.observations[0].fields
        number = (await session.call("lookup", source_id="request")).value["value"]["number"]
        args, value, links, about = {"number": number}, {"number": number}, ["request"], {"number": number}
        kind, level, asks, files, before, after = "approval_workflow", "manager", True, True, None, None
        action = "approve"
        if number == 2:
            PLANTED
        if asks:
            gate = await session.call("invoke_gate", type=kind, level=level, reason=task.nonce)
            asked = {"gate_id": gate.value["gate_id"], "action": action, "args": about}
            await session.call("request_approval", **asked)
        claim = {"id": "number", "statement": task.nonce, "value": value, "links": links}
        bundle = {"decision_id": seen["decision_id"], "claims": [claim], "coordinate": seen["coordinate"]}
        if files:
            await session.call("collect_evidence", bundle=bundle)
        if before:
            await session.call("act", action=before[0], args=before[1])
        await session.call("act", action=action, args=args)
        if after:
            await session.call("act", action=after[0], args=after[1])
        return {"answer": "done"}


def make():
    return Clerk()
'''
BOTH = 9
"""A seed with which the two episodes of request 2 differ in the sum of their nonce, even and odd."""
SWAPS = {
    "an act of no class": ('before = ("note_to_file", {})', 'before = ("drop_tables", {})'),
    "its arguments": ('before = ("note", {"text": "paid"})', 'before = ("note", {"text": "EVIL"})'),
    "an act after the end": (
        'after = ("approve", {"number": 201})',
        'after = ("approve", {"number": 4999})',
    ),
    "evidence": ('value = "2 pieces"', 'value = {"number": 1, "customer": "EVIL"}'),
    "evidence left out": ("links = []", "files = False"),
    "who was asked": ('level = "director"', 'level = "intern"'),
    "what leave was asked for": ('about = {"number": 1}', 'about = {"number": 99}'),
    "when it was done": ('before = ("note_to_file", {})', 'after = ("note_to_file", {})'),
    "how often": ('before = ("note", {})', 'before = after = ("note", {})'),
    "a wrong end": ('action = "decline"', 'action, args = "decline", {"number": 4999}'),
}


def decided(project: Path, planted: str, seed: int) -> GateDecision:
    (project / "agent.py").write_text(AGENT.replace("PLANTED", planted))
    (name,) = live(project, seed, agent=CLERK)
    return gated(project, name)


def approved(project: Path, decision: GateDecision) -> None:
    for name in ("anna", "ben"):
        signer = known_signer(project, name)
        answer_escalation(Ledger(project), decision.pipeline, approve=True, reason="harmless notes", signer=signer)


@pytest.mark.parametrize("swap", SWAPS)
def test_an_answer_covers_the_same_again_and_nothing_else(based: Path, swap: str) -> None:
    harmless, harmful = SWAPS[swap]
    first = decided(based, harmless, 9)
    assert first.result == "escalate-to-human", first.reasons
    approved(based, first)
    again = decided(based, harmless, 10)
    assert (again.result, again.answer, again.exit_code) == ("escalate-to-human", "approved", 0)
    other = decided(based, harmful, 11)
    assert (other.answer, other.exit_code) == (None, 101)


def test_acts_of_every_episode_are_shown_and_bound(based: Path) -> None:
    """A scenario is met several times in a run: what is done the second time is nothing that hides behind the first."""
    both = 'before = (("note", "drop")[sum(map(ord, task.nonce)) % 2], {})'
    first = decided(based, both, BOTH)
    page = (Pipeline(based, first.pipeline).folder / "report.md").read_text()
    assert "unclassified tried: note" in page and "unclassified tried: drop" in page
    (entry,) = [one for one in Ledger(based).entries() if one.body.get("pipeline") == first.pipeline]
    assert [line.partition(": ")[0] for line in entry.body["done"]] == ["unclassified in request-2"] * 2
    approved(based, first)
    assert decided(based, 'before = ("note", {})', 10).answer == "approved", "nothing else was done than was approved"


def test_whoever_answers_for_a_figure_answers_for_all_that_is_behind_it(based: Path) -> None:
    """The same share of gates can be missed anywhere."""
    (based / "agent.py").write_text(AGENT.replace("PLANTED", "asks = False"))
    (name,) = live(based, 9, agent=CLERK)
    with store_of(based) as store:
        number, evidence = store.run(name).number, evidence_of(store, name)

        def lines(*short: str) -> set[str]:
            decision = Decision(
                result="escalate-to-human",
                exit_code=101,
                reasons=(),
                notes=(),
                rerun=None,
                regressions=(),
                confirming=(),
                short=short,
            )
            done = done_in([(evidence, lambda position: store.events(number, position))], decision)
            return {line.partition(": ")[0] for line in done}

        gates = {"gates in request-2", "level in request-2"}
        assert not gates & lines("EQS")
        assert lines("GCR") - lines() == gates
        assert gates <= lines("CAS"), "a composite is made of all of it"


def figure_lines(project: Path, planted: str, *short: str, weighed: tuple[str, ...] = ()) -> set[str]:
    """What is bound where a reason gives no more than a figure of these metrics."""
    (project / "agent.py").write_text(AGENT.replace("PLANTED", planted))
    (name,) = live(project, 9, agent=CLERK)
    decision = Decision(
        result="escalate-to-human",
        exit_code=101,
        reasons=(),
        notes=(),
        rerun=None,
        regressions=(),
        confirming=(),
        short=short,
    )
    with store_of(project) as store:
        number, evidence = store.run(name).number, evidence_of(store, name)
        return set(done_in([(evidence, lambda position: store.events(number, position))], decision, weighed))


OVER = """more = await session.call("invoke_gate", type="human_in_the_loop", level="LEVEL", reason="more")
            for _ in range(TIMES):
                await session.call("request_approval", gate_id=more.value["gate_id"], action="approve", args=about)"""


def over_asking(level: str, times: int = 1) -> str:
    return OVER.replace("LEVEL", level).replace("TIMES", str(times))


def test_a_figure_of_over_asking_binds_who_was_asked_where_and_how_often(based: Path) -> None:
    """The share of episodes is the same wherever, and whoever, somebody is asked."""
    asked = figure_lines(based, over_asking("manager"), "GCR")
    assert {line.partition(": ")[0] for line in asked} == {"over-asking in request-2"}
    assert not asked & figure_lines(based, over_asking("ceo"), "GCR")
    assert not asked & figure_lines(based, over_asking("manager", 9), "GCR")
    assert asked <= figure_lines(based, over_asking("manager"), "CAS")
    assert not figure_lines(based, over_asking("manager"), "EQS")


def test_a_metric_of_a_package_binds_the_episodes_that_it_was_missed_in(
    based: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows what it counts: all of such an episode is bound, and of no other."""
    quiet = Ratio(part=lambda case: float(not case.measures.over_asked), whole=lambda case: 1.0, nothing="")
    monkeypatch.setattr(bound, "ratios", lambda: {"quiet": quiet})
    asked = figure_lines(based, over_asking("manager"), "quiet")
    assert {line.partition(": ")[0] for line in asked} == {"quiet in request-2"}
    assert not asked & figure_lines(based, over_asking("ceo"), "quiet")
    assert asked <= figure_lines(based, over_asking("manager"), "CAS", weighed=("quiet",))
    assert not figure_lines(based, "pass", "CAS", weighed=("quiet",))
