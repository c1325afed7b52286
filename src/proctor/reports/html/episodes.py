"""Failing episodes with their traces: what was asked, what the agent saw and did, what the verifier found."""

from __future__ import annotations

from itertools import groupby

from proctor.reports.data import EpisodeShown, Report, Step
from proctor.reports.html.markup import Markup, join, lines_of, tag
from proctor.reports.html.parts import facts, fold
from proctor.reports.numbers import count


def episodes(report: Report) -> Markup:
    """The section; grouped by what each episode is an example for."""
    if not report.failures:
        failed = sum(times for outcome, times in report.outcomes.items() if outcome != "success")
        return tag("p", "No episode failed." if not failed else "No failing episode belongs to what is reported here.")
    intro = tag(
        "p",
        f"{count(len(report.failures), 'episode')}, chosen by position and reason alone: the first of each kind. ",
        tag("code", f"proctor show {report.run} EPISODE"),
        " prints any of them whole.",
    )
    groups = []
    for about, members in groupby(report.failures, key=lambda episode: (episode.about, episode.why)):
        groups.append(
            tag(
                "section",
                tag("h3", about[0]),
                tag("p", about[1], class_="why"),
                lines_of(*(_episode(episode) for episode in members)),
                class_="group",
            )
        )
    return lines_of(intro, *groups)


def _episode(episode: EpisodeShown) -> Markup:
    summary = join(
        tag("span", f"Episode {episode.position}", class_="number"),
        tag("span", f" {episode.family} under {episode.regime} ", class_="place"),
        tag("span", f"{episode.outcome}: {episode.reason}", class_="status stop"),
    )
    about = facts(
        [
            ("Goal", tag("pre", episode.goal)),
            ("Answer as", tag("pre", episode.answer_format)),
            ("Tools", ", ".join(episode.tools) or "none"),
            (
                "Task",
                f"template {episode.template}, instance {episode.instance}, condition {episode.condition}, "
                f"phase {episode.phase}, replicate {episode.replicate}",
            ),
            ("Chain head", tag("code", episode.head)),
        ]
    )
    return fold(summary, about, _trace(episode), id=f"episode-{episode.position}", class_="episode")


def _trace(episode: EpisodeShown) -> Markup:
    shown = [_step(step) for step in episode.steps]
    if episode.left_out:
        middle = tag("li", f"{count(episode.left_out, 'step')} in the middle left out", class_="gap")
        shown.insert(len(shown) * 3 // 4, middle)
    return tag("ol", *shown, class_="trace", aria_label=f"Trace of episode {episode.position}")


def _step(step: Step) -> Markup:
    label = step.kind if step.call is None else f"{step.kind} {step.call}"
    return tag("li", tag("span", label, class_="kind"), tag("pre", step.text), class_=f"step-{step.kind}")
