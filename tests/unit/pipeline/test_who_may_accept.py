"""Ways to be held to less: each was tried by somebody who wanted a worse agent deployed, and none may go through."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from tests.unit.pipeline.living import CLERK, NAME, accepted, gated, known_signer, live, store_of
from tests.unit.pipeline.small_quality import SUITE, scenario, write_agent, write_project, write_scenarios

from proctor.core.errors import InputError, IntegrityError
from proctor.instruments.quality.project import read_governed
from proctor.pipeline.baseline.accept import accept_runs
from proctor.pipeline.baseline.accepted import baseline_path, find_baseline, import_baseline
from proctor.pipeline.baseline.file import FIRST_FORMAT, BaselineFile, read_baseline, sign, write_baseline
from proctor.pipeline.baseline.lawful import lowered, record_of
from proctor.pipeline.baseline.surroundings import FACT
from proctor.pipeline.governance import require_head, with_imported
from proctor.pipeline.keys import PUBLIC_FOLDER
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.proposals import decide_proposal, propose
from proctor.pipeline.scenarios import charter_of_suite
from proctor.spec.system import Network, System


def worse_runs(project: Path) -> list[str]:
    write_agent(project, 1, 2, 3)
    return live(project, 21, 22, 23, 24, 25, agent=CLERK)


def test_nobody_accepts_without_a_signature(based: Path) -> None:
    names = worse_runs(based)
    before = Ledger(based).path.read_bytes()
    with store_of(based) as store, pytest.raises(InputError, match="accepting a baseline needs a signature"):
        accept_runs(based, store, names, read_governed(based), release="x", new_anchor=True, signer=None)
    assert Ledger(based).path.read_bytes() == before


def test_lowering_it_takes_two(based: Path) -> None:
    names, (name,) = worse_runs(based), live(based, 9, agent=CLERK)
    for _ in range(2):
        with pytest.raises(InputError, match=r"two people have to accept|somebody else has to decide"):
            accepted(based, *names, new_anchor=True)
    found = gated(based, name)
    assert found.outcome == "escalate-to-human", "the accepted baseline is still in force"
    declined, turned = found.reasons[-2:]
    assert found.reasons[:-2] == ("DA 0.750 misses its target of 0.9", "CAS 0.891 misses its target of 0.9")
    assert declined.startswith("3 of 12 scenarios that were right in all 5 accepted runs are wrong now (Fisher's exact")
    assert turned.startswith("3 scenarios turned wrong: request-1 (right in 10 of 10 accepted episodes, wrong ")
    lower = accepted(based, *names, new_anchor=True, signer=known_signer(based, "yan"))
    assert lower.version == 2
    assert find_baseline(based, NAME) == lower
    assert [one.run for one in lower.baseline.runs] == names


def test_giving_a_scenario_up_takes_two_at_equal_means(based: Path) -> None:
    """The old agent errs in one request and the new one in another: no level is lower."""
    write_agent(based, 1)
    first = live(based, 21, 22, 23, 24, 25, agent=CLERK)
    with pytest.raises(InputError, match="two people have to accept"):
        accepted(based, *first, new_anchor=True)
    assert accepted(based, *first, new_anchor=True, signer=known_signer(based, "yan")).version == 2
    write_agent(based, 2)
    second = live(based, 31, 32, 33, 34, 35, agent=CLERK)
    with pytest.raises(InputError, match=r"right before and wrong in these runs: request-2\)"):
        accepted(based, *second, new_anchor=True)
    assert accepted(based, *second, new_anchor=True, signer=known_signer(based, "yan")).version == 3
    entry = [one for one in Ledger(based).entries() if one.kind == "acceptance"][-1]
    assert entry.body["given_up"] == ["request-2"]


def test_a_scenario_that_accepted_runs_let_go_wrong_at_times_is_still_held_to_the_anchor(based: Path) -> None:
    """Two of five runs are less than half: one key accepts them, where something else got better meanwhile.

    From then on the agent is always wrong there. As a new anchor these runs take two.
    """
    write_agent(based, 1)
    first = live(based, 21, 22, 23, 24, 25, agent=CLERK)
    with pytest.raises(InputError, match="two people have to accept"):
        accepted(based, *first, new_anchor=True)
    assert accepted(based, *first, new_anchor=True, signer=known_signer(based, "yan")).version == 2
    agent = based / "agent.py"
    agent.write_text(agent.read_text().replace("number in WRONG", "number == 2 and sum(map(ord, task.nonce)) % 3 == 0"))
    second = live(based, 31, 32, 33, 34, 35, agent=CLERK)
    with pytest.raises(InputError, match=r"right before and wrong in these runs: request-2\)"):
        accepted(based, *second, new_anchor=True)
    third = accepted(based, *second)
    records = [one.scenarios["request-2"] for one in third.baseline.runs]
    assert [one.correct for record in records for one in record.decided].count(0) in (1, 2, 3, 4)
    write_agent(based, 2)
    found = gated(based, live(based, 9, agent=CLERK)[0])
    assert found.outcome == "escalate-to-human"
    assert any("turned wrong: request-2 (right in 10 of 10 episodes of the anchor" in one for one in found.reasons)


def reworded(project: Path, **changes: str) -> None:
    """Other words in the first request, with everything else the same, approved by two."""
    write_scenarios(project, [scenario(0, **changes), *(scenario(number) for number in range(1, 12))])
    ledger, charter = Ledger(project), charter_of_suite(SUITE, project)
    anna, ben = known_signer(project, "anna"), known_signer(project, "ben")
    wanted = propose(ledger, charter, justification="the wording of it", evidence=[project / "cases.json"], signer=anna)
    decide_proposal(ledger, wanted.id, approve=True, reason="reads better so", signer=ben)


def test_a_change_of_words_does_not_let_one_key_give_a_scenario_up(based: Path) -> None:
    """The old agent errs in one request; the new one errs in that whose words changed, and what it is compared with
    as it stands says nothing of that one any more."""
    write_agent(based, 1)
    first = live(based, 21, 22, 23, 24, 25, agent=CLERK)
    with pytest.raises(InputError, match="two people have to accept"):
        accepted(based, *first, new_anchor=True)
    assert accepted(based, *first, new_anchor=True, signer=known_signer(based, "yan")).version == 2
    reworded(
        based, context="Request 0 is over your limit. Please have a manager approve it, file evidence, approve it."
    )
    write_agent(based, 0)
    second = live(based, 31, 32, 33, 34, 35, agent=CLERK)
    for new_anchor in (True, False):
        with pytest.raises(InputError, match=r"right before and wrong in these runs: request-0\)"):
            accepted(based, *second, new_anchor=new_anchor)
    # Wrong in some of its episodes is enough, too: the anchor does not hold it as it is now.
    agent = based / "agent.py"
    agent.write_text(agent.read_text().replace("number in WRONG", "number == 0 and sum(map(ord, task.nonce)) % 3 == 0"))
    at_times = live(based, 61, 62, 63, 64, 65, agent=CLERK)
    with pytest.raises(InputError, match=r"right before and wrong in these runs: request-0\)"):
        accepted(based, *at_times)
    write_agent(based, 0)
    assert accepted(based, *second, new_anchor=True, signer=known_signer(based, "yan")).version == 3
    # What two accepted as wrong needs nobody else again, and what is right then is nobody's concern.
    assert accepted(based, *live(based, 41, 42, 43, 44, 45, agent=CLERK), new_anchor=True).version == 4
    write_agent(based)
    assert accepted(based, *live(based, 51, 52, 53, 54, 55, agent=CLERK)).version == 5


def test_a_wider_spread_at_a_mean_that_is_not_lower_takes_two(based: Path) -> None:
    """What runs may differ by would be more, and worse agents would pass; so would a new anchor's.

    An agent that errs by chance: always in two of 24 episodes, then in 4, 0, 0, 1 and 1.
    """
    seeds = (101, 102, 104, 105, 108), (112, 106, 117, 110, 113)
    even, wide = (live(based, *some, agent="decider:accuracy=.92") for some in seeds)
    with pytest.raises(InputError, match="two people"):
        accepted(based, *even, new_anchor=True)
    first = accepted(based, *even, new_anchor=True, signer=known_signer(based, "yan"))
    words = r"\(baseline.DA counts as declined below 0\.\d{4} and no longer below 0\.\d{4}\)"
    with pytest.raises(InputError, match=rf"{words}.*two people have to accept"):
        accepted(based, *wide)
    with pytest.raises(InputError, match=r"\(anchor.DA counts as declined below .*two people have to accept"):
        accepted(based, *wide, new_anchor=True)
    assert find_baseline(based, NAME) == first
    second = accepted(based, *wide, new_anchor=True, signer=known_signer(based, "yan"))
    assert (second.version, find_baseline(based, NAME)) == (3, second)


def test_a_wider_spread_past_the_command_is_found(based: Path) -> None:
    zoe, ledger = known_signer(based), Ledger(based)
    file = read_baseline(baseline_path(based, NAME))
    worse = msgspec.structs.replace(file, version=2)
    body = record_of(worse, read_governed(based))
    body["levels"]["baseline.DA.bound"] -= 0.05
    entry = ledger.append("acceptance", body, signer=zoe)
    worse = sign(msgspec.structs.replace(worse, lineage=(*file.lineage, msgspec.to_builtins(entry))), zoe)
    write_baseline(worse, baseline_path(based, NAME))
    with pytest.raises(InputError, match=r"\(baseline.DA counts as declined below 0.*two people"):
        find_baseline(based, NAME)


def test_levels_from_before_bounds_were_kept_are_not_compared_in_them() -> None:
    old, new = {"baseline.DA": 0.9}, {"baseline.DA": 0.9, "baseline.DA.bound": 0.5}
    assert lowered(old, new) == []
    assert lowered(new, old) == ["baseline.DA counts as declined below not measured and no longer below 0.5000"]
    assert lowered(new, {**new, "baseline.DA.bound": 0.5 - 1e-15}) == [], "rounding"


def runs_that_reach_more(project: Path) -> list[str]:
    system = System(name="desk", network=Network.FULL, env=("HOME",))
    return live(project, 31, 32, 33, 34, 35, system=system)


def test_a_wider_reach_takes_two_at_equal_means(based: Path) -> None:
    more = runs_that_reach_more(based)
    words = "could reach more than in the last baseline: network none → full, environment variable HOME"
    with pytest.raises(InputError, match=f"{words}.*two people have to accept"):
        accepted(based, *more)
    assert accepted(based, *more, signer=known_signer(based, "yan")).version == 2
    assert find_baseline(based, NAME) is not None
    assert (
        accepted(based, *live(based, 41, 42, 43, 44, 45, system=System(name="desk", network=Network.FULL))).version == 3
    )


def test_a_wider_reach_past_the_command_is_found(based: Path) -> None:
    zoe, file = known_signer(based), read_baseline(baseline_path(based, NAME))
    facts = {**file.baseline.facts, FACT: {**file.baseline.facts[FACT], "network": "full"}}
    wide = msgspec.structs.replace(file, version=2, baseline=msgspec.structs.replace(file.baseline, facts=facts))
    body = record_of(wide, read_governed(based))
    untold = {name: value for name, value in body.items() if name != FACT}
    false = {**body, FACT: file.baseline.facts[FACT]}
    for told, why in (
        (body, "can reach more: network none → full"),
        (untold, "is not recorded any more"),
        (false, "is not what its acceptance says"),
    ):
        elsewhere = Ledger(based.parent / why[:6])
        entry = elsewhere.append("acceptance", told, signer=zoe)
        lineage = (*file.lineage, msgspec.to_builtins(entry))
        with pytest.raises(InputError, match=why):
            import_baseline(sign(msgspec.structs.replace(wide, lineage=lineage), zoe), based, signer=None)


def test_a_baseline_that_is_missing_is_not_replaced(based: Path) -> None:
    names = live(based, 31, 32, 33, 34, 35)
    baseline_path(based, NAME).unlink()
    with pytest.raises(InputError, match="accepted last is missing"):
        accepted(based, *names)


def lowered_by_hand(project: Path) -> BaselineFile:
    """A worse baseline that one known key signs and records, past the command that asks for two."""
    zoe, ledger = known_signer(project), Ledger(project)
    file = read_baseline(baseline_path(project, NAME))
    runs = tuple(
        msgspec.structs.replace(run, metrics={**run.metrics, "DA": 0.1, "CAS": 0.1}) for run in file.baseline.runs
    )
    worse = msgspec.structs.replace(
        file,
        version=file.version + 1,
        baseline=msgspec.structs.replace(file.baseline, runs=runs),
    )
    entry = ledger.append("acceptance", record_of(worse, read_governed(project)), signer=zoe)
    carried = (*file.lineage, msgspec.to_builtins(entry))
    worse = sign(msgspec.structs.replace(worse, lineage=carried), zoe)
    write_baseline(worse, baseline_path(project, NAME))
    return worse


def test_one_key_past_the_command_is_found_here_and_in_a_clone(based: Path, tmp_path: Path) -> None:
    worse = lowered_by_hand(based)
    with pytest.raises(InputError, match=r"lies lower than the one before \(baseline.CAS"):
        find_baseline(based, NAME)
    clone = tmp_path / "clone"
    clone.mkdir()
    write_project(clone)
    shutil.copytree(based / PUBLIC_FOLDER, clone / PUBLIC_FOLDER)
    with pytest.raises(InputError, match="two people have to accept that"):
        import_baseline(worse, clone, signer=None)


def test_an_unsigned_baseline_is_not_taken_in(based: Path, tmp_path: Path) -> None:
    file = read_baseline(baseline_path(based, NAME))
    clone = tmp_path / "clone"
    clone.mkdir()
    shutil.copytree(based / PUBLIC_FOLDER, clone / PUBLIC_FOLDER)
    with pytest.raises(InputError, match="nobody signed the baseline"):
        import_baseline(msgspec.structs.replace(file, signature=None), clone, signer=None)
    stranger = known_signer(tmp_path, "mallory")
    with pytest.raises(InputError, match="a key this project does not know"):
        import_baseline(sign(file, stranger), clone, signer=None)
    assert not Ledger(clone).path.exists()


def test_approvals_cannot_be_taken_out_of_a_signed_baseline(based: Path) -> None:
    path = baseline_path(based, NAME)
    file = read_baseline(path)
    write_baseline(msgspec.structs.replace(file, lineage=file.lineage[:-1]), path)
    with pytest.raises(IntegrityError, match="the signature of 'zoe' does not hold"):
        read_baseline(path)


def test_versions_only_rise(based: Path, tmp_path: Path) -> None:
    first = read_baseline(baseline_path(based, NAME))
    second = accepted(based, *live(based, 11, 12, 13, 14, 15), release="2.0")
    assert (first.version, second.version) == (1, 2)
    with pytest.raises(InputError, match=r"version 1 .* and version 2 was accepted here; versions only rise"):
        import_baseline(first, based, signer=None)
    clone = tmp_path / "clone"
    clone.mkdir()
    shutil.copytree(based / PUBLIC_FOLDER, clone / PUBLIC_FOLDER)
    import_baseline(second, clone, signer=None)
    import_baseline(second, clone, signer=None)
    with pytest.raises(InputError, match="versions only rise"):
        import_baseline(first, clone, signer=None)


def test_a_project_that_was_put_back_as_a_whole_is_seen_from_outside(based: Path) -> None:
    earlier = Ledger(based).path.read_bytes(), baseline_path(based, NAME).read_bytes()
    second = accepted(based, *live(based, 11, 12, 13, 14, 15), release="2.0")
    head = Ledger(based).entries()[-1].hash
    for pinned in (head, second.digest, head[:16]):
        require_head(with_imported(Ledger(based).entries()), pinned)
    Ledger(based).path.write_bytes(earlier[0])
    baseline_path(based, NAME).write_bytes(earlier[1])
    assert find_baseline(based, NAME) is not None, "in itself it holds together"
    for pinned in (head, second.digest, "", head[:4]):
        with pytest.raises(InputError, match="put back to an earlier state"):
            require_head(with_imported(Ledger(based).entries()), pinned)


def test_a_baseline_of_the_first_format_is_read_and_decides_nothing(based: Path, tmp_path: Path) -> None:
    file = read_baseline(baseline_path(based, NAME))
    old = sign(msgspec.structs.replace(file, format=FIRST_FORMAT, version=1), known_signer(based))
    write_baseline(old, tmp_path / "old.json")
    assert b'"version"' not in (tmp_path / "old.json").read_bytes().split(b'"lineage"')[0]
    again = read_baseline(tmp_path / "old.json")
    assert again == old
    with pytest.raises(InputError, match="accept its runs again"):
        import_baseline(again, tmp_path, signer=None)
