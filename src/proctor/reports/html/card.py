"""The Agency Card as a page: one sheet on a screen and on paper."""

from __future__ import annotations

from proctor.reports.documents.card import Card, CardDimension, Rate
from proctor.reports.html.card_style import CARD
from proctor.reports.html.document import document
from proctor.reports.html.figures import Track, ladder, rung, track
from proctor.reports.html.markup import Child, Markup, join, lines_of, tag
from proctor.reports.html.parts import facts, pill
from proctor.reports.numbers import NOT_MEASURED
from proctor.reports.sections.agency.standing import boundary_phrase
from proctor.reports.sections.agency.words import MEANING

NOT_FINISHED = "available when the run is finished"


def render_card(card: Card) -> bytes:
    """The page, in UTF-8."""
    body = tag("body", tag("main", _sheet(card), class_="sheet"))
    return document(f"{card.system.name} · Agency Card", CARD, body)


def _sheet(card: Card) -> Markup:
    return lines_of(
        _top(card),
        _ladder(card),
        _legend(card),
        _other(card),
        tag("div", _efficiency(card), _verification(card), _contact(card), class_="columns"),
        _standing(card),
        tag("p", card.contact.statement, class_="attested") if card.contact.statement else None,
        tag("div", tag("h2", "Comparison Tuple"), tag("p", card.comparison.text, class_="mono"), class_="tuple"),
        tag("p", card.statement, class_="statement"),
    )


def _top(card: Card) -> Markup:
    named = card.comparison
    version = None if card.system.version == "unversioned" else tag("span", f" {card.system.version}", class_="light")
    marks: list[Child] = [pill(card.label)] if card.label else []
    marks += [join(pill("Exploratory"), f" {card.exploratory}")] if card.exploratory else []
    marks += [pill(card.contact.label)] if card.contact.label else []
    return tag(
        "header",
        tag("p", tag("span", "Agency Card", class_="kicker"), f"Framework {named.framework}", class_="line"),
        tag("h1", card.system.name, version),
        tag(
            "p",
            f"{boundary_phrase(named.boundary)} · {named.suite} · regime {named.regime} · Tier: {named.tier}",
            class_="frame",
        ),
        tag("p", *(tag("span", mark) for mark in marks), class_="marks") if marks else None,
        tag("div", *(tag("p", sentence) for sentence in card.verdict), class_="verdict"),
    )


def _ladder(card: Card) -> Markup:
    heads = [tag("span", name) for name in ("Dimension", "Levels 1 to 5", "Credited for", "Next level")]
    rows = [_row(one) for one in card.dimensions]
    return tag(
        "section", tag("p", *heads, class_="heads", aria_hidden="true"), tag("ol", *rows), class_="ladders",
        aria_label="Levels with the rates that decided them",
    )  # fmt: skip


def _row(one: CardDimension) -> Markup:
    beside = None if one.other_level is None else tag("span", f"other boundary {one.other_level}", class_="light")
    level = tag(
        "div",
        ladder(f"{one.title}: levels", one.rungs, one.level),
        tag("strong", one.text),
        " ",
        beside,
        *(pill(name) for name in one.flags),
        class_="level",
    )
    who = tag("div", tag("span", one.dimension, class_="letter"), tag("span", one.title, class_="name"), class_="who")
    if one.credited is None and one.next is None:
        text = NOT_MEASURED if one.level is None else "the mean of its parts"
        return tag("li", who, level, tag("p", text, class_="light rate"), class_="part" if one.part else None)
    rates = (_rate(one.credited, "Credited for"), _rate(one.next, "Next level"))
    return tag("li", who, level, *rates, class_="part" if one.part else None)


def _rate(rate: Rate | None, role: str) -> Markup:
    if rate is None:
        return tag("div", tag("span", role, class_="role"), tag("p", "none", class_="light"), class_="rate")
    counts = None if rate.n is None else f"{rate.k:,}/{rate.n:,}" if rate.k is not None else f"n = {rate.n:,}"
    detail = ", ".join(part for part in (counts, rate.needs_text and f"needs {rate.needs_text}") if part)
    stopped = role == "Next level" and rate.kind is not None
    kind = "stop" if rate.status == "not met" else "open"
    return tag(
        "div",
        tag("span", role, class_="role"),
        tag("p", tag("strong", rate.cell), " ", tag("span", rate.asks, class_="light")),
        None if rate.kind in (None, "families") else track(_track(rate), compact=True),
        tag(
            "p",
            tag("strong", rate.value_text),
            f" ({rate.interval_text})" if rate.interval_text else None,
            tag("span", f", {detail}", class_="light") if detail else None,
            tag("span", f" {rate.status}", class_=f"status {kind}") if stopped else None,
            class_="figures",
        ),
        class_="rate",
    )


def _track(rate: Rate) -> Track:
    return Track(
        title=f"{rate.cell}: {rate.value_text}",
        description=rate.text,
        value=rate.value,
        low=rate.low,
        high=rate.high,
        needs=rate.needs,
        start=-1.0 if rate.kind in ("gain", "loss") else 0.0,
    )


def _legend(card: Card) -> Markup:
    found = {state for one in card.dimensions for state in one.rungs}
    return tag("ul", *(tag("li", rung(state), MEANING[state]) for state in MEANING if state in found), class_="legend")


def _other(card: Card) -> Markup | None:
    if card.other is None:
        return None
    return tag("p", "The same system within its other boundary: ", tag("span", card.other.text, class_="mono"))


def _efficiency(card: Card) -> Markup:
    rows: list[tuple[str, Child]] = [(one.name, one.text) for one in card.efficiency]
    return tag("section", tag("h2", "Efficiency Profile"), facts([*rows, ("episodes", f"{card.episodes:,}")]))


def _verification(card: Card) -> Markup:
    found = card.verification
    rows: list[tuple[str, Child]] = [
        ("bundle", tag("span", card.artifact.bundle, class_="mono")),
        ("root", tag("span", card.artifact.root or NOT_FINISHED, class_="mono")),
        ("configuration", tag("span", card.artifact.config_hash, class_="mono")),
    ]
    methods = "; ".join(found.methods)
    return tag("section", tag("h2", "Verification and artifact"), tag("p", f"{found.text}: {methods}."), facts(rows))


def _contact(card: Card) -> Markup:
    named = card.contact
    rows: list[tuple[str, Child]] = [
        ("organisation", named.organisation),
        ("contact", named.contact),
        ("evaluator", named.evaluator),
        ("independence", named.independence),
        ("use", named.use),
        ("started", card.started_text),
    ]
    return tag("section", tag("h2", "Evaluation contact"), facts(rows))


def _standing(card: Card) -> Markup:
    causes = [tag("li", f"{one.about}: ", tag("strong", one.name), f", {one.reason}") for one in card.flags]
    listed = tag("ul", *causes) if causes else None
    needed = (
        f"mandatory (§13.4): {'; '.join(card.technical_report)}"
        if card.technical_report
        else ("not mandatory for this result (§13.4)")
    )
    return facts(
        [
            ("Flags", join(card.comparison.flags, listed)),
            ("Governance Notes", card.governance_notes),
            ("Preregistration", card.preregistration),
            ("Technical Report", needed),
        ],
        kind="facts standing",
    )  # fmt: skip
