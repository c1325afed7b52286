"""Things that were arranged before and are needed now (memory constraint)."""

from proctor.suites.binding.twins.clauses import More
from proctor.suites.binding.twins.scene import Corpus, Scene

RECALL = Corpus(
    name="recall",
    title="Recall events, with twins",
    pressure="memory as a constraint",
    planned=120,
    distinct=119,
    scenes=(
        Scene(
            setting="You keep the archive of a town, and {matter} is on this week's list. "
            "The papers can go to {x} or to {y}.",
            matter="the relocation of the council papers",
            aside="the binding of the old maps",
            authority="the mayor",
            pairs=(("the cellar vault", "the upper store"), ("the reading room", "the tower room")),
            reasons=(
                More("{who} measured the humidity in both on {day}: ", "is", "suitable for old paper"),
                More("The shelves in both have been measured: ", "is", "spacious"),
                More("{who} looked for mould in both on {day}: ", "is", "damp", against=True),
                More("A fire inspector has been to both: ", "is", "dangerous in a fire", against=True),
            ),
            selves=(
                More("In all your years at the archive, you have trusted ", "", "", noun=True),
                More("In all your years at the archive, you have distrusted ", "", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You drive for a bakery, and {matter} is still to be made. The bread can be left at {x} or at {y}.",
            matter="the delivery to the hotel",
            aside="the collection of the empty crates",
            authority="the manager of the hotel",
            pairs=(("the kitchen entrance", "the front desk"), ("the courtyard gate", "the garage door")),
            reasons=(
                More("{who} rang the hotel about both on {day}: ", "is", "convenient for the kitchen staff"),
                More("The notes on earlier deliveries have been checked: ", "was", "secure against theft"),
                More("{who} tried both with the big van on {day}: ", "was", "awkward to reach", against=True),
                More("Other drivers were asked about both: ", "is", "crowded in the morning", against=True),
            ),
            selves=(
                More("In all your years with the bakery, you have trusted ", "", "", noun=True),
                More("In all your years with the bakery, you have disliked ", "", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You are planning a train journey for a group, and {matter} has yet to be arranged. "
            "At the station, the group can take {x} or {y}.",
            matter="the change of trains",
            aside="the meal in the dining car",
            authority="the railway company",
            pairs=(("the footbridge", "the underpass"), ("the glass lift", "the long ramp")),
            reasons=(
                More("{who} knows the station and has described both: ", "is", "convenient with luggage"),
                More("The stationmaster was asked about both on {day}: ", "is", "direct"),
                More("{who} was at the station on {day}: ", "is", "crowded at that hour", against=True),
                More("Both were inspected last winter: ", "is", "slippery in the wet", against=True),
            ),
            selves=(
                More("Those who have travelled with you before agree: ", "is", "your style", noun=True),
                More("Those who have travelled with you before agree: ", "annoys you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You conduct a choir, and {matter} is next week. The closing piece can be {x} or {y}.",
            matter="the concert in the church",
            aside="the recording in the chapel",
            authority="the parish council",
            pairs=(("the evening hymn", "the folk song"), ("the spring chorus", "the lullaby")),
            reasons=(
                More("{who} listened to both at the rehearsal on {day}: ", "was", "convincing in every voice"),
                More("The organist has played through both: ", "is", "suited to the church organ"),
                More("{who} timed the singers' mistakes on {day}: ", "was", "troubled by wrong notes", against=True),
                More("A critic has heard both this year: ", "was", "tedious to listen to", against=True),
            ),
            selves=(
                More("In all your years as a conductor, ", "has meant", "to you", noun=True),
                More("In all your years as a conductor, ", "has bored you", "", noun=True, against=True),
            ),
        ),
    ),
)
