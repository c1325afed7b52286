"""Eight forms in which a ticket comes in. Each has its own way of pointing at the article and at the person.

None states what is asked: the article is meant by order, place, purpose, price, owner, colour, date or elimination; the
person by kinship, role, pronoun or reference to another line.
"""

from __future__ import annotations

from collections.abc import Callable

from proctor.core.seeds import Stream
from proctor.suites.agency.sensing.ticket_routing.texts import ORDINALS
from proctor.suites.agency.sensing.ticket_routing.tickets import Ticket
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.words import MONTHS


def mail(t: Ticket, stream: Stream) -> Sheet:
    """A letter; the article by order of mention, the person by kinship."""
    last = len(t.articles) - 1
    sheet = Sheet(f"Subject: {stream.choice(('a request', 'once more', 'our purchases', 'please read'))}", "")
    sheet.add("Good morning,")
    sheet.fact(f"in {stream.choice(MONTHS)} we ordered from you, one after the other:")
    sheet.fact(*(f"{article.described}," for article in t.articles[:-1]), f"{t.articles[last].described}.")
    sheet.add(*t.over)
    named = "the last of these" if t.meant == last else f"the {ORDINALS[t.meant]} of these"
    sheet.fact(t.matter(named))
    if t.to_other:
        sheet.fact(
            f"I am off to sea tomorrow; my {t.other.sibling} {t.other.full} stays. Please settle it with {t.other.him}."
        )
    else:
        sheet.fact(f"My {t.other.sibling} {t.other.full} paid for it all but has no time, so please turn to me.")
    sheet.add("With kind regards")
    sheet.fact(t.writer.full)
    return sheet


def chat(t: Ticket, stream: Stream) -> Sheet:
    """A conversation; the article by its place in what the helper lists, the person by their role."""
    helper, me = "Desk", t.writer.given
    sheet = Sheet(f"[chat opened by {me}]", f"[10:02] {me}: hello?")
    listed = ", ".join(f"{article.name} {article.code}" for article in t.articles)
    sheet.fact(f"[10:02] {helper}: Good morning! I see on your account: {listed}. Which one?")
    where = "the one on the left" if t.meant == 0 else "the last one you wrote"
    if 0 < t.meant < len(t.articles) - 1:
        where = "the one in the middle"
    sheet.fact(f"[10:03] {me}: {where}")
    sheet.add(*(f"[10:03] {me}: {line}" for line in t.over))
    sheet.fact(f"[10:04] {me}: {t.matter('it')}")
    sheet.fact(f"[10:05] {helper}: The order was placed by {t.other.full}. You are {t.writer.full}, is that right?")
    sheet.add(f"[10:05] {me}: yes", f"[10:06] {helper}: And with whom shall we go through it?")
    sheet.fact(f"[10:07] {me}: {'whoever placed it' if t.to_other else 'the person you are chatting with'}")
    return sheet


def note(t: Ticket, stream: Stream) -> Sheet:
    """A telephone note in the third person; the article by what it was bought for, the person by a pronoun."""
    sheet = Sheet(f"Telephone note, line {stream.integer(2, 9)}")
    sheet.fact(f"Rang: {t.writer.title} {t.writer.full}, for a household with {t.other.title} {t.other.full}.")
    sheet.fact(*(f"Ordered {article.described}, meant for the {article.room}." for article in t.articles))
    sheet.add(*t.over)
    sheet.fact(f"Says: {t.matter(f'what is meant for the {t.article.room}')}")
    away, there = (t.writer, t.other) if t.to_other else (t.other, t.writer)
    sheet.fact(f"{away.he.capitalize()} is hard to get hold of; {there.he} is at home all week, so ring {there.him}.")
    sheet.add(f"Taken down at {stream.integer(9, 16)}:{stream.integer(10, 59)}.")
    return sheet


def form(t: Ticket, stream: Stream) -> Sheet:
    """A web form with an empty box; the article by price, the person by reference to another box."""
    ranked = sorted(t.articles, key=lambda article: article.price)
    place = ranked.index(t.article)
    named = "the cheapest thing" if place == 0 else "the dearest thing" if place == len(ranked) - 1 else ""
    named = named or "the thing between the cheapest and the dearest"
    sheet = Sheet(f"ticket={stream.integer(10_000, 99_999)}", "category=")
    sheet.fact(f"box_1_filled_in_by={t.writer.full}", f"box_2_on_behalf_of={t.other.full}")
    sheet.fact(*(f"bought={article.name};{article.code};{article.price}.00" for article in t.articles))
    sheet.add(*(f"remark={line}" for line in t.over))
    sheet.fact(f"text={t.matter(f'{named} on the list')}")
    sheet.fact(f"get_in_touch_with=same as in box {2 if t.to_other else 1}")
    sheet.add("newsletter=no")
    return sheet


