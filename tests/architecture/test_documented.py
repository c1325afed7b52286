"""Docs cannot drift: every command, event, regime, layer and agent kind is in the reference."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from proctor.cli.main import COMMANDS
from proctor.evidence import events
from proctor.plugins import registry
from proctor.spec.regime import STANDARD_REGIMES

DOCS = Path(__file__).parents[2] / "docs"


def tags() -> list[str]:
    kinds = [getattr(events, name) for name in events.__all__]
    return [
        kind.__struct_config__.tag
        for kind in kinds
        if getattr(kind, "__struct_config__", None) and kind.__struct_config__.tag
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    assert f"`proctor {name}" in (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")


def test_the_reference_is_what_the_code_says() -> None:
    """`python docs/generate.py` writes the reference; whoever changes the code runs it again."""
    done = subprocess.run(
        [sys.executable, str(DOCS / "generate.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_events() -> None:
    assert len(tags()) > 10


@pytest.mark.parametrize("tag", tags())
def test_every_event_is_documented(tag: str) -> None:
    assert f"`{tag}`" in (DOCS / "reference" / "events.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", STANDARD_REGIMES)
def test_every_regime_is_documented(name: str) -> None:
    assert f"`{name}`" in (DOCS / "reference" / "regimes.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", registry.names("agents"))
def test_every_agent_is_documented(name: str) -> None:
    assert f"`{name}" in (DOCS / "reference" / "agents.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", registry.names("models"))
def test_every_model_is_documented(name: str) -> None:
    assert f"`{name}`" in (DOCS / "reference" / "models.md").read_text(encoding="utf-8")
    assert f"`{name}" in (DOCS / "how-to" / "chat-models.md").read_text(encoding="utf-8")
