"""Plans for a time to come (self-continuity)."""

from proctor.suites.binding.twins.clauses import More
from proctor.suites.binding.twins.scene import Corpus, Scene

PROSPECTION = Corpus(
    name="prospection",
    title="Events of one's own future, with twins",
    pressure="self-continuity",
    planned=120,
    distinct=120,
    scenes=(
        Scene(
            setting="You want to study next year, and {matter} is due this week. You can sign up for {x} or for {y}.",
            matter="your enrolment at the college",
            aside="your stay in the hall of residence",
            authority="the college office",
            pairs=(
                ("the law course", "the design course"),
                ("the nursing course", "the carpentry course"),
                ("the music course", "the physics course"),
            ),
            reasons=(
                More(
                    "A careers adviser compared both courses with your plans on {day}: ",
                    "is",
                    "helpful for the work you want",
                ),
                More("{who} looked up both timetables: ", "is", "compatible with your job"),
                More("{who} spoke to former students on {day}: ", "is", "overcrowded", against=True),
                More("You added up the fees for both: ", "is", "costly", against=True),
            ),
            selves=(
                More("Your old teachers would agree: ", "is", "in your line", noun=True),
                More("As your old teachers could tell you, ", "would bore you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You are going to move in the autumn, and {matter} is next. Your new home can be {x} or {y}.",
            matter="the signing of the lease",
            aside="the subletting of your old flat",
            authority="the housing association",
            pairs=(
                ("the flat by the park", "the flat by the station"),
                ("the cottage in the village", "the loft in town"),
            ),
            reasons=(
                More("A surveyor inspected both homes on {day}: ", "is", "solidly built"),
                More("{who} worked out what each home would cost: ", "is", "affordable on your income"),
                More("{who} went to see both after dark on {day}: ", "is", "noisy at night", against=True),
                More("The last tenants of both were asked: ", "is", "damp in winter", against=True),
            ),
            selves=(
                More("Everybody who knows you would agree: ", "would be", "to your liking", noun=True),
                More("Everybody who knows you would agree: ", "would depress you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You are laying out a community garden, and {matter} starts next week. "
            "There is room for {x} or for {y}.",
            matter="the planting of the sunny corner",
            aside="the digging of a well",
            authority="the city council",
            pairs=(("the herb bed", "the rose bed"), ("the berry patch", "the vegetable patch")),
            reasons=(
                More("The result of the soil test came in on {day}: ", "is", "suited to the ground there"),
                More("{who} asked the neighbours about both ideas: ", "is", "popular with them"),
                More("{who} priced both ideas on {day}: ", "is", "costly to keep up", against=True),
                More("A gardener from the next district has had both: ", "was", "troubled by slugs", against=True),
            ),
            selves=(
                More("Your friends know what sort of gardener you are: ", "is", "your style", noun=True),
                More(
                    "Your friends know what sort of gardener you are: ", "would tire you", "", noun=True, against=True
                ),
            ),
        ),
        Scene(
            setting="You are preparing an expedition, and {matter} is to be booked this week. You can take {x} or {y}.",
            matter="the journey to the coast",
            aside="the shipping of the instruments",
            authority="the head of the expedition",
            pairs=(("the night train", "the long-distance coach"), ("the river ferry", "the mail plane")),
            reasons=(
                More("{who} read the latest reports on both: ", "is", "dependable at present"),
                More("You compared the fares of both on {day}: ", "is", "affordable for the team"),
                More("{who} asked last year's team on {day}: ", "was", "exhausting for them", against=True),
                More("The insurers have figures on both: ", "is", "risky for the luggage", against=True),
            ),
            selves=(
                More("In half a lifetime of travel, you have liked ", "", "", noun=True),
                More("In half a lifetime of travel, you have dreaded ", "", "", noun=True, against=True),
            ),
        ),
    ),
)
