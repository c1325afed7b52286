"""The top of the page: the result in words, who says so and when, and what must be known before reading on."""

from __future__ import annotations

from collections.abc import Iterable

from proctor.reports.data import Conclusion, FlagShown, GateShown, Notice, Report
from proctor.reports.evaluation import declared_text, evaluator_text
from proctor.reports.html.markup import Markup, lines_of, tag
from proctor.reports.html.parts import facts, flag_list, pill
from proctor.reports.numbers import NOT_DECLARED, NOT_RECORDED, count, moment

FEW = 3
"""Values that are named one by one when they share a flag."""


def header(report: Report) -> Markup:
    """Title, banners, verdict, who and when, flags, the reporting tuple."""
    concluded = next((one.conclusion for one in report.sections if one.conclusion is not None), None)
    return tag(
        "header",
        lines_of(
            tag("p", "Proctor report", class_="kicker"),
            tag("h1", _system(report), tag("span", " examined with ", class_="light"), report.suite),
            *_banners(report),
            None if concluded is None else verdict(concluded),
            tag("p", report.statement, class_="statement"),
            notice_list(concluded.notices) if concluded is not None and concluded.notices else None,
            _who(report),
            _flags(report),
            *(tag("p", section.headline, class_="tuple") for section in report.sections if section.headline),
        ),
        class_="top",
    )


def verdict(concluded: Conclusion) -> Markup:
    """The result in words: the first sentence stands out."""
    return tag("div", *(tag("p", sentence) for sentence in concluded.verdict), class_="verdict")


def _system(report: Report) -> str:
    system = report.system
    return system.name if system.version == "unversioned" else f"{system.name} {system.version}"


def notice_list(notices: Iterable[Notice]) -> Markup:
    """Each with its name as a mark."""
    return tag("ul", *(tag("li", pill(one.name), " ", one.text) for one in notices), class_="notices")


def _who(report: Report) -> Markup:
    evaluation = report.declared.evaluation
    return facts(
        [
            ("Evaluated by", evaluator_text(evaluation)),
            ("Contact", declared_text(evaluation, "contact")),
            ("Started", moment(report.started or NOT_RECORDED)),
            ("Boundary", boundary_text(report)),
            ("Agent", report.agent),
            ("Episodes", count(report.episodes, "episode")),
            ("Seed", seed_text(report)),
            (
                "Root",
                tag(
                    "code",
                    f"{report.digests.root[:32]}…" if report.digests.root else "available when the run is finished",
                ),
            ),
        ],
        kind="facts brief",
    )


def _banners(report: Report) -> list[Markup]:
    banners = [_banner(f"Gate: {one.outcome}", _decided(one)) for one in report.decisions]
    banners += [_banner(f"Challenged: {one['status']}", str(one["text"])) for one in report.challenges]
    invalid = [one for one in report.sections if not one.measured and one.flags and one.reason]
    banners += [_banner(one.title, one.reason or "") for one in invalid[:1]]
    if report.label:
        banners.append(_banner("Note", report.label))
    if report.scope is not None:
        banners.append(_banner("Scope", f"only {report.scope}; nothing is said about the rest of the suite"))
    if not report.complete:
        done = f"{report.episodes:,} of {report.planned:,} episodes"
        banners.append(_banner("Not complete", f"the run is {report.status}: everything below is of {done}"))
    if report.timing_dependent:
        ended = count(report.timing_dependent, "episode was", "episodes were")
        banners.append(_banner("Timing", f"{ended} ended by real time: the root need not come out again"))
    return banners


def _decided(one: GateShown) -> str:
    """The decision after its outcome, on whose authority, and where it stands written."""
    return f"{one.sentence.removeprefix(f'{one.outcome}: ')} ({one.standing}; ledger entry {one.entry[:12]})"


def _banner(kind: str, text: str) -> Markup:
    return tag("p", tag("strong", kind), " ", text, class_="banner", role="note")


def _flags(report: Report) -> Markup:
    """Every flag; the same one on many values of a reading is said once."""
    by_flag: dict[tuple[str, str, str], list[str]] = {}
    for section in report.sections:
        for flag in section.flags:
            by_flag.setdefault((section.title, flag.name, flag.reason), []).append(flag.about or section.title)
    shown = [
        FlagShown(about if len(where) <= FEW else f"{title}, {len(where)} values", name, reason)
        for (title, name, reason), where in by_flag.items()
        for about in (where if len(where) <= FEW else where[:1])
    ]
    listed = flag_list(list(dict.fromkeys(shown))) or tag("p", "None.")
    return tag("section", tag("h2", "Flags", id="flags"), listed, class_="all-flags", aria_labelledby="flags")


def seed_text(report: Report) -> str:
    """The seed as far as it may be shown, and what follows from it."""
    return f"{report.seed.value} ({report.seed.text})" if report.seed.public else report.seed.text


def boundary_text(report: Report) -> str:
    """What belongs to the system, in a few words."""
    boundary = report.system.boundary
    tools = boundary.get("tools")
    own = "own tools not declared" if tools is None else f"own tools: {', '.join(tools) or 'none'}"
    memory = boundary.get("memory")
    kept = "memory not declared" if memory is None else f"memory: {memory['persistence']}"
    kind = str(boundary.get("kind") or NOT_DECLARED)
    return f"{kind[0].upper()}{kind[1:]} ({own}; {kept}; {report.system.reach})"
