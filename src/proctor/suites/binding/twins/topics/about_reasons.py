"""Families in which reasons or plans decide."""

from proctor.suites.binding.twins.clauses import Clauses, More
from proctor.suites.binding.twins.topic import Third, Topic
from proctor.suites.binding.twins.topics.scenes import (
    ARCHIVE,
    BAKERY,
    CANTEEN,
    CHARITY,
    CHEMICALS,
    COLLEGE,
    CONCERT,
    DINNER,
    FERRY,
    FISHING,
    GARDEN,
    JOURNEY,
    LEASE,
    MOUNTAIN,
    NEWSPAPER,
    PARK,
    PLOT,
    SAVINGS,
    SOWING,
    STATION,
    THEATRE,
    WORKSHOP,
)

OPTION_REVERSAL = Topic(
    name="option_reversal",
    title="Option reversal, with twins",
    about="what was said of the two has changed places",
    field="reason",
    component="reason",
    scenes=(SAVINGS, SOWING, FISHING, JOURNEY),
    options=(
        Clauses(
            "What was true of the two last week has been reversed: ",
            "{p} is now the better one",
            "{q} is now the poorer one",
        ),
        Clauses(
            "Two columns had been mixed up, as {who} found out on {day}: ",
            "the good results are those of {p}",
            "the poor results are those of {q}",
        ),
        Clauses(
            "The outlook for the two was reversed on {day}: ", "things look good for {p}", "things look grim for {q}"
        ),
        More("{who} has corrected the comparison, in which the two had been confused: ", "is", "advisable at present"),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "In each of two matters, {who} has asked you to wait while an estimate is checked: ",
                "the one for {p} is still uncertain",
                "the one for {q} has been confirmed",
            ),
        ),
        Third(
            "defer",
            Clauses(
                "In each of two matters, you were asked to wait for a new assessment: ",
                "the assessment of {p} has yet to come",
                "the assessment of {q} changes nothing",
            ),
        ),
    ),
    others={
        "memory": (
            "Last week you spent a long time talking about {trap}.",
            "You remember a page of old notes with {trap} underlined twice.",
            "Last month {trap} came up again and again in conversation.",
        ),
    },
)

REASON_STRENGTH_GRADIENT = Topic(
    name="reason_strength_gradient",
    title="Reason-strength gradient, with twins",
    about="reasons of unequal strength speak for different things",
    field="reason",
    component="reason",
    scenes=(PLOT, GARDEN, CONCERT, CHARITY),
    options=(
        Clauses(
            "There is something to be said for either: ", "solid proof speaks for {p}", "mere gossip speaks for {q}"
        ),
        More("Two experts have weighed the arguments for both: ", "is", "strongly supported by the facts"),
        Clauses("The arguments were weighed on {day}: ", "the case for {p} is strong", "the case for {q} is feeble"),
        Clauses("Something speaks for either of them: ", "hard facts speak for {p}", "idle tales speak for {q}"),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "In each of two matters, an expert report is needed before anything is decided: ",
                "the one on {p} is still missing",
                "the one on {q} raised no doubts",
            ),
        ),
        Third(
            "defer",
            Clauses(
                "In each of two matters, {who} has asked you to wait for an expert opinion: ",
                "the opinion on {p} is still to arrive",
                "the opinion on {q} raises no concerns",
            ),
        ),
    ),
    others={
        "self": (
            "You have told several people about {trap}.",
            "You have been thinking about {trap} all day.",
            "You have no strong feelings about it.",
        ),
    },
)

