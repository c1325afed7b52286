"""Delayed recall: something said long before is needed now."""

from proctor.suites.binding.families.topic import Template, Topic

DELAYED_RECALL = Topic(
    name="delayed_recall",
    title="Delayed recall",
    about="something said long before is needed now",
    field="memory",
    component="memory",
    places=("the night train", "the long ferry", "the observatory", "the all-day fair"),
    options=(
        *("the rear coach", "the forward deck", "the small dome", "the tea tent"),
        *("the sleeping car", "the upper saloon", "the dark room", "the puppet stage"),
    ),
    templates=(
        Template(
            scene="It is late on {place}. {who} wakes you and asks whether the luggage goes to {x} or to {y}.",
            lean="Half asleep, you find yourself turning to {lean}.",
            option=(
                "Many hours ago, before anything else happened, {other} told you in passing about the luggage: it "
                "belongs in {good}."
            ),
            defer=(
                "Many hours ago {other} told you in passing about the luggage: the conductor will only know its "
                "place after the next stop, and you are to hear from him then."
            ),
            veto=(
                "Many hours ago {other} told you in passing about the luggage: it is sealed by customs, and nobody "
                "may move it."
            ),
            cue="The wallpaper has a pattern in which one can see {pick}.",
            others={
                "plan": "For the rest of the night the plan is to sleep as well as one can.",
                "x-turns": (
                    "Since then there were two meals, a long talk about bees, an hour of rain and a game of draughts."
                ),
            },
        ),
        Template(
            scene=("After a day at {place} the group has to meet again, at {x} or at {y}. Everybody looks at you."),
            lean="Most of the group is standing nearer to {lean}.",
            option="At breakfast, when nobody was listening, {who} named the meeting point. It was {good}.",
            defer=(
                "At breakfast, when nobody was listening, {who} said that the meeting point was still open and "
                "would be called out at the gate."
            ),
            veto=(
                "At breakfast, when nobody was listening, {who} said that the group was not allowed to meet again "
                "on the grounds."
            ),
            cue="A balloon seller offers a balloon in the shape of {pick}.",
            others={
                "plan": "What comes after the meeting is dinner, and that is booked.",
                "x-turns": "In between there were nine stalls, a lost glove, a brass band and a nap on the grass.",
            },
        ),
        Template(
            scene=(
                "The last guest of {place}, {who}, holds out a token for {x} or for {y}; it is worn smooth and "
                "cannot be read."
            ),
            lean="The colour of the token reminds you of {lean}.",
            option=(
                "When the season began you were shown once which token is which. A worn one, {other} said then, is "
                "from {good}."
            ),
            defer=(
                "When the season began you were told once about tokens. For a worn one, {other} said then, ask the "
                "owner, who is back tomorrow."
            ),
            veto=(
                "When the season began you were told once about tokens. On a worn one, {other} said then, handing "
                "out anything is forbidden."
            ),
            cue="The guest hums a tune from a film about {pick}.",
            others={
                "plan": "Afterwards the lamps are put out and the doors closed.",
                "x-turns": (
                    "A whole season lies between: two hundred guests, one storm, a broken window and new curtains."
                ),
            },
        ),
        Template(
            scene="{place} is about to close its books for {day}. One line is open, for {x} or for {y}.",
            lean="The pen has stopped just above the column for {lean}.",
            option=(
                "There was a telephone call early in the week; you were busy and only said yes. The caller, {who}, "
                "had said that the line was for {good}."
            ),
            defer=(
                "There was a telephone call early in the week; you only said yes. The caller, {who}, had said that "
                "the figure for the line is outstanding and comes by post."
            ),
            veto=(
                "There was a telephone call early in the week; you only said yes. The caller, {who}, had said that "
                "the line is under audit and must not be filled in."
            ),
            cue="The blotter shows, mirrored, a sketch of {pick}.",
            others={
                "plan": "Once the books are closed there is cake.",
                "x-turns": "Since that call the week has brought a fire drill, three visitors and a new kettle.",
            },
        ),
    ),
)
