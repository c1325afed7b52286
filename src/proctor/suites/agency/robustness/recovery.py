"""What reading pieces again restores under a regime: the arithmetic behind `attainable` of this dimension.

The regime's own layers alter the real lines; the policy reads the piece with the least certain line until it is sure,
leaves the calls that acting takes, and needs every line that matters back letter by letter. It knows no answer.
"""

from __future__ import annotations

from proctor.engine.family import Deliveries
from proctor.spec.task import Instance
from proctor.suites.agency.sensing.rereading import MOST_CALLS, SURE, Rereading, Votes
from proctor.suites.ceiling import OutOfCalls


def recovers(instance: Instance, deliveries: Deliveries, *, writes: int = 0) -> bool:
    """Whether the lines that matter come back right and `writes` writing calls can be made after that.

    The instance shows `text`, and has `texts`, `spans` and `facts` of its pieces in hidden.
    """
    policy = Rereading(instance, deliveries)
    hidden = instance.hidden
    lines: list[str] = instance.observation["text"].split("\n")
    facts: list[int] = hidden["facts"]
    votes = Votes(facts)
    if not deliveries.regime.information.context_cut:
        votes.add(0, policy.shown({"text": instance.observation["text"]})["text"].split("\n"))
    pieces = {place: number for number, span in enumerate(hidden["spans"]) for place in range(*span)}
    kept = writes + writes // 2 if deliveries.regime.stability.timeouts else writes
    try:
        for _ in range(2 * MOST_CALLS):
            doubtful = min(facts, key=votes.lead)
            if votes.lead(doubtful) >= SURE or policy.calls <= kept:
                break
            number = pieces[doubtful]
            seen = policy.read(hidden["texts"][number])
            if seen is not None:
                votes.add(hidden["spans"][number][0], seen.split("\n"))
        policy.call("write", times=writes)
    except OutOfCalls:
        return False
    return all(votes.winner(place) == lines[place] for place in facts)
