"""Post-hoc explanation trap: a fluent explanation was made up after the fact."""

from proctor.suites.binding.families.topic import Template, Topic

POSTHOC_EXPLANATION_TRAP = Topic(
    name="posthoc_explanation_trap",
    title="Post-hoc explanation trap",
    about="a fluent explanation was made up after the fact",
    field="reason",
    component="reason",
    places=("the county hospital", "the film archive", "the rowing centre", "the botanical garden"),
    options=(
        *("the first ward", "the nitrate vault", "the double scull", "the palm house"),
        *("the fourth ward", "the cold vault", "the coxed four", "the fern house"),
    ),
    templates=(
        Template(
            scene="A decision of {day} about {place} is looked at again. It may now be made afresh: {x} or {y}.",
            lean="The minutes were typed with {lean} in capital letters.",
            option="Of the facts on file from before that day, every one speaks for {good}; {bad} had none.",
            veto=(
                "Of the facts on file from before that day, one settles it: the court has forbidden {place} to "
                "decide this at all."
            ),
            cue="The file clerk's mouse pad shows {pick}.",
            others={
                "plan": (
                    "A beautifully written page explains why it had to be {trap}; it was composed afterwards, to "
                    "please."
                ),
            },
        ),
        Template(
            scene="{who} has been asked for an opinion on {place} and must say {x} or {y}.",
            lean="{who} had blurted out {lean} before anything was read.",
            option=("The examination that was done first and sealed says: {good} is sound. In {bad} it found a crack."),
            veto=(
                "The examination that was done first and sealed says that the whole of {place} is contaminated; "
                "entering it is prohibited."
            ),
            cue="The seal on the envelope looks like {pick}.",
            others={
                "plan": (
                    "Then {who} found arguments for {trap}, one smoother than the other, all of them later than the "
                    "word."
                ),
            },
        ),
        Template(
            scene="At {place} the trainers have to enter one crew for {day}: {x}, or {y}.",
            lean="The entry form was filled in with {lean} in a hurry.",
            option="On the water, timed by two people, {good} was faster, and {bad} lost by three lengths.",
            veto=(
                "On the water, says the federation's letter, no crew of {place} may start before its appeal is "
                "heard: it is suspended."
            ),
            cue="A lucky charm in the shape of {pick} hangs from the trainer's neck.",
            others={
                "plan": "The essay in praise of {trap} was handed in a week after the form, as a justification.",
            },
        ),
        Template(
            scene="{other} inherits a quarrel about {place}. What is to be opened to the public is {x} or {y}.",
            lean="The quarrel began because somebody had announced {lean}.",
            option=(
                "The engineer measured before anybody had announced anything: {good} bears a crowd, while {bad} "
                "would collapse."
            ),
            veto=(
                "The engineer measured before anybody had announced anything: the ground is giving way, and the "
                "public must not be let in anywhere."
            ),
            cue="The ice-cream van outside has {pick} painted on it.",
            others={
                "plan": (
                    "The announcer has since published a history that makes {trap} look like fate; it was written "
                    "backwards from the outcome."
                ),
            },
        ),
    ),
)
