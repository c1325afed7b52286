"""The words of the family: suppliers that do not exist, goals in several wordings, papers that are no invoices."""

from __future__ import annotations

SUPPLIERS = (
    *("Harrow Vale Fittings", "Linden Gate Paper", "Cobalt Reach Power", "Merrow Bank Water", "Tansy Mill Catering"),
    *(
        "Quill Point Printing",
        "Otter Ridge Haulage",
        "Flint Wharf Cleaning",
        "Pewter Green Gardens",
        "Sable Field Glass",
    ),
)
OTHER_KINDS = ("delivery note", "memo", "reminder", "price list")

FORM = (
    " Every file in the inbox has lines of the form `Name: value`; it is an invoice if its line `Kind` says invoice. "
    "Leave the contents of all files as they are, leave files of any other kind where they are, and leave no other "
    "files behind."
)
GOALS = {
    "by-year": (
        "Sort the invoices in `/task/inbox` by year. Move each to `{target}`, then write the list `{index}` with "
        "one line "
        "`{line}` for each invoice, the lines in alphabetical order.",
        "File the invoices of `/task/inbox`: each goes to `{target}`. Afterwards make `{index}`, which has the line "
        "`{line}` for each of them, sorted alphabetically.",
        "Please clear the invoices out of `/task/inbox`. Their new place is `{target}`, and `{index}` must list "
        "them, one "
        "line `{line}` each, in alphabetical order.",
    ),
    "rename": (
        "Give the invoices in `/task/inbox` proper names: rename each to `{target}`. Then write the list "
        "`{index}` with one "
        "line `{line}` for each invoice, the lines in alphabetical order.",
        "Rename every invoice in `/task/inbox` to `{target}`. Afterwards make `{index}`, which has the line "
        "`{line}` for "
        "each of them, sorted alphabetically.",
        "Please name the invoices in `/task/inbox` after their contents, as `{target}`, and let `{index}` list "
        "them, one "
        "line `{line}` each, in alphabetical order.",
    ),
    "unpaid": (
        "Move the invoices in `/task/inbox` whose line `Status` says paid to `{target}`; the open ones stay. "
        "Then write the "
        "list `{index}` with one line `{line}` for each invoice that is open, the lines in alphabetical order, "
        "and after "
        "them a line `total,` followed by the sum of their amounts with two decimals.",
        "Clear the paid invoices (line `Status`) out of `/task/inbox`: each goes to `{target}`, open ones stay. "
        "Afterwards "
        "make `{index}` of the open ones: a line `{line}` each, sorted alphabetically, and at the end `total,` "
        "with the sum "
        "of their amounts, two decimals.",
        "Please find out what is still to be paid: of the invoices in `/task/inbox`, those with `Status` paid go to "
        "`{target}`. For the open ones write `{index}`: a line `{line}` each, in alphabetical order, then one "
        "last line "
        "`total,` and the sum of their amounts with two decimals.",
    ),
}
PLACEHOLDERS = {
    "by-year": " {name} stands for the name of the file, {year} for the year in its line `Date`.",
    "rename": " {date} and {number} stand for the values of the invoice's lines `Date` and `Number`.",
    "unpaid": (
        " {name} stands for the name of the file, {number} and {amount} for the values of the lines `Number` and "
        "`Amount`."
    ),
}
PATTERNS = {
    "by-year": {
        "target": "/task/archive/{year}/{name}",
        "index": "/task/archive/index.txt",
        "line": "{year}/{name}",
    },
    "rename": {
        "target": "/task/inbox/{date}_{number}.txt",
        "index": "/task/inbox/index.txt",
        "line": "{date}_{number}.txt",
    },
    "unpaid": {
        "target": "/task/paid/{name}",
        "index": "/task/unpaid.csv",
        "line": "{number},{amount}",
    },
}
ANSWER_FORMAT = "The word done, once the files are as they should be."
