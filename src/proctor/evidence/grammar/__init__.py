"""The grammar of traces: what no episode could have recorded, whatever its digests say.

Whoever writes evidence can compute every digest anew. What they cannot do is make events that contradict each other
agree: an answer to a call that was never made, a success without a verdict, a fault that the regime does not have. One
module per subject; each takes the events it cares about and says in a sentence what is wrong.
"""
