"""The words of the family: goals, kinds of papers, folders, and the eight ways of telling. Nothing here decides."""

from __future__ import annotations

from proctor.suites.agency.deciding.material import Wording
from proctor.suites.agency.deciding.prose import unwrapped

KINDS = ("invoice", "report", "contract", "minutes", "drawing")
OFFICES = ("harbour", "museum", "nursery", "water", "parks")
STATUSES = ("draft", "final", "secret", "copy")
FOLDERS = (
    *("attic", "vault", "ledger", "cabinet", "gallery", "cellar", "annex", "depot", "alcove", "registry", "library"),
    *("bureau", "lockers", "pantry", "lobby", "strongroom"),
)
ORDERS = {
    "by date, oldest first": ("date", False),
    "by date, newest first": ("date", True),
    "by size, largest first": ("kb", True),
    "by size, smallest first": ("kb", False),
}
"""How files are numbered within a folder: by which property, and whether downwards."""

GOALS = (
    "Put ten files in order. The text lists them as they lie now, and the rules by which they are sorted.",
    "A folder tree has been left in a mess. Ten files are to be moved to where the rules of the text want them.",
    "Sort the ten files that the text lists, by the rules it states: every file has exactly one right place and name.",
    "Tidy up: ten files, a few rules, and for each file one path where it belongs. All of that is in the text.",
)
RULES = unwrapped("""

Which folder: go through the rules by rank, from 1 on; the first one that holds for a file decides, later ones do not
count. A date before the named one does not include that day; larger does not include that size.

Which name: within each folder (of those that belong there in the end) the files are numbered in the order that the
text states, from 1 on without gaps: /task/FOLDER/1.txt, /task/FOLDER/2.txt and so on. No file stays in the inbox.

The tool move_file moves or renames one file. It refuses a target where a file lies, so mind the order, and make use of
free names where two files lie in each other's places. At most {moves} moves can be made; a refused one is not counted.
Some files may lie right already. In the end there must be these ten files at their ten paths and nothing else.

list_files shows what lies where, read_file what a file says of itself, reread and passage show the text again.
The order in which the text lists the files means nothing, and not every property need matter.""")
ANSWER_FORMAT = "The word done, once every file is where it belongs."

WORDING = Wording(
    headings={"files": "Files", "rules": "Sorting rules", "numbering": "Numbering within a folder"},
    labels={
        "path": "Path",
        "document": "Document",
        "kind": "Kind",
        "office": "Office",
        "date": "Date",
        "kb": "Size in kB",
        "status": "Status",
        "rank": "Rank",
        "property": "If",
        "value": "Value",
        "folder": "Folder",
        "order": "Order",
    },
    letter={
        "file": "At {path} there is {document} ({kind}) from the {office} office, of {date}, {kb} kB, marked {status}.",
        "status": "Rule {rank}: whatever is marked {value} goes to {folder}.",
        "before": "Rule {rank}: whatever is dated before {value} goes to {folder}.",
        "kind": "Rule {rank}: everything of the kind {value} goes to {folder}.",
        "larger": "Rule {rank}: all that is larger than {value} kB goes to {folder}.",
        "office": "Rule {rank}: what comes from the {value} office goes to {folder}.",
        "else": "Rule {rank}: whatever remains goes to {folder}.",
        "numbering": "Within a folder the numbers run {order}.",
    },
    chat={
        "file": "{document} = {kind} ({status}), {kb} kB, {office} office, {date}, and it sits in {path}",
        "status": "no. {rank} on the list: status {value} -> {folder}",
        "before": "no. {rank} on the list: older than {value} -> {folder}",
        "kind": "no. {rank} on the list: any {value} -> {folder}",
        "larger": "no. {rank} on the list: bigger than {value} kB -> {folder}",
        "office": "no. {rank} on the list: from the {value} people -> {folder}",
        "else": "no. {rank} on the list: the rest -> {folder}",
        "numbering": "numbers inside a folder go {order}",
    },
    minutes={
        "file": "Taken stock of: {path}, being {document} ({office}; {kind}; {status}) of {date} with {kb} kB.",
        "status": "Resolved as rank {rank}: {folder} receives what has the status {value}.",
        "before": "Resolved as rank {rank}: {folder} receives what was written before {value}.",
        "kind": "Resolved as rank {rank}: {folder} receives every {value}.",
        "larger": "Resolved as rank {rank}: {folder} receives files of more than {value} kB.",
        "office": "Resolved as rank {rank}: {folder} receives the papers of {value}.",
        "else": "Resolved as rank {rank}: {folder} receives all others.",
        "numbering": "Resolved: files are numbered {order}, folder by folder.",
    },
)
PROPERTIES = {
    "status": "status is",
    "before": "date is before",
    "kind": "kind is",
    "larger": "size in kB is larger than",
    "office": "office is",
    "else": "no other rule holds",
}
"""How tables and data files name a test."""
