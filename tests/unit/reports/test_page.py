"""The page: complete, self-contained, well-formed, and safe against what agents write."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.reports.reading_html import Page, text_of

from proctor.instruments.agency.instrument import AgencyReading
from proctor.reports.data import FlagShown, Report
from proctor.reports.html.page import render
from proctor.reports.html.style import COLOURS
from proctor.reports.sections.agency.words import MEANING
from proctor.spec.claims import VECTOR

SVG_AND_PAGE = {"script", "img", "iframe", "object", "embed", "link", "base", "form", "video", "audio", "use", "image"}


def reading_of(report: Report) -> AgencyReading:
    return msgspec.convert(report.sections[0].data, AgencyReading)


def test_every_dimension_has_its_tuple_and_reasons(report: Report, page: str) -> None:
    text = Page(page).text
    reading = reading_of(report)
    assert reading.text in text
    for name, one in reading.vector.items():
        level = "–" if one.level is None else one.level
        assert re.search(rf"\(Framework v\.10, Core Boundary, \[[^]]*\], [^=]*, {name} = {level}, \[Flags: ", text), (
            name
        )
        assert one.title in text and one.moves in text
        for reason in one.reasons:
            assert reason in text, name


def picture(page: str) -> dict[str, str]:
    """The rows of the picture by dimension, as source."""
    figure = page.partition('<figure class="picture">')[2].partition("</figure>")[0]
    rows = re.split(r"<li(?: class=\"part\")?><a href=\"#dimension-", figure)[1:]
    return {row.partition('"')[0]: row for row in rows}


def test_the_verdict_comes_first_in_words(report: Report, page: str) -> None:
    top = page.partition("<main")[0]
    conclusion = report.sections[0].conclusion
    assert conclusion is not None
    order = [text_of(top).index(sentence) for sentence in conclusion.verdict]
    assert order == sorted(order)
    assert top.index('class="verdict"') < top.index('class="facts brief"') < top.index('class="tuple"')


def test_exploratory_evaluator_contact_and_start_stand_above_the_picture(report: Report, page: str) -> None:
    top = text_of(page.partition('<figure class="picture">')[0])
    for words in ("Exploratory", "One boundary alone is exploratory", "Evaluated by", "Contact", "not declared"):
        assert words in top, words
    assert report.started is not None and report.started[:10] in top and "Started" in top
    assert "Tier" in top and "None (not tested)" in top and "Governance Notes" in top


def test_credited_and_next_rate_stand_side_by_side_each_named(report: Report, page: str) -> None:
    rows = picture(page)
    for name, one in reading_of(report).vector.items():
        shown = [level for level in one.levels if level.level in (one.level, (one.level or 0) + 1) and level.target]
        text = text_of(rows[name])
        for level in shown if name != "R" else ():
            assert level.target is not None
            assert f"{level.cell} {level.asks}" in text and f"{level.target.k}/{level.target.n}" in text, level.cell
    assert "needs ≥\u00a070\u00a0%" in Page(page).text


def test_rates_come_before_levels(page: str) -> None:
    for name, row in picture(page).items():
        assert row.index('class="rate') < row.index('class="level"'), name


def test_no_rate_is_pooled_over_levels(page: str) -> None:
    assert "pooled over its cells" not in page


def test_missing_is_not_measured_and_never_zero(page: str) -> None:
    row = picture(page)["E"]
    assert "not measured" in row and "not tested: the run has no such cells" in row
    inner = page.partition('id="dimension-E"')[2].partition("</details>")[0]
    assert not re.search(r"\b0(\.0)? ?%", row + inner) and "level 0" not in row + inner
    assert "NaN" not in page and ">None<" not in page and "<td></td>" not in page and "<dd></dd>" not in page


def test_label_statement_flags_and_seed_stand_at_the_top(page: str) -> None:
    top = page.partition("<main")[0]
    assert "oracle, not a result" in top and 'class="banner"' in top
    assert "Capability only: not safety, compliance or approval." in top
    assert "anyone with the package can regenerate these tasks" in top
    assert "Provisional" in top


def test_without_a_label_there_is_no_banner(report: Report) -> None:
    assert 'class="banner"' not in render(replace(report, label="")).decode()


def test_g_shows_its_parts_and_mean(page: str) -> None:
    for part in ("G1", "G2", "G3"):
        assert f'id="dimension-{part}"' in page
    assert "(mean 0.7)" in picture(page)["G"] and "The mean of G1 1, G2 1, G3 not measured (0)." in page


def test_the_legend_explains_every_mark_that_is_drawn(page: str) -> None:
    figure = page.partition('<figure class="picture">')[2].partition("</figure>")[0]
    drawn = set(re.findall(r'class="step ([\w-]+)"', figure.partition("<figcaption>")[0]))
    assert drawn == set(re.findall(r'class="step ([\w-]+)"', figure.partition("<figcaption>")[2]))
    meanings = {state.replace(",", "").replace(" ", "-"): text for state, text in MEANING.items()}
    assert all(meanings[mark] in text_of(figure) for mark in drawn)


def test_levels_show_both_intervals_and_what_they_need(page: str) -> None:
    text = Page(page).text
    for words in (
        "clustered by template",
        "design effect",
        "≥\u00a070\u00a0%",
        "interval above 0",
        "points below baseline",
    ):
        assert words in text
    assert "Under the policy “strict”" in text and "Operating characteristic" in text


def test_what_the_report_is_about_stands_open_and_the_rest_is_folded(page: str) -> None:
    main = page.partition("<main")[2]
    first, *others = re.findall(r'<section( class="folded")? aria-labelledby="([\w-]+)-title"', main)
    assert first == ("", "reading-agency")
    assert {name for kind, name in others if kind} >= {"reading-rates", "failures", "conditions", "digests"}
    for name in VECTOR:
        fold = main.partition(f'id="dimension-{name}"')[0].rpartition("<details")[2]
        assert fold.startswith(' class="dimension"') and " open" not in fold.partition(">")[0]


def test_nothing_is_loaded_from_anywhere(page: str) -> None:
    parsed = Page(page)
    assert not {tag for tag, _ in parsed.elements} & SVG_AND_PAGE
    for _, attributes in parsed.elements:
        assert not attributes.keys() & {"src", "srcset", "action", "style", "xlink:href", "data"}
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in page and "@import" not in page and "http://" not in page and "https://" not in page


def test_the_policy_allows_only_the_style_sheet(page: str) -> None:
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = next(meta["content"] for meta in Page(page).all("meta") if meta.get("http-equiv"))
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_ids_are_unique_and_links_lead_somewhere(page: str) -> None:
    parsed = Page(page)
    ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in parsed.all("a"):
        assert (link["href"] or "")[1:] in ids


def test_landmarks_headings_and_table_heads(page: str) -> None:
    parsed = Page(page)
    names = [tag for tag, _ in parsed.elements]
    assert [names.count(tag) for tag in ("h1", "main", "header", "footer", "nav")] == [1, 1, 1, 1, 1]
    levels = [int(tag[1]) for tag in names if re.fullmatch(r"h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels)), "no heading is skipped"
    assert names.count("table") == names.count("caption")
    assert all(head.get("scope") for head in parsed.all("th"))
    pictures = [svg for svg in parsed.all("svg") if svg.get("aria-hidden") != "true"]
    assert len(pictures) > 10 and names.count("desc") == len(pictures)
    assert all(svg["role"] == "img" for svg in pictures)


def test_hostile_texts_stay_texts(hostile: Report) -> None:
    page = render(hostile).decode()
    parsed = Page(page)
    assert not {tag for tag, _ in parsed.elements} & SVG_AND_PAGE
    assert "<script>alert(1)</script>" in parsed.text and "<script" not in page
    assert "\u202e" not in page and "\u200b" not in page and "\x07" not in page
    assert "⟨U+202E⟩" in parsed.text and "⟨U+0007⟩" in parsed.text


BAD = '"><script>x</script>\u202e'


@pytest.mark.parametrize("field", ["run", "label", "suite", "suite_title", "suite_description", "agent", "timestamp"])
def test_hostile_names_stay_names(report: Report, field: str) -> None:
    parsed = Page(render(replace(report, **{field: BAD})).decode())
    assert not {tag for tag, _ in parsed.elements} & SVG_AND_PAGE
    assert "⟨U+202E⟩" in parsed.text


def test_hostile_reasons_and_instruments_stay_text(report: Report) -> None:
    bad = replace(report.sections[1], instrument=BAD, title=BAD, flags=(FlagShown(BAD, BAD, BAD),))
    silent = replace(bad, measured=False, reason=BAD)
    page = render(replace(report, sections=(*report.sections, bad, silent), skipped={BAD: BAD})).decode()
    assert not {tag for tag, _ in Page(page).elements} & SVG_AND_PAGE


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1, 2])
def test_colours_can_be_read(scheme: int) -> None:
    block = COLOURS.split(":root {")[scheme + 1]
    colour = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for ground in ("paper", "raised"):
        for ink in ("ink", "soft", "accent", "good", "stop", "warn"):
            assert contrast(colour[ink], colour[ground]) >= 4.5, (ink, ground)
    assert contrast(colour["warn"], colour["warn-back"]) >= 4.5
    for drawn in ("accent", "strong"):
        assert contrast(colour[drawn], colour["raised"]) >= 3.0, drawn
