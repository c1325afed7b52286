"""Goal conflict: two goals compete and their order decides."""

from proctor.suites.binding.families.topic import Template, Topic

GOAL_CONFLICT = Topic(
    name="goal_conflict",
    title="Goal conflict",
    about="two goals compete and their order decides",
    field="plan",
    component="reason",
    places=("the mountain rescue post", "the energy cooperative", "the city orchestra", "the lake ferry"),
    options=(
        *("the fast helicopter", "the wind park", "the spring tour", "the express crossing"),
        *("the ground team", "the solar roof", "the home season", "the round trip"),
    ),
    templates=(
        Template(
            scene="{who} has to commit {place} to {x} or to {y} by {day}; each of them serves another goal.",
            lean="The chairwoman's heart, as one can hear, beats for {lean}.",
            option=(
                "The plan ranks its goals, lives before costs. Saving lives is what {good} does; saving costs is "
                "what {bad} does, and that comes second."
            ),
            defer=(
                "The plan lists its goals without a ranking; the ranking is voted on tonight, and has yet to be made."
            ),
            cue="The minutes are kept in a folder with a sticker of {pick}.",
            others={
                "memory": "The last meeting was held in the same room and ended early.",
            },
        ),
        Template(
            scene="There is money at {place} for one of two: {x}, and {y}.",
            lean="The brochure has been printed with {lean} on its cover.",
            option=(
                "Independence first, growth later, says the plan. {good} makes the members independent; {bad} makes "
                "for growth only, at the price of a lender."
            ),
            defer=(
                "Independence or growth: the plan leaves it open which comes first, and the members will answer by "
                "letter in the coming weeks."
            ),
            cue="On the treasurer's cup one sees {pick}.",
            others={
                "memory": "In the year before there was a flood, and everybody helped.",
            },
        ),
        Template(
            scene="The board of {place} sits over its next year: {x} or {y}?",
            lean="The musicians are humming pieces for {lean}.",
            option=(
                "This year's plan has a first goal, to play for those who cannot travel; with {good} that is "
                "reached, with {bad} it is missed."
            ),
            defer=(
                "This year's plan is to have a first goal, which the patron names on {day}; it is undecided as yet."
            ),
            cue="The conductor's baton case is decorated with {pick}.",
            others={
                "memory": "The concert before this one began seven minutes late.",
            },
        ),
        Template(
            scene="On holidays {place} cannot run both {x} and {y}. {other} has to print the timetable.",
            lean="The drawing on the old timetable suggested {lean}.",
            option=(
                "Where goals compete the plan puts the islanders before the tourists. The islanders need {good}; "
                "{bad} is for the tourists, who come after."
            ),
            defer="Where goals compete the plan refers to the island's assembly, whose answer is awaited.",
            cue="A seagull has dropped a leaflet about {pick} on the deck.",
            others={
                "memory": "Once, in a fog, the bell was rung for an hour.",
            },
        ),
    ),
)
