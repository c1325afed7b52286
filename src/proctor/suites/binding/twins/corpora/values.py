"""Decisions between things that are worth something (reasons and values in conflict)."""

from proctor.suites.binding.twins.clauses import More
from proctor.suites.binding.twins.scene import Corpus, Scene

VALUES = Corpus(
    name="values",
    title="Value events, with twins",
    pressure="reasons and values in conflict",
    planned=120,
    distinct=120,
    scenes=(
        Scene(
            setting="You run a small charity, and {matter} is due. The money can go to {x} or to {y}.",
            matter="the payment of this year's grant",
            aside="the renting of a meeting room",
            authority="the board of trustees",
            pairs=(
                ("the food bank", "the music school"),
                ("the animal shelter", "the youth club"),
                ("the women's refuge", "the repair workshop"),
            ),
            reasons=(
                More("{who} went through the books of both on {day}: ", "is", "careful with its money"),
                More("Both have been visited this month: ", "is", "dependent on the grant"),
                More("{who} read both annual reports on {day}: ", "is", "wasteful with money", against=True),
                More("The auditors have looked into both: ", "is", "doubtful in its accounts", against=True),
            ),
            selves=(
                More("In all your years with the charity, ", "has meant", "to you", noun=True),
                More("In all your years with the charity, ", "has disappointed you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You buy for a school canteen, and {matter} is due this week. You can buy from {x} or from {y}.",
            matter="the order for next month",
            aside="the repair of the dishwasher",
            authority="the school board",
            pairs=(
                ("the farm shop", "the wholesale market"),
                ("the village bakery", "the bread factory"),
            ),
            reasons=(
                More("{who} looked at samples from both on {day}: ", "is", "particular about freshness"),
                More("Offers from both were compared again: ", "is", "affordable for a school"),
                More("{who} went through the complaints on {day}: ", "was", "unpunctual", against=True),
                More("A customer of both was asked: ", "is", "wasteful with packaging", against=True),
            ),
            selves=(
                More("In all your years as a buyer, you have trusted ", "", "", noun=True),
                More("In all your years as a buyer, you have distrusted ", "", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You chair a residents' association, and {matter} is the last item tonight. "
            "The two proposals for the empty plot are {x} and {y}.",
            matter="the building project",
            aside="the widening of the pavement",
            authority="the planning office",
            pairs=(("the playground", "the car park"), ("the library", "the market hall")),
            reasons=(
                More("{who} presented the results of the survey on {day}: ", "is", "popular with the residents"),
                More("An engineer has examined the ground: ", "would be", "feasible on that soil"),
                More("{who} had the costs worked out on {day}: ", "would be", "costly to build", against=True),
                More("The neighbours on both sides were asked: ", "would be", "irritating to them", against=True),
            ),
            selves=(
                More("Your neighbours know what you stand for: ", "is", "important to you"),
                More("Your neighbours know how you feel about it: ", "worries you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You coordinate a group of volunteers, and {matter} is at the weekend. "
            "The group can help at {x} or at {y}.",
            matter="the day of action",
            aside="the first-aid course",
            authority="the volunteer centre",
            pairs=(("the soup kitchen", "the animal shelter"), ("the old people's home", "the children's hospital")),
            reasons=(
                More("{who} rang both places on {day}: ", "is", "desperate for helpers"),
                More("Last year's volunteers were asked about both: ", "was", "welcoming to them"),
                More("{who} was at both places on {day}: ", "is", "crowded with helpers already", against=True),
                More("Last year's volunteers wrote about both: ", "was", "exhausting for them", against=True),
            ),
            selves=(
                More("For many years, ", "has meant", "to you", noun=True),
                More("For many years, ", "has saddened you", "", noun=True, against=True),
            ),
        ),
    ),
)