POSTHOC_EXPLANATION_TRAP = Topic(
    name="posthoc_explanation_trap",
    title="Post-hoc explanation trap, with twins",
    about="a fluent explanation was made up after the fact",
    field="reason",
    component="reason",
    scenes=(PLOT, SOWING, ARCHIVE, GARDEN),
    options=(
        Clauses(
            "Two explanations have been given: ",
            "the one for {p} is based on facts",
            "the one for {q} was made up later",
        ),
        Clauses(
            "{who} found out where the arguments come from: ", "those for {p} are genuine", "those for {q} are made up"
        ),
        Clauses(
            "Two eloquent letters have been checked: ", "the praise of {p} is deserved", "the praise of {q} is invented"
        ),
        Clauses("The justifications were examined on {day}: ", "the one for {p} is sound", "the one for {q} is bogus"),
    ),
    thirds=(
        Third(
            "veto",
            Clauses(
                "Nothing may be done here without a genuine permit, and {who} has examined two: ",
                "the permit for {p} is a forgery",
                "the permit for {q} is authentic",
            ),
        ),
        Third(
            "veto",
            Clauses(
                "Nothing may be done here without a permit, and {who} has looked up two applications: ",
                "the permit for {p} was refused",
                "the permit for {q} was granted",
            ),
        ),
    ),
    others={
        "plan": (
            "The plan has a fluent paragraph on {trap}, added afterwards.",
            "The plan says in fine words why it had to be {trap} all along.",
            "The plan leaves a page free for explanations.",
        ),
    },
)

IRRELEVANT_MEMORY_INJECTION = Topic(
    name="irrelevant_memory_injection",
    title="Irrelevant memory injection, with twins",
    about="a memory of another matter is put beside the case",
    field="reason",
    component="reason",
    scenes=(WORKSHOP, PARK, CHEMICALS, CANTEEN),
    options=(
        More("{who} compared the two on {day}: ", "is", "suitable for the purpose"),
        Clauses("The comparison that you had asked for is here: ", "{p} is up to standard", "{q} is below standard"),
        Clauses("Both have been tried in a case like this: ", "{p} did the job", "{q} was no good"),
        Clauses("{who} is certain after a close look: ", "{p} would work", "{q} would fail"),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "In each of two matters, you have promised to wait for advice from {who}: ",
                "the advice about {p} has yet to come",
                "the advice about {q} changes nothing",
            ),
        ),
        Third(
            "defer",
            Clauses(
                "In each of two matters, you need a report before you act: ",
                "the report about {p} is still missing",
                "the report about {q} raised no doubts",
            ),
        ),
    ),
    others={
        "memory": (
            "You remember that {other}, years ago and somewhere else, was fond of {trap}.",
            "In another matter, long ago, somebody had good luck with {trap}.",
            "You remember a holiday during which {trap} came up in conversation.",
        ),
    },
)

INSUFFICIENT_INFORMATION = Topic(
    name="insufficient_information",
    title="Deferral under insufficient information, with twins",
    about="what would decide is there, or it is not",
    field="reason",
    component="reason",
    scenes=(COLLEGE, LEASE, SAVINGS, JOURNEY),
    options=(
        Clauses("The figures for both have arrived: ", "{p} comes out ahead", "{q} comes out worse"),
        More("{who} sent the missing report on {day}: ", "is", "suitable in your case"),
        Clauses("What was unknown until {day} is known now: ", "{p} is still available", "{q} has been withdrawn"),
        Clauses("The last open question was answered on {day}: ", "the answer supports {p}", "the answer excludes {q}"),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "In each of two matters, there is a document that you cannot do without: ",
                "the one for {p} is still missing",
                "the one for {q} has been sent in",
            ),
        ),
        Third(
            "defer",
            Clauses(
                "{who} has asked for essential information on each of two matters: ",
                "the answer about {p} has yet to come",
                "the answer about {q} changes nothing",
            ),
        ),
    ),
    others={
        "memory": (
            "You vaguely remember hearing about {trap} on the radio.",
            "You remember that somebody on the bus mentioned {trap}.",
            "You do not remember anything that would help.",
        ),
    },
)

