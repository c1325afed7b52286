"""A project to register claims in: the files, and what is asked of the command line again and again."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from tests.unit.cli.conftest import Cli

FILE, SEED, LOG = Path("claim.json"), Path("claim.json.seed"), Path("claim.json.log")
STORE = ".proctor/store.db"
PROJECT = """\
system:
  name: ours
  boundaries: {core: {tools: [], memory: internal}, extended: none}
  agents: {core: oracle}
evaluation: {organisation: Example, contact: evals@example.org, use: research}
suite: small.yaml
"""
SUITE = """\
name: small
version: "1.0"
title: Small
inclusion: The one family of these tests.
justification: It is small, and that is all these tests need.
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: small_family.py, n: 20, cell: S1}
"""


def register(cli: Cli, *more: str, claim: str = "S=1", use: str = "research", runs: int = 1) -> Any:
    done = cli(
        "preregister", "small.yaml", "--claim", claim, "--use", use, "--runs", str(runs), "--out", FILE, "--json", *more
    )
    assert done.code == 0, done.err
    return done.json


def run(cli: Cli, *more: str) -> str:
    done = cli("run", "--preregistration", FILE, "-q", *more)
    assert done.code == 0, done.err
    return done.out.strip()


def reading(cli: Cli, name: str = "latest", *more: str) -> Any:
    done = cli("score", name, "--instrument", "agency", "--json", *more)
    assert done.code == 0, done.err
    return done.json["agency"]


CUSTOM = "Limited Comparability (custom families)"


def flags(found: Any) -> dict[str, str]:
    """Names and reasons, without the one that every reading of the desk's own family has."""
    every = [*found["flags"], *found["vector"]["S"]["flags"]]
    assert CUSTOM in [flag["name"] for flag in every]
    return {flag["name"]: flag["reason"] for flag in every if flag["name"] != CUSTOM}


def level(found: Any) -> int | None:
    level: int | None = found["vector"]["S"]["level"]
    return level


def edit_store(statement: str, *values: str) -> None:
    with sqlite3.connect(STORE) as store:
        assert store.execute(statement, values).rowcount == 1
    store.close()


def stored(column: str) -> str:
    with sqlite3.connect(STORE) as store:
        text = store.execute(f"SELECT {column} FROM runs ORDER BY number DESC LIMIT 1").fetchone()[0]
    store.close()
    return str(text)
