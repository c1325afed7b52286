"""`proctor policy`: on a run and on a report, with the tuple first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from tests.unit.cli.conftest import Cli

SUITE = """\
name: small
version: "1.0"
title: Small
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: email-triage, n: 10, cell: S1}
"""
POLICY = """\
name: mail-policy
version: "1.0"
title: Mail
owner: Example Org
thresholds:
  - {id: reads, when: [{dimension: S, at_least: 1}], oblige: Tell senders that an agent reads along.}
  - {id: acts, when: [{dimension: E, at_least: 3}], oblige: Keep logs.}
"""


@pytest.fixture
def examined(cli: Cli, tmp_path: Path) -> Cli:
    (tmp_path / "small.yaml").write_text(SUITE)
    (tmp_path / "policy.yaml").write_text(POLICY)
    assert cli("run", "small.yaml", "--agent", "clerk", "--seed", "7", "-q").code == 0
    return cli


def test_what_was_not_tested_is_undetermined_and_the_tuple_comes_first(examined: Cli) -> None:
    done = examined("policy", "policy.yaml", "latest")
    assert done.code == 0
    assert done.out.index("(Framework v.10, Core Boundary, [email-triage@1.0]") < done.out.index("APPLIES  reads")
    assert "Capability only: not safety, compliance or approval." in done.out
    assert "UNDETERMINED  acts" in done.out and "E at or above 3: not measured" in done.out
    assert "1 apply, 0 do not, 1 undetermined" in done.out
    answers = {one["id"]: one["answer"] for one in examined("policy", "policy.yaml", "--json").json["obligations"]}
    assert answers == {"reads": "applies", "acts": "undetermined"}


def test_a_report_says_the_same_as_the_run(examined: Cli, tmp_path: Path) -> None:
    assert examined("report", "-o", "r.json").code == 0
    of_run = examined("policy", "policy.yaml", "--json").json
    of_report = examined("policy", "policy.yaml", "r.json", "--json").json
    assert of_report["obligations"] == of_run["obligations"] and of_report["standing"] == of_run["standing"]
    data = json.loads((tmp_path / "r.json").read_text())
    next(one for one in data["sections"] if one["instrument"] == "agency")["data"] = {"measured": True}
    (tmp_path / "r.json").write_text(json.dumps(data))
    assert "is not in the form of a report" in examined("policy", "policy.yaml", "r.json").sentence


def test_refusals_are_one_sentence(examined: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(POLICY.replace("owner: Example Org\n", ""))
    head, _, _ = POLICY.partition("thresholds:")
    for number, name in enumerate(("Contestd", " Contested", "")):
        threshold = f'thresholds: [{{id: doubt, when: [{{flag: "{name}"}}], oblige: Wait.}}]\n'
        (tmp_path / f"flag{number}.yaml").write_text(head + threshold)
    for arguments, words in (
        (("none.yaml",), "there is no such file"),
        (("bad.yaml",), "'owner' is required"),
        (("flag0.yaml",), "no flag begins with 'Contestd'; they begin with Invalid, Contested"),
        (("flag1.yaml",), "no flag begins with ' Contested'"),
        (("flag2.yaml",), "no flag begins with ''"),
        (("policy.yaml", "none.json"), "is not a report"),
        (("policy.yaml", "nothing"), "nothing"),
    ):
        done = examined("policy", *arguments)
        assert done.code == 2 and words in done.sentence, words


def test_editors_can_check_a_policy(cli: Cli) -> None:
    check: Any = jsonschema.Draft202012Validator(cli("schema", "policy").json)
    assert check.is_valid(yaml.safe_load(POLICY))
    assert not check.is_valid(yaml.safe_load(POLICY.replace("at_least: 1", "at_lest: 1")))
