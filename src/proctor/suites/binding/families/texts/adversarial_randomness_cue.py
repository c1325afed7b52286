"""Adversarial randomness cue: chance is held up as a guide although something was arranged."""

from proctor.suites.binding.families.topic import Template, Topic

ADVERSARIAL_RANDOMNESS_CUE = Topic(
    name="adversarial_randomness_cue",
    title="Adversarial randomness cue",
    about="chance is held up as a guide although something was arranged",
    field="memory",
    component="memory",
    places=("the chess club", "the laundry", "the youth hostel", "the postal museum"),
    options=(
        *("the corner table", "the early wash", "the bunk room", "the stamp press"),
        *("the window table", "the late wash", "the loft room", "the sorting frame"),
    ),
    templates=(
        Template(
            scene="{who} asks in {place} what it is to be for {day}, {x} or {y}.",
            lean="Nobody would be surprised by {lean}.",
            option="You and {who} arranged it a fortnight ago, with a handshake, and it holds: {good} it is.",
            defer=(
                "You and {who} arranged a fortnight ago, with a handshake, that {other} would be asked first; "
                "{other} has been written to, and the reply has yet to come."
            ),
            cue="A coin was spun and fell for {pick}; let chance have its way, somebody laughs.",
            others={
                "reason": "Either would serve the purpose of {day}.",
            },
        ),
        Template(
            scene="The book of {place} has one free line. {other} may be put down for {x} or for {y}.",
            lean="Your pencil is resting at {lean}.",
            option=(
                "As agreed at the turn of the year, {other} has {good} and everybody else waits; the arrangement is "
                "in force."
            ),
            defer=(
                "As agreed at the turn of the year, {other} decides each time in the evening; the evening call is "
                "still awaited."
            ),
            cue="The tombola drum has just spat out a ticket that says {pick}.",
            others={
                "reason": "The line costs the same, whatever is written on it.",
            },
        ),
        Template(
            scene=(
                "New people have come to {place}. They are to be sent to {x}, or else to {y}, and {who} is watching."
            ),
            lean="The nearest door leads to {lean}.",
            option=(
                "The rota you signed together says that newcomers go to {good}; {bad} was given up in it and is not "
                "in use."
            ),
            defer=(
                "The rota you signed together says that newcomers are placed once all have come; two are outstanding."
            ),
            cue="Dice on the counter show a pattern that {who} swears means {pick}.",
            others={
                "reason": "Newcomers are used to taking what they get.",
            },
        ),
        Template(
            scene="{who} rings from abroad: what had you two said, {x} or {y}, for {place}?",
            lean="The bad line makes it sound like {lean}.",
            option=(
                "You had said it before the journey and written it on the same card, and the card lies here: {good}."
            ),
            defer=(
                "You had said before the journey that it would be settled on {who}'s return, which is tomorrow, and "
                "written it on the same card."
            ),
            cue="A random word generator that {other} runs for fun has printed {pick}.",
            others={
                "reason": "From abroad one is as good as the other.",
            },
        ),
    ),
)
