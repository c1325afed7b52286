"""A trace that contradicts itself, its declarations or its task is refused, with every digest computed anew."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.adversarial.attackers.tampering import documents, events
from tests.adversarial.attackers.tampering.originals import make
from tests.adversarial.attackers.tampering.parts import Parts

from proctor.engine.plan import Plan
from proctor.engine.tasks_again import TasksAgain
from proctor.evidence.bundle import VerifyReport, verify_bundle
from proctor.evidence.events import Called, EpisodeClosed, Event
from proctor.evidence.grammar.deliveries import layers_of
from proctor.evidence.grammar.endings import AGENT_REASONS, BENCH_REASONS, SERVICE_REASONS
from proctor.evidence.grammar.lines import Unreadable, read_event
from proctor.evidence.grammar.order import MAY_FOLLOW
from proctor.evidence.grammar.tools import effects_of
from proctor.spec.regime import STANDARD_REGIMES
from proctor.worlds.adversity.build import stack_for

TRIES = 3


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Parts]:
    """Small bundles of two suites, taken apart."""
    folder = tmp_path_factory.mktemp("honest")
    return {name: Parts.of(make(name, folder)) for name in ("memory", "faults")}


def verified(parts: Parts, tmp_path: Path) -> VerifyReport:
    return verify_bundle(parts.write(tmp_path / "tampered.proctor"), plan=Plan, tasks=TasksAgain)


def test_the_originals_are_fine_and_their_tasks_come_out_again(honest: dict[str, Parts], tmp_path: Path) -> None:
    for parts in honest.values():
        report = verified(parts, tmp_path)
        assert report.ok, report.problems
        detail = next(check.detail for check in report.checks if check.name == "traces")
        assert f"{len(parts.episodes)} tasks made again" in detail


@pytest.mark.parametrize("tamper", events.TAMPERS, ids=lambda tamper: tamper.__name__)
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
        failed = {check.name for check in report.checks if not check.ok}
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
