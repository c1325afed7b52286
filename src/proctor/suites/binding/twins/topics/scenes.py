"""The scenes of the four-code families: those of the corpora by name, and two with tools."""

from proctor.suites.binding.twins.clauses import More
from proctor.suites.binding.twins.corpora.autobiography import AUTOBIOGRAPHY
from proctor.suites.binding.twins.corpora.morals import MORALS
from proctor.suites.binding.twins.corpora.narratives import NARRATIVES
from proctor.suites.binding.twins.corpora.prospection import PROSPECTION
from proctor.suites.binding.twins.corpora.recall import RECALL
from proctor.suites.binding.twins.corpora.uncertainty import UNCERTAINTY
from proctor.suites.binding.twins.corpora.values import VALUES
from proctor.suites.binding.twins.scene import Scene

THEATRE, MOUNTAIN, NEWSPAPER, CASTLE = NARRATIVES.scenes
COLLEGE, LEASE, GARDEN, JOURNEY = PROSPECTION.scenes
MEMOIRS, DINNER, SPEECH, MOVE = AUTOBIOGRAPHY.scenes
CHARITY, CANTEEN, PLOT, VOLUNTEERS = VALUES.scenes
CLINIC, HUT, CHEMICALS, FERRY = MORALS.scenes
SAVINGS, FISHING, SOWING, CONCERT = UNCERTAINTY.scenes
ARCHIVE, BAKERY, STATION, CHOIR = RECALL.scenes

WORKSHOP = Scene(
    setting="You work in a joiner's workshop, and {matter} is this week's job. You can use {x} or {y}.",
    matter="the work on the school benches",
    aside="the repair of a staircase",
    authority="the foreman",
    pairs=(("the band saw", "the hand saw"), ("the planer", "the belt sander"), ("the nail gun", "the hammer")),
    reasons=(
        More("{who} tried out both on {day}: ", "was", "precise"),
        More("The maintenance list has a line on each: ", "is", "reliable at present"),
    ),
    selves=(More("In all your years as a joiner, you have liked ", "", "", noun=True),),
)
PARK = Scene(
    setting="You look after a public park, and {matter} is this week's task. You can use {x} or {y}.",
    matter="the work on the old lime tree",
    aside="the mowing of the meadow",
    authority="the parks department",
    pairs=(("the long ladder", "the lifting platform"), ("the chainsaw", "the pruning saw")),
    reasons=(
        More("{who} checked the equipment on {day}: ", "is", "reliable at present"),
        More("Both were used on the same kind of tree: ", "was", "suitable"),
    ),
    selves=(More("In all your years in the park, you have liked ", "", "", noun=True),),
)
