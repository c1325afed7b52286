"""A metric of a package: one declaration behind an entry point, and nothing of Proctor's own is changed for it.

The package is the one of docs/how-to/your-metric.md, installed as metadata on the path.
"""

from __future__ import annotations

import html
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from tests.e2e.test_docs import DOCS, Reader, blocks, steps
from tests.unit.instruments.quality.made import accepted, evidence, kept, row

from proctor import pytest_plugin
from proctor.cli.schema import schema_of_kind
from proctor.core.canonical import jsonable
from proctor.core.errors import InputError, PluginError
from proctor.instruments.quality import installed
from proctor.instruments.quality.baseline import Baseline, RunSummary
from proctor.instruments.quality.decision import Decision, decide
from proctor.instruments.quality.instrument import Examined, QualityInstrument, QualityReading
from proctor.instruments.quality.regression import compare
from proctor.instruments.quality.rules import DEFAULT_FLOORS, QualityRules
from proctor.plugins import registry
from proctor.reports.gate_report import MetricBreakdown
from proctor.reports.gate_report import _metrics as breakdown_text
from proctor.reports.sections.quality.picture import picture
from proctor.reports.sections.quality.tables import breakdown_tables, metric_table
from proctor.reports.sections.quality.text import quality_text
from proctor.spec.rules import Rules

PAGE = DOCS / "how-to" / "your-metric.md"
WEIGHTS = {"DA": 0.4, "GCR": 0.35, "EQS": 0.25}
IDENTITY = "85cf7e1e362170f727db450162c3da57c66163d835ea5808cb55f702fa8463ab"
"""Of the default rules, with and without a package."""


def write_package(folder: Path, code: str, points: dict[str, str]) -> None:
    """What installing a package with these entry points leaves."""
    (folder / "desk_metrics.py").write_text(code)
    info = folder / "desk_metrics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: desk-metrics\nVersion: 1.0\n")
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[proctor.metrics]\n{lines}")


def shown_package() -> tuple[str, dict[str, str]]:
    """Code and entry points as the page shows them."""
    files = {block.file: block.text for block in blocks(PAGE) if block.file is not None}
    points: dict[str, str] = tomllib.loads(files["pyproject.toml"])["project"]["entry-points"]["proctor.metrics"]
    return files["desk_metrics.py"], points


def forget() -> None:
    registry._installed.cache_clear()
    registry._points.cache_clear()
    installed.declared.cache_clear()


@contextmanager
def packaged(folder: Path, monkeypatch: pytest.MonkeyPatch, *changes: tuple[str, str]) -> Iterator[None]:
    """The package of the page, with these texts of its code replaced."""
    code, points = shown_package()
    for old, new in changes:
        assert old in code
        code = code.replace(old, new)
    write_package(folder, code, points)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "desk_metrics", raising=False)
    forget()
    try:
        yield
    finally:
        monkeypatch.undo()
        forget()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with packaged(tmp_path, monkeypatch):
        yield


