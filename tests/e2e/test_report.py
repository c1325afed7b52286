"""A report as its readers get it: made by the real command, opened in a real browser."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import proctor, proctor_json
from tests.unit.pipeline.small_quality import SUITE as QUALITY
from tests.unit.pipeline.small_quality import write_project

SUITE = """
name: sensing
version: "1.0"
title: Sensing, a look
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: email-triage, n: 12, cell: S1}
  - {family: ticket-routing, n: 12, cell: S2}
  - {family: log-debugging, n: 20, cell: S3}
  - {family: email-triage, n: 12, cell: R, regimes: [baseline, mild, moderate-standard, severe-adversarial]}
"""
AGENTS = ("oracle", "null", "clerk")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports of three agents, and of the suite everybody starts with."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "look.yaml").write_text(SUITE)
    found = {}
    for agent in AGENTS:
        proctor("run", "look.yaml", "--agent", agent, "--seed", "7", cwd=folder)
        documents = ("--card", f"{agent}-card.html", "--technical-report", f"{agent}-technical.html")
        proctor("report", "-o", f"{agent}.html", *documents, cwd=folder)
        for name in (agent, f"{agent}-card", f"{agent}-technical"):
            found[name] = folder / f"{name}.html"
    proctor("run", "hello", "--agent", "clerk", "--seed", "7", cwd=folder)
    proctor("report", "-o", "hello.html", cwd=folder)
    return {**found, "hello": folder / "hello.html"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real Chromium. Skips where there is none; on CI that is a failure, or nobody would notice."""
    program = shutil.which("chromium")
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is not installed")
        pytest.skip("chromium is not installed")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


def opened(browser: Any, path: Path, problems: list[str], *, width: int = 1280, scheme: str = "light") -> Any:
    """The page in a window of its own; whatever goes wrong is noted."""
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.on("console", lambda message: problems.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: problems.append(f"error: {error}"))
    page.on("request", lambda request: problems.append(request.url) if request.url != path.as_uri() else None)
    page.goto(path.as_uri())
    return page


DOCUMENTS = ("oracle-card", "clerk-card", "oracle-technical", "clerk-technical")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
@pytest.mark.parametrize("name", [*AGENTS, "hello", *DOCUMENTS])
def test_it_fits_and_loads_nothing(browser: Any, pages: dict[str, Path], name: str, width: int, scheme: str) -> None:
    problems: list[str] = []
    page = opened(browser, pages[name], problems, width=width, scheme=scheme)
    # Folded parts must fit as well.
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    lost = """() => [...document.querySelectorAll('main *')]
        .filter(one => !one.closest('.scroll, svg') && one.getBoundingClientRect().right > innerWidth + 1)
        .map(one => one.outerHTML.slice(0, 120))"""
    assert page.evaluate(lost) == []
    paper = "getComputedStyle(document.querySelector('.sheet') || document.body).backgroundColor"
    dark = page.evaluate(paper) != "rgb(255, 255, 255)"
    assert dark == (scheme == "dark")
    assert problems == []
    page.context.close()


@pytest.mark.parametrize("width", [1280, 1920])
@pytest.mark.parametrize("name", AGENTS)
def test_no_column_of_the_levels_is_cut_off(browser: Any, pages: dict[str, Path], name: str, width: int) -> None:
    """Every outcome is in sight: what a level needs and whether it was met is never behind a scroll bar."""
    page = opened(browser, pages[name], [], width=width)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    cut = """() => [...document.querySelectorAll('table.levels')].map(one => one.closest('.scroll'))
        .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.getAttribute('aria-label'))"""
    assert page.locator("table.levels").count() > 0 and page.evaluate(cut) == []
    page.context.close()


@pytest.mark.parametrize("name", [*AGENTS, "hello"])
def test_a_page_is_a_few_screens_until_something_is_opened(browser: Any, pages: dict[str, Path], name: str) -> None:
    page = opened(browser, pages[name], [])
    assert page.evaluate("document.documentElement.scrollHeight") <= 5 * 900
    page.context.close()


