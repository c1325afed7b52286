"""Families in which something remembered decides."""

from proctor.suites.binding.twins.clauses import Clauses, More
from proctor.suites.binding.twins.topic import Third, Topic
from proctor.suites.binding.twins.topics.scenes import (
    ARCHIVE,
    BAKERY,
    CANTEEN,
    CASTLE,
    CHARITY,
    CHOIR,
    CLINIC,
    CONCERT,
    DINNER,
    MOVE,
    THEATRE,
    WORKSHOP,
)

MEMORY_CORRECTION = Topic(
    name="memory_correction",
    title="Memory correction, with twins",
    about="something remembered has been corrected since",
    field="memory",
    component="memory",
    scenes=(CASTLE, CANTEEN, CONCERT, CHOIR),
    options=(
        Clauses("{who} has changed an earlier request: ", "the new request was for {p}", "the old request was for {q}"),
        Clauses(
            "There are two notes of what was agreed with {who}: ", "the new note says {p}", "the old note says {q}"
        ),
        Clauses(
            "One of two messages about what {who} wants was a mistake: ",
            "the right message names {p}",
            "the wrong message names {q}",
        ),
        Clauses(
            "Your note on what {who} wants has been corrected: ",
            "the line that counts says {p}",
            "the line crossed out says {q}",
        ),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "In each of two matters, {who} has asked you to wait for a correction: ",
                "the one about {p} has yet to come",
                "the one about {q} changes nothing",
            ),
        ),
        Third(
            "defer",
            Clauses(
                "{who} says that two of your notes may be wrong, and is checking them: ",
                "the one about {p} is still uncertain",
                "the one about {q} has been confirmed",
            ),
        ),
    ),
    others={
        "reason": (
            "One would take just as much effort as the other.",
            "{other} thinks that {trap} sounds a little nicer.",
            "A passer-by likes {trap} a little better.",
        ),
    },
)

DELAYED_RECALL = Topic(
    name="delayed_recall",
    title="Delayed recall, with twins",
    about="something said long before is needed now",
    field="memory",
    component="memory",
    scenes=(CASTLE, ARCHIVE, CONCERT, BAKERY),
    options=(
        More("Months ago {who} advised you about {matter}: ", "would be", "suitable"),
        More("At the beginning of the year {who} spoke to you about both: ", "is", "practical"),
        Clauses("Weeks ago, over coffee, {who} told you what to expect: ", "{p} would be open", "{q} would be shut"),
        Clauses("You still have an old message from {who} about both: ", "{p} will be usable", "{q} will be closed"),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "Weeks ago {who} announced a phone call for tonight: ",
                "the decision on {p} must wait until then",
                "the decision on {q} can be made any time",
            ),
        ),
        Third(
            "veto",
            Clauses(
                "Months ago {authority} told you two things about this month: ", "{p} is forbidden", "{q} is permitted"
            ),
        ),
        Third(
            "defer",
            Clauses(
                "Months ago {who} asked you to wait for news in each of two matters: ",
                "the news about {p} has yet to come",
                "the news about {q} changes nothing",
            ),
        ),
        Third(
            "veto",
            Clauses(
                "At the beginning of the year {authority} went through the rules with you: ",
                "{p} is prohibited",
                "{q} is authorised",
            ),
        ),
    ),
    others={
        "plan": ("For the rest of the day, the plan is to answer letters.", "After this a short break is planned."),
        "x-talk": (
            "Since then there has been talk of the weather, of a birthday and of {trap}.",
            "Since then there have been two birthdays, a power cut and a long conversation about {trap}.",
        ),
    },
)

