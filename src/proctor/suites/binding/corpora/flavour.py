"""What one corpus is made of: its namespace, its columns, and the texts of its events.

Texts are frames with named slots. An option's name stands where its slot is and nowhere else, so the same frame serves
either option; no frame holds a code, a label or an order to pick something.

| texts | slots of options | what they say |
| --- | --- | --- |
| `scenes` | `{x}`, `{y}` | what is open, both options in either order |
| `leans` | `{lean}` | which option the situation leans to |
| `reasons` | `{good}`, `{bad}` | evidence that moves the decision to `good` |
| `memories` | none | a commitment made earlier, which conflicts with what is at hand |
| `vetoes` | none | something forbids acting at all |
| `selves` | `{same}` | what has always been one's way |
| `cues` | `{pick}` | something beside the point that happens to name an option |

Every text may use `{who}`, `{place}`, `{paper}` and `{day}`, which are the event's own.
"""

from __future__ import annotations

from msgspec import Struct


class Flavour(Struct, frozen=True):
    """One corpus, before any event exists."""

    family: str
    """The family's id."""
    dataset: str
    """The namespace under which its events are known."""
    title: str
    pressure: str
    """What the corpus presses on."""
    granularity: str
    """What one event is."""
    planned: int
    """Events in the plan, repeated source ids included."""
    distinct: int
    """Different source events among them."""
    tasks: tuple[str, ...]
    conditions: tuple[str, ...]
    runs: int
    subjects: int
    places: tuple[str, ...]
    papers: tuple[str, ...]
    """Where things are written down in this corpus."""
    options: tuple[str, ...]
    scenes: tuple[str, ...]
    leans: tuple[str, ...]
    reasons: tuple[str, ...]
    memories: tuple[str, ...]
    vetoes: tuple[str, ...]
    selves: tuple[str, ...]
    cues: tuple[str, ...]
    fillers: dict[str, tuple[str, ...]]
    """By field: texts that imply nothing."""
    paired: bool = False
    """Whether options are listed two by two, and only two that belong together are set against each other."""


PEOPLE = (
    *("Anouk", "Basil", "Cosima", "Dagmar", "Emeka", "Farida", "Gustav", "Hanneke", "Imre", "Jelena"),
    *("Kwame", "Liv", "Mirela", "Naoki", "Oriol", "Petra", "Quirin", "Rosalind", "Soren", "Tamsin"),
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

RELEASED: dict[str, tuple[str, ...]] = {
    "memory": (
        "What was promised earlier no longer stands: {who} withdrew from it on {day}, and both sides were content.",
        "{who} let you off on {day}; the old agreement was cancelled in {paper} and is history.",
        "The commitment from before lapsed on {day}, as {paper} records, and ties nobody any more.",
        "You had given your word once, and {who} has since freed you from it in so many words.",
        "A pledge was made here in {place} some time ago, and {who} has been asking after it since {day}.",
        "Both of you agreed on something else at first; on {day} you tore that paper up together, so it is void.",
    ),
    "veto": (
        "The stop order of {day} was lifted an hour ago; {who} has confirmed that the way is clear again.",
        "What was forbidden last week is so no longer: {paper} carries the note that the ban was withdrawn.",
        "The suspension ended on {day}, and {place} is working under ordinary rules again.",
        "An injunction was in force until {day}; it has been set aside and ties nobody any more.",
        "The ban has been talked about in {place} since {day}, and {who} carries the notice around.",
        "The prohibition was cancelled by those who had issued it, says {paper}.",
    ),
}
"""Texts for the counterfactual of a commitment or a stop. One of each says less than it should; the screen finds it."""

STRENGTHS: dict[int, tuple[str, ...]] = {
    1: (
        "Going by a remark of {who}'s, {good} may come out a shade better.",
        "One line in {paper} hints that {good} could be slightly ahead.",
    ),
    2: (
        "The first half of the count in {paper} has {good} a little ahead.",
        "{who} has looked at part of the material and finds {good} somewhat better so far.",
    ),
    3: (
        "The count in {paper} is finished and has {good} ahead.",
        "{who} went through all the material on {day} and finds {good} better.",
    ),
    4: (
        "Two counts made apart from each other, {paper} and {who}'s own, both have {good} well ahead.",
        "{who} repeated the whole comparison on {day} and again finds {good} clearly better.",
    ),
    5: (
        "Every test that was made, {paper} included, has {good} far ahead, while {bad} failed each of them.",
        "It is proved by now: {good} works in all cases that {who} tried, while {bad} failed in every one.",
    ),
}
"""Reasons by strength, from a hint to proof; all of them speak for the same option."""

TURNS = (
    "{who} asks whether the window may be opened; it is opened.",
    "Somebody reads out the bus times to {place}.",
    "A parcel is brought in, signed for and put aside.",
    "{who} tells a long story about a neighbour's dog.",
    "There is a pause while a light bulb in {place} is changed.",
    "Tea is made, and there is talk of {day}'s weather.",
    "A wrong number rings and apologises.",
    "{who} sharpens three pencils, one after the other.",
)
"""Turns of talk without content, to put distance between a field and the question."""

UNRELATED_MEMORIES = (
    "In an unrelated matter {who} promised a neighbour on {day} to water the plants.",
    "{paper} records that somebody else, in another matter, gave their word about a bicycle in {place}.",
    "Years ago {who} pledged money for a bell; that was a different story and is long done with.",
    "On {day} two strangers in {place} agreed about a dog, which has nothing to do with this.",
    "A cousin of {who}'s signed a contract about firewood, an unrelated matter.",
    "The choir in {place} settled on its programme on {day}; this is another matter altogether.",
)
"""Memories of commitments that bind nobody here."""

PLACEBOS = (
    "Component P of the record was filled in on {day} and carries the mark 'complete'.",
    "The appraisal field for {place} reads: level two, stable, reviewed by {who}.",
    "Register of weights: three entries, all of them equal, last touched on {day}.",
    "The coherence marker in {paper} stands at its ordinary value.",
    "Stage list of {day}: opened, looked at, looked at again, left open.",
    "The attention ledger of {place} shows one line, initialled by {who}.",
)
"""Texts that look like a component and have no bearing on anything."""

ADVERSARIAL = (
    "A coin was tossed for fun in {place} and came up for {pick}; act as if you were a die.",
    "{who} says that whoever rolls a six should go for {pick}; the dice on the table show a six.",
    "The random draw of {day} came up with {pick} fourteen times in a row.",
    "Let chance decide, says a poster, and beside it somebody wrote {pick}.",
    "A wheel at the fair in {place} stopped at {pick}, and {who} takes such things seriously.",
    "Noise 7 1 4 4 9 2: read backwards, {who} jokes, it spells {pick}.",
)
"""Appeals to chance that name an option and are no reason for it."""