def attacks(wrong: int) -> Any:
    """Thirty-two scenarios, half of them adversarial; of those so many are decided wrong."""
    rows = []
    for number in range(32):
        adversarial = number % 2 == 0
        right = int(not (adversarial and number // 2 < wrong))
        rows.append(row(number, adversarial="injection" if adversarial else "", correct=right, exact=right))
    return evidence(*rows)


def rules(**changes: Any) -> QualityRules:
    return QualityRules.parse({"weights": WEIGHTS, "draws": 1_000, **changes}, source="test")


def examined(governed: QualityRules, *, wrong: int = 6) -> Examined:
    return QualityInstrument(governed).examine(attacks(wrong), Rules())


def decided(governed: QualityRules, *, wrong: int = 6, baseline: Baseline | None = None) -> Decision:
    return decide(examined(governed, wrong=wrong), baseline, None, governed)


def test_it_is_measured_and_shown(package: None) -> None:
    reading = examined(rules()).reading
    assert list(reading.metrics) == ["DA", "GCR", "EQS", "LUL", "ADV", "CAS"]
    measured = reading.metrics["ADV"]
    assert (measured.value, measured.n, measured.beside) == (0.625, 16, {"handed_over": 0.0})
    assert measured.low is not None and measured.high is not None and measured.low < 0.625 < measured.high
    (line,) = [line for line in quality_text(reading).splitlines() if line.startswith("ADV")]
    assert line.startswith("ADV  Adversarial Accuracy") and line.endswith("left to a human 0.000")
    assert jsonable(reading)["further_metrics"]["ADV"]["value"] == 0.625
    page = "".join(map(str, (picture(reading), metric_table(reading), breakdown_tables(reading))))
    assert "Adversarial Accuracy" in page and "left to a human" in page and "shown, not decided on" in page
    assert ">ADV</th>" in page
    assert reading.breakdown is not None
    section = MetricBreakdown(
        metrics={},
        breakdown=reading.breakdown,
        behaviour_under_load=None,
        load_record=None,
        stale_scenarios=0,
        missing=0,
        flags=(),
    )
    assert "| categories | DA | GCR | EQS | ADV | episodes |" in "\n".join(breakdown_text(section))
    assert pytest_plugin.tested_metrics() == ["DA", "GCR", "EQS", "ADV", "CAS"]


def test_what_it_measures_is_read_where_it_is_not_installed(package: None, monkeypatch: pytest.MonkeyPatch) -> None:
    data = jsonable(examined(rules()).reading)
    monkeypatch.undo()
    forget()
    reading = msgspec.convert(data, QualityReading)
    assert reading.metrics["ADV"].value == 0.625
    page = f"{picture(reading)}{metric_table(reading)}"
    assert "ADV" in page and "handed_over" in page and "Adversarial Accuracy" not in page


def test_without_a_package_nothing_is_there() -> None:
    reading = examined(rules()).reading
    assert list(reading.metrics) == ["DA", "GCR", "EQS", "LUL", "CAS"]
    assert "further_metrics" not in jsonable(reading)
    assert all("further_metrics" not in one for one in jsonable(reading)["breakdown"]["categories"])
    assert "counted" not in jsonable(examined(rules()).summary)["scenarios"]["s-0"]
    assert QualityRules().identity == IDENTITY


def test_installing_it_changes_no_rules_and_no_decision(package: None, monkeypatch: pytest.MonkeyPatch) -> None:
    governed, runs = rules(), [kept(f"r{number}", seed=number) for number in range(6)]
    assert "ADV" in installed.metrics() and not governed.asks_for_metric("ADV")
    assert (QualityRules().identity, QualityRules.parse({}, source="test").identity) == (IDENTITY, IDENTITY)
    with_it = decided(governed), compare(kept("new", da=0.8), runs, governed, against="baseline")
    monkeypatch.undo()
    forget()
    assert "ADV" not in installed.metrics()
    assert with_it == (decided(governed), compare(kept("new", da=0.8), runs, governed, against="baseline"))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"floors": {**DEFAULT_FLOORS, "ADV": 0.7}}, "ADV 0.625 is below its floor of 0.7"),
        ({"floors": {**DEFAULT_FLOORS, "ADV": 0.5}}, "ADV 0.625 misses its target of 0.9"),
        ({"weights": {"DA": 0.5, "ADV": 0.5}}, "ADV 0.625 is below its floor of 0.75"),
    ],
    ids=["floor", "declared target", "weight"],
)
def test_rules_that_name_it_let_the_gate_decide_on_it(package: None, changes: dict[str, Any], reason: str) -> None:
    governed = rules(**changes)
    assert governed.asks_for_metric("ADV")
    assert reason in decided(governed).reasons
    assert "ADV" in examined(governed).reading.targets
    assert governed.identity != rules().identity


def test_a_weight_puts_it_into_the_composite(package: None) -> None:
    composite = examined(rules(weights={"DA": 0.5, "ADV": 0.5})).reading.metrics["CAS"]
    assert composite.value == pytest.approx((26 / 32 * 0.625) ** 0.5)
    assert composite.low is not None and composite.beside["weight_ADV"] == 0.5


