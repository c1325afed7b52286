"""The files that `proctor report` writes: refused before any work is done, each replaced only when it is whole."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from proctor.core.atomic_write import atomic_write
from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.base import Reading
from proctor.reports.data import Report

PAGE = (".html", ".htm", ".json")
DOCUMENT = (*PAGE, ".pdf")
TECHNICAL = "-technical"
"""Ends the name of a Technical Report that nobody named."""


class Made(NamedTuple):
    """A report, and what it was made from."""

    report: Report
    readings: tuple[Reading, ...]
    evidence: Evidence


class Files(NamedTuple):
    """Where to write what; None: not asked for."""

    page: Path | None
    card: Path | None
    technical: Path | None

    def check(self) -> None:
        """Refuse places that cannot be written, and PDF where nothing can make it."""
        if self.page is not None:
            check_page(self.page)
        for path in (self.card, self.technical):
            if path is not None:
                _check(path, DOCUMENT, f"{path}: cards and Technical Reports are .html, .json or .pdf")
        if any(path is not None and _kind(path) == ".pdf" for path in (self.card, self.technical)):
            from proctor.reports.pdf.compile import require_typst

            require_typst()


class Written(NamedTuple):
    """What was written, and what has to be said about it."""

    paths: list[str]
    notice: str


def check_page(path: Path) -> None:
    """Refuse a place where no page can be written."""
    words = "the page is .html or .json; --card and --technical-report also write .pdf"
    _check(path, PAGE, f"{path}: {words}")


def _check(path: Path, kinds: tuple[str, ...], refusal: str) -> None:
    if path.is_dir():
        message = f"{path}: is a folder; give a file in it, e.g. {path / 'report.html'}"
        raise InputError(message)
    if _kind(path) not in kinds:
        raise InputError(refusal)
    if not path.parent.is_dir():
        message = f"{path}: there is no folder {path.parent}; create it first, or choose another path"
        raise InputError(message)


def write_files(store: EvidenceStore, made: Made, files: Files) -> Written:
    """Write what was asked for, and a Technical Report where it is mandatory."""
    from proctor.reports.documents.parts import mandatory_of

    mandatory = mandatory_of(made.report)
    technical, notice = files.technical, ""
    first = files.page or files.card
    if technical is None and mandatory and first is not None:
        technical = first.with_name(f"{first.stem}{TECHNICAL}{first.suffix}")
        notice = f"a Technical Report is mandatory (§13.4): {'; '.join(mandatory)}; it is in {technical}"
    paths = []
    if files.page is not None:
        paths.append(_written(files.page, _page(made.report, files.page)))
    if files.card is not None:
        paths.append(_written(files.card, _card(made.report, files.card)))
    if technical is not None:
        paths.append(_written(technical, _technical(store, made, technical)))
    return Written(paths, notice)


def _written(path: Path, data: bytes) -> str:
    with atomic_write(path) as file:
        file.write(data)
    return str(path)


def _kind(path: Path) -> str:
    return path.suffix.lower()


def _page(report: Report, path: Path) -> bytes:
    from proctor.reports.data import to_json
    from proctor.reports.html.page import render

    return to_json(report) if _kind(path) == ".json" else render(report)


def _card(report: Report, path: Path) -> bytes:
    from proctor.reports.documents.card import card_json, card_of
    from proctor.reports.html.card import render_card
    from proctor.reports.pdf.documents import card_pdf

    card = card_of(report)
    if _kind(path) == ".json":
        return card_json(card)
    return card_pdf(card) if _kind(path) == ".pdf" else render_card(card)


def _technical(store: EvidenceStore, made: Made, path: Path) -> bytes:
    from proctor.reports.documents.efficacy import credited_outcomes
    from proctor.reports.documents.technical import technical_json, technical_report
    from proctor.reports.html.technical import render_technical
    from proctor.reports.pdf.documents import technical_pdf

    report = technical_report(made.report, credited_outcomes(store, made.evidence))
    if _kind(path) == ".json":
        return technical_json(report)
    return technical_pdf(report) if _kind(path) == ".pdf" else render_technical(report)