def test_following_a_link_opens_what_is_folded(browser: Any, pages: dict[str, Path]) -> None:
    page = opened(browser, pages["clerk"], [])
    inside = page.locator("#dimension-S")
    assert not inside.is_visible()
    page.locator("a.who").first.click()
    assert inside.is_visible() and "Why 1 and not 2" in inside.inner_text()
    page.context.close()


@pytest.mark.parametrize("name", ["oracle-card", "clerk-card"])
def test_a_card_is_one_sheet_of_paper(browser: Any, pages: dict[str, Path], name: str) -> None:
    page = opened(browser, pages[name], [])
    reader = pytest.importorskip("pypdf").PdfReader(BytesIO(page.pdf(prefer_css_page_size=True)))
    assert len(reader.pages) == 1
    page.context.close()


def test_it_can_be_read_without_scripts_and_on_paper(browser: Any, pages: dict[str, Path]) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pages["clerk"].as_uri())
    assert page.get_by_role("heading", level=1).inner_text() == "clerk examined with sensing@1.0"
    for role in ("main", "navigation", "banner", "contentinfo"):
        assert page.get_by_role(role).count() == 1, role
    assert "Capability only" in page.inner_text("header") and "email" not in page.inner_text("h1")
    page.locator("#failures-title").click()
    trace = page.locator("details.episode").first
    assert not trace.locator("ol.trace").is_visible()
    trace.locator("summary").first.click()
    assert trace.locator("ol.trace").is_visible() and "verify" in trace.inner_text()
    assert len(page.pdf()) > 10_000
    context.close()


def test_pictures_have_names_for_those_who_do_not_see_them(browser: Any, pages: dict[str, Path]) -> None:
    page = opened(browser, pages["oracle"], [])
    pictures = page.get_by_role("img")
    assert pictures.count() >= 10
    assert all(pictures.nth(i).locator("title").text_content() for i in range(pictures.count()))
    assert "oracle, not a result" in page.locator(".banner").inner_text()
    page.context.close()


def test_the_same_run_gives_the_same_page_on_another_machine(pages: dict[str, Path], tmp_path: Path) -> None:
    here = pages["clerk"].parent
    run = next(one["name"] for one in proctor_json("runs", cwd=here) if one["name"].startswith("sensing-clerk"))
    proctor("export", run, "-o", tmp_path / "run.proctor", cwd=here)
    proctor("import", "run.proctor", cwd=tmp_path)
    proctor("report", run, "-o", "report.html", cwd=tmp_path)
    assert (tmp_path / "report.html").read_bytes() == pages["clerk"].read_bytes()
    assert proctor("report", run, "--json", cwd=tmp_path).stdout == proctor("report", run, "--json", cwd=here).stdout


def test_the_page_of_a_gated_run_says_what_was_decided(tmp_path: Path) -> None:
    """Scores may be at their targets and the agent blocked all the same."""
    write_project(tmp_path)
    proctor("run", QUALITY, "--agent", "oracle", "--seed", "1", cwd=tmp_path)
    before = proctor_json("report", cwd=tmp_path)
    assert "decisions" not in before
    assert before["statement"].startswith("One agent on these scenarios")
    decision = json.loads(proctor("gate", "--freeze", "--json", cwd=tmp_path, code=101).stdout)
    (shown,) = proctor_json("report", cwd=tmp_path)["decisions"]
    assert (shown["outcome"], shown["entry"]) == ("escalate-to-human", decision["entry"])
    proctor("report", "-o", "page.html", cwd=tmp_path)
    page = (tmp_path / "page.html").read_text()
    assert "Gate: escalate-to-human" in page
    assert "there is no accepted baseline; agent &#x27;oracle&#x27; is a stand-in and none to deploy" in page
    assert "(rules and oracle are recorded for the first time for this suite, unsigned" in page
