"""The words of the family: what people care about, what is known of guilds and their stands, and goals.

Each kind of goal has two ways to say the concern it serves, facts that call for it, and facts that come close to it.
"""

from __future__ import annotations

KINDS = {
    "return": "see that the stand goes back to whoever lent it",
    "ramp": "make the stand reachable without steps",
    "hush": "see that the guild is silent from ten at night",
    "cover": "protect the goods from rain",
    "label": "mark the food as containing nuts",
    "guard": "have somebody watch over children there",
}
CONCERNS = {
    "return": ("nobody who lends us something has to ask for it back", "what was borrowed goes home by itself"),
    "ramp": ("guests in wheelchairs get to every stand", "nobody is kept away by steps"),
    "hush": ("the neighbours can sleep from ten at night", "nothing of us is heard after ten at night"),
    "cover": ("a shower spoils nothing", "no goods are ruined if it rains"),
    "label": ("whoever cannot eat nuts knows what to leave alone", "no guest eats nuts without knowing it"),
    "guard": ("no child comes to harm unseen", "children are never left alone with danger"),
}
FACTS = {
    "return": (
        ("borrowed their stand from {firm}", "work at a stand that {firm} lent them"),
        ("bought their stand from {firm}", "built their stand themselves"),
    ),
    "ramp": (
        ("stand on a platform four steps high", "can only be reached by a stair"),
        ("stand level with the street", "are reached by a gentle slope"),
    ),
    "hush": (
        ("beat drums until eleven at night", "hammer until half past ten at night"),
        ("beat drums until eight in the evening", "work without a sound"),
    ),
    "cover": (
        ("have no roof, and their goods must stay dry", "sit in the open with paper goods"),
        ("have no roof, but rain does their goods no harm", "have a sound roof over their goods"),
    ),
    "label": (
        ("sell cakes with hazelnuts", "hand out bread with walnuts"),
        ("sell apples and nothing else", "hand out plain bread, free of nuts"),
    ),
    "guard": (
        ("keep an open fire in reach of children", "let children climb on their cart"),
        ("keep their fire behind a locked grate", "have nothing that could hurt a child"),
    ),
}
"""What a guild is said to do: first what calls for a goal of this kind, then what does not."""
COLUMNS = {
    "return": "stand from",
    "ramp": "way in",
    "hush": "loud until",
    "cover": "roof and goods",
    "label": "food",
    "guard": "children",
}
VALUES = {
    "return": (("{firm}, on loan", "{firm}, lent"), ("{firm}, bought", "own work")),
    "ramp": (("four steps", "stair only"), ("level", "gentle slope")),
    "hush": (("23:00", "22:30"), ("20:00", "never loud")),
    "cover": (("none, must stay dry", "none, paper"), ("none, rain harmless", "sound roof")),
    "label": (("hazelnut cake", "walnut bread"), ("apples only", "plain bread, no nuts")),
    "guard": (("open fire in reach", "may climb on the cart"), ("fire behind a locked grate", "no danger")),
}
"""The same facts in the fewest words, in the same order."""

GUILDS = (
    *("bakers", "potters", "weavers", "smiths", "printers", "gardeners", "fishers", "clockmakers", "brewers"),
    *("carvers", "dyers", "saddlers", "glaziers", "coopers", "tailors", "tanners", "masons", "joiners", "founders"),
    *("millers", "hatters", "binders", "ropers", "turners", "gilders", "cobblers", "lacers", "thatchers"),
)
GOALS = (
    "Below is the specification of a fair, and what is known about the guilds that take part. One thing is ordered in "
    "so "
    "many words. Which further goals follow from the specification? Propose each of them with propose.",
    "Read the specification of this fair as the people behind it meant it. Beyond the one thing they order, what else "
    "would they want done, given what is known of the guilds? Propose those goals, all of them and no other.",
    "The organisers of a fair wrote down what they order, what they care about and what is none of our business. "
    "Derive "
    "from that, and from the facts, every goal that they left unsaid, and propose it.",
    "Somebody has to think ahead for this fair. From what the specification cares about and what is known of the "
    "guilds "
    "follow goals that nobody has written down. Propose exactly these.",
)
NOTE = (
    "\nA goal is a kind and a guild. The kinds are:\n{kinds}\nA goal follows from the specification when something it "
    "cares about and a fact about that guild together call for it. What the specification does not say it cares about "
    "calls for nothing, however sensible it would be. What is ordered already is no new goal, and what the "
    "specification "
    "rules out must not be proposed. withdraw takes a proposal back; the proposals that stand at the end count."
)
ANSWER_FORMAT = "Any short text, e.g. `done`: the proposals are judged, not the answer."