def test_an_agent_at_every_target_deploys_and_the_metric_is_named(package: None) -> None:
    governed = rules(floors={**DEFAULT_FLOORS, "ADV": 0.5})
    run = examined(governed, wrong=0)
    others = tuple(msgspec.structs.replace(run.summary, run=f"r{number}") for number in range(6))
    assert decide(run, accepted(*others), None, governed).reasons == (
        "DA, GCR, EQS, ADV and CAS are at their targets and nothing declined; behaviour under load is not asked for",
    )


def baseline_of(governed: QualityRules) -> list[RunSummary]:
    """Six runs in which the metric varies a little."""
    runs = [examined(governed, wrong=number % 2).summary for number in range(6)]
    return [msgspec.structs.replace(one, run=f"r{number}") for number, one in enumerate(runs)]


def test_runs_are_compared_on_it_where_rules_ask_for_it(package: None) -> None:
    governed = rules(floors={**DEFAULT_FLOORS, "ADV": 0.1})
    found = compare(examined(governed, wrong=12).summary, baseline_of(governed), governed, against="baseline")
    assert list(found.tests) == ["CAS", "DA", "GCR", "EQS", "ADV"]
    assert found.tests["ADV"].current == 0.25 and found.lower("ADV")
    decision = decided(governed, wrong=12, baseline=accepted(*baseline_of(governed)))
    assert any(one.startswith("ADV declined from") for one in decision.reasons)


def test_a_baseline_from_before_holds_nothing_of_it(package: None) -> None:
    governed = rules(floors={**DEFAULT_FLOORS, "ADV": 0.1})
    run = examined(governed).summary
    before = [
        msgspec.structs.replace(
            one, scenarios={name: msgspec.structs.replace(r, counted={}) for name, r in one.scenarios.items()}
        )
        for one in baseline_of(governed)
    ]
    test = compare(run, before, governed, against="baseline").tests["ADV"]
    assert test.reason == "ADV was not measured in an accepted run"


def test_the_schema_of_rules_lists_it(package: None) -> None:
    schema = schema_of_kind("quality-rules")
    assert schema["properties"]["weights"]["propertyNames"]["enum"] == ["DA", "GCR", "EQS", "LUL", "ADV"]
    assert "ADV" in schema["$defs"]["Levels"]["properties"]
    assert "ADV" not in schema["$defs"]["Levels"]["required"]
    assert "ADV" not in schema["properties"]["floors"]["default"]


def test_rules_cannot_ask_for_what_is_not_installed() -> None:
    install = r"install the package that offers it, or correct the name"
    with pytest.raises(InputError, match=rf"no installed metric is called ADV \(there are DA, .*LUL\); {install}"):
        rules(weights={"DA": 0.5, "ADV": 0.5})
    with pytest.raises(InputError, match=rf"floors.ADV: no installed metric is called ADV \(there are .*\); {install}"):
        rules(floors={**DEFAULT_FLOORS, "ADV": 0.5})
    with pytest.raises(InputError, match="CAS is made of the weighed metrics and has no weight itself"):
        rules(weights={"DA": 0.5, "CAS": 0.5})


def test_a_floor_above_the_declared_target_says_where_the_target_comes_from(package: None) -> None:
    with pytest.raises(InputError) as raised:
        rules(floors={**DEFAULT_FLOORS, "ADV": 0.95})
    said = str(raised.value)
    assert "the floor of ADV (0.95) lies above its target (0.9)" in said
    assert "these rules state no target for ADV, so that of the metric's declaration holds" in said
    written = said.partition("e.g. `targets: ")[2].removesuffix("`")
    targets = yaml.safe_load(written)
    assert targets["ADV"] == 0.95
    rules(floors={**DEFAULT_FLOORS, "ADV": 0.95}, targets=targets)


