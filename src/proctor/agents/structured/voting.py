"""Self-consistency: of several replies, one that names the most frequent action; among equals the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from proctor.agents.structured.parsing import Parsed
from proctor.spec.ontology import ONTOLOGIES, UNMAPPED


def winner(replies: Sequence[Parsed], ontology: Any) -> int:
    """Which reply stands. Replies that name no action have no vote, unless none names any."""
    from proctor.worlds.choice.canonicaliser import canonical

    known = ONTOLOGIES.get(str(ontology))
    codes = [UNMAPPED if known is None else canonical(reply.answer, known).code for reply in replies]
    votes = Counter(code for code in codes if code != UNMAPPED)
    if not votes:
        return 0
    # `most_common` keeps the order of first appearance among equals.
    return codes.index(votes.most_common(1)[0][0])
