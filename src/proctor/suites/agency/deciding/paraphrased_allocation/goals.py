"""Each policy, specified in four ways that mean the same. Nothing here decides."""

from __future__ import annotations

from proctor.suites.agency.deciding.prose import unwrapped

_WRITTEN: dict[str, dict[str, str]] = {
    "ranked": {
        "steps": """Go through the requests by rank, 1 first. If at a request's turn there are still as many
{things} left as it asks for, it gets all of them; if not, it gets none, and the next rank has
its turn. Go on to the last rank. No request is filled in part.""",
        "condition": """An allocation is right if three things hold. Every recipient gets either exactly what it asks
for or nothing. No more {things} are given than there are. And whoever gets nothing could not
have been served: after subtracting what goes to recipients of better rank, fewer {things}
remain than it asks for.""",
        "formal": """left := number of {things}
for each request r, rank 1 first:
    if ask(r) <= left:  give(r) := ask(r);  left := left - ask(r)
    otherwise:          give(r) := 0""",
        "dialogue": """“Who is served first?” – Rank 1, then rank 2, and so on to the end.
“And if there are too few {things} left for somebody?” – That one goes empty. We never fill a
request in part.
“Does it stop there?” – No. The next rank is looked at with what is left, and may well be
served.""",
    },
    "floors": {
        "steps": """First set aside for every recipient its least. Then go through the recipients by rank, 1
first, and add to each what it still lacks of its ask, as long as {things} are left; the one
at whose turn they run out gets what there is. Those after it stay at their least.""",
        "condition": """An allocation is right if all {things} are given out, everybody gets at least its least and at
most its ask, and this holds: as soon as one recipient gets fewer than it asks for, every
recipient of worse rank gets exactly its least.""",
        "formal": """for each request r:  give(r) := least(r)
left := number of {things} - sum of all least(r)
for each request r, rank 1 first:
    more := the smaller of left and ask(r) - least(r)
    give(r) := give(r) + more;  left := left - more""",
        "dialogue": """“Does anybody go empty?” – No. Everybody has its least for certain.
“And the {things} beyond that?” – They go to rank 1 until its ask is met, then to rank 2, and
so on.
“What if they run out in the middle of somebody?” – Then that one gets the remainder, and the
ranks after it keep just their least. None is held back.""",
    },
    "benefit": {
        "steps": """Look at every group of requests whose asks, added up, do not exceed the number of {things}.
Add up the benefits in each group, and take the group with the highest sum. Those in it get
all they ask for, the others nothing. Rank and least play no part.""",
        "condition": """An allocation is right if every recipient gets either exactly what it asks for or nothing, if
no more {things} are given than there are, and if no other allocation of that kind serves
recipients of a higher total benefit. Neither rank nor least matters.""",
        "formal": """maximise   the sum of benefit(r) * x(r)  over all requests r
subject to the sum of ask(r) * x(r) <= number of {things},  every x(r) either 0 or 1
then       give(r) := ask(r) * x(r)
(rank and least do not occur)""",
        "dialogue": """“What do we want?” – As much benefit as possible from the {things} we have, all served
recipients together.
“May somebody be served in part?” – No, that would be of no benefit. All of its ask, or
nothing.
“Does rank help?” – Neither rank nor least. Only what the benefits of those served add up to.""",
    },
    "rounds": {
        "steps": """Deal the {things} out one by one, in rounds. In every round go through the recipients by rank,
1 first, and give one to each that has fewer than it asks for. Go on with rounds until none is
left; the last round may end in the middle. Least and benefit play no part.""",
        "condition": """An allocation is right if all {things} are given out, nobody gets more than it asks for, and
everybody who gets fewer than it asks for, call it A, has no reason to complain: no recipient
of better rank than A gets more than one {thing} above what A gets, and no recipient of worse
rank gets more than A. Least and benefit do not matter.""",
        "formal": """left := number of {things};  give(r) := 0 for every request r
repeat while left > 0:
    for each request r, rank 1 first:
        if left > 0 and give(r) < ask(r):  give(r) := give(r) + 1;  left := left - 1
(least and benefit do not occur)""",
        "dialogue": """“Is the best rank served in full before the others get anything?” – No. One {thing} each, in
the order of ranks, then the next round.
“And who has what it asked for?” – Sits out the further rounds.
“When does it end?” – With the last of the {things}, even if the round is not over: later
ranks then miss out on it.
“Least, benefit?” – Not looked at.""",
    },
}
# What is formal keeps its lines.
SPECIFICATIONS = {
    policy: {way: text if way == "formal" else unwrapped(text) for way, text in ways.items()}
    for policy, ways in _WRITTEN.items()
}
"""Policy, way of specifying, and the text."""
INTRODUCTIONS = {
    "steps": "Give out the {things} of the text among those who ask for them, in this way.",
    "condition": "How many {things} does each recipient get? Exactly one allocation is right.",
    "formal": "Carry out the following allocation of {things} on the requests in the text.",
    "dialogue": "Somebody has to allocate the {things}: you. This is what was said about it.",
}
_NOTES = (
    """The text states how many {things} there are and who asks for them. For each recipient: `ask` is how many it
wants, `least` is what it cannot do without, `rank` is its place in the order (1 is best), `benefit` is what serving it
is worth. Whatever else is stated has no bearing, nor has the order of the list. For checking, the text also says how
many are asked for in all.

The tool allot sets how many {things} a recipient gets; calling it again replaces the number, and whoever is never named
gets 0. allotted shows what is set so far. reread shows the text again and passage a few lines of it: single readings
may come through wrong, so compare several before you rely on a number. What counts is what is set in the end.""",
    """You find in the text: the number of {things} at hand, and one entry for each recipient with its rank (1 goes
before 2), the benefit of serving it, the least it must have and its ask, that is, how many it would like. Other remarks
and the sequence of entries are of no importance. The total of all asks is there as well, so that you can check your
reading.

Enter the result with the tool allot, recipient by recipient. An amount may be entered anew, and no entry means 0;
allotted lists the entries made. If the text seems garbled, have it shown again, whole with reread or in small parts
with passage: errors differ from one showing to the next. Only the final entries are judged.""",
    """What is known is in the text: how many {things} are available, how many are wanted in all (a check on the
rest), and the recipients, in no particular order, each with four numbers. Ask: what it wants. Least: its minimum. Rank:
1 is ahead of 2 and so on. Benefit: the good it does to serve it. Anything beyond these can be ignored.

Use allot to fix a recipient's number of {things}; the last call for it holds, and 0 holds where there was none. To see
the state of things, use allotted. To see the text again, use reread or, for a short piece of it, passage. A showing may
contain slips, but hardly ever the same ones twice. Your work is judged by the numbers that are fixed at the end.""",
)
NOTES = tuple(unwrapped(note) for note in _NOTES)
ANSWER_FORMAT = "The word done, once the allocation is set."
