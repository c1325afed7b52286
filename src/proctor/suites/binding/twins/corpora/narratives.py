"""Stories with somebody in the leading part (agency and self-narrative)."""

from proctor.suites.binding.twins.clauses import More
from proctor.suites.binding.twins.scene import Corpus, Scene

NARRATIVES = Corpus(
    name="narratives",
    title="Narrative events, with twins",
    pressure="agency and self-narrative cues",
    planned=98,
    distinct=84,
    scenes=(
        Scene(
            setting="You direct a village theatre and are preparing {matter}. The first play can be {x} or {y}.",
            matter="the opening of the season",
            aside="the sale of the old costumes",
            authority="the owner of the theatre",
            pairs=(
                ("the comedy", "the ghost story"),
                ("the fairy tale", "the courtroom drama"),
                ("the musical", "the farce"),
            ),
            reasons=(
                More("{who} counted the advance bookings on {day}: ", "is", "popular with the public"),
                More("A test audience has seen both plays: ", "was", "enjoyable"),
                More("The stagehands went through both on {day}: ", "is", "costly to put on", against=True),
                More("{who} asked last year's audience about both: ", "is", "boring to them", against=True),
            ),
            selves=(
                More("In all your years as a director, you have liked ", "", "", noun=True),
                More("Whoever has worked with you knows: ", "bores you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You lead a party of hikers, and {matter} is planned for tomorrow. You can take {x} or {y}.",
            matter="the climb to the summit",
            aside="the descent into the gorge",
            authority="the national park office",
            pairs=(("the north ridge", "the glacier route"), ("the old mule track", "the forest trail")),
            reasons=(
                More("{who} went ahead to look at both ways up: ", "is", "stable underfoot"),
                More("The visitors' book in the hut has entries on both: ", "was", "passable this week"),
                More("{who} read the warnings at the hut on {day}: ", "is", "exposed to falling rocks", against=True),
                More("A rescue team was asked about both: ", "is", "slippery after the rain", against=True),
            ),
            selves=(
                More("In all your years as a guide, you have liked ", "", "", noun=True),
                More("In all your years as a guide, you have dreaded ", "", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You edit a small newspaper, and {matter} starts tomorrow. The front page can carry {x} or {y}.",
            matter="the printing of the weekend edition",
            aside="the move to the new office",
            authority="the publisher",
            pairs=(
                ("the flood report", "the school story"),
                ("the council interview", "the harbour story"),
                ("the strike report", "the museum story"),
            ),
            reasons=(
                More("{who} checked both articles against their sources on {day}: ", "is", "reliable in its facts"),
                More("A panel of readers was shown both articles: ", "was", "important to them"),
                More("A lawyer went through both on {day}: ", "is", "doubtful in its claims", against=True),
                More("{who} compared both with last month's pages: ", "is", "repetitive", against=True),
            ),
            selves=(
                More("After all your years as an editor, you know yourself: ", "is", "in your line", noun=True),
                More(
                    "After all your years as an editor, you know yourself: ", "annoys you", "", noun=True, against=True
                ),
            ),
        ),
        Scene(
            setting="You guide visitors through a castle, and {matter} is next week. It can start in {x} or in {y}.",
            matter="the tour for the school class",
            aside="the cleaning of the tapestries",
            authority="the warden of the castle",
            pairs=(("the knights' hall", "the castle kitchen"), ("the chapel", "the treasury")),
            reasons=(
                More("{who} has just walked through both rooms: ", "is", "suitable for children"),
                More("The teacher was asked about both rooms on {day}: ", "is", "interesting to the class"),
                More("The caretaker looked at both rooms on {day}: ", "is", "draughty at present", against=True),
                More("{who} remembers last year's classes in both: ", "was", "tiring for them", against=True),
            ),
            selves=(
                More("Ever since your first day as a guide, ", "has meant", "to you", noun=True),
                More("In all your time as a guide, you have avoided ", "", "", noun=True, against=True),
            ),
        ),
    ),
)
