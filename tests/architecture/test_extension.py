"""One recipe to extend anything: every group is documented; nothing knows an instrument or a plug-in by its name."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.installed_plugin import PACKAGE, declared

from proctor.conformance.evidence import practice_evidence
from proctor.conformance.instrument import check_instrument
from proctor.plugins import registry

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "proctor"
GUIDE = (ROOT / "docs" / "how-to" / "extend.md").read_text(encoding="utf-8")
KNOW_NO_INSTRUMENT = ("cli/summary.py", "cli/score.py", "pipeline/reading.py", "reports/section.py", "reports/build.py")
OF_NO_INSTRUMENT = ("base", "abilities", "generic", "guarded")
"""Modules beside the instruments that are none: their contracts."""
INSTRUMENTS = {"agency", "binding", "quality", "rates", "efficiency", "reliability"}


@pytest.mark.parametrize("group", registry.GROUPS)
def test_every_group_is_documented_and_used_by_the_plugin_package(group: registry.Group) -> None:
    assert re.search(rf"^\| `proctor\.{group}` \| .+ \| .+ \| `proctor/\S+\.py`", GUIDE, re.MULTILINE)
    assert registry.names(group), "what Proctor brings is registered the same way"
    if group != "models":
        # A chat model is a plug-in like the others, and `tests/unit/models` has some.
        assert declared()[f"proctor.{group}"]


def test_contracts_are_where_the_guide_says() -> None:
    named = set(re.findall(r"`proctor/(\S+?\.py)`", GUIDE))
    assert len(named) >= 10
    assert not [path for path in named if not (SOURCE / path).is_file()]


def test_no_file_names_the_plugin_package() -> None:
    names = {name for points in declared().values() for name in points} | {PACKAGE.name, "quayworks"}
    theirs = re.compile("|".join(sorted(map(re.escape, names))))
    files = [path for path in SOURCE.rglob("*") if path.suffix in (".py", ".yaml", ".txt")]
    assert not [path for path in files if theirs.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", KNOW_NO_INSTRUMENT)
def test_no_instrument_is_known_by_name_or_type(path: str) -> None:
    tree = ast.parse((SOURCE / path).read_text(encoding="utf-8"))
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert not strings & INSTRUMENTS
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    known = rf"proctor\.(instruments|reports\.sections)\.(?!({'|'.join(OF_NO_INSTRUMENT)})$)"
    assert not [name for name in imported if re.match(known, name)]


def test_terminal_text_needs_no_markup_and_no_figures() -> None:
    code = (
        "import sys\nfrom proctor.plugins import registry\nfrom proctor.reports.section import section_kind\n"
        "for name in registry.names('sections'): section_kind(name)\n"
        "print([name for name in sys.modules if name.startswith(('proctor.reports.html', 'proctor.reports.figures'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_worked_example_of_the_guide_works() -> None:
    (example,) = re.findall(r"```python\n(# calls\.py\n.*?)```", GUIDE, re.DOTALL)
    names: dict[str, Any] = {"__name__": "calls"}
    exec(example, names)
    instrument, section, evidence = names["instrument"], names["section"], practice_evidence()
    assert not check_instrument(instrument).failed
    reading = instrument.read(evidence, evidence.frozen.rules)
    assert re.fullmatch(r"Tool calls: \d+\.\d an episode", section.text(reading, evidence, asked=False))
    assert section.title(reading) == "Tool calls" and section.data(reading, evidence)["values"]
