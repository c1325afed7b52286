"""The words of the family: what lies in an assay house, how it explains its treatments, and what it leaves out."""

from __future__ import annotations

MATERIALS = ("clay", "glass", "resin", "wool", "copper", "bone", "chalk", "amber")
CONDITIONS = ("cracked", "damp", "faded", "sound")
DROPS = (2, 3, 5, 7)
COLOURS = ("grey", "tawny", "pale green", "black", "ochre", "milky", "rust red", "slate blue")
GOALS = (
    "Treat the {count} samples {ids} that came in today.",
    "Assay room of {firm}: the samples {ids} are waiting for treatment. Treat all {count}.",
    "There are {count} samples on your bench: {ids}. Each needs its treatment.",
    "{firm} has sent the samples {ids}; give each of the {count} the house's treatment.",
)
RULES = (
    "\nEvery sample has a card, which the tool inspect shows as often as you like. The card says which material the "
    "sample is made of ({materials}) and what condition it is in ({conditions}); nothing else on it matters. A "
    "treatment is a reagent and a number of drops. This house chooses the reagent by the material alone and the number "
    "of drops by the condition alone: each material has a reagent of its own, each condition a number of its own. "
    "Which belongs to which is written down nowhere; it stays the same for as long as you work here. The reagents have "
    "made-up names, in alphabetical order: {reagents}. The number of drops is {drops}.\nTreat each sample once, with "
    "the tool treat. Only the first treatment of a sample counts, and all have to be right. On some days the house "
    "replies to a treatment with what would have been right; on others it only records it."
)
ANSWER_FORMAT = "Nothing has to be handed in: what counts are the treatments on record. Any short remark will do."
