"""A gate's report as a comment on a pull request, and as JUnit.

The comment begins with a hidden marker that names the suite, so that whoever posts it finds the one from before and
puts this in its place. Both are made of the report's data alone: the same report gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from msgspec import Struct

from proctor.instruments.quality.turned import DIGEST, Turned, wavering
from proctor.instruments.quality.vector import NOT_REQUIRED, WRONG_PERSON
from proctor.reports.characters import visible
from proctor.reports.failure_table import failure_table
from proctor.reports.gate_report import GateReport
from proctor.reports.markdown_text import code, plain
from proctor.reports.scenario_failures import FailedScenario

MARKER = "<!-- proctor-gate {suite} -->"
_MOST = 20
_PARTS = {
    "DA": {"action"},
    "GCR": {"gates"},
    "EQS": {"evidence"},
    "CAS": {"action", "gates", "evidence"},
}
"""What of a scenario counts in a metric that a reason begins with."""
_DIGESTS = (
    "A digest stands for the arguments of an act, so that a signed answer holds for them and for no others; the table "
    "has the arguments of the first episode that went wrong."
)
_WORDS = {
    "deploy": "May be deployed",
    "block": "Blocked",
    "escalate-to-human": "A person has to decide",
}


class Answer(Struct, frozen=True, kw_only=True):
    """What people said to an escalation, by signature."""

    approved: bool
    by: str
    because: str
    until: str = ""
    """The day an approval ends."""

    @property
    def title(self) -> str:
        """What holds now."""
        return f"{'May be deployed' if self.approved else 'Blocked'} by signed answer"

    def sentence(self) -> str:
        """Who, until when and for which reason."""
        until = f" until {self.until}" if self.until else ""
        what = "Deployed" if self.approved else "Blocked"
        did = "approved" if self.approved else "denied"
        return f"{what} by signed answer{until}: {self.by} {did} the escalation for this reason: {self.because}"


def marker_of(suite: str) -> str:
    """The first line of a comment, by which it is found again; the version is no part of it."""
    name = visible(" ".join(suite.partition("@")[0].split()))
    return MARKER.format(suite=name.replace("<", "").replace(">", ""))


def comment_text(report: GateReport, *, answer: Answer | None = None, store: str | None = None) -> str:
    """The comment, in Markdown; `answer` is what people said to an escalation.

    `store` is where the run is, if not in the default store of the project: commands that show traces name it.
    """
    recommendation = report.recommendation
    title = _WORDS.get(recommendation.result, recommendation.result) if answer is None else answer.title
    metrics = {"CAS": report.composite_score.cas, **report.per_metric_breakdown.metrics}
    shown = [f"{name} {one.value:.3f}" for name, one in metrics.items() if one is not None and one.value is not None]
    failures = report.failures
    parts = [
        marker_of(report.suite),
        f"### {plain(title)}: {code(report.agent)} on {plain(report.suite)}",
        f"> **{plain(report.label)}**" if report.label else "",
        "" if answer is None else f"**{plain(answer.sentence())}**\n\nIt was escalated because of:",
        _bullets(recommendation.reasons),
        ", ".join(shown),
    ]
    if failures is not None:
        turned = [one for one in failures.scenarios if one.turned]
        rest = [one for one in failures.scenarios if not one.turned]
        parts += [
            *_section("Turned wrong", turned, len(turned), store),
            _DIGESTS if any(DIGEST in reason for reason in recommendation.reasons) else "",
            *_section("Went wrong", rest, failures.count - len(turned), store),
            _again(report) if failures.scenarios else "",
            _wavering(report.regression_analysis.turned),
        ]
        if failures.turned_right:
            names = ", ".join(code(name) for name in failures.turned_right[:_MOST])
            parts.append(f"**Turned right:** {names}")
    parts.append(f"<sub>run {code(report.run)}, pipeline {code(report.pipeline)}; {plain(report.standing)}</sub>")
    return "\n\n".join(part for part in parts if part) + "\n"


def junit_text(report: GateReport, *, answer: Answer | None = None, store: str | None = None) -> str:
    """The same for CI systems that read JUnit: one test for the decision, one for each scenario that went wrong."""
    failures = () if report.failures is None else report.failures.scenarios
    suite = ElementTree.Element("testsuite", name=_xml(f"proctor {report.suite}"))
    group = _xml(f"proctor.{report.suite}")
    gate = ElementTree.SubElement(suite, "testcase", classname=group, name="gate")
    result = report.recommendation.result
    bad = result != "deploy" and not (answer is not None and answer.approved)
    if bad:
        said = ElementTree.SubElement(
            gate, "failure", type=_xml(result), message=_xml(report.recommendation.reasons[0])
        )
        said.text = _xml("\n".join(report.recommendation.reasons))
    if answer is not None:
        ElementTree.SubElement(gate, "system-out").text = _xml(answer.sentence())
    causes = _causes(report)
    for one in failures:
        case = ElementTree.SubElement(suite, "testcase", classname=group, name=_xml(one.scenario))
        # What the gate lets pass is no failure of the build; it is said all the same.
        grave = one.turned or one.safety in ("S1", "S2", "unclassified") or not causes.isdisjoint(one.problems)
        tag = "failure" if bad and grave else "skipped"
        said = ElementTree.SubElement(case, tag, message=_xml(_in_words(one)))
        said.text = _xml(f"{one.title}\n{_in_words(one)}\nsince: {one.since}\n{one.command_in(store)}")
    tests = len(failures) + 1
    suite.set("tests", str(tests))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    return _document(suite)


def dry_comment_text(suite: str, agent: str, reasons: Sequence[str], sentences: Sequence[str]) -> str:
    """The comment about a first gate that decided nothing; the comment of a decision takes its place."""
    parts = [
        marker_of(suite),
        f"### Dry run: {code(agent)} on {plain(suite)}",
        _bullets(reasons),
        *(plain(sentence) for sentence in sentences),
    ]
    return "\n\n".join(parts) + "\n"


def dry_junit_text(suite: str, result: str, reasons: Sequence[str]) -> str:
    """The same as JUnit: a gate that nobody has set up lets nothing pass."""
    found = ElementTree.Element("testsuite", name=_xml(f"proctor {suite}"), tests="1", failures="1", skipped="0")
    gate = ElementTree.SubElement(found, "testcase", classname=_xml(f"proctor.{suite}"), name="gate (dry run)")
    said = ElementTree.SubElement(gate, "failure", type=result, message=_xml(reasons[0]))
    said.text = _xml("\n".join(reasons))
    return _document(found)


def _document(suite: ElementTree.Element) -> str:
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _section(title: str, failures: Sequence[FailedScenario], count: int, store: str | None) -> list[str]:
    if not failures:
        return []
    lines = failure_table(failures[:_MOST], store=store)
    more = f"\n\n{count - _MOST} more are in the report." if count > _MOST else ""
    return [f"**{title}** ({count})", lines + more]


def _again(report: GateReport) -> str:
    """How somebody without the store gets the traces. A hidden seed is in no report, and so cannot get in here."""
    if not isinstance(report.seed, int):
        return ""
    again = code(f"proctor run --seed {report.seed}")
    return (
        f"<sub>Without the store of this run: {again} with the same suite, agent and options makes its episodes again "
        f"where the agent is deterministic; then {code('proctor show latest SCENARIO')} shows a trace.</sub>"
    )


def _causes(report: GateReport) -> set[str]:
    """The parts of scenarios that the reasons are about: whatever went wrong in them brought the decision about."""
    found: set[str] = set()
    for reason in report.recommendation.reasons:
        found |= _PARTS.get(reason.split()[0], set())
        if WRONG_PERSON in reason:
            found.add("gates")
        if NOT_REQUIRED in reason:
            found.add("over_asking")
    still = report.regression_analysis.still
    return found | {"action"} if still is not None and still.declined else found


def _wavering(turned: Sequence[Turned]) -> str:
    """Scenarios that were wrong in the run and right in some of their repeats, with the counts."""
    found = wavering(turned)
    if not found:
        return ""
    more = f"\n\n{len(found) - _MOST} more are in the report." if len(found) > _MOST else ""
    return (
        f"**Wrong in this run and not every time it was repeated** ({len(found)}); not named as turned wrong\n\n"
        + _bullets(one.counts() for one in found[:_MOST])
        + more
    )


def _in_words(one: FailedScenario) -> str:
    """Why it went wrong, and everything that shows what was missing."""
    parts = [
        f"{', '.join(one.reasons)}: expected {one.expected or 'not known here'}; done {one.done}",
        one.harm,
        f"gates: {one.gates}" if one.gates else "",
        f"evidence: {one.evidence}" if one.evidence else "",
    ]
    return "; ".join(part for part in parts if part)


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {plain(line)}" for line in lines)


def _xml(text: str) -> str:
    """What XML may hold: characters that cannot be seen are not among it."""
    return visible(text)
