"""Late veto cancellation: a ban comes, or is taken back, at the last moment."""

from proctor.suites.binding.families.topic import Template, Topic

LATE_VETO_CANCELLATION = Topic(
    name="late_veto_cancellation",
    title="Late veto cancellation",
    about="a ban comes, or is taken back, at the last moment",
    field="veto",
    component="veto",
    places=("the launch pier", "the concert barn", "the quarry", "the balloon meadow"),
    options=(
        *("the grey tug", "the evening set", "the south face", "the striped envelope"),
        *("the white cutter", "the matinee", "the west face", "the red envelope"),
    ),
    templates=(
        Template(
            scene=(
                "Everything at {place} is ready. In two minutes it will be {x} or {y}; {who} has a hand on the lever."
            ),
            lean="The crew stands lined up for {lean}.",
            option=(
                "Both had been stopped this morning. A minute ago the stop was lifted for {good}; for {bad} it was not."
            ),
            veto=(
                "Both had been stopped this morning and freed at noon. A minute ago the stop order came back for "
                "the whole of {place}, and it is forbidden to go on."
            ),
            cue="A loudspeaker van goes by and advertises {pick}.",
            others={
                "plan": "The sequence is: check the clock, raise the hand, pull the lever.",
            },
        ),
        Template(
            scene=("The audience at {place} is seated. Next comes {x} or {y}, as {other} announces from the wings."),
            lean="Backstage the properties for {lean} are laid out.",
            option=(
                "The fire officer had closed both for an hour and has just gone round again. For {good} the hour is "
                "over; for {bad} it was made a whole season, and the bar remains."
            ),
            veto=(
                "The fire officer, who had let it go ahead, comes running back: the barrier stays down and nobody "
                "may perform."
            ),
            cue="A programme seller calls out a pun on {pick}.",
            others={
                "plan": "After the interval there is a raffle.",
            },
        ),
        Template(
            scene="On {day}, after weeks of waiting, {place} may be worked again, at {x} or at {y}.",
            lean="The machines were left standing near {lean}.",
            option=(
                "The ministry's ban covered both. By telegram, at the very end, {good} was taken out of it; {bad} "
                "stays banned."
            ),
            veto=(
                "The ministry's ban had run out at midnight. By telegram, at the very end, it was renewed for all "
                "of {place}."
            ),
            cue="The telegram form has a watermark like {pick}.",
            others={
                "plan": "Work begins with the whistle and ends with the whistle.",
            },
        ),
        Template(
            scene="{who} is already counting down at {place}. At zero it is {x} or {y}.",
            lean="With every number {who} nods towards {lean}.",
            option=(
                "At four the tower withdrew its objection to {good}. At three it upheld its objection to {bad}, "
                "which is final and against it."
            ),
            veto=(
                "At four the tower withdrew its objection. At three it raised another, this time against everything "
                "at {place}, with the word prohibited."
            ),
            cue="The stopwatch has {pick} engraved on its lid.",
            others={
                "plan": "When it is over the ropes are coiled and counted.",
            },
        ),
    ),
)
