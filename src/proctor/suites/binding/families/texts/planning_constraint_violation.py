"""Planning constraint violation: a plan breaks one of its own conditions."""

from proctor.suites.binding.families.topic import Template, Topic

PLANNING_CONSTRAINT_VIOLATION = Topic(
    name="planning_constraint_violation",
    title="Planning constraint violation",
    about="a plan breaks one of its own conditions",
    field="plan",
    component="reason",
    places=("the moving company", "the wedding hall", "the survey camp", "the relay race"),
    options=(
        *("the morning run", "the garden wing", "the ridge camp", "the inland leg"),
        *("the night run", "the river wing", "the valley camp", "the coastal leg"),
    ),
    templates=(
        Template(
            scene=(
                "For the customers of {day} {place} has two plans, {x} and {y}, and {who} has to be told one of them."
            ),
            lean="The plan drawn in colour is {lean}.",
            option=(
                "The plan has one hard condition, four people at most: {good} needs three; {bad} needs six, and "
                "breaks it."
            ),
            veto=(
                "The plan has one hard condition, a signed consent; it was refused on {day}, and without it neither "
                "may begin."
            ),
            cue="The removal boxes carry the logo of a firm called after {pick}.",
            others={
                "self": "You have planned such days often, and calmly.",
            },
        ),
        Template(
            scene="Guests arrive at {place} in an hour. They can be received in {x} or in {y}.",
            lean="The flowers were put down by chance next to {lean}.",
            option=(
                "Everybody has to be seated by six. The steps work out for {good} with ten minutes to spare; for "
                "{bad} they end at half past seven, too late."
            ),
            veto=(
                "Everybody has to be seated by six, and the steps need a permit at each point. The permits were all "
                "revoked; proceeding in {place} is not allowed."
            ),
            cue="The seating cards have a border of {pick}.",
            others={
                "self": "You are at your best when people arrive.",
            },
        ),
        Template(
            scene="{place} has to be set up before dark, as {x} or as {y}, says {other}.",
            lean="The lorry is parked so that {lean} would be handier.",
            option=(
                "Water within a hundred metres is a must. The route sheet gives forty for {good}; for {bad} it "
                "gives nine hundred, which will not do."
            ),
            veto=(
                "Water within a hundred metres is a must, and the route sheet has a stamp across both: closed by "
                "the forester, and camping is prohibited."
            ),
            cue="The tent pegs came in a bag with {pick} printed on it.",
            others={
                "self": "You sleep well anywhere, tents included.",
            },
        ),
        Template(
            scene=(
                "The runners of {place} wait for the order of the day: {x} first, or {y} first. {who} holds the list."
            ),
            lean="The runners have gathered around the sign for {lean}.",
            option=(
                "No runner may do two legs in a row. Worked out step by step, the order that opens with {good} "
                "keeps to that; opening with {bad} violates it at the third change."
            ),
            veto=(
                "No race may take place above thirty-five degrees. It is thirty-eight, and the organisers have "
                "called it off for both orders."
            ),
            cue="A runner's headband is embroidered with {pick}.",
            others={
                "self": "You were a runner once and know what waiting is like.",
            },
        ),
    ),
)
