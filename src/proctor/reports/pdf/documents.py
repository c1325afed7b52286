"""Card and Technical Report as PDF."""

from __future__ import annotations

import msgspec

from proctor.reports.documents.card import Card
from proctor.reports.documents.layout import layout
from proctor.reports.documents.technical import TechnicalReport
from proctor.reports.pdf.compile import pdf


def card_pdf(card: Card) -> bytes:
    """One page."""
    return pdf("card", msgspec.to_builtins(card), title=f"Agency Card: {card.system.name}")


def technical_pdf(report: TechnicalReport) -> bytes:
    """As many pages as it takes."""
    # What the blocks hold is not given twice; the rest is what the frame of the page names.
    named = {
        "statement": report.statement,
        "label": report.label,
        "comparison": report.comparison,
        "identification": report.identification,
        "system": report.system,
        "blocks": layout(report),
    }
    return pdf("technical", msgspec.to_builtins(named), title=f"Technical Report: {report.system.name}")
