"""The whole page: a function of the report and nothing else."""

from __future__ import annotations

from proctor.reports.data import Report, Section
from proctor.reports.html.conditions import conditions, digests
from proctor.reports.html.document import document
from proctor.reports.html.episodes import episodes
from proctor.reports.html.header import header
from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.style import STYLE
from proctor.reports.section import section_kind

TAIL = (
    ("failures", "Failing episodes"),
    ("conditions", "Conditions"),
    ("digests", "Digests and verification"),
)


def render(report: Report) -> bytes:
    """The page, in UTF-8."""
    body = tag("body", lines_of(_skip(), header(report), _contents(report), _main(report), _footer(report)))
    return document(f"{report.system.name} · {report.suite} · Proctor report", STYLE, body)


def _skip() -> Markup:
    return tag("a", "Skip to results", href="#results", class_="skip")


def _contents(report: Report) -> Markup:
    anchors = [*((_id(section), section.title) for section in report.sections if section.measured), *TAIL]
    links = [tag("li", tag("a", title, href=f"#{anchor}")) for anchor, title in anchors]
    return tag("nav", tag("ul", *links), aria_label="On this page")


def _main(report: Report) -> Markup:
    measured = [section for section in report.sections if section.measured]
    return tag(
        "main",
        lines_of(
            *(_section(section, report, is_open=section is measured[0]) for section in measured),
            _unmeasured(report),
            _part("failures", "Failing episodes", episodes(report), is_open=False),
            _part("conditions", "Conditions", conditions(report), is_open=False),
            _part("digests", "Digests and verification", digests(report), is_open=False),
        ),
        id="results",
    )


def _section(section: Section, report: Report, *, is_open: bool) -> Markup:
    body = section_kind(section.instrument).html(section, report)
    return _part(_id(section), section.title, body, is_open=is_open)


def _part(anchor: str, title: str, body: Child, *, is_open: bool = True) -> Markup:
    """A part of the page: what the report is about stands open, the rest is folded."""
    heading = tag("h2", title, id=f"{anchor}-title")
    if is_open:
        return tag("section", heading, tag("div", body, id=anchor), aria_labelledby=f"{anchor}-title")
    # The anchor stands inside what is folded: following a link to it opens the fold.
    folded = tag("details", tag("summary", heading), tag("div", body, class_="inside", id=anchor), class_="part-fold")
    return tag("section", folded, class_="folded", aria_labelledby=f"{anchor}-title")


def _unmeasured(report: Report) -> Markup | None:
    """Instruments that found nothing to measure, and why."""
    silent = [section for section in report.sections if not section.measured]
    if not silent:
        return None
    listed = [tag("li", tag("strong", section.title), f": not measured: {section.reason}") for section in silent]
    return _part("not-measured", "Not measured", tag("ul", *listed))


def _id(section: Section) -> str:
    return f"reading-{section.instrument}"


def _footer(report: Report) -> Markup:
    instruments = ", ".join(f"{section.instrument} {section.version}" for section in report.sections)
    made = f"Made from evidence by Proctor; instruments: {instruments or 'none'}; report format {report.version}."
    return tag("footer", tag("p", report.statement), tag("p", made))