def voicemail(t: Ticket, stream: Stream) -> Sheet:
    """A transcript without punctuation; the article by when it was bought, the person by whose present it is."""
    days = sorted(stream.sample(range(1, 28), len(t.articles)))
    order = stream.sample(range(len(days)), len(days))
    rank = order[t.meant]
    named = "what we bought first" if rank == 0 else "what we bought last" if rank == len(days) - 1 else ""
    named = named or "what we bought neither first nor last"
    month = stream.choice(MONTHS)
    sheet = Sheet(f"VOICE MESSAGE {stream.integer(10, 59)} s, transcribed", "On this number:")
    sheet.fact(
        *(
            f"  {article.code} {article.name}, {days[when]} {month}"
            for article, when in zip(t.articles, order, strict=True)
        )
    )
    sheet.fact(f"… yes this is {_spoken(t.writer.full)} i am calling with {_spoken(t.other.full)} next to me")
    sheet.add(*(f"… {_spoken(line)}" for line in t.over))
    sheet.fact(f"… so {_spoken(t.matter(named))}")
    mine = "so talk to me please" if not t.to_other else f"so please talk to {t.other.him} and not to me"
    whose = "it was for myself" if not t.to_other else f"it was a present for the {_kin(t)} here beside me"
    sheet.fact(f"… {whose} {mine} goodbye")
    return sheet


def thread(t: Ticket, stream: Stream) -> Sheet:
    """A forum thread; the article by elimination, the person by former and latter."""
    name = f"{t.writer.given.lower()}{stream.integer(11, 99)}"
    sheet = Sheet(f"Thread {stream.integer(1000, 9999)}: 'One of these …'")
    listed = " and ".join(article.described for article in t.articles)
    sheet.fact(f"#1 {name}: I ordered {listed}. This is about one of them.")
    others = [article.name for index, article in enumerate(t.articles) if index != t.meant]
    stream.shuffle(others)
    sheet.add(f"#2 moderator: Which? The {others[0]}?")
    sheet.fact(f"#3 {name}: No, not the {' and not the '.join(others)}.")
    sheet.add(*(f"#4 {name}: {line}" for line in t.over))
    sheet.fact(f"#5 {name}: {t.matter('the one that is left')}")
    first, second = (t.writer, t.other) if stream.chance(0.5) else (t.other, t.writer)
    sheet.fact(f"#6 moderator: On file for your account are {first.full} and {second.full}. Whom do we ask?")
    sheet.fact(f"#7 {name}: {'The former' if t.contact is first else 'The latter'}, please.")
    return sheet


def survey(t: Ticket, stream: Stream) -> Sheet:
    """Questions and answers; the article by colour, the person by the answer to another question."""
    sheet = Sheet("Questionnaire returned by post", "Q1 What did you order?")
    sheet.fact(*(f"   {article.name}, {article.code}, in {article.colour}" for article in t.articles))
    sheet.fact(f"Q2 Whom is it for? {t.other.full}", f"Q3 Who fills this in? {t.writer.full}")
    sheet.add("Q4 How were we so far?", *(f"   {line}" for line in t.over), "   Quite good.")
    sheet.add("Q5 What is still open?")
    sheet.fact(f"   {t.matter(f'the {t.article.colour} one')}")
    sheet.fact(f"Q6 Whom may we contact? Only the person in my answer to Q{2 if t.to_other else 3}.")
    sheet.add("Q7 May we quote you? Rather not.")
    return sheet


def handover(t: Ticket, stream: Stream) -> Sheet:
    """A note between shifts; the article by its owner, the person by title alone."""
    shares = [article.code for index, article in enumerate(t.articles) if index != t.meant]
    owner, rest = (t.writer, t.other) if stream.chance(0.5) else (t.other, t.writer)
    sheet = Sheet(f"Hand-over, shift {stream.integer(1, 3)}", "* two people, one account:")
    sheet.fact(f"* {rest.title} {rest.surname} ({rest.given}) ordered {' and '.join(shares)}")
    sheet.fact(f"* {owner.title} {owner.surname} ({owner.given}) ordered {t.article.code}")
    sheet.add(*(f"* from the file: {line}" for line in t.over))
    sheet.fact(f"* it is about what {owner.he} ordered, I quote: {t.matter('it')}")
    sheet.fact(f"* answer to {t.contact.title} {t.contact.surname}; the other one is in hospital")
    sheet.add("* category not entered, sorry")
    return sheet


def _spoken(line: str) -> str:
    return "".join(letter for letter in line.lower() if letter not in ".,;:?“”")


def _kin(t: Ticket) -> str:
    return "lady" if t.other.he == "she" else "gentleman"


Form = Callable[[Ticket, Stream], Sheet]
FORMS: dict[str, Form] = {
    "mail": mail,
    "chat": chat,
    "note": note,
    "form": form,
    "voicemail": voicemail,
    "thread": thread,
    "survey": survey,
    "handover": handover,
}
