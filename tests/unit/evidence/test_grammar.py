"""A trace that contradicts itself, its declarations or its task is refused, with every digest computed anew."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.adversarial.attackers.tampering import documents, events, rates
from tests.adversarial.attackers.tampering.originals import make
from tests.adversarial.attackers.tampering.parts import Parts

from proctor.engine.frozen_families import families_here
from proctor.engine.plan import Plan
from proctor.engine.reverifying import reverify
from proctor.engine.tasks_again import TasksAgain
from proctor.evidence.bundle import VerifyReport, import_bundle, verify_bundle
from proctor.evidence.events import Called, EpisodeClosed, Event
from proctor.evidence.grammar.deliveries import layers_of
from proctor.evidence.grammar.endings import AGENT_REASONS, BENCH_REASONS, SERVICE_REASONS
from proctor.evidence.grammar.lines import Unreadable, read_event
from proctor.evidence.grammar.order import MAY_FOLLOW
from proctor.evidence.grammar.tools import effects_of
from proctor.evidence.store.store import Store
from proctor.spec.regime import STANDARD_REGIMES
from proctor.worlds.adversity.build import stack_for

TRIES = 3


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Parts]:
    """Small bundles of two suites, taken apart."""
    folder = tmp_path_factory.mktemp("honest")
    return {name: Parts.of(make(name, folder)) for name in ("memory", "faults", "hello")}


def verified(parts: Parts, tmp_path: Path) -> VerifyReport:
    return verify_bundle(parts.write(tmp_path / "tampered.proctor"), plan=Plan, tasks=TasksAgain)


def test_the_originals_are_fine_and_their_tasks_come_out_again(honest: dict[str, Parts], tmp_path: Path) -> None:
    for parts in honest.values():
        report = verified(parts, tmp_path)
        assert report.ok, report.problems
        detail = next(check.detail for check in report.checks if check.name == "traces")
        assert f"{len(parts.episodes)} tasks made again" in detail


@pytest.mark.parametrize("tamper", [*events.TAMPERS, *rates.TAMPERS], ids=lambda tamper: tamper.__name__)
def test_a_contradiction_is_found(honest: dict[str, Parts], tmp_path: Path, tamper: Any) -> None:
    random = Random(tamper.__name__)
    made = 0
    for _ in range(60):
        parts = random.choice(list(honest.values())).copied()
        episode = random.choice(parts.episodes)
        if not tamper(random, parts, episode):
            continue
        parts.sync(episode)
        report = verified(parts, tmp_path)
        assert not report.ok, f"{tamper.__doc__} {episode.row.position}: {[one['event'] for one in episode.events]}"
        # Facts of the execution are looked at where the seal is, and are no digest.
        failed = {problem.check for problem in report.problems if problem.place != "facts of the execution"}
        assert not failed & {"archive", "checksums", "root", "seal", "statement"}, "all digests hold"
        assert all("\n" not in problem.message for problem in report.problems)
        made += 1
        if made == TRIES:
            return
    assert made, "it never came to it"


@pytest.mark.parametrize("tamper", dict.fromkeys(documents.TAMPERS), ids=lambda tamper: tamper.__name__)
def test_a_changed_document_is_found(honest: dict[str, Parts], tmp_path: Path, tamper: Any) -> None:
    random = Random(tamper.__name__)
    made = 0
    for _ in range(60):
        parts = random.choice(list(honest.values())).copied()
        if tamper(random, parts):
            assert not verified(parts, tmp_path).ok, tamper.__doc__
            made += 1
            if made == TRIES:
                return
    assert made, "it never came to it"


@pytest.mark.parametrize("tamper", rates.REWRITTEN, ids=lambda tamper: tamper.__name__)
def test_what_leaves_no_contradiction_is_found_by_living_it_again(
    honest: dict[str, Parts], tmp_path: Path, tamper: Any
) -> None:
    random = Random(tamper.__name__)
    for _ in range(60):
        parts = random.choice(list(honest.values())).copied()
        episode = random.choice(parts.episodes)
        if not tamper(random, parts, episode):
            continue
        parts.sync(episode)
        path = parts.write(tmp_path / "tampered.proctor")
        report = verify_bundle(path, plan=Plan, tasks=TasksAgain)
        assert report.ok, report.problems
        with Store(str(tmp_path / "store.db")) as store:
            record = store.run(import_bundle(path, store, plan=Plan))
            families = families_here(store.frozen(record.number)).families
            (found,) = reverify(store, record, families, only=[episode.row.position]).mismatches
        if tamper is rates.excluded_with_all_marks:
            assert found.what.startswith("excluded, but its acts can be judged: ")
        else:
            assert found.firm
        return
    pytest.fail("it never came to it")


def test_a_run_does_not_end_before_it_starts(honest: dict[str, Parts], tmp_path: Path) -> None:
    parts = honest["hello"].copied()
    parts.execution["started"] = ["2030-01-01T00:00:00Z"]
    report = verified(parts, tmp_path)
    assert not report.ok
    assert "before its last start" in report.problems[0].message


def test_plain_kinds_are_those_that_need_nothing() -> None:
    from proctor.agents.lookup import load_agent_kind
    from proctor.evidence.kinds import PLAIN, records_models
    from proctor.plugins import registry

    kinds = {name: load_agent_kind(name) for name in registry.names("agents")}
    for name in PLAIN:
        kind = kinds[name]
        assert (kind.trusted, kind.waits, kind.model, kind.identity) == (True, False, None, None)
    for name, kind in kinds.items():
        if kind.model is not None:
            assert records_models(f"{name}:x", declared=False)
    assert records_models("python:mine.py:run", declared=True)
    assert not records_models("python:mine.py:run", declared=False)
    assert records_models("somebodys:own", declared=False)


def test_the_layers_are_those_that_the_bench_builds() -> None:
    for regime in STANDARD_REGIMES.values():
        assert layers_of(regime) == stack_for(regime).names


def test_the_reasons_are_those_that_the_bench_gives() -> None:
    from proctor.agents.contract import SERVICE_REASONS as GIVEN
    from proctor.engine.safety_net import BENCH_LATE

    assert GIVEN.keys() == SERVICE_REASONS
    assert BENCH_LATE in BENCH_REASONS and "agent_crashed" in AGENT_REASONS


def test_every_event_has_a_place_in_the_order() -> None:
    known = {kind for following in MAY_FOLLOW.values() for kind in following}
    assert known == set(Event.__args__)
    assert {state for following in MAY_FOLLOW.values() for state in following.values()} | {"nothing"} == set(MAY_FOLLOW)


@pytest.mark.parametrize(
    "line",
    [
        b'{"arguments":1.5,"call":0,"event":"call","tool":"x"}',
        b'{"arguments":18014398509481984,"call":0,"event":"call","tool":"x"}',
        b'{"arguments":{"$num":"x"},"call":0,"event":"call","tool":"x"}',
        b'{"arguments":{"\xc3\xa9":1},"call":0,"event":"call","tool":"x"}',
        b'{"call":0,"arguments":1,"event":"call","tool":"x"}',
        b'{"arguments":1,"call":0,"event":"call","tool":"x","violation":null}',
        b'{"arguments":1,"call":0,"event":"call","more":1,"tool":"x"}',
        b"[" * 5000,
        b"",
    ],
)
def test_a_line_that_the_bench_does_not_write_is_none(line: bytes) -> None:
    with pytest.raises(Unreadable):
        read_event(line)


def test_lines_that_the_bench_writes_are_read() -> None:
    assert isinstance(read_event(b'{"arguments":{"$num":"1.5"},"call":0,"event":"call","tool":"x"}'), Called)
    ended = b'{"event":"end","milliseconds":0,"outcome":"success","reason":"correct"}'
    assert isinstance(read_event(ended), EpisodeClosed)


@pytest.mark.parametrize("data", [b"", b"{}", b'[{"description":1}]', b"[[]]", b'[{"description":"' + b"x" * 9])
def test_what_is_no_list_of_tools_has_no_effects(data: bytes) -> None:
    assert effects_of(data) is None
