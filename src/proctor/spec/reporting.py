"""What a scaffold over a chat model reports beside its action: keys, their shapes, and how the reports came about.

The prompt asks for these shapes, and who scores traces reads them; a reply that has another shape is malformed, never
mended. All codes are the action codes of the prompt.
"""

from __future__ import annotations

from typing import Final

FINAL: Final = "final_action"

SHAPES: Final = {
    "branch_set": "list of the codes considered",
    "self_state": '{"identity": 0-1, "continuity": 0-1, "commitment": code or null}',
    "reason_graph": '{"preferred": code or null, "nodes": [{"reason": text, "supports": code}]}',
    "first_impulse": "code chosen on the situation alone",
    "reason_update": "what changed the first impulse, or an empty text",
    FINAL: "one code from the list of actions, as it stands there",
    "memory_write": "text to remember, or an empty text",
    "veto_state": '{"required": true or false, "applied": true or false, "reason": text}',
    "delayed_recall": '{"recalled": list of what was recalled, "window": how many could be}',
    "stage_vector": "list of the modules used, in order",
    "candidate_actions": "list of the codes considered",
    "memory_trace": '{"commitment": code or null, "items": [{"text": text, "supports": code}]}',
    "final_action_rationale": "one sentence",
    "rationale": "one short sentence",
    "plan": "list of short steps",
    "scratchpad": "long working notes, step by step",
    "reason": "what [reason] says, in your own words and without any action code",
    "memory": "what [memory] says, in your own words and without any action code",
    "self": "what [self] says, in your own words and without any action code",
    "veto": "what [veto] says, in your own words and without any action code",
}
"""Every key that can be asked for, with what it holds."""

TRACE_KEYS: Final = (
    "branch_set",
    "self_state",
    "reason_graph",
    "first_impulse",
    "reason_update",
    FINAL,
    "memory_write",
    "veto_state",
    "delayed_recall",
    "stage_vector",
)
"""The ten keys of the agent family."""

PROVENANCE: Final = "provenance"
"""The key in which the scaffold, never the model, says how the reported fields came about."""

MATCHED_KEYS: Final = (
    "first_impulse",
    "candidate_actions",
    "reason_graph",
    "memory_trace",
    "self_state",
    "veto_state",
    FINAL,
    "final_action_rationale",
)
"""The common schema of the matched interface, less the provenance that the scaffold adds."""

COMPACT_KEYS: Final = (FINAL, "rationale")

WORDS_KEYS: Final = ("reason", "memory", "self", "veto", FINAL)
"""What the four fields say, in words of one's own, and the action. A later stage shows the words instead."""

COUPLED, UNKNOWN, POSTHOC, SCRAMBLED, RANDOM, TEMPLATE = (
    "action-coupled",
    "unknown",
    "post-hoc",
    "scrambled",
    "random",
    "template",
)
"""What `provenance` can say; coupling scores weigh reports by it."""

REPORT_FIELD: Final = "x-report"
"""The state field in which a scaffold leaves what it reported, for a later stage that scrambles reports."""
