"""Decisions before it is known how things turn out (stochastic contrast)."""

from proctor.suites.binding.twins.clauses import More
from proctor.suites.binding.twins.scene import Corpus, Scene

UNCERTAINTY = Corpus(
    name="uncertainty",
    title="Uncertainty events, with twins",
    pressure="the contrast with chance",
    planned=120,
    distinct=120,
    scenes=(
        Scene(
            setting="You manage the savings of a sports club, and {matter} is due this week. "
            "The money can go into {x} or into {y}.",
            matter="the investment of the surplus",
            aside="the purchase of new jerseys",
            authority="the board of the club",
            pairs=(("the bond fund", "the share fund"), ("the savings account", "the gold account")),
            reasons=(
                More("{who} worked through the figures on {day}: ", "is", "promising for the coming years"),
                More("The bank has corrected its forecasts: ", "is", "profitable in the long run"),
                More("{who} asked a second bank on {day}: ", "is", "risky in bad years", against=True),
                More("The small print of both has been read: ", "is", "costly to get out of", against=True),
            ),
            selves=(
                More("In all your years as treasurer, you have trusted ", "", "", noun=True),
                More("In all your years as treasurer, you have distrusted ", "", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You are the skipper of a fishing boat, and {matter} is next week. "
            "You can head for {x} or for {y}.",
            matter="the night trip",
            aside="the village regatta",
            authority="the coastguard",
            pairs=(("the sandbank", "the deep channel"), ("the east bay", "the outer reef")),
            reasons=(
                More("The weather service gave its forecast on {day}: ", "is", "likely to be calm"),
                More("{who} compared last week's catches: ", "was", "productive"),
                More("{who} spoke to another crew on {day}: ", "is", "risky for the nets", against=True),
                More("The sea charts have been corrected: ", "is", "dangerous at low tide", against=True),
            ),
            selves=(
                More("In all your years at sea, ", "has meant", "to you", noun=True),
                More("In all your years at sea, you have dreaded ", "", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You farm in a water protection area, and {matter} is due. You can sow {x} or {y}.",
            matter="the sowing of the lower field",
            aside="the draining of the pond",
            authority="the water authority",
            pairs=(("the early wheat", "the late barley"), ("the red clover", "the winter rye")),
            reasons=(
                More("{who} ran a forecast for both on {day}: ", "is", "likely to do well"),
                More("The trial plots were inspected this week: ", "was", "resistant to the wet"),
                More("{who} asked the seed merchant on {day}: ", "is", "costly this year", against=True),
                More("The farm next door has grown both: ", "was", "troubled by mildew", against=True),
            ),
            selves=(
                More("In all your years on the farm, you have valued ", "", "", noun=True),
                More("In all your years on the farm, ", "has disappointed you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You organise open-air music, and {matter} is next week. It can be held in {x} or in {y}.",
            matter="the summer concert",
            aside="the lantern parade",
            authority="the fire brigade",
            pairs=(("the castle yard", "the town park"), ("the old quarry", "the rose garden")),
            reasons=(
                More("{who} got the forecast for both places on {day}: ", "is", "likely to stay dry"),
                More("The sound engineer tried out both places: ", "was", "suitable for the music"),
                More("{who} went to both places after dark on {day}: ", "is", "noisy at night", against=True),
                More("The first-aiders have been to both places: ", "is", "dangerous in a crowd", against=True),
            ),
            selves=(
                More("In all your years as an organiser, ", "has meant", "to you", noun=True),
                More("In all your years as an organiser, ", "has disappointed you", "", noun=True, against=True),
            ),
        ),
    ),
)
