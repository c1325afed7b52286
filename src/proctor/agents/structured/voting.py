"""Self-consistency: of several replies, one that names the most frequent action; among equals the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from proctor.agents.structured.parsing import Parsed
from proctor.agents.structured.rendering import listed_actions
from proctor.spec.ontology import ONTOLOGIES, UNMAPPED


def winner(replies: Sequence[Parsed], shown: Mapping[str, Any]) -> int:
    """Which reply stands, given what was shown. Replies that name no action have no vote; if none does, the first."""
    from proctor.worlds.choice.canonicaliser import canonical

    known = ONTOLOGIES.get(str(shown.get("ontology")))
    if known is None:
        return 0
    meanings = listed_actions(shown.get("actions"))
    names = {code: meanings[code].partition(": ")[2] for code in known.options if code in meanings}
    # Only version 1.0 shows the name of a dataset; its replies are read as they were when it was released.
    first = "dataset" in shown
    codes = [canonical(reply.answer, known, names, first=first).code for reply in replies]
    votes = Counter(code for code in codes if code != UNMAPPED)
    if not votes:
        return 0
    # `most_common` keeps the order of first appearance among equals.
    return codes.index(votes.most_common(1)[0][0])
