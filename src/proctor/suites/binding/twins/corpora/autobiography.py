"""Episodes of one's own past, told again (self-memory loop)."""

from proctor.suites.binding.twins.clauses import More
from proctor.suites.binding.twins.scene import Corpus, Scene

AUTOBIOGRAPHY = Corpus(
    name="autobiography",
    title="Autobiographical events, with twins",
    pressure="the self-memory loop",
    planned=120,
    distinct=120,
    scenes=(
        Scene(
            setting="You are writing your memoirs, and {matter} is next. The first chapter can be about {x} or {y}.",
            matter="the printing of the first part",
            aside="the reading in the bookshop",
            authority="your publisher",
            pairs=(
                ("the summer at the lake", "the winter at the mill"),
                ("the day of the fire", "the day of the fair"),
            ),
            reasons=(
                More("{who} looked for both in the old letters: ", "is", "fully documented"),
                More("An editor read both drafts on {day}: ", "is", "gripping to read"),
                More("{who} showed both drafts around on {day}: ", "is", "confusing to readers", against=True),
                More("A lawyer has read both drafts: ", "is", "risky for the family", against=True),
            ),
            selves=(
                More("All your life, ", "has meant", "to you", noun=True),
                More("Ever since, ", "has saddened you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You cook for your old class, and {matter} in the school hall is next week. "
            "The main dish can be {x} or {y}.",
            matter="the reunion dinner",
            aside="the picnic in the school grounds",
            authority="the head of the school",
            pairs=(
                ("the fish stew", "the lamb roast"),
                ("the mushroom pie", "the bean casserole"),
                ("the vegetable lasagne", "the chicken curry"),
            ),
            reasons=(
                More("{who} asked all the guests about allergies: ", "is", "suitable for them"),
                More("You tried out both dishes on {day}: ", "was", "successful"),
                More("You added up the shopping for both on {day}: ", "is", "costly", against=True),
                More("{who} remembers both from other reunions: ", "was", "disappointing", against=True),
            ),
            selves=(
                More("In all your years as a cook, ", "has been", "to your taste", noun=True),
                More("In all your years as a cook, ", "has annoyed you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You will give a speech at your old school, and {matter} starts at six. "
            "You can speak about {x} or about {y}.",
            matter="the anniversary evening",
            aside="the football tournament",
            authority="the head of the school",
            pairs=(("the class trip", "the school play"), ("the science fair", "the leaving party")),
            reasons=(
                More("{who} asked your old classmates about both on {day}: ", "is", "memorable to them"),
                More("The organisers have read both versions of your speech: ", "was", "amusing to them"),
                More(
                    "{who} asked the speakers of earlier years on {day}: ", "is", "tedious to hear about", against=True
                ),
                More("A teacher who will be there was asked: ", "is", "embarrassing to the school", against=True),
            ),
            selves=(
                More("In all the years since you left school, ", "has meant", "to you", noun=True),
                More("In all the years since you left school, ", "has saddened you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You are clearing out your parents' house, and {matter} is at the weekend. "
            "The van has room for one large piece, {x} or {y}.",
            matter="the move to your new flat",
            aside="the painting of the hallway",
            authority="your new landlord",
            pairs=(("the oak chest", "the piano"), ("the writing desk", "the grandfather clock")),
            reasons=(
                More("{who} had both pieces examined on {day}: ", "is", "solidly built"),
                More("You measured the staircase of the new flat: ", "is", "manageable on the stairs"),
                More("{who} went over both for woodworm on {day}: ", "is", "damaged", against=True),
                More("The removal men gave you a price for each: ", "is", "costly to carry", against=True),
            ),
            selves=(
                More("Ever since you were a child, ", "has meant", "to you", noun=True),
                More("Ever since you were a child, ", "has annoyed you", "", noun=True, against=True),
            ),
        ),
    ),
)
