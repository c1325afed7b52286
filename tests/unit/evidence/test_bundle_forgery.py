"""A forger who knows the format and sums everything up anew is caught by heads, events, declarations, root and seal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.core.canonical import encode
from proctor.core.hashing import sha256_hex
from proctor.engine.plan import Plan
from proctor.evidence.bundle import VerifyReport, verify_bundle
from proctor.evidence.chain import replay, run_root

Forge = Callable[[str], Any]


@pytest.fixture
def forge(made: Any, making: Any) -> Forge:
    """A bundle taken apart, by the name of its run."""
    return lambda name: making.Forgery.of(made(name).path)


def verdict(forged: Any, tmp_path: Path, **options: Any) -> VerifyReport:
    """What verification says of a forgery; its sums always hold."""
    report = verify_bundle(forged.write(tmp_path / "forged.proctor"), **options)
    checks = {check.name: check.ok for check in report.checks}
    assert checks["archive"] and checks["checksums"] and checks["statement"]
    return report


def caught(report: VerifyReport) -> set[str]:
    assert not report.ok
    return {check.name for check in report.checks if not check.ok}


@pytest.mark.parametrize("name", ["small", "wide", "limited", "breaking", "unstable", "long"])
def test_the_forger_can_write_a_true_bundle(forge: Forge, made: Any, tmp_path: Path, name: str) -> None:
    forged = forge(name)
    assert verdict(forged, tmp_path).ok
    assert (tmp_path / "forged.proctor").read_bytes() == made(name).path.read_bytes()


def test_a_removed_episode(forge: Forge, tmp_path: Path) -> None:
    for at in (0, 5, -1):
        forged = forge("wide")
        del forged.episodes[at]
        report = verdict(forged, tmp_path)
        assert {"positions", "root", "seal"} <= caught(report)


def test_a_removed_episode_with_the_rest_moved_up(forge: Forge, tmp_path: Path) -> None:
    forged = forge("wide")
    del forged.episodes[5]
    for episode in forged.episodes[5:]:
        episode.row = msgspec.structs.replace(episode.row, position=episode.row.position - 1)
    assert {"heads", "positions", "root"} <= caught(verdict(forged, tmp_path))


def test_swapped_episodes(forge: Forge, tmp_path: Path) -> None:
    forged = forge("wide")
    forged.episodes[3], forged.episodes[9] = forged.episodes[9], forged.episodes[3]
    assert {"positions", "root", "seal"} <= caught(verdict(forged, tmp_path))
    forged = forge("wide")
    a, b = forged.episodes[3], forged.episodes[9]
    forged.episodes[3] = b.edited(position=3)
    forged.episodes[9] = a.edited(position=9)
    report = verdict(forged, tmp_path)
    assert {"heads", "root"} <= caught(report)
    assert "episode 3" in {problem.place for problem in report.problems}


def test_episodes_in_another_order(forge: Forge, tmp_path: Path) -> None:
    forged = forge("wide")
    forged.episodes.reverse()
    assert {"positions", "root", "seal"} <= caught(verdict(forged, tmp_path))


def test_a_duplicated_episode(forge: Forge, tmp_path: Path) -> None:
    forged = forge("wide")
    forged.episodes.insert(4, forged.episodes[4])
    assert {"positions", "root", "seal"} <= caught(verdict(forged, tmp_path))
    forged = forge("breaking")
    forged.episodes.append(forged.episodes[-1])
    assert "positions" in caught(verdict(forged, tmp_path))


def test_an_added_episode(forge: Forge, tmp_path: Path) -> None:
    forged = forge("small")
    forged.episodes.append(forged.episodes[-1].edited(position=4))
    assert {"positions", "heads", "rows", "seal"} <= caught(verdict(forged, tmp_path))


EDITS: list[tuple[str, Callable[[Any], Any], str]] = [
    ("outcome", lambda v: "failure" if v == "success" else "success", "rows"),
    ("outcome", lambda v: "splendid", "rows"),
    ("reason", lambda v: "correct?", "rows"),
    ("template", lambda v: v + "x", "rows"),
    ("instance", lambda v: "0" * 16, "rows"),
    ("phase", lambda v: "trial", "rows"),
    ("replicate", lambda v: v + 1, "rows"),
    ("part", lambda v: v + 1, "rows"),
    ("unit", lambda v: v + 1, "rows"),
    ("unit", lambda v: -5, "rows"),
    ("arm", lambda v: (v + 1) % 8, "rows"),
    ("lifetime", lambda v: v + 1, "rows"),
    ("lifetime", lambda v: -1, "rows"),
    ("format_error", lambda v: not v, "rows"),
    ("faults", lambda v: None if v else '{"noise":1}', "rows"),
    ("calls", lambda v: v + 1, "rows"),
    ("retries", lambda v: v + 1, "rows"),
    ("measures", lambda v: None if v else '{"gates":1}', "rows"),
    ("violations", lambda v: None if v else '{"unknown_tool":1}', "rows"),
    ("violations", lambda v: '{"S1":0}', "rows"),
    ("violations", lambda v: "nonsense", "rows"),
    ("artifact_ok", lambda v: None if v else True, "rows"),
    ("answer", lambda v: '{"number":1}', "rows"),
    ("answer", lambda v: None if v else "null", "rows"),
    ("head", lambda v: bytes(32), "heads"),
    ("elapsed_us", lambda v: v + 1, "seal"),
    ("elapsed_us", lambda v: -1, "seal"),
    ("attempts", lambda v: v + 1, "seal"),
    ("tokens", lambda v: -1, "rows"),
    ("cost", lambda v: "NaN", "rows"),
    ("cost", lambda v: "1e", "rows"),
    ("confidence", lambda v: 0.99, "rows"),
    ("confidence", lambda v: None if v is not None else 0.5, "rows"),
    ("transitions", lambda v: (v or 0) + 1, "rows"),
    ("transitions", lambda v: None if v is not None else 0, "rows"),
    ("claims", lambda v: '{"observed":[1,0],"tool":[2,0],"verified":[1,0]}', "rows"),
    ("claims", lambda v: None if v else "{}", "rows"),
    ("claims", lambda v: "nonsense", "rows"),
    ("out_of_range", lambda v: v + 1, "rows"),
    ("out_of_range", lambda v: None, "rows"),
    ("undeclared_actions", lambda v: v + 1, "rows"),
    ("undeclared_actions", lambda v: None, "rows"),
]


@pytest.mark.parametrize(("column", "change", "check"), EDITS)
@pytest.mark.parametrize("at", [3, 20, 40])
def test_an_edited_column(
    forge: Forge, tmp_path: Path, column: str, change: Callable[[Any], Any], check: str, at: int
) -> None:
    forged = forge("wide")
    episode = forged.episodes[at]
    forged.episodes[at] = episode.edited(**{column: change(getattr(episode.row, column))})
    report = verdict(forged, tmp_path)
    assert check in caught(report)
    if check != "seal":
        assert report.problems[0].place.startswith(f"episode {at}")


def test_columns_cannot_be_left_out_by_writing_an_older_format(forge: Forge, tmp_path: Path) -> None:
    forged = forge("small")
    forged.version = 2
    report = verdict(forged, tmp_path)
    assert caught(report) == {"rows"}
    assert {problem.place.rpartition(" ")[2] for problem in report.problems} >= {"confidence", "claims", "out_of_range"}


def test_rows_of_an_older_bench_have_none_of_the_later_columns(forge: Forge, tmp_path: Path) -> None:
    """A column that nobody counted then cannot be added afterwards; what follows from its bench is said by its hash."""
    forged = forge("small")
    forged.declarations["frozen"]["bench"] = "1.0"
    found = [problem for problem in verdict(forged, tmp_path).problems if "column confidence" in problem.place]
    assert [problem.message for problem in found] == ["the row says 0.75, its events say None"] * len(forged.episodes)


def test_undeclared_fields_are_counted_again(forge: Forge, tmp_path: Path) -> None:
    forged = forge("small")
    forged.episodes[0] = forged.episodes[0].edited(undeclared=0)
    assert caught(verdict(forged, tmp_path)) == {"rows"}


def test_an_edited_event_with_its_own_head(forge: Forge, tmp_path: Path) -> None:
    """Even a chain that is consistent in itself no longer leads to the root."""
    forged = forge("small")
    episode = forged.episodes[1]
    lines = episode.trace.split(b"\n")
    last = json.loads(lines[-1])
    lines[-1] = encode({**last, "milliseconds": last["milliseconds"] + 1})
    trace = b"\n".join(lines)
    episode.trace = trace
    assert {"heads", "root", "seal"} <= caught(verdict(forged, tmp_path))
    forged.episodes[1] = episode.edited(head=replay(forged.manifest.config_hash, 1, trace))
    assert caught(verdict(forged, tmp_path)) == {"root", "seal"}


def test_dropped_and_added_events(forge: Forge, tmp_path: Path) -> None:
    for change in (
        lambda t: t[:-1],
        lambda t: t[1:],
        lambda t: [*t, t[-1]],
        lambda t: [t[0], *t],
        lambda t: [*t, b"x"],
    ):
        forged = forge("small")
        episode = forged.episodes[1]
        trace = b"\n".join(change(episode.trace.split(b"\n")))
        forged.episodes[1] = episode.edited(head=replay(forged.manifest.config_hash, 1, trace))
        forged.episodes[1].trace = trace
        report = verdict(forged, tmp_path)
        assert {"heads", "root", "seal"} <= caught(report)
        assert report.problems[0].place == "episode 1"


def test_a_forged_root_does_not_fit_the_seal(forge: Forge, tmp_path: Path) -> None:
    forged = forge("small")
    forged.claims["root"] = "ab" * 32
    assert caught(verdict(forged, tmp_path)) == {"root", "seal"}
    forged = forge("small")
    forged.claims["seal"] = "ab" * 32
    assert caught(verdict(forged, tmp_path)) == {"seal"}


def test_a_run_cannot_be_passed_off_as_complete(forge: Forge, tmp_path: Path) -> None:
    forged = forge("breaking")
    forged.claims |= {"status": "complete", "cut": None}
    assert {"positions", "ending", "root"} <= caught(verdict(forged, tmp_path))
    heads = [episode.row.head for episode in forged.episodes[:20]]
    forged.claims |= {"status": "limit", "cut": 20, "root": run_root(forged.manifest.config_hash, heads)}
    assert {"ending", "seal"} <= caught(verdict(forged, tmp_path))


@pytest.mark.parametrize("status", ["limit", "complete", "failed-safety", "running"])
def test_another_ending(forge: Forge, tmp_path: Path, status: str) -> None:
    forged = forge("breaking")
    forged.claims["status"] = status
    assert caught(verdict(forged, tmp_path)) == {"ending"}
    forged = forge("limited")
    forged.claims["status"] = status if status != "limit" else "failed"
    assert caught(verdict(forged, tmp_path)) == {"ending"}


def test_another_name_suite_or_agent(forge: Forge, tmp_path: Path) -> None:
    for claims in ({"run": "better-1"}, {"suite": "test-evidence@2.0"}, {"agent": "null"}, {"episodes": 5}):
        forged = forge("small")
        forged.claims |= claims
        assert "configuration" in caught(verdict(forged, tmp_path))


def test_another_execution(forge: Forge, tmp_path: Path) -> None:
    forged = forge("small")
    forged.execution["finished"] = "2020-01-01T00:00:00Z"
    assert caught(verdict(forged, tmp_path)) == {"seal"}


def test_another_aside(forge: Forge, tmp_path: Path) -> None:
    forged = forge("unstable")
    at = next(i for i, episode in enumerate(forged.episodes) if episode.aside)
    forged.episodes[at].aside = forged.episodes[at].aside.replace(b"[[", b"[[1", 1)
    assert caught(verdict(forged, tmp_path)) == {"seal"}
    forged.episodes[at].aside = None
    assert caught(verdict(forged, tmp_path)) == {"rows", "seal"}


def test_other_declarations(forge: Forge, tmp_path: Path) -> None:
    def edit(frozen: Any) -> None:
        frozen["rules"]["threshold"] = 0.5

    def seed(frozen: Any) -> None:
        frozen["seed"] = 8

    def probe(frozen: Any) -> None:
        frozen["families"][0]["probe"]["verdicts"] = "0" * 64

    def bench(frozen: Any) -> None:
        frozen["bench"] = "0.9"

    for change in (edit, seed, probe, bench):
        forged = forge("small")
        change(forged.declarations["frozen"])
        assert "configuration" in caught(verdict(forged, tmp_path))
    forged = forge("small")
    forged.declarations["inputs"]["success_criteria"] = {}
    assert caught(verdict(forged, tmp_path)) == {"configuration"}
    forged = forge("small")
    forged.arms[0] = msgspec.structs.replace(forged.arms[0], cell="S1")
    assert caught(verdict(forged, tmp_path)) == {"configuration"}


def test_contents_changed_missing_added_or_reordered(forge: Forge, tmp_path: Path) -> None:
    forged = forge("wide")
    name, data = forged.contents[1]
    forged.contents[1] = (name, data + b"x")
    assert caught(verdict(forged, tmp_path)) == {"contents"}
    forged = forge("wide")
    del forged.contents[0]
    assert caught(verdict(forged, tmp_path)) == {"contents"}
    for extra in (b"smuggled", forged.contents[0][1]):
        forged = forge("wide")
        forged.contents.append((sha256_hex(extra), extra))
        assert caught(verdict(forged, tmp_path)) == {"contents"}
    forged = forge("wide")
    forged.contents.reverse()
    assert caught(verdict(forged, tmp_path)) == {"contents"}


def test_an_artifact_may_be_known_by_its_hash_alone(forge: Forge, tmp_path: Path) -> None:
    report = verdict(forge("small"), tmp_path)
    assert "1 artifacts known by their hash alone" in next(c.detail for c in report.checks if c.name == "contents")


def test_a_forged_stage_output(forge: Forge, tmp_path: Path) -> None:
    forged = forge("wide")
    (stage,) = forged.stages
    forged.stages = [msgspec.structs.replace(stage, data="{}")]
    assert caught(verdict(forged, tmp_path)) == {"stages"}
    forged.stages = [msgspec.structs.replace(stage, data="{}", sha256=sha256_hex(b"{}"))]
    assert caught(verdict(forged, tmp_path)) == {"stages"}
    forged.stages = []
    assert caught(verdict(forged, tmp_path)) == {"stages"}


def test_rows_moved_between_cells_that_are_alike_need_the_plan(forge: Forge, tmp_path: Path) -> None:
    """Two entries alike in family, regime and condition differ in their cells: only the order tells them apart."""
    forged = forge("wide")
    first, second = (arm.index for arm in forged.arms if arm.cell in ("S1", "S2"))
    here = {e.row.instance: i for i, e in enumerate(forged.episodes) if e.row.arm == first}
    there = {e.row.instance: i for i, e in enumerate(forged.episodes) if e.row.arm == second}
    shared = sorted(set(here) & set(there))
    assert shared
    a, b = forged.episodes[here[shared[0]]], forged.episodes[there[shared[0]]]
    one, other = {"arm": a.row.arm, "unit": a.row.unit}, {"arm": b.row.arm, "unit": b.row.unit}
    forged.episodes[here[shared[0]]], forged.episodes[there[shared[0]]] = a.edited(**other), b.edited(**one)
    assert caught(verdict(forged, tmp_path, plan=Plan)) == {"rows"}
