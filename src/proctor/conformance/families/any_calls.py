"""The world stands whatever is called: no sequence of calls, fitting or not, breaks its contract."""

from __future__ import annotations

from proctor.conformance.contract import Check, Tally
from proctor.conformance.strain import strain
from proctor.conformance.subject import Subject

CHECK = Check(
    "any_calls",
    "The world stands any calls",
    "After any calls, fitting or not, the world answers, tells its state and gives a verdict, within its declared "
    "processor time and its own folder; equal calls give equal worlds.",
)
_CALLS = 60


def check(subject: Subject, tally: Tally) -> None:
    """Live wild episodes, each twice, and write down what broke."""
    reached = asked = 0
    slowest = 0.0
    for index in range(subject.options.few):
        stood = strain(subject, index, subject.source.child("any_calls", index), _CALLS)
        reached += stood.calls
        asked += stood.asked
        slowest = max(slowest, stood.slowest)
        for sentence in stood.broken:
            tally.find(
                f"any_calls: {sentence}; refuse by raising ToolError, bound what a call can make, and use nothing but "
                "the instance, the place and the calls"
            )
    tally.measured = {"calls": asked, "reached_the_world": reached}
    tally.summary = f"{asked} wild calls, {reached} of which reached the world: none broke it."
