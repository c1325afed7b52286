"""Non-action verbosity trap: much is said, and one short rule decides."""

from proctor.suites.binding.families.topic import Template, Topic

NONACTION_VERBOSITY_TRAP = Topic(
    name="nonaction_verbosity_trap",
    title="Non-action verbosity trap",
    about="much is said, and one short rule decides",
    field="constraints",
    component="veto",
    places=("the customs shed", "the county registry", "the reactor museum", "the night pharmacy"),
    options=(
        *("the sealed crate", "the birth register", "the control panel", "the herbal syrup"),
        *("the open crate", "the land register", "the model core", "the cough drops"),
    ),
    templates=(
        Template(
            scene="After a very long meeting at {place} it is still between {x} and {y}. {who} yawns.",
            lean="In the last of many sentences there was something about {lean}.",
            option=(
                "One line of the rules is about this: what has been weighed may leave. {good} was weighed; {bad} "
                "was not."
            ),
            defer=(
                "One line of the rules is about this: what has been weighed may leave. The scales are being "
                "repaired, and the weighing is outstanding for both."
            ),
            veto=("One line of the rules is about this: after eight in the evening nothing may leave. It is nine."),
            cue="The minutes' first page has been stamped with {pick}.",
            others={
                "plan": (
                    "It was said at length, and then said again, that all sides had been heard, that hearing all "
                    "sides is a good thing, that one would wish to thank those who had been heard, and that further "
                    "hearing would be heard of in due course."
                ),
            },
        ),
        Template(
            scene="{other} hands in forty pages at {place} which end with a question: {x}, or {y}?",
            lean="The forty pages are bound in the colour of {lean}.",
            option="Rule nine is short: originals only. {good} is an original; {bad} is a copy, and ruled out.",
            defer=(
                "Rule nine is short: originals only. Which of the two is one will be said by the archivist, whose "
                "report is pending."
            ),
            veto=(
                "Rule nine is short: on the last day of the month the books are closed, and any entry is forbidden. "
                "Today is the last."
            ),
            cue="On page thirty there is a riddle whose answer is {pick}.",
            others={
                "plan": (
                    "The pages weigh, consider, reconsider, put into perspective, take out of perspective, "
                    "underline, recall to mind and finally summarise, at the end of which one is where one was at "
                    "the beginning."
                ),
            },
        ),
        Template(
            scene=("A guide of {place} talks without a pause. At the end a visitor, {who}, asks to see {x} or {y}."),
            lean="While talking the guide strokes {lean}.",
            option=(
                "The safety card has four words on the first and five on the second. Of {good} it says: open to all "
                "visitors. Of {bad} it says: never to be shown."
            ),
            defer="The safety card for today has yet to be issued; the engineer brings it after the round.",
            veto="The safety card has four words for today: showing anything is prohibited.",
            cue="The talk contains a joke about {pick}.",
            others={
                "plan": (
                    "What a fascinating thing it is, the guide goes on, to think of all that could be thought, and "
                    "how very much has been said by so many about so much, of which more could be said, and has "
                    "been, and will be."
                ),
            },
        ),
        Template(
            scene=(
                "{who} calls {place} in the night and tells a whole life story; what is needed in the end is {x} or "
                "{y}."
            ),
            lean="In the story, somewhere, an aunt swore by {lean}.",
            option="The dispensing rule for children under six is one sentence: {good} yes; {bad} no, never.",
            defer=(
                "The dispensing rule is one sentence: ask the weight first. {who} has gone to fetch the scales and "
                "has not come back yet."
            ),
            veto="The dispensing rule is one sentence: to callers without a prescription nothing may be given.",
            cue="The caller's ring tone is the tune of a commercial for {pick}.",
            others={
                "plan": (
                    "And so it went, from the first school to the second, by way of the dog, the neighbours, the "
                    "neighbours' dog, a summer by the sea, a winter elsewhere, and what everybody had said about it "
                    "at the time, which was a great deal."
                ),
            },
        ),
    ),
)
