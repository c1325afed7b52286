"""PDF: every field of §13.3 and §13.4 can be read back from its text, on one page for the card, whatever is in it."""

from __future__ import annotations

import builtins
import io
import re
from functools import lru_cache
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.reports.documents import OUTCOME, declared, technical, with_levels
from tests.unit.reports.test_technical import FIELDS, LABELS

from proctor.core.errors import InputError
from proctor.reports.data import Report
from proctor.reports.documents.card import Card, card_of
from proctor.reports.documents.parts import Flagged
from proctor.reports.pdf.compile import require_typst
from proctor.reports.pdf.documents import card_pdf, technical_pdf

pypdf = pytest.importorskip("pypdf")
pytest.importorskip("typst")


@lru_cache(maxsize=4)
def pages(data: bytes) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]


def squeezed(text: str) -> str:
    """Without spaces and line breaks, which a PDF has wherever its lines end."""
    return re.sub(r"[\s\u200b]+", "", text)


def holds(data: bytes, *expected: str) -> None:
    text = squeezed(" ".join(pages(data)))
    for words in expected:
        assert squeezed(words) in text, words


def test_the_card_is_one_page_with_every_field(report: Report) -> None:
    card = card_of(declared(report))
    made = card_pdf(card)
    assert len(pages(made)) == 1
    named = card.comparison
    holds(
        made,
        named.text,
        f"Framework {named.framework}",
        f"Tier: {named.tier}",
        card.system.name,
        card.statement,
        "Exploratory",
        "Vendor-Evaluated",
        card.label,
        *card.verdict,
        *(f"{one.name}{one.text}" for one in card.efficiency),
        card.verification.text,
        *card.verification.methods,
        card.artifact.bundle,
        card.artifact.root or "",
        card.contact.organisation,
        card.contact.contact,
        card.contact.evaluator,
        card.started_text,
        named.flags,
        "Governance Notes",
        "Technical Report",
        card.contact.statement,
    )
    for one in card.dimensions:
        holds(made, one.title, one.text)
        for rate in (one.credited, one.next):
            if rate is not None and rate.n is not None:
                holds(made, rate.cell, rate.value_text, f"needs {rate.needs_text}")


def crowded(card: Card) -> Card:
    reason = "a long reason that explains what happened and why it matters for whoever compares this result " * 3
    flags = tuple(Flagged(f"D{i}", "Limited Comparability (something long)", reason) for i in range(40))
    return replace(
        card,
        flags=flags,
        verdict=tuple(sentence * 2 for sentence in card.verdict),
        other=card.comparison,
        system=replace(card.system, name="a system with a rather long name " * 3),
    )


def test_a_crowded_card_is_still_one_page(report: Report) -> None:
    made = card_pdf(crowded(card_of(declared(report))))
    assert len(pages(made)) == 1
    holds(made, "and 34 more, with their causes, in the Technical Report", card_of(report).statement)


def test_the_technical_report_has_every_field(report: Report) -> None:
    full = technical(with_levels(declared(report), E=3))
    made = technical_pdf(full)
    holds(
        made,
        *FIELDS,
        *LABELS,
        full.notice,
        "Mandatory here: E = 3 is above 2",
        full.statement,
        full.identification.text,
        full.comparison.text,
        *full.verdict,
        "Example Labs",
        "Vendor-Evaluated",
        full.contact.statement,
        "ef" * 32,
        full.criteria.families[0].criterion,
        full.evidence.artifact.root or "",
        OUTCOME.head[:24],
    )
    for one in full.results.dimensions:
        for level in one.levels:
            for rate in level.rates:
                holds(made, rate.regime, f"{rate.k}/{rate.n}")


def test_the_same_data_give_the_same_bytes(report: Report) -> None:
    assert card_pdf(card_of(report)) == card_pdf(card_of(report))
    assert technical_pdf(technical(report)) == technical_pdf(technical(report))


def test_texts_are_never_markup(report: Report) -> None:
    bad = '#import "x.typ" *bold* $x$ @ref <label> \\ [ ] ` \u202e'
    system = replace(report.system, name=bad)
    card = card_pdf(card_of(replace(report, system=system)))
    holds(card, '#import "x.typ" *bold* $x$ @ref <label> \\ [ ] `', "U+202E")
    holds(technical_pdf(technical(replace(report, system=system, suite_description=bad))), "*bold* $x$ @ref <label>")


def test_without_typst_one_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **options: Any) -> Any:
        if name == "typst":
            raise ImportError(name)
        return real(name, *more, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"pip install 'proctor\[pdf\]'"):
        require_typst()
