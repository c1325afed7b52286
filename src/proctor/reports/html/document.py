"""The frame of every page: it asks for nothing from anywhere, and its policy allows one style sheet by its hash."""

from __future__ import annotations

from base64 import b64encode

from proctor.core.hashing import sha256
from proctor.reports.html.markup import Markup, join, tag


def document(title: str, style: str, body: Markup) -> bytes:
    """A whole page, in UTF-8."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style)),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content="proctor"),
        tag("title", title),
        tag("style", Markup(style)),
    )
    page = join(Markup("<!doctype html>\n"), tag("html", head, Markup("\n"), body, lang="en"), Markup("\n"))
    return page.encode()


def _policy(style: str) -> str:
    digest = b64encode(sha256(style.encode())).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
