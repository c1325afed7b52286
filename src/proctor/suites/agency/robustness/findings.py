"""Who breaks which rule: drawing independent findings with a fixed share of clean subjects, and comparing sets."""

from __future__ import annotations

from proctor.core.seeds import Stream

Finding = tuple[str, str]


def broken(stream: Stream, subjects: int, rules: list[str]) -> list[list[str]]:
    """For each subject the rules it breaks. Between 40 and 60 % of the subjects are clean, at least one breaks one."""
    half = subjects // 2
    clean = half if subjects % 2 == 0 else half + stream.below(2)
    guilty = set(stream.sample(range(subjects), subjects - clean))
    findings: list[list[str]] = []
    for index in range(subjects):
        count = 0 if index not in guilty else 2 if stream.chance(0.25) else 1
        findings.append(stream.sample(rules, count))
    return findings


def reason_for_findings(given: set[Finding], expected: set[Finding]) -> str:
    """The reason code of a set of findings."""
    if given == expected:
        return "correct"
    missed, invented = expected - given, given - expected
    if missed and invented:
        same = {subject for subject, _ in missed} == {subject for subject, _ in invented}
        return "wrong_rule" if same else "several_wrong"
    return "missed_finding" if missed else "false_finding"


VERDICTS = ("correct", "missed_finding", "false_finding", "wrong_rule", "several_wrong")
