"""Words of agents, scenarios and incidents in comment, report, JUnit: they are shown, and can do nothing there."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.pipeline.living import CLERK, gated, live
from tests.unit.pipeline.small_quality import PLANTED

from proctor.core.canonical import canonical
from proctor.pipeline.dry_run import DryRun, _page
from proctor.pipeline.stages import Pipeline
from proctor.reports.gate_comment import (
    Answer,
    comment_text,
    dry_comment_text,
    dry_junit_text,
    junit_text,
)
from proctor.reports.gate_report import GateReport, report_text
from proctor.reports.markdown_text import code, plain

HOSTILE = (
    "zz \x1b[31mred [x](http://evil) ![y](//evil) <img src=x> `tick` | cell\n# heading\n\n@anna \u202ediov\u200b "
    "**bold** _em_ ~~gone~~ www.evil.example \x85\x9b1m \ud800 octo/repo#1 $\\href{x}{y}$ --> \\"
)
"""What somebody would write who wants to be more than quoted."""
NAME = object()
"""Stands at the end of a place for the name there, not for what it names."""
UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800]")
FORBIDDEN = re.compile(
    r"(?<!\\)\]\(|(?<!\\)\[x|://evil|www\.evil|<img|`tick|@anna|"
    r"(?<!\\)\*\*bold|(?<!\\)~~|(?<![\\\w])_em|repo#1|^# heading|^@|(?<!\\)\$|-->"
)


@pytest.fixture(scope="module")
def met(ready: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[GateReport, str]:
    """The report of an agent whose action has such a name and such arguments."""
    project = tmp_path_factory.mktemp("hostile") / "project"
    shutil.copytree(ready, project)
    agent = PLANTED.replace('"burn_down"', repr(f"{HOSTILE}burn_down".replace("\ud800", "")))
    assert agent != PLANTED
    (project / "agent.py").write_text(agent)
    (name,) = live(project, 9, agent=CLERK)
    folder = Pipeline(project, gated(project, name).pipeline).folder
    report = msgspec.json.decode((folder / "report.json").read_bytes(), type=GateReport)
    return report, (folder / "report.md").read_text()


def harmless(text: str) -> None:
    assert not UNSEEN.search(text)
    first, _, rest = text.partition("\n")
    if first.startswith("<!-- "):
        # The marker: a comment, which only its own end ends.
        assert first.count(">") == 1 and first.endswith("-->")
        text = rest
    for line in text.split("\n"):
        assert line.count("`") % 2 == 0, line
        # A span of code, which only a backtick ends, shows whatever else stands in it.
        said = re.sub("`[^`]*`", "", line)
        assert not (found := FORBIDDEN.search(said)), (found, said)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every string in a report, and every name in its mappings of free names."""
    if isinstance(value, str):
        yield at
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from places(item, (*at, name))
            if at[-1:] == ("reasons",):
                yield (*at, name, NAME)
    elif isinstance(value, list):
        for place, item in enumerate(value[:2]):
            yield from places(item, (*at, place))


def planted(value: Any, at: tuple[Any, ...]) -> Any:
    if not at:
        # A lone surrogate does not get as far as a report: its JSON could not be written.
        return f"{HOSTILE}{value}".replace("\ud800", "")
    if at[1:] == (NAME,):
        return {planted(name, ()) if name == at[0] else name: item for name, item in value.items()}
    if isinstance(value, dict):
        return {name: planted(item, at[1:]) if name == at[0] else item for name, item in value.items()}
    return [planted(item, at[1:]) if place == at[0] else item for place, item in enumerate(value)]


def columns(text: str) -> list[int]:
    return [len(re.findall(r"(?<!\\)\|", line)) for line in text.split("\n") if line.startswith("|")]


