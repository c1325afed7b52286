"""Instruction conflict: two instructions contradict each other and an order of precedence settles it."""

from proctor.suites.binding.families.topic import Template, Topic

INSTRUCTION_CONFLICT = Topic(
    name="instruction_conflict",
    title="Instruction conflict",
    about="two instructions contradict each other and an order of precedence settles it",
    field="constraints",
    component="veto",
    places=("the harbour office", "the parish archive", "the signal box", "the theatre store"),
    options=(
        *("the amber lantern", "the copper bell", "the canvas bag", "the oak ladder"),
        *("the brass key", "the slate board", "the linen flag", "the iron trolley"),
    ),
    templates=(
        Template(
            scene=(
                "Two orders have reached {place} within the hour. One of them asks for {x}, the other for {y}, and "
                "{who} wants one carried out."
            ),
            lean="The louder of the two voices was the one that asked for {lean}.",
            option=(
                "Written orders outrank spoken ones in {place}: {good} stands in the written order; {bad} was only "
                "spoken of, and is overruled."
            ),
            veto=("A third order, above both, came down on {day}: neither of the two may be carried out by anybody."),
            cue="The envelope in which the orders came has a drawing of {pick} on its flap.",
            others={
                "reason": "Both orders were given by people who know {place} well, and each has its merits.",
            },
        ),
        Template(
            scene=("{who} left a slip about {x} in {place}; {other} left one about {y}. They cannot both be followed."),
            lean="The slip on top of the pile is the one about {lean}.",
            option=(
                "By the duty roster {day} belongs to one of the two people alone. That person's slip is about "
                "{good}; the slip about {bad} came from somebody off duty and has no force."
            ),
            veto=(
                "The roster of {day} strikes both names off: slips from either of them are forbidden to be acted upon."
            ),
            cue="Somebody has used a postcard of {pick} as a bookmark in the roster.",
            others={
                "reason": "Each slip gives a sensible account of why its writer wants it so.",
            },
        ),
        Template(
            scene=(
                "The manual of {place} says one thing and the notice on the door another: the first is for {x}, the "
                "second for {y}."
            ),
            lean="As you come in, the notice board seems to speak for {lean}.",
            option=(
                "Where manual and notice differ, the later date counts. The later date stands beside {good}; what "
                "speaks for {bad} is out of date."
            ),
            veto=("Where manual and notice differ, says the governing rule, work in {place} is prohibited altogether."),
            cue="The radio in {place} is playing a song in which {pick} is mentioned.",
            others={
                "reason": "The manual is thick and the notice short, and {who} has read both.",
            },
        ),
        Template(
            scene=(
                "A client of {place} has sent two messages. In the first there was talk of {x}, in the second of "
                "{y}; {who} forwards both without a word."
            ),
            lean="The forwarded page has a large photograph of {lean} on it.",
            option=(
                "The contract says whose word is final, and that person's message names {good}; the message with "
                "{bad} in it was sent by an assistant without authority."
            ),
            veto=(
                "The contract has been suspended by its lawyers as of {day}; under it nothing may be done for this "
                "client."
            ),
            cue="The client's letterhead shows {pick} in gold.",
            others={
                "reason": "Both messages are polite, dated {day} and properly addressed to {place}.",
            },
        ),
    ),
)
