"""What a conformance check is and what it gives: checks, findings, and the report of all of them.

A check proves one thing about what is examined (a family, an agent, a suite) and knows nothing of the others. It ends
in one of three ways: `passed`, `failed` with findings, or `not measured` with a reason; a check that was not made never
counts as passed. A finding is one sentence that says what is wrong, where, and what to do. Whatever the examined
object raises is caught at one boundary, `examine`, and becomes a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Any, Literal

from msgspec import Struct, field, to_builtins

from proctor.core.errors import NotEvaluable
from proctor.engine.sentence import describe
from proctor.plugins.places import with_place

Status = Literal["passed", "failed", "not measured"]
Kind = Literal["family", "agent", "instrument", "metric", "suite", "model", "corpus"]

MAX_FINDINGS = 8
"""So many findings of one check are written out; the rest are counted."""


class Check(Struct, frozen=True):
    """One thing that is proved."""

    id: str
    title: str
    proves: str
    """What holds when it passes, as a sentence."""


class Finding(Struct, frozen=True):
    """One thing that does not hold."""

    check: str
    detail: str
    """What is wrong, where, and what to do, in one sentence."""


class CheckResult(Struct, frozen=True):
    """How one check ended."""

    check: Check
    status: Status
    detail: str
    """What was shown, the first finding, or why nothing was measured."""
    findings: tuple[Finding, ...] = ()
    measured: dict[str, Any] = field(default_factory=dict)
    """The numbers it rests on."""

    @property
    def ok(self) -> bool:
        """Whether nothing was found against it."""
        return self.status != "failed"


class Conformance(Struct, frozen=True):
    """The report: what was put through which checks, and how each ended."""

    kind: Kind
    subject: str
    """Its full name, e.g. `route@1.0`."""
    results: tuple[CheckResult, ...]
    notes: dict[str, Any] = field(default_factory=dict)
    """Measured in real time and judged by nobody: speed."""

    @property
    def ok(self) -> bool:
        """Whether every check passed or could not be measured."""
        return all(result.ok for result in self.results)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything found, in order of the checks."""
        return tuple(finding for result in self.results for finding in result.findings)

    @property
    def failed(self) -> tuple[str, ...]:
        """The ids of the checks that failed."""
        return tuple(result.check.id for result in self.results if not result.ok)

    def result(self, check: str) -> CheckResult:
        """The result of one check, by id."""
        return next(result for result in self.results if result.check.id == check)

    def as_json(self) -> dict[str, Any]:
        """The report as plain JSON, as `proctor check --json` prints it."""
        data: dict[str, Any] = to_builtins(self)
        for plain, result in zip(data["results"], self.results, strict=True):
            plain["ok"] = result.ok
        return {"ok": self.ok, **data}


class Tally:
    """What a check writes down while it looks."""

    def __init__(self) -> None:
        self.findings: list[str] = []
        self.measured: dict[str, Any] = {}
        self.summary = ""
        """One sentence for a pass."""
        self.unmeasured = ""
        """Why nothing could be measured; a finding outweighs it."""

    def find(self, sentence: str) -> None:
        """Something does not hold. The same sentence counts once."""
        if sentence not in self.findings:
            self.findings.append(sentence)

    def require(self, holds: bool, sentence: str) -> bool:
        """A finding unless it holds; says whether it does."""
        if not holds:
            self.find(sentence)
        return holds


Body = Callable[[Tally], None]


def examine(check: Check, body: Body) -> CheckResult:
    """Carry out one check. An exception of the examined object is a finding, never a crash of the report."""
    tally = Tally()
    try:
        body(tally)
    except NotEvaluable as error:
        tally.unmeasured = str(error)
    except Exception as error:
        said = with_place(describe(error), error)
        tally.find(f"{check.id}: it raised {said}; make it work on every input the check gives it")
    if tally.findings:
        shown = tally.findings[:MAX_FINDINGS]
        more = len(tally.findings) - len(shown)
        detail = shown[0] + (f" (and {len(tally.findings) - 1} more)" if len(tally.findings) > 1 else "")
        if more:
            shown.append(f"{check.id}: {more} further findings of this check are not written out; fix these first")
        findings = tuple(Finding(check.id, sentence) for sentence in shown)
        return CheckResult(check, "failed", detail, findings, tally.measured)
    if tally.unmeasured:
        return CheckResult(check, "not measured", tally.unmeasured, (), tally.measured)
    return CheckResult(check, "passed", tally.summary or check.proves, (), tally.measured)


def examine_all(
    kind: Kind,
    subject: str,
    checks: Sequence[tuple[Check, Body]],
    *,
    only: Iterable[str] | None = None,
    notes: Callable[[], dict[str, Any]] | None = None,
) -> Conformance:
    """Carry out checks one after the other; `only` keeps those of these ids."""
    wanted = None if only is None else set(only)
    results: list[CheckResult] = []
    seconds: dict[str, float] = {}
    for check, body in checks:
        if wanted is None or check.id in wanted:
            began = perf_counter()
            results.append(examine(check, body))
            seconds[check.id] = round(perf_counter() - began, 3)
    noted = {} if notes is None else notes()
    return Conformance(kind, subject, tuple(results), {**noted, "seconds": seconds})


def share(count: int, total: int) -> str:
    """`3 of 30 (.10)`, as findings write a rate."""
    return f"{count} of {total} ({count / total:.2f})" if total else "0 of 0"
