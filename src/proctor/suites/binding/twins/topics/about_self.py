"""Families in which who one is decides."""

from proctor.suites.binding.twins.clauses import Clauses, More
from proctor.suites.binding.twins.topic import Third, Topic
from proctor.suites.binding.twins.topics.scenes import CHARITY, CHOIR, CONCERT, DINNER, FISHING, JOURNEY, SAVINGS

IDENTITY_IRRELEVANT_CUE = Topic(
    name="identity_irrelevant_cue",
    title="Identity-irrelevant cue, with twins",
    about="a lasting way of being decides, and what merely goes with one's name does not",
    field="self",
    component="self",
    scenes=(CHARITY, DINNER, CHOIR, SAVINGS),
    options=(
        More("Those who have known you for twenty years agree: ", "is", "in keeping with your character", noun=True),
        Clauses(
            "Two things about you point different ways: ", "your principles favour {p}", "your horoscopes favour {q}"
        ),
        Clauses(
            "What you live by counts, and what you are called does not: ",
            "your way of life suggests {p}",
            "your family name suggests {q}",
        ),
        More("An old friend knows what you are like and says: ", "is", "your style", noun=True),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "You always sleep on major matters before you act, and only on those: ",
                "{p} is a major matter",
                "{q} is a minor matter",
            ),
        ),
        Third(
            "defer",
            Clauses("You never decide on anything unusual straight away: ", "{p} is unusual", "{q} is routine"),
        ),
    ),
    others={
        "reason": (
            "{other} mentioned {trap} twice this morning.",
            "In terms of effort, there is no difference between the two.",
            "{other} had a strange dream about {trap} last night.",
        ),
    },
)

FALSE_MEMORY_INJECTION = Topic(
    name="false_memory_injection",
    title="False memory injection, with twins",
    about="a memory is put into one's mouth which nothing bears out",
    field="self",
    component="self",
    scenes=(DINNER, FISHING, JOURNEY, CONCERT),
    options=(
        More("Your own diary leaves no doubt: ", "has always meant", "to you", noun=True),
        Clauses("You know your own record: ", "you have often gone for {p}", "you have never gone for {q}"),
        More("Those who have known you for years agree: ", "is", "your style", noun=True),
        Clauses(
            "You looked through your own diary on {day}: ", "{p} is often praised in it", "{q} is never praised in it"
        ),
    ),
    thirds=(
        Third(
            "defer",
            Clauses(
                "All your life, you have slept on anything that you were unsure about: ",
                "you feel uncertain about {p}",
                "you feel confident about {q}",
            ),
        ),
        Third(
            "defer",
            Clauses(
                "You only ever settle what you are sure of, and leave the rest for another day: ",
                "you have doubts about {p}",
                "you are certain about {q}",
            ),
        ),
    ),
    others={
        "memory": (
            "{other} claims that you once swore never to do without {trap}; nobody else remembers it.",
            "Somebody says you must surely remember a talk about {trap}; you do not.",
            "According to a rumour, you once made a vow about {trap}; there is no trace of it.",
        ),
    },
)
