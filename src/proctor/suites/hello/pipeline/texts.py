"""The words of the family."""

from __future__ import annotations

BATCHES = ("amber", "basil", "coral", "denim", "ember", "fennel", "gravel", "hemp", "indigo", "jute", "khaki", "lilac")
GOALS = {
    "listed": (
        "Bring pages {pages} from the source into the archive.",
        "The archive lacks pages {pages}: bring them over from the source.",
        "Copy these pages of the source into the archive: {pages}.",
    ),
    "linked": (
        "Bring all pages from the source into the archive, starting with page {first}; every page names the "
        "`next` one, "
        "and the last has 0 there.",
        "The archive needs the whole chain of pages that begins with page {first} of the source: follow `next` "
        "from page "
        "to page until it is 0.",
        "Copy the chain of pages that starts at page {first} into the archive; `next` on a page is the page "
        "after it, 0 "
        "means there is none.",
    ),
    "ready": (
        "Of pages {pages} of the source, bring those whose `status` is ready into the archive, and no others.",
        "Look at pages {pages} of the source; every page with `status` ready belongs in the archive, drafts do not.",
        "Copy pages {pages} into the archive, except those whose `status` is draft.",
    ),
}
STEPS = (
    " For each page: fetch it, give its `items` to transform, and upload the items that transform gives back, with the "
    "key {key} where PAGE stands for the page's number. Each page must be in the archive exactly once. Every "
    "`checksum` "
    "is the sum of the `items` beside it: fetch or transform again where it does not fit. Tools fail now and "
    "then; a call "
    "can be repeated, and an upload repeated with the same key is stored only once."
)
ANSWER_FORMAT = "The word done, once everything is in the archive."
