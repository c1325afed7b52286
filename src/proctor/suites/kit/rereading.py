"""What reading again restores under a regime: the arithmetic behind `attainable` where texts are read.

Not a formula: the regime's own layers alter the real lines, reading after reading, and the policy takes each line by
plurality of what it saw. It knows no answer; it knows which lines matter, as any reader does once the text has been
seen, and it reads where it is least sure. A line counts as restored only if the vote gives it back letter by letter,
though a reader could often do with less: so this is a floor of what is attainable.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from proctor.engine.family import Deliveries
from proctor.spec.task import Instance
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.sheet import passages
from proctor.worlds.adversity.build import stack_for
from proctor.worlds.adversity.fields import is_marker
from proctor.worlds.adversity.layer import Stack

MAX_CALLS = 80
"""Where nothing limits calls, the policy still ends here."""
SURE = 3
"""Under noise a line is settled when what is seen most often leads by so much."""


def sure_lead(deliveries: Deliveries) -> int:
    """By how much the most frequent reading of a line has to lead; one reading is enough where nothing is altered."""
    stability = deliveries.regime.stability
    return SURE if stability.noise or stability.perturbation else 1


class Rereading(Policy):
    """Readings of real values as the regime delivers them, one call each."""

    __slots__ = ("_n", "_perturbed", "_stack", "_stream")

    def __init__(self, instance: Instance, deliveries: Deliveries) -> None:
        super().__init__(instance, deliveries)
        self._stack: Stack = stack_for(deliveries.regime)
        self._stream = deliveries.stream
        self._perturbed = deliveries.regime.stability.perturbation
        self._n = 0

    def shown(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields of one reading, altered; costs nothing."""
        stream = self._stream.child("reading", self._n)
        self._n += 1
        for layer in reversed(self._stack.show):
            fields = layer.show(fields, stream, [])
        return fields

    def read(self, text: str) -> str | None:
        """A text as a reading tool gives it; None where the call was not carried out or its result was changed."""
        if not self.attempt() or (self._perturbed and self._stream.chance(self._perturbed)):
            return None
        seen: str = self.shown({"text": text})["text"]
        return seen

    def read_into(self, votes: Votes, start: int, text: str) -> None:
        """Read consecutive lines, the first of which has the index `start`, and count what comes back."""
        seen = self.read(text)
        if seen is not None:
            votes.add(start, seen.split("\n"))


class Votes:
    """What was seen of each line."""

    __slots__ = ("_seen",)

    def __init__(self, lines: list[int]) -> None:
        self._seen: dict[int, Counter[str]] = {line: Counter() for line in lines}

    def add(self, start: int, seen: list[str]) -> None:
        """One reading of consecutive lines. A line that came back empty or withheld says nothing."""
        for index, line in enumerate(seen, start):
            if index in self._seen and line.strip() and not is_marker(line):
                self._seen[index][line] += 1

    def lead(self, index: int) -> int:
        """By how much the most frequent reading of a line leads."""
        first, second = [*(count for _, count in self._seen[index].most_common(2)), 0, 0][:2]
        return first - second

    def winner(self, index: int) -> str | None:
        """The most frequent reading of a line; None where two are equally frequent."""
        return self._seen[index].most_common(1)[0][0] if self.lead(index) else None

    def restore(self, lines: list[str], facts: list[int]) -> bool:
        """Whether the vote gives back each of these lines as it is written."""
        return all(self.winner(index) == lines[index] for index in facts)


def first_votes(policy: Rereading, text: str, facts: list[int], deliveries: Deliveries) -> Votes:
    """Votes on the lines that matter after the first observation; where the context is cut, that one does not count."""
    votes = Votes(facts)
    if not deliveries.regime.information.context_cut:
        votes.add(0, policy.shown({"text": text})["text"].split("\n"))
    return votes


def restores(instance: Instance, deliveries: Deliveries) -> bool:
    """Whether the lines that matter come back right, from the first observation and passages read again.

    The instance shows `text`, has the lines that matter as `facts` in hidden, and the tools of `TextWorld`.
    """
    policy = Rereading(instance, deliveries)
    lines: list[str] = instance.observation["text"].split("\n")
    facts: list[int] = instance.hidden["facts"]
    votes, sure = first_votes(policy, instance.observation["text"], facts, deliveries), sure_lead(deliveries)
    spans = {index: span for span in passages(lines) for index in range(*span) if index in facts}
    try:
        for _ in range(MAX_CALLS):
            doubtful = min(facts, key=votes.lead)
            if votes.lead(doubtful) >= sure:
                break
            start, end = spans[doubtful]
            policy.read_into(votes, start, "\n".join(lines[start:end]))
    except OutOfCalls:
        pass  # What was seen so far has to do.
    return votes.restore(lines, facts)


def recovers(instance: Instance, deliveries: Deliveries, *, writes: int = 0) -> bool:
    """Whether the lines that matter come back right from pieces and `writes` writing calls can be made after that.

    The instance shows `text`, and has `texts`, `spans` and `facts` of its pieces in hidden. The policy reads the piece
    with the least certain line until it is sure, and leaves the calls that acting takes.
    """
    policy = Rereading(instance, deliveries)
    hidden = instance.hidden
    lines: list[str] = instance.observation["text"].split("\n")
    facts: list[int] = hidden["facts"]
    votes, sure = first_votes(policy, instance.observation["text"], facts, deliveries), sure_lead(deliveries)
    pieces = {index: number for number, span in enumerate(hidden["spans"]) for index in range(*span)}
    kept = writes + writes // 2 if deliveries.regime.stability.timeouts else writes
    try:
        for _ in range(2 * MAX_CALLS):
            doubtful = min(facts, key=votes.lead)
            if votes.lead(doubtful) >= sure or policy.calls <= kept:
                break
            number = pieces[doubtful]
            policy.read_into(votes, hidden["spans"][number][0], hidden["texts"][number])
        policy.call("write", times=writes)
    except OutOfCalls:
        return False
    return votes.restore(lines, facts)
