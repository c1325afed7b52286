"""Docs cannot drift: every command, event, regime, layer and agent kind is in the reference."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from proctor.cli.main import COMMANDS
from proctor.evidence import events
from proctor.evidence.measures import Safety
from proctor.plugins import registry
from proctor.spec.coordinate import Level
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.scenario import AdversarialKind, Category, Provenance, Reach

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


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("category", get_args(Category)),
        ("level", tuple(Level)),
        ("reach", get_args(Reach)),
        ("adversarial", get_args(AdversarialKind)),
        ("provenance", get_args(Provenance.model_fields["kind"].annotation)),
        ("safety", get_args(Safety)),
    ],
)
def test_what_a_metric_may_read_is_documented_with_its_values(field: str, values: tuple[str, ...]) -> None:
    """The tables themselves are written by docs/generate.py from the docstrings."""
    page = (DOCS / "how-to" / "your-metric.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{field}` |")]
    assert values
    assert [value for value in values if f"`{value}`" not in row] == []
