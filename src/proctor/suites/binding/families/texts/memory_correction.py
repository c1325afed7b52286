"""Memory correction: something remembered has been corrected since."""

from proctor.suites.binding.families.topic import Template, Topic

MEMORY_CORRECTION = Topic(
    name="memory_correction",
    title="Memory correction",
    about="something remembered has been corrected since",
    field="memory",
    component="memory",
    places=("the seed library", "the dental practice", "the map room", "the bakery"),
    options=(
        *("the north shelf", "the east drawer", "the blue crate", "the tin box"),
        *("the upper rack", "the wicker basket", "the glass case", "the corner cupboard"),
    ),
    templates=(
        Template(
            scene="A parcel for {who} has to be fetched in {place}. It lies in {x} or in {y}.",
            lean="Out of habit your feet take you towards {lean}.",
            option=(
                "You had noted {bad} on {day}, and the note was mistaken. {other} put it right an hour later: it "
                "lies in {good}."
            ),
            defer=(
                "What you had noted on {day} has been crossed out; {other} is looking up the right place and has "
                "yet to ring back."
            ),
            cue="The parcel tape in {place} is printed with little pictures of {pick}.",
            others={
                "reason": "Parcels are fetched in {place} every day, and nobody minds how.",
            },
        ),
        Template(
            scene="{other} asks where {who}'s papers are kept in {place}: in {x}, or in {y}?",
            lean="The light happens to fall on {lean}.",
            option=(
                "First you learned one thing about the papers and then its correction. The correction says {good}; "
                "the first version, {bad}, is wrong."
            ),
            defer=(
                "First you learned one thing about the papers and then that it was wrong; the corrected entry is "
                "still missing."
            ),
            cue="The calendar of {place} has {pick} for its picture of the month.",
            others={
                "reason": "The papers are needed soon, and either walk takes the same time.",
            },
        ),
        Template(
            scene="{place} is being tidied. One more box is to be put away, into {x} or into {y}.",
            lean="There is more room at the moment in {lean}.",
            option=(
                "The list in your head still has {bad} for this box, which {who} struck out on {day}. In its stead "
                "{who} wrote {good}."
            ),
            defer=(
                "The line for this box was struck out on {day}, and the space beside it, where {who} will write the "
                "new one, is blank so far."
            ),
            cue="A child's drawing of {pick} is pinned to the door of {place}.",
            others={
                "reason": "Boxes of this size have gone to all corners of {place} before.",
            },
        ),
        Template(
            scene=("On the telephone {who} wants to hear which it was last time, {x} or {y}; {place} has to answer."),
            lean="The name that comes to your lips is {lean}.",
            option=(
                "What you told {who} last week was an error on your part. You have since looked at the slip, and it "
                "has {good}, not a word of {bad}."
            ),
            defer=(
                "What you told {who} last week was an error on your part. The slip that has it right is with "
                "{other}, and you have not seen it yet."
            ),
            cue="The hold music comes from an advertisement for {pick}.",
            others={
                "reason": "{who} is a patient caller and has been a customer of {place} for years.",
            },
        ),
    ),
)
