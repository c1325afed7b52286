"""The same draw gives the same bytes everywhere; different draws give different instances; verdicts do not vary."""

from __future__ import annotations

from hashlib import sha256

from proctor.conformance.contract import Check, Tally, share
from proctor.conformance.fresh_process import hashes_in_fresh_process, locate
from proctor.conformance.subject import Subject, fingerprint

CHECK = Check(
    "determinism",
    "Same draw, same bytes",
    "An instance is a function of its draw, on any machine; different draws differ; the same actions end the same way.",
)
MAX_REPEATS = 0.05
"""The share of instances that may equal an earlier one."""
_LIVED_TWICE = ("oracle", "random")
_ELSEWHERE = 20


def check(subject: Subject, tally: Tally) -> None:
    """Make instances again here and elsewhere, compare many with each other, and live some episodes twice."""
    hashes = _again(subject, tally)
    _elsewhere(subject, tally, hashes)
    _distinct(subject, tally)
    _verdicts(subject, tally)
    counts = tally.measured
    tally.summary = (
        f"{counts['instances']} instances are the same when made again, {counts['made_elsewhere']} of them in another "
        f"process; repeats: {counts['repeat_share']:.3f}; {counts['episodes_twice']} episodes end the same way twice."
    )


def _again(subject: Subject, tally: Tally) -> list[str]:
    count = max(subject.options.instances, _ELSEWHERE)
    tally.measured["instances"] = count
    hashes: list[str] = []
    for index in range(count):
        one, two = (fingerprint(subject.family.instance(subject.draw(index))) for _ in range(2))
        hashes.append(sha256(one).hexdigest())
        if one != two:
            tally.find(
                "determinism: the same draw gave two different instances in this process; draw from draw.stream alone, "
                "never from a global generator, the clock or what earlier calls left"
            )
            break
    return hashes


def _elsewhere(subject: Subject, tally: Tally, hashes: list[str]) -> None:
    tally.measured["made_elsewhere"] = 0
    where = locate(subject.family) if subject.options.fresh_process else None
    if where is None:
        reason = "the family is no top-level name of a module" if subject.options.fresh_process else "not asked for"
        tally.measured["elsewhere"] = f"not measured: {reason}"
        return
    count = min(len(hashes), _ELSEWHERE)
    theirs = hashes_in_fresh_process(where, subject.options.seed, count)
    if isinstance(theirs, str):
        tally.find(f"determinism: a fresh process could not make the instances ({theirs}); let it be importable alone")
        return
    tally.measured["made_elsewhere"] = count
    differing = sum(one != two for one, two in zip(hashes, theirs, strict=False))
    tally.require(
        not differing,
        f"determinism: {share(differing, count)} instances differ in a fresh process with another hash seed; do not "
        "rely on the order of sets, on hash() or on the environment",
    )


def _distinct(subject: Subject, tally: Tally) -> None:
    # Listed tasks come round again in few words; they have to differ from each other, not from themselves.
    count = min(subject.options.distinct, subject.population or subject.options.distinct)
    made = {fingerprint(subject.instance(index)) for index in range(count)}
    repeats = count - len(made)
    tally.measured |= {"compared": count, "repeat_share": round(repeats / count, 4)}
    tally.require(
        repeats / count <= MAX_REPEATS,
        f"determinism: {share(repeats, count)} instances repeat an earlier one; draw from more material",
    )


def _verdicts(subject: Subject, tally: Tally) -> None:
    lived = 0
    for regime in subject.usable_regimes:
        for agent in _LIVED_TWICE:
            for index in range(subject.options.few):
                one, two = (
                    subject.live(subject.job(index, regime), subject.agent(agent, index, regime)) for _ in range(2)
                )
                lived += 1
                tally.require(
                    one.row.head == two.row.head,
                    f"determinism: the same actions of agent '{agent}' under '{regime.id}' left two different traces "
                    f"({one.row.outcome}, {one.row.reason}; {two.row.outcome}, {two.row.reason}); keep nothing between "
                    "worlds, and declare a tool whose output cannot be made stable with stable=False",
                )
    tally.measured["episodes_twice"] = lived