def test_an_agent_that_names_its_action_so_is_quoted_and_no_more(met: tuple[GateReport, str]) -> None:
    report, page = met
    assert "⟨U+001B⟩\\[31mred" in page, "it is told what was tried"
    for text in (page, report_text(report), comment_text(report)):
        harmless(text)
    rule = re.compile(r"\|( --- \|)+")
    heads = [line for line in page.split("\n") if re.search(r"^\| (score|metric|categories|scenario) \|", line)]
    assert len(heads) > 3 and len([line for line in page.split("\n") if rule.fullmatch(line)]) >= len(heads)
    ElementTree.fromstring(junit_text(report))
    assert b"\x1b" not in canonical(report)


def test_no_text_in_any_place_of_a_report_says_anything_to_markdown_terminal_or_xml(
    met: tuple[GateReport, str],
) -> None:
    # Whatever an ordinary run leaves empty is there as well.
    noted = replace(met[0].recommendation, notes=("a note",))
    report = replace(met[0], label="mock", recommendation=noted, triggers=("onAgentUpdate",))
    clean = [columns(write(report)) for write in (report_text, comment_text)]
    data = msgspec.json.decode(msgspec.json.encode(report))
    seen = set()
    for at in places(data):
        try:
            changed = msgspec.convert(planted(data, at), GateReport)
        except msgspec.ValidationError:
            continue  # One of a few words that Proctor chose.
        seen.add(next(name for name in reversed(at) if isinstance(name, str)))
        for write, shape in zip((report_text, comment_text), clean, strict=True):
            harmless(write(changed))
            assert columns(write(changed)) == shape, at
        text = junit_text(changed)
        assert not UNSEEN.search(text), at
        ElementTree.fromstring(text)
    assert seen >= {
        "agent", "suite", "run", "label", "standing", "reasons", "notes", "title", "done", "expected", "harm", "gates",
        "evidence", "since", "scenario", "baseline_standing", "name", "pipeline",
    }  # fmt: skip


def test_an_answer_a_dry_run_and_its_page_are_quoted_too(met: tuple[GateReport, str]) -> None:
    report = met[0]
    answer = Answer(approved=True, by=HOSTILE, because=HOSTILE, until="2026-01-01")
    harmless(comment_text(report, answer=answer))
    ElementTree.fromstring(junit_text(report, answer=answer))
    harmless(dry_comment_text(HOSTILE, HOSTILE, [HOSTILE], [HOSTILE]))
    ElementTree.fromstring(dry_junit_text(HOSTILE, "block", [HOSTILE]))
    found = DryRun(HOSTILE, "block", (HOSTILE,), HOSTILE, {}, "report.md")
    harmless(_page(found, {HOSTILE: HOSTILE}, HOSTILE).replace(found.run, ""))


def test_ordinary_words_stay_as_they_are() -> None:
    said = 'burn_down {"building":7}, wrong 8 of 10 times (p = 0.002, α = 0.01); 100 % true – file.name, a-b'
    assert plain(said) == said
    assert code("request-1") == "`request-1`"
    assert (plain(""), code("")) == ("", "–")


def test_the_store_is_named_where_it_is_not_the_default_one(met: tuple[GateReport, str]) -> None:
    report = met[0]
    assert "--store" not in comment_text(report) + junit_text(report)
    text = comment_text(report, store="/tmp/a b/store.db")
    rows = [line for line in text.split("\n") if "proctor show" in line and line.startswith("| ")]
    assert rows and all("--store '/tmp/a b/store.db'`" in row for row in rows)
    assert "--store '/tmp/a b/store.db'" in junit_text(report, store="/tmp/a b/store.db")
    harmless(comment_text(report, store=HOSTILE))
    assert columns(comment_text(report, store=HOSTILE)) == columns(comment_text(report))
    ElementTree.fromstring(junit_text(report, store=HOSTILE))


def test_a_public_seed_is_named_to_make_the_run_again_and_a_hidden_one_is_not(met: tuple[GateReport, str]) -> None:
    assert "`proctor run --seed 9`" in comment_text(replace(met[0], seed=9))
    hidden = comment_text(replace(met[0], seed="hidden"))
    assert "--seed" not in hidden and "hidden" not in hidden
