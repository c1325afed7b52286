"""What a comparison says, in the words that terminal, pull request and page share."""

from __future__ import annotations

from proctor.instruments.comparing.comparison import ComparedRun, Comparison
from proctor.instruments.comparing.differences import ALPHA, Difference
from proctor.instruments.comparing.spending import Spent

_ANSWERS = {
    "better": "{second} is better than {first}",
    "worse": "{second} is worse than {first}",
    "no difference found": "No difference was found between {second} and {first}",
    "not decided": "Which of {second} and {first} is better depends on what could not be scored",
    "not tested": "{second} and {first} could not be tested against each other",
}


def headline(comparison: Comparison) -> str:
    """The answer in one sentence."""
    label = comparison.comparability
    first, second = comparison.first.run, comparison.second.run
    if comparison.primary is None:
        return f"{label.label}: nothing may be concluded about {second} from {first}."
    return f"{_ANSWERS[comparison.primary.verdict].format(first=first, second=second)}: {_numbers(comparison.primary)}"


def _numbers(difference: Difference) -> str:
    """`65 % against 66 %, −0.8 points [−3.7, +2.1], p = .62`."""
    return (
        f"{rate(difference.second_successes, difference.second_n)} against "
        f"{rate(difference.first_successes, difference.first_n)}, {points(difference)}, {p_value(difference)}"
    )


def rate(successes: int, n: int) -> str:
    """`155/240 (65 %)`; a dash where nothing was scored."""
    return "–" if n == 0 else f"{successes}/{n} ({100 * successes / n:.0f} %)"


def points(difference: Difference) -> str:
    """`−4.2 points [−7.0, −1.4]`."""
    value = difference.difference
    if value.estimate is None:
        return f"no difference: {value.reason}"
    if value.low is None or value.high is None:
        return f"{signed(value.estimate)} points"
    return f"{signed(value.estimate)} points [{signed(value.low)}, {signed(value.high)}]"


def signed(value: float) -> str:
    """Points with a sign; 0 has none."""
    text = f"{100 * value:+.1f}".replace("-", "−")
    return "0" if float(text.replace("−", "-")) == 0 else text


def p_value(difference: Difference) -> str:
    """`p = .004`, `adjusted p = .03`, or why there is none."""
    p = difference.p
    if p is None:
        return f"no test: {difference.test.reason}"
    name = "p" if difference.adjusted_p is None else "adjusted p"
    return f"{name} < .001" if p < 0.001 else f"{name} = {p:.3f}".replace("0.", ".")


def how(comparison: Comparison) -> str:
    """How units were matched and what was left out."""
    if not comparison.paired:
        left = _left_out(comparison.primary)
        return (
            f"Unpaired: {comparison.why_unpaired}. Two separate samples say less than the same tasks twice; "
            f"run both with one seed.{f' {left}.' if left else ''}"
        )
    parts = [f"{comparison.matched} units were matched by instance, replicate, regime and condition"]
    for number, run in ((comparison.first_only, comparison.first.run), (comparison.second_only, comparison.second.run)):
        if number:
            parts.append(f"{number} are only in {run}")
    if left := _left_out(comparison.primary):
        parts.append(left)
    if comparison.not_compared:
        parts.append(f"{comparison.not_compared} units of training and controls are not compared")
    return "; ".join(parts) + "."


def _left_out(primary: Difference | None) -> str:
    """What could not be scored, and how much it could matter; empty where everything could."""
    if primary is None or not primary.excluded:
        return ""
    band = (
        ""
        if primary.worst is None or primary.best is None
        else (f" (between {signed(primary.worst)} and {signed(primary.best)} points if they had all gone one way)")
    )
    return f"{primary.excluded} could not be scored in one of the runs and are left out{band}"


def methods(comparison: Comparison) -> str:
    """What interval and test are, once for all rows."""
    primary = comparison.primary
    if primary is None:
        return ""
    clustered = primary.clustered
    beside = ""
    if clustered is not None and clustered.low is not None and clustered.high is not None:
        beside = (
            f" With families and templates resampled ({clustered.clusters} clusters): "
            f"[{signed(clustered.low)}, {signed(clustered.high)}]."
        )
    confidence = f"{100 * primary.difference.confidence:.0f} %"
    return (
        f"Intervals: {primary.difference.method}, {confidence}. Test: {primary.test.method}, "
        f"two-sided, α = {ALPHA}; the first line is the primary comparison, the others carry Holm's adjustment.{beside}"
    )


def label_lines(comparison: Comparison) -> list[str]:
    """The label of §13.5 with its reasons, a line each."""
    label = comparison.comparability
    lines = [f"{label.label} (§13.5)"]
    lines += [f"because {reason}" for reason in label.divergences]
    lines += [f"normalised: {what}" for what in label.normalised]
    return lines


def run_line(side: ComparedRun) -> str:
    """What one of the runs was."""
    seed = "hidden" if side.seed is None else side.seed
    label = f" ({side.label})" if side.label else ""
    about = f"{side.agent} on {side.suite}, seed {seed}, boundary {side.boundary}"
    return f"{side.run}: {about}, root {side.root or '–'}{label}"


def spent_cells(spent: Spent) -> list[str]:
    """Calls, tokens, cost, seconds; a dash for what nobody counted."""
    return [
        "–" if spent.calls is None else f"{spent.calls:.1f}",
        "–" if spent.tokens is None else f"{spent.tokens:,.0f}",
        spent.cost or "–",
        "–" if spent.seconds is None else f"{spent.seconds:.3g}",
    ]


SPENT_HEADER = ("calls", "tokens", "cost", "seconds")
SPENT_NOTE = "calls, tokens and seconds per episode, cost in all; seconds are real time on the machine of each run"
