"""The Technical Report as a page: a list of contents, then the blocks of its layout."""

from __future__ import annotations

from proctor.reports.documents.blocks import Block, Code, Facts, Heading, Paragraph, Table
from proctor.reports.documents.layout import layout
from proctor.reports.documents.technical import TechnicalReport
from proctor.reports.html.document import document
from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.parts import facts, fold, table
from proctor.reports.html.style import TECHNICAL

LONG = 24
"""Rows of a table, and lines of code, beyond which it is folded on a screen; on paper everything is open."""


def render_technical(report: TechnicalReport) -> bytes:
    """The page, in UTF-8."""
    blocks = layout(report)
    first = next(index for index, block in enumerate(blocks) if isinstance(block, Heading))
    body = tag(
        "body",
        lines_of(
            tag("a", "Skip to the report", href="#report", class_="skip"),
            _header(report, blocks[:first]),
            _contents(blocks),
            tag("main", lines_of(*(_block(block) for block in blocks[first:])), id="report"),
            tag("footer", tag("p", report.statement), tag("p", report.comparison.text, class_="tuple")),
        ),
    )
    return document(f"{report.system.name} · Technical Report", TECHNICAL, body)


def _header(report: TechnicalReport, front: list[Block]) -> Markup:
    label = tag("p", tag("strong", "Note"), " ", report.label, class_="banner", role="note") if report.label else None
    title = tag("h1", "Technical Report", tag("span", f" on {report.system.name}", class_="light"))
    framework = tag("p", f"Framework {report.comparison.framework}", class_="framework")
    return tag("header", lines_of(framework, title, label, *map(_block, front)), class_="top")


def _contents(blocks: list[Block]) -> Markup:
    heads = [block for block in blocks if isinstance(block, Heading) and block.level == 1]
    links = [tag("li", tag("a", block.text, href=f"#{block.anchor}")) for block in heads]
    return tag("nav", tag("ul", *links), aria_label="Contents")


def _block(block: Block) -> Markup:
    match block:
        case Heading(level=1):
            return tag("h2", block.text, id=block.anchor)
        case Heading():
            return tag("h3", block.text)
        case Paragraph():
            return tag("p", block.text, class_=block.kind or None)
        case Facts():
            return facts([(name, text) for name, text in block.rows])
        case Table():
            return _table(block)
        case Code():
            body = tag("pre", block.text, class_="json", tabindex="0")
            return fold(block.caption, body)


def _table(block: Table) -> Markup:
    rows: list[list[Child]] = [
        [tag("code", cell) if index in block.digests else cell for index, cell in enumerate(row)] for row in block.rows
    ]
    made = table(block.caption, block.header, rows, kind="wide" if len(block.header) > 4 else None)
    return made if len(rows) <= LONG else fold(f"{block.caption}: {len(rows):,} rows", made)
