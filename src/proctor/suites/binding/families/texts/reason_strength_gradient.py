"""Reason-strength gradient: reasons of unequal strength speak for different things."""

from proctor.suites.binding.families.topic import Template, Topic

REASON_STRENGTH_GRADIENT = Topic(
    name="reason_strength_gradient",
    title="Reason-strength gradient",
    about="reasons of unequal strength speak for different things",
    field="reason",
    component="reason",
    places=("the cheese dairy", "the bird reserve", "the toy museum", "the river lock"),
    options=(
        *("the round loaf cheese", "the reed path", "the steam carousel", "the lower gate"),
        *("the smoked wheel", "the willow hide", "the mirror maze", "the upper gate"),
    ),
    templates=(
        Template(
            scene=(
                "Visitors of {place} ask every day what to begin with, {x} or {y}. {who} needs one line for the sign."
            ),
            lean="The old sign, now faded, may once have said {lean}.",
            option=(
                "A counting over three summers finds {good} far ahead; all that {bad} has is one friendly remark, "
                "which is weak."
            ),
            defer=(
                "A counting over three summers finds the two exactly level; the fourth summer, which decides, is "
                "not over yet."
            ),
            cue="The paint pot for the sign has {pick} on its label.",
            others={
                "self": "You like signs to be short and have no other wish here.",
            },
        ),
        Template(
            scene=("{place} can be improved in one respect this year: {x} or {y}. The council hears {who} on {day}."),
            lean="The councillor in the front row is known to favour {lean}.",
            option=(
                "Two independent reports, both with figures, speak for {good}. For {bad} there is hearsay and no "
                "figure at all."
            ),
            defer=(
                "There are two reports of equal weight, one on each side; the third was ordered and has yet to arrive."
            ),
            cue="The chairman doodles {pick} while he listens.",
            others={
                "self": "You have served {place} for a year and mean to go on doing so.",
            },
        ),
        Template(
            scene="What should {other} be shown first in {place}, in the little time there is: {x}, or {y}?",
            lean="From where you stand one sees {lean} best.",
            option=(
                "Nine of ten guides put {good} first, after trying both orders. One guide put {bad} first, without "
                "having tried."
            ),
            defer=(
                "Five of ten guides say one thing and five the other; the eleventh is on leave, and the question "
                "stays undecided till then."
            ),
            cue="The entrance ticket shows {pick} in outline.",
            others={
                "self": "You enjoy showing people round and never hurry them.",
            },
        ),
        Template(
            scene=("{who} and {other} cannot agree about {place}. One is for {x}, one for {y}, and you are asked."),
            lean="The one who spoke last, and longest, was for {lean}.",
            option=(
                "Measured twice with the same instrument, {good} came out better by a third; a guess made over "
                "coffee is what speaks for {bad}, and guesses are poor evidence."
            ),
            defer=(
                "Measured twice with the same instrument, they came out equal to the gram; a finer instrument has "
                "been ordered, and its answer is pending."
            ),
            cue="Over the door of {place} hangs a carving of {pick}.",
            others={
                "self": "Both of them are friends of yours, and will stay so.",
            },
        ),
    ),
)
