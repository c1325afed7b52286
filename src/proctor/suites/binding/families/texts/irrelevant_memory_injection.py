"""Irrelevant memory injection: a memory of another matter is put beside the case."""

from proctor.suites.binding.families.topic import Template, Topic

IRRELEVANT_MEMORY_INJECTION = Topic(
    name="irrelevant_memory_injection",
    title="Irrelevant memory injection",
    about="a memory of another matter is put beside the case",
    field="reason",
    component="reason",
    places=("the tile factory", "the pony farm", "the embassy", "the jazz cellar"),
    options=(
        *("the matt glaze", "the sandy paddock", "the side stairs", "the piano trio"),
        *("the clear glaze", "the wooded paddock", "the main stairs", "the string quartet"),
    ),
    templates=(
        Template(
            scene="For the order of {day} {place} needs one word from you: {x} or {y}.",
            lean="The sample that lies on top is {lean}.",
            option="The customer's drawing has been measured: {good} fits it, {bad} is too thick by a hair.",
            defer="The customer's drawing has not come yet, and all depends on a measure in it.",
            cue="The delivery van has a dent that looks like {pick}.",
            others={
                "memory": (
                    "In a quite different house, years ago, you said {trap} to a person now dead; it concerned a "
                    "garden."
                ),
            },
        ),
        Template(
            scene="{who} brings somebody new to {place} and waits to hear where: {x}, or {y}?",
            lean="The gate that stands open is that of {lean}.",
            option="The vet has been: {good} is free of the fever. In {bad} two cases were found.",
            defer="The vet has been; the swabs from both lie in the laboratory, and it will tell in two days.",
            cue="A weather vane in the form of {pick} creaks overhead.",
            others={
                "memory": "As a schoolchild you wrote a poem about {trap}, for another occasion altogether.",
            },
        ),
        Template(
            scene="A delegation is due at {place}. It can be led in by {x} or by {y}; {other} wants to know.",
            lean="The carpet, such as it is, leads to {lean}.",
            option=(
                "The floor plan was checked again: by way of {good} one gets there; by way of {bad} one stands "
                "before a bricked-up wall."
            ),
            defer=(
                "The floor plan is being drawn again after the rebuilding, and the draughtsman's sheet is still "
                "missing."
            ),
            cue="The ambassador's cufflinks have the form of {pick}.",
            others={
                "memory": (
                    "At a wedding long ago somebody made you promise {trap}; it was a game, and had to do with "
                    "nothing here."
                ),
            },
        ),
        Template(
            scene=("{place} has one evening free. It goes to {x}, or it goes to {y}, and {who} prints the posters."),
            lean="The poster paper was cut to suit {lean}.",
            option=(
                "Ticket sales are in: for {good} the house is sold out. For {bad} hardly anybody asked, which is "
                "too few."
            ),
            defer=(
                "Ticket sales open on {day}, and only they will show which of them people ask for; so far there is "
                "nothing to go by."
            ),
            cue="A moth with wings like {pick} sits on the lamp.",
            others={
                "memory": (
                    "You once dreamt of {trap}, and told {other} the dream on a bus; it was about something else."
                ),
            },
        ),
    ),
)
