"""The words of the family. Fixed text; nothing here decides."""

from __future__ import annotations

from proctor.suites.agency.revising.facts import Phrases

BOOK = {
    "today": Phrases(
        "Date",
        "today is {date}.",
        "so today is {date}",
        "today: {date}",
    ),
    "closure": Phrases(
        "Closures",
        "nobody works on {date}, when everything is closed.",
        "don't forget, {date} everything is shut",
        "closed: {date}",
    ),
    "crew": Phrases(
        "Crews",
        "the {crew} is trained for {trained_for} and for nothing else.",
        "the {crew} can do {trained_for}, that's all they can do",
        "{crew}: only {trained_for}",
    ),
    "account": Phrases(
        "Accounts",
        "on the {account} account {euros_left} euros are left.",
        "we have {euros_left} euros left on {account}",
        "account {account}: {euros_left} EUR left",
    ),
    "permit": Phrases(
        "Permits",
        "the permit for the {zone} zone is valid up to and including {valid_through}.",
        "in the {zone} zone the permit runs out at the end of {valid_through}",
        "permit {zone} zone: through {valid_through}",
    ),
    "store": Phrases(
        "Store",
        "the store holds {pieces_in_store} {item}.",
        "I counted {pieces_in_store} {item} in the store",
        "store: {item} {pieces_in_store}",
    ),
    "work": Phrases(
        "Requests",
        "{request} asks for {work} by the {crew} in the {zone} zone: {working_days} working days, done by {due}.",
        "{request} want {work} from the {crew}, {zone} zone, {working_days} working days of it, finished by {due}",
        "{work}, {crew}, {zone} zone, {working_days} working days, due {due}",
    ),
    "means": Phrases(
        "Means asked for",
        "for {request}, {euros} euros would be taken from the {account} account, and {pieces} {item} from the store.",
        "{request} would cost {euros} euros from {account} and use {pieces} {item}",
        "takes {euros} EUR from {account}; {pieces} {item}",
    ),
}
SKILLS = ("welding", "paving", "wiring", "plumbing", "roofing", "glazing", "painting", "drilling")
ACCOUNTS = ("amber", "cedar", "indigo", "maple", "violet", "copper")
ZONES = ("quay", "tower", "meadow", "station", "market", "bridge")
GOALS = (
    "Requests for works have come in. Decide for each one whether it can be met exactly as it is asked for.",
    "Before anybody starts: which of the requests in the text below are feasible as they stand, and which are not?",
    "You screen works requests. Let those through that can be carried out as asked, and stop the others.",
    "Some of these works requests cannot be met. Find out which, and what is in the way of each.",
)
RULES = """

Each request is judged on its own, as though it were the only one. It is feasible if all five of these hold:
- time: it needs no more working days than there are from today to its due date, both counted. Working days are Monday \
to Friday without the days when everything is closed. (All crews are free.)
- crew: the crew it names is trained for its work.
- money: it costs no more than is left on the account it names.
- permit: the permit of its zone is still valid on its due date.
- material: the store holds at least as many pieces as it needs.
No request fails more than one of them. Record one decision for each request: go_ahead if it is feasible; if it is \
not, halt it or ask_back (either will do), and name what blocks it: time, crew, money, permit or material."""
