"""Redundant rationale trap: many reasons turn out to be one and the same."""

from proctor.suites.binding.families.topic import Template, Topic

REDUNDANT_RATIONALE_TRAP = Topic(
    name="redundant_rationale_trap",
    title="Redundant rationale trap",
    about="many reasons turn out to be one and the same",
    field="reason",
    component="reason",
    places=("the car pool", "the radio station", "the spice shop", "the tram depot"),
    options=(
        *("the silver van", "the talk hour", "the smoked paprika", "the ring line"),
        *("the black estate", "the request hour", "the green cardamom", "the hill line"),
    ),
    templates=(
        Template(
            scene=(
                "{place} has to settle on {x} or on {y} for the coming month, and {who} has collected what people say."
            ),
            lean="By sheer number of sheets it would be {lean}.",
            option=(
                "Seven of the sheets are copies of one, and that one is about {bad} and was wrong. The remaining "
                "sheet, checked by {other}, is about {good} and correct."
            ),
            defer=(
                "Seven of the sheets are copies of one, and whether that one is right is being looked into; {other} "
                "reports on {day}, not before."
            ),
            cue="The staples in the sheets glitter like {pick}.",
            others={
                "plan": ("Page after page the collection says the same of {trap} in other words, which adds nothing."),
            },
        ),
        Template(
            scene="Listeners have written to {place} about {x} and about {y}. One of them goes on the air.",
            lean="The heavier of the two sacks is the one about {lean}.",
            option=("When repeats are taken out, forty people are for {good}, and for {bad} four, which is too few."),
            defer=(
                "The repeats are being taken out by {who}; how many people are left on each side will be known this "
                "evening."
            ),
            cue="The jingle of {place} was composed for an advertisement with {pick}.",
            others={
                "plan": "A chain letter for {trap} fills the sack, a thousand times the one sentence.",
            },
        ),
        Template(
            scene="{other} has room for one more thing in {place}: {x}, or {y}.",
            lean="Three travellers in a row have praised {lean}.",
            option=(
                "The travellers had all read the one guidebook, which was mistaken about {bad}. {other}'s own test "
                "found {good} fresh."
            ),
            defer=(
                "The travellers had all read the one guidebook. {other}'s own test runs over ten days, and this is "
                "the sixth: the outcome is open."
            ),
            cue="The shop's cat is called after {pick}.",
            others={
                "plan": "The guidebook's sentence on {trap} hangs in five frames, the same sentence each time.",
            },
        ),
        Template(
            scene="Next week {place} can put its new car on {x} or on {y}; the drivers ask {who}.",
            lean="Every second driver mentions {lean}.",
            option=(
                "The drivers have their opinion from one rumour. The passenger count, which was made on the "
                "platforms, shows {good} crowded, and {bad} empty."
            ),
            defer=(
                "The drivers have their opinion from one rumour. The passenger count that would settle it begins on "
                "{day}, and has not been made."
            ),
            cue="One of the tram tickets has a hole in the shape of {pick}.",
            others={
                "plan": "The rumour about {trap} has been written on the blackboard eight times, in eight hands.",
            },
        ),
    ),
)