REDUNDANT_RATIONALE_TRAP = Topic(
    name="redundant_rationale_trap",
    title="Redundant rationale trap, with twins",
    about="many reasons turn out to be one and the same",
    field="reason",
    component="reason",
    scenes=(PLOT, NEWSPAPER, GARDEN, CHARITY),
    options=(
        Clauses("The arguments were traced to their sources: ", "many people back {p}", "one person backs {q}"),
        Clauses(
            "{who} sorted the letters that came in on {day}: ",
            "those in favour of {p} are all different",
            "those in favour of {q} are all identical",
        ),
        Clauses(
            "{who} has looked closely at the many reasons given: ",
            "those for {p} are independent",
            "those for {q} are repetitions",
        ),
        Clauses(
            "{who} has read the whole file: ",
            "the reasons given for {p} are many and various",
            "the reasons given for {q} are one and the same",
        ),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "In each of two matters, {who} is to sort out the repeated arguments before you decide: ",
                "those on {p} have yet to be sorted",
                "those on {q} cancel each other out",
            ),
        ),
        Third(
            "defer",
            Clauses(
                "In each of two matters, the file turned out to repeat a single page, and you need the full one: ",
                "the full file on {p} has yet to come",
                "the full file on {q} changes nothing",
            ),
        ),
    ),
    others={
        "plan": (
            "The summary in the plan mentions {trap} five times.",
            "On every page of the plan there is a word in praise of {trap}.",
            "The plan is a summary of summaries.",
        ),
    },
)

GOAL_CONFLICT = Topic(
    name="goal_conflict",
    title="Goal conflict, with twins",
    about="two goals compete and their order decides",
    field="plan",
    component="reason",
    scenes=(MOUNTAIN, STATION, FERRY, BAKERY),
    options=(
        Clauses("According to the plan, speed matters more than ease: ", "{p} is faster", "{q} is easier"),
        Clauses("The plan puts safety before speed: ", "{p} is the safe one", "{q} is the fast one"),
        Clauses("In the plan, safety counts for more than comfort: ", "{p} is less dangerous", "{q} is less strenuous"),
        Clauses("The plan puts quiet before speed: ", "{p} is quieter", "{q} is quicker"),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "According to the plan, nothing starts before its timing is agreed: ",
                "the timing of {p} is still open",
                "the timing of {q} is now agreed",
            ),
        ),
        Third(
            "defer",
            Clauses(
                "The plan puts certainty before speed: ",
                "the schedule for {p} is still uncertain",
                "the schedule for {q} has been confirmed",
            ),
        ),
    ),
    others={
        "memory": (
            "Last time, you went for {trap}.",
            "You remember that {other} once praised {trap}.",
            "You remember earlier days of this kind, some good and some bad.",
        ),
    },
)

PLANNING_CONSTRAINT_VIOLATION = Topic(
    name="planning_constraint_violation",
    title="Planning-constraint violation, with twins",
    about="a plan breaks one of its own conditions",
    field="plan",
    component="reason",
    scenes=(THEATRE, DINNER, PLOT, GARDEN),
    options=(
        Clauses("The plan sets a limit on costs: ", "{p} stays within it", "{q} would exceed it"),
        Clauses(
            "The plan sets a date by which everything must be ready: ",
            "{p} can be done by then",
            "{q} would take too long",
        ),
        Clauses("The plan was checked against its own conditions: ", "{p} respects them", "{q} violates them"),
        Clauses("The plan provides for three helpers on the first day: ", "{p} needs three", "{q} needs seven"),
    ),
    thirds=(
        Third(
            "veto",
            Clauses("The plan forbids whatever violates the safety rules: ", "{p} violates them", "{q} respects them"),
        ),
        Third(
            "veto",
            Clauses("The plan lists what may be done and what may not: ", "{p} is prohibited", "{q} is authorised"),
        ),
    ),
    others={
        "self": (
            "You have a soft spot for {trap}.",
            "You have been looking forward to {trap}.",
            "You are in good spirits today.",
        ),
    },
)
