"""Scenes that can stand behind any event of a user's: two ways of dealing with it."""

from proctor.suites.binding.twins.clauses import More
from proctor.suites.binding.twins.scene import Corpus, Scene

EVERYDAY = Corpus(
    name="everyday",
    title="Events of one's own",
    pressure="whatever the events are about",
    planned=1,
    distinct=1,
    scenes=(
        Scene(
            setting="You are responsible for {matter}. You can follow {x} or {y}.",
            matter="the handling of this event",
            aside="the filing of last month's reports",
            authority="the head office",
            pairs=(("the usual procedure", "the short procedure"), ("the written rule", "the oral advice")),
            reasons=(
                More("{who} looked into earlier cases on {day}: ", "was", "successful"),
                More("Both have been tried in the meantime: ", "was", "helpful to all concerned"),
                More("{who} went through old complaints on {day}: ", "was", "confusing to everybody", against=True),
                More("The office manager has worked out both: ", "is", "wasteful with time", against=True),
            ),
            selves=(
                More("In all your years on the job, ", "has come", "naturally to you"),
                More("In all your years on the job, ", "has annoyed you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="It is up to you to arrange {matter}. You can ask {x} or {y} to take care of it.",
            matter="the response to this event",
            aside="the cleaning of the offices",
            authority="the safety department",
            pairs=(("the day team", "the night team"), ("the first office", "the second office")),
            reasons=(
                More("{who} asked both about it on {day}: ", "is", "experienced in such cases"),
                More("The last reviews of both were compared: ", "was", "careful in its work"),
                More("{who} looked at the rosters on {day}: ", "is", "overworked at present", against=True),
                More("The last complaints about both were compared: ", "was", "careless in its work", against=True),
            ),
            selves=(
                More("In all your years on the job, ", "has meant", "to you", noun=True),
                More("In all your years on the job, ", "has disappointed you", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You are to write {matter} today. You can use {x} or {y} for it.",
            matter="the report on this event",
            aside="the publication of the accounts",
            authority="the legal department",
            pairs=(("the long form", "the short form"), ("the printed form", "the online form")),
            reasons=(
                More("{who} checked both forms on {day}: ", "is", "complete in its questions"),
                More("The office that reads the reports was asked: ", "is", "acceptable to it"),
                More("{who} asked around the office on {day}: ", "is", "confusing to fill in", against=True),
                More("Both forms have been tried this month: ", "was", "wasteful with time", against=True),
            ),
            selves=(
                More("In all your years on the job, ", "has come", "naturally to you"),
                More("In all your years on the job, you have dreaded ", "", "", noun=True, against=True),
            ),
        ),
        Scene(
            setting="You are in charge of {matter}. You can start with {x} or with {y}.",
            matter="the follow-up to this event",
            aside="the staff outing",
            authority="the management",
            pairs=(("the phone call", "the letter"), ("the visit", "the video call")),
            reasons=(
                More("{who} asked around on {day}: ", "was", "helpful in such cases"),
                More("The people concerned were asked what they prefer: ", "is", "agreeable to them"),
                More("{who} looked at earlier cases on {day}: ", "was", "irritating to people", against=True),
                More("The costs of both have been added up: ", "is", "wasteful with time", against=True),
            ),
            selves=(
                More("Everybody at work knows your ways: ", "is", "your style", noun=True),
                More("Everybody at work knows your ways: ", "annoys you", "", noun=True, against=True),
            ),
        ),
    ),
)