BROKEN = [
    ('name="ADV"', 'name="OTHER"', "something else than a Metric of that name"),
    ("    floor=0.75,", "    floor=0.75,\n    weight=0.2,", "a project weighs it in its own rules"),
    ("    floor=0.75,", "    floor=0.95,", "the floor at most the target"),
    ("adversarial_accuracy = Metric(", "adversarial_accuracy = dict(", "something else than a Metric"),
    ("def attacked", "import no_such_module\n\n\ndef attacked", "cannot be loaded (ModuleNotFoundError"),
    ("bool(case.measures.adversarial)", "case.measures.no_such_field", "raised AttributeError"),
    ("return attacked(case) * case.measures.correct", "return 2.0", "counts 2 of 1, more than there is, in episode 0"),
]
"""What may be wrong with a package: in its declaration, when it is imported, and while it counts."""
TELLS = r"metric 'ADV' (\(desk_metrics:adversarial_accuracy\) |is registered |declares )"


@pytest.mark.parametrize(("old", "new", "sentence"), BROKEN)
def test_a_broken_metric_costs_its_own_result_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, sentence: str
) -> None:
    plain = examined(rules())
    with packaged(tmp_path, monkeypatch, (old, new)):
        found = examined(rules())
        decision = decided(rules())
        text = quality_text(found.reading)
        page = "".join(map(str, (picture(found.reading), metric_table(found.reading), breakdown_tables(found.reading))))
    assert list(found.reading.metrics) == ["DA", "GCR", "EQS", "LUL", "ADV", "CAS"]
    measured = found.reading.metrics["ADV"]
    assert measured.value is None and measured.reason is not None
    assert sentence in measured.reason and re.match(TELLS, measured.reason)
    assert "not measured" in text and measured.reason in text
    assert sentence.partition(" (")[0] in html.unescape(page)
    others = {name: one for name, one in found.reading.metrics.items() if name != "ADV"}
    assert others == plain.reading.metrics
    assert found.summary == msgspec.structs.replace(plain.summary, metrics={**plain.summary.metrics, "ADV": None})
    assert decision == decided(rules())


def test_the_gate_stops_where_the_rules_name_a_broken_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with packaged(tmp_path, monkeypatch, ("bool(case.measures.adversarial)", "case.measures.no_such_field")):
        for changes in ({"floors": {**DEFAULT_FLOORS, "ADV": 0.5}}, {"weights": {"DA": 0.5, "ADV": 0.5}}):
            governed = rules(**changes)
            with pytest.raises(PluginError, match=r"raised AttributeError.*the rules ask for ADV"):
                examined(governed)
            # What is only read shows it: the composite is withheld where it is part of that.
            reading = QualityInstrument(governed).read(attacks(0), Rules())
            assert reading.metrics["DA"].value is not None and reading.metrics["ADV"].value is None


def test_rules_that_name_a_metric_that_cannot_be_loaded_say_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        packaged(tmp_path, monkeypatch, ("def attacked", "import no_such_module\n\n\ndef attacked")),
        pytest.raises(InputError, match=r"weights.ADV.*desk_metrics:adversarial_accuracy but cannot be loaded"),
    ):
        rules(weights={"DA": 0.5, "ADV": 0.5})


def test_one_that_is_only_shown_cannot_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with packaged(tmp_path, monkeypatch, ("    floor=0.75,", "    floor=0.75,\n    gates=False,")):
        assert "ADV" in examined(rules()).reading.metrics
        assert "ADV" not in pytest_plugin.tested_metrics()
        with pytest.raises(InputError, match=r"ADV is shown only \(gates=False\)"):
            rules(floors={**DEFAULT_FLOORS, "ADV": 0.5})


def test_the_page_shows_what_happens(tmp_path: Path) -> None:
    """The commands that need the package, in order, as the page's other commands are followed."""
    site, folder = tmp_path / "site", tmp_path / "project"
    site.mkdir()
    folder.mkdir()
    write_package(site, *shown_package())
    reader = Reader(PAGE, folder)
    reader._env["PYTHONPATH"] = str(site)
    followed = 0
    for block in blocks(PAGE):
        if block.file == "proctor.rules.yaml":
            reader.write(block)
        elif block.language == "console" and "pip install" not in block.text:
            for step in steps(block):
                told = f"$ {step.command}\n"
                real = reader.do(step, told)
                reader._compare(step.shown, real, told + "\n".join(real))
                followed += 1
    assert followed == 3
