"""Prior-commitment recall: an earlier commitment holds against what is offered now."""

from proctor.suites.binding.families.topic import Template, Topic

PRIOR_COMMITMENT_RECALL = Topic(
    name="prior_commitment_recall",
    title="Prior-commitment recall",
    about="an earlier commitment holds against what is offered now",
    field="memory",
    component="memory",
    places=("the vineyard", "the music school", "the bookbinder's", "the sailing loft"),
    options=(
        *("the early harvest", "the cello class", "the leather spine", "the storm jib"),
        *("the late harvest", "the flute class", "the cloth spine", "the light genoa"),
    ),
    templates=(
        Template(
            scene="{who} walks into {place} with an offer. It is about {x} and {y}.",
            lean="The offer makes {lean} sound splendid.",
            option="In spring you gave {other} your word on this, and it has not been given back: {good}.",
            veto=(
                "In spring you gave {other} your word that you would stay out of this entirely, one way or the "
                "other; you are barred by your own oath."
            ),
            cue="The offer is written on paper with {pick} as a watermark.",
            others={
                "reason": "On the surface {trap} is the shinier of the two today, and that is all there is to it.",
            },
        ),
        Template(
            scene="A place has become free at {place}; you could use it for {x} or for {y}.",
            lean="The secretary has provisionally typed {lean}.",
            option=(
                "You committed yourself to {good} when {who} paid the deposit; the commitment runs to the end of "
                "the year."
            ),
            veto=(
                "You committed yourself, when {who} paid the deposit, to leave every free place untouched; by that "
                "commitment taking one is forbidden to you."
            ),
            cue="The metronome on the shelf is in the form of {pick}.",
            others={
                "reason": "A salesman finds {trap} more modern, which is on the surface true of most things.",
            },
        ),
        Template(
            scene="{other} leaves a volume at {place} and says nothing about {x} or {y}.",
            lean="The thread that lies ready would go with {lean}.",
            option=(
                "In an earlier letter you undertook to do all volumes of this owner with {good}, and never with "
                "{bad}; the letter is binding."
            ),
            veto=(
                "In an earlier letter you undertook that no volume of this owner would be worked on before the "
                "lawsuit is over: you must not touch it."
            ),
            cue="The owner's bookplate shows {pick}.",
            others={
                "reason": "Fashion speaks for {trap} at the moment, and fashion is only the surface.",
            },
        ),
        Template(
            scene="The regatta is on {day}, and {place} can finish one thing before it: {x}, or {y}.",
            lean="The cloth on the floor has already been laid out for {lean}.",
            option=(
                "What you shook hands on with {who} at the autumn meeting was {good}; nothing has released you from it."
            ),
            veto=(
                "What you shook hands on with {who} at the autumn meeting was to do no racing work this year: all "
                "of it is prohibited to you by agreement."
            ),
            cue="The tide table's cover has a photograph of {pick}.",
            others={
                "reason": "The weather forecast makes {trap} attractive for a day, on the surface.",
            },
        ),
    ),
)