ADVERSARIAL_RANDOMNESS_CUE = Topic(
    name="adversarial_randomness_cue",
    title="Adversarial randomness cue, with twins",
    about="chance is held up as a guide although something was arranged",
    field="memory",
    component="memory",
    scenes=(THEATRE, CASTLE, CHOIR, MOVE),
    options=(
        Clauses(
            "Two pieces of paper are in your pocket, an agreement and a horoscope: ",
            "the agreement says {p}",
            "the horoscope says {q}",
        ),
        Clauses(
            "You remember shaking hands with {who}, and tossing a coin for fun: ",
            "the handshake was for {p}",
            "the coin toss was for {q}",
        ),
        Clauses(
            "You remember a promise to {who}, and a lottery held for fun: ",
            "the promise named {p}",
            "the lottery named {q}",
        ),
        Clauses(
            "You remember a deal with {who}, and a roll of the dice for fun: ",
            "the deal was for {p}",
            "the roll was for {q}",
        ),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "You and {who} agreed to have another talk tomorrow: ",
                "the decision on {p} must wait until then",
                "the decision on {q} can be made any time",
            ),
        ),
        Third(
            "defer",
            Clauses(
                "You and {who} agreed to talk about each of two matters before you act on it: ",
                "the talk about {p} has yet to come",
                "the talk about {q} changed nothing",
            ),
        ),
    ),
    others={
        "reason": (
            "The lucky dice that {other} always carries happen to favour {trap}.",
            "A draw that {other} held for fun on {day} came out as {trap}.",
            "{other} says with a laugh that chance should decide, and draws a card that stands for {trap}.",
        ),
    },
)

PRIOR_COMMITMENT_RECALL = Topic(
    name="prior_commitment_recall",
    title="Prior-commitment recall, with twins",
    about="an earlier commitment holds against what is offered now",
    field="memory",
    component="memory",
    scenes=(THEATRE, MOVE, CHOIR, CHARITY),
    options=(
        Clauses("{who} suggested both to you some time ago: ", "you accepted {p}", "you declined {q}"),
        Clauses(
            "You wrote {who} two letters last month: ",
            "the letter about {p} is a promise",
            "the letter about {q} is a refusal",
        ),
        Clauses("You remember what you told {who} on {day}: ", "you said yes to {p}", "you turned down {q}"),
        Clauses("You and {who} made two agreements: ", "the one on {p} is in force", "the one on {q} was dropped"),
    ),
    thirds=(
        Third(
            "veto",
            Clauses(
                "The terms that you accepted from {who} leave no doubt about two things: ",
                "{p} is ruled out by them",
                "{q} is permitted by them",
            ),
        ),
        Third(
            "veto",
            Clauses(
                "A contract that you signed with {who} mentions two things: ", "{p} is prohibited", "{q} is authorised"
            ),
        ),
    ),
    others={
        "reason": (
            "{other} finds {trap} a little more appealing.",
            "{other} has been speaking up for {trap} all morning.",
            "{other} happens to like {trap} a little better today.",
        ),
    },
)

AMBIGUITY_RESOLUTION = Topic(
    name="ambiguity_resolution",
    title="Ambiguity resolution, with twins",
    about="a word could mean either, and something earlier says which",
    field="memory",
    component="memory",
    scenes=(WORKSHOP, DINNER, CHOIR, CLINIC),
    options=(
        Clauses(
            "{who} has asked you for the usual one. You remember how {who} talks: ",
            "the usual one means {p}",
            "the other one means {q}",
        ),
        Clauses(
            "{who} has asked you for the usual one, and once explained two phrases to you: ",
            "the usual one stands for {p}",
            "the other one stands for {q}",
        ),
        Clauses(
            "{who} has asked you for the usual one. An older list from {who} says which is which: ",
            "{p} is marked as usual",
            "{q} is marked as extra",
        ),
        Clauses(
            "{who} has asked you for the usual one. You have often heard {who} say that: ",
            "it mostly meant {p}",
            "it rarely meant {q}",
        ),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "You have asked {who} about two unclear messages, and will not act on either without a reply: ",
                "the reply about {p} has yet to come",
                "the reply about {q} changes nothing",
            ),
        ),
        Third(
            "defer",
            Clauses(
                "You want each of two puzzling messages from {who} explained before you act on it: ",
                "the one about {p} has yet to be explained",
                "the one about {q} turned out to be a joke",
            ),
        ),
    ),
    others={
        "self": (
            "You are used to short messages and do not mind them.",
            "You yourself rather like {trap}.",
            "You have been thinking about {trap} all day.",
        ),
    },
)
