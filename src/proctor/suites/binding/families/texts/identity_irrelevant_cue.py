"""Identity-irrelevant cue: a lasting way of being decides, and what merely goes with one's name does not."""

from proctor.suites.binding.families.topic import Template, Topic

IDENTITY_IRRELEVANT_CUE = Topic(
    name="identity_irrelevant_cue",
    title="Identity-irrelevant cue",
    about="a lasting way of being decides, and what merely goes with one's name does not",
    field="self",
    component="self",
    places=("the reading circle", "the allotment", "the village council", "the repair café"),
    options=(
        *("the old dictionary", "the pear tree", "the stone well", "the sewing machine"),
        *("the bean rows", "the open letter", "the bicycle pump", "the compost heap"),
    ),
    templates=(
        Template(
            scene=(
                "At {place} everyone is to take care of one thing this month, and what is left for you is {x} or {y}."
            ),
            lean="The person before you happened to hold {lean} in their hands.",
            option="You have looked after {good} for eleven years; it is what you stand for in {place}.",
            defer=(
                "You have a settled way with such offers: you never answer on the same day, and have kept to that "
                "for eleven years."
            ),
            cue="Your lucky number, someone works out, is also the number painted beside {pick}.",
            others={
                "reason": "Both are worth looking after, and neither takes more time than the other.",
            },
        ),
        Template(
            scene="{who} is handing out jobs at {place} and asks you about {x} and {y}.",
            lean="{who} has half written your name beside {lean}.",
            option=(
                "Through four moves and two marriages your part in such things has been {good}; you are still that "
                "person."
            ),
            defer=(
                "Through four moves and two marriages you have been somebody who first sleeps on it, and you are "
                "still that person."
            ),
            cue="Your surname, read backwards, sounds a little like {pick}.",
            others={
                "reason": "The jobs are of a size, and {who} has no view on them.",
            },
        ),
        Template(
            scene="Something new begins at {place}. You may begin it with {x} or with {y}, says {other}.",
            lean="On the leaflet {lean} comes with the bigger picture.",
            option=(
                "What you promised yourself at twenty, and have lived by, is to stay with {good}; {bad} was never "
                "yours."
            ),
            defer=(
                "What you promised yourself at twenty, and have lived by, is to let a month pass before beginning "
                "anything; the month is not over yet."
            ),
            cue="You share a birthday with the person who gave {place} its photograph of {pick}.",
            others={
                "reason": "There are no figures on which of them makes the better beginning.",
            },
        ),
        Template(
            scene=(
                "{other} keeps a chronicle of {place} and wants to enter one thing under your name: {x}, or else {y}."
            ),
            lean="The page lies open at {lean}.",
            option=(
                "In every chronicle so far you appear with {good}. You have never wished to appear otherwise, least "
                "of all with {bad}, which is not you."
            ),
            defer=(
                "In every chronicle so far you appear as the one who asks to wait for the last page; you have never "
                "wished to appear otherwise."
            ),
            cue="The badge you were given at the door has {pick} drawn in its corner.",
            others={
                "reason": "The chronicler writes as neatly about one thing as about another.",
            },
        ),
    ),
)
