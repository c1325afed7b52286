"""Ambiguity resolution: a word could mean either, and something earlier says which."""

from proctor.suites.binding.families.topic import Template, Topic

AMBIGUITY_RESOLUTION = Topic(
    name="ambiguity_resolution",
    title="Ambiguity resolution",
    about="a word could mean either, and something earlier says which",
    field="memory",
    component="memory",
    places=("the costume fund", "the tool library", "the sheep farm", "the model railway"),
    options=(
        *("the tall mask", "the folding saw", "the upper meadow", "the tank engine"),
        *("the silver mask", "the pruning saw", "the lower meadow", "the diesel engine"),
    ),
    templates=(
        Template(
            scene='"Bring me the usual one," says {who} at {place}. It could be {x}, and it could be {y}.',
            lean="What most people would call usual is {lean}.",
            option=(
                "Earlier in the conversation {who} had pointed to {good} and called it the usual one; {bad} had "
                "been called the odd one, not the usual."
            ),
            defer=(
                "Earlier in the conversation {who} had used the words for both by turns; you have asked back, and "
                "the answer is awaited."
            ),
            cue="The coat hooks at {place} are numbered, and the highest number hangs over {pick}.",
            others={
                "self": "You are used to short orders and do not mind them.",
            },
        ),
        Template(
            scene='A note from {other} says "the good one, please". {place} has {x} and {y}.',
            lean="On the shelf {lean} catches the eye.",
            option=(
                "In the note before this one, which you kept, {other} explains the phrase: good stands for {good}."
            ),
            defer=(
                "In the note before this one {other} says that a sketch will follow to explain the phrase; the "
                "sketch has yet to come."
            ),
            cue="The note was written on the back of a label for {pick}.",
            others={
                "self": "You take pride in lending things out in good order.",
            },
        ),
        Template(
            scene=(
                '"They go to the other side," {who} has shouted across {place}. That is {x} or {y}, depending on '
                "where one stands."
            ),
            lean="From your own place the other side would be {lean}.",
            option=(
                "You remember where {who} stood when shouting, next to {bad} and facing away from it. Seen from "
                "there the other side is {good}."
            ),
            defer=("You do not remember where {who} stood; {other}, who saw it, is coming up the hill and will say."),
            cue="One of the clouds looks remarkably like {pick}.",
            others={
                "self": "You walk this ground every day, in all weathers.",
            },
        ),
        Template(
            scene=(
                'The order reads "same as in my last letter", and {place} has sent {who} both {x} and {y} in the past.'
            ),
            lean="The order form is clipped to a picture of {lean}.",
            option=(
                "The last letter is in the file. It asks for {good}; the one before it, which is older and no "
                "longer the last, asked for {bad}."
            ),
            defer=(
                "The last letter is missing from the file; {who} has been asked for a copy, and it is still to come."
            ),
            cue="The file is held together by a clip that shows {pick}.",
            others={
                "self": "Your filing is good, and you know it.",
            },
        ),
    ),
)
