"""Eight archives: what their documents are about, how they are titled and written, and what can be asked of them.

In each, a document about a thing of the first kind leads to one of the second, that to one of the third; the second
names a person, the third a number. Places to fill in: {me} what the document is about, {next} what it leads to, {name}
and {number} what may be asked for, and {away}, {other}, {count} which lead nowhere.
"""

from __future__ import annotations

from msgspec import Struct


class Sort(Struct, frozen=True):
    """One kind of document: what its things are called, its title, its lines."""

    thing: str
    """{w} is a word, {n} a number; both differ from thing to thing."""
    title: str
    lines: tuple[str, ...]


class Domain(Struct, frozen=True):
    """An archive of three kinds of documents and the question that goes through them."""

    sorts: tuple[Sort, Sort, Sort]
    starts: tuple[str, str]
    """How a question begins: at a thing of the first kind ({me}), or at one of the second."""
    name: str
    number: str


DOMAINS: dict[str, Domain] = {
    "plant": Domain(
        sorts=(
            Sort(
                "pump P-{n}",
                "Data sheet of {me}",
                (
                    "{me} ............ data sheet",
                    "flow ............ {count} l/min",
                    "seal ............ tested with {away}",
                    "bearing ......... runs in {next}",
                    "checked by ...... {other}",
                ),
            ),
            Sort(
                "{w} oil",
                "Safety sheet of {me}",
                (
                    "{me} ............ safety sheet",
                    "flash point ..... {count} C",
                    "not to be kept in {away}",
                    "kept in ......... {next}",
                    "last spill ...... reported by {other}",
                    "responsible ..... {name}",
                ),
            ),
            Sort(
                "shed {w}",
                "Stock sheet of {me}",
                (
                    "{me} ............ stock sheet",
                    "floor ........... {count} square metres",
                    "oil in stock .... {number} litres",
                    "keys ............ {other}",
                ),
            ),
        ),
        starts=("{me} needs oil for its bearing.", "The plant uses {me}."),
        name="who is responsible for that oil",
        number="how many litres are in stock where it is kept",
    ),
    "college": Domain(
        sorts=(
            Sort(
                "group {w}",
                "Timetable of {me}",
                (
                    "| {me} | hours | subject |",
                    "| Monday | {count} min | {away}, free choice |",
                    "| Tuesday | 90 min | {next}, compulsory |",
                    "| adviser | | {other} |",
                ),
            ),
            Sort(
                "course {n}",
                "Outline of {me}",
                (
                    "| {me} | outline |",
                    "| examiner | {other} |",
                    "| teacher | {name} |",
                    "| place | {next} (until last year {away}) |",
                    "| credits | {count} |",
                ),
            ),
            Sort(
                "hall {w}",
                "Room card of {me}",
                ("| {me} | room card |", "| lamps | {count} |", "| seats | {number} |", "| caretaker | {other} |"),
            ),
        ),
        starts=("{me} has a compulsory course.", "Students ask about {me}."),
        name="who teaches that course",
        number="how many seats the room has in which it is held",
    ),
    "harbour": Domain(
        sorts=(
            Sort(
                "container {n}",
                "Bill of lading for {me}",
                (
                    "BILL OF LADING / {me}",
                    "GROSS WEIGHT {count} CWT. FIRST BOOKED ON THE {away}, WHICH DID NOT SAIL.",
                    "SHIPPED ON BOARD THE {next}. SIGNED {other}.",
                ),
            ),
            Sort(
                "ship {w}",
                "Voyage order of the {me}",
                (
                    "VOYAGE ORDER / {me}",
                    "MASTER {name}. PILOT {other}.",
                    "CALLS AT NO OTHER PLACE THAN {next}. {away} IS CLOSED TO HER. BUNKERS {count} TONS.",
                ),
            ),
            Sort(
                "port {w}",
                "Notice to mariners for {me}",
                (
                    "NOTICE / {me}",
                    "FAIRWAY {count} METRES WIDE. LEAST DEPTH {number} DECIMETRES.",
                    "HARBOUR MASTER {other}.",
                ),
            ),
        ),
        starts=("{me} was loaded on a ship.", "The {me} has a voyage order."),
        name="who is master of that ship",
        number="how many decimetres the least depth is in the port she is bound for",
    ),
    "museum": Domain(
        sorts=(
            Sort(
                "object {n}",
                "Card of {me}",
                ("{me} / acquired from {other} / insured for {count}", "was in {away} / shown in {next}"),
            ),
            Sort(
                "case {w}",
                "Record of {me}",
                (
                    "{me} / glass {count} mm / built by {other}",
                    "curator {name} / air from {next} / spare air from {away}",
                ),
            ),
            Sort(
                "unit {n}",
                "Climate log of {me}",
                ("{me} / serviced by {other} after {count} hours", "humidity set to {number} per mille"),
            ),
        ),
        starts=("{me} is on show in a case.", "Visitors stop in front of {me}."),
        name="which curator looks after that case",
        number="to how many per mille humidity is set in the unit that its air comes from",
    ),
    "estate": Domain(
        sorts=(
            Sort(
                "tenant {n}",
                "Lease of {me}",
                (
                    "To {me}: we write to you about the lease that {other} signed with us.",
                    "You asked for rooms in {away}; instead you have, for {count}0 a month, rooms in {next}.",
                ),
            ),
            Sort(
                "{w} House",
                "File of {me}",
                (
                    "With regard to {me}, where {other} used to be caretaker, this office is now held by {name}.",
                    "The house, built {count} years ago, is insured under {next}; {away} has lapsed.",
                ),
            ),
            Sort(
                "policy {n}",
                "Terms of {me}",
                (
                    "The insurer, for whom {other} signs, pays under {me} whatever goes beyond an excess",
                    "of {number} EUR, within {count} days of the report.",
                ),
            ),
        ),
        starts=("{me} rents rooms in a house.", "A question has come up about {me}."),
        name="who is caretaker of that house now",
        number="how many EUR the excess is under the policy that is in force for it",
    ),
    "software": Domain(
        sorts=(
            Sort(
                "page {w}",
                "Readme of {me}",
                (
                    "page: {me}",
                    "author: {other}",
                    "visits_per_day: {count}",
                    "data:",
                    "  until_2025: {away}",
                    "  now: {next}",
                ),
            ),
            Sort(
                "service {w}",
                "Card of {me}",
                (
                    "service: {me}",
                    "people:",
                    "  founder: {other}",
                    "  owner: {name}",
                    "cluster:",
                    "  test: {away}",
                    "  production: {next}",
                    "timeout_ms: {count}",
                ),
            ),
            Sort(
                "cluster {n}",
                "Status of {me}",
                ("cluster: {me}", "on_call: {other}", "nodes: {number}", "days_since_restart: {count}"),
            ),
        ),
        starts=("{me} gets its data from a service.", "{me} is due for review."),
        name="who owns that service",
        number="how many nodes its production cluster has",
    ),
    "farm": Domain(
        sorts=(
            Sort(
                "field {w}",
                "Diary of {me}",
                (
                    "Spring. {other} ploughed {me}, {count} furrows.",
                    "There was no {away} to be had, so it was sown with {next}.",
                ),
            ),
            Sort(
                "barley {n}",
                "Notes on {me}",
                (
                    "{me} was bred by {name} and tried out by {other} for {count} days.",
                    "It got damp in {away}; what seed there is now lies in {next}.",
                ),
            ),
            Sort(
                "silo {w}",
                "Book of {me}",
                ("{other} swept {me} and counted.", "{count} mice, {number} bags of seed. Roof sound."),
            ),
        ),
        starts=("{me} was sown with barley this spring.", "Somebody wants {me}."),
        name="who bred that barley",
        number="how many bags of seed are in the silo where its seed lies",
    ),
    "theatre": Domain(
        sorts=(
            Sort(
                "play {w}",
                "Playbill of {me}",
                (
                    "{other}: And for {me}?",
                    "Stage: {count} minutes, one interval.",
                    "{other}: With {away} again?",
                    "Stage: No. We use {next}.",
                ),
            ),
            Sort(
                "set {n}",
                "Minutes on {me}",
                (
                    "{other}: Whose work is {me}?",
                    "Stage: {name} built it, {count} pieces.",
                    "{other}: Does it travel in {away}?",
                    "Stage: It did. These days in {next}.",
                ),
            ),
            Sort(
                "truck {w}",
                "Loading list of {me}",
                (
                    "{other}: What fits into {me}?",
                    "Stage: {number} crates, and not one more.",
                    "{other}: And the ramp?",
                    "Stage: {count} centimetres.",
                ),
            ),
        ),
        starts=("{me} goes on tour.", "{me} goes on tour by itself."),
        name="who built the set that is used",
        number="how many crates fit into the truck it travels in",
    ),
}
