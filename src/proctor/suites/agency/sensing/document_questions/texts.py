"""The words of the family: goals, and the words that things are named by."""

from __future__ import annotations

GOALS = (
    "{start} Find out from the archive:\n- name: {name}\n- number: {number}",
    "The archive of a hundred documents can answer this. {start} Report:\n- name: {name}\n- number: {number}",
    "A colleague asks. {start} What is wanted:\n- name: {name}\n- number: {number}",
    "{start} Two things have to be known about it, and both are somewhere in the archive:\n- name: {name}\n"
    "- number: {number}",
)
NOTE = (
    "\nThe catalogue lists every document by number and title. No single document has everything: what one tells leads "
    "to the next. Where a document exists in several issues only the highest issue counts. read_document shows one "
    "document, search finds documents by words in their text; every call of either is a query, and your budget says "
    "how many there are."
)
ANSWER_FORMAT = "A JSON object with the keys `name` (text, given name and surname) and `number` (whole number)."

WORDS = (
    *("Amber", "Birch", "Cedar", "Dune", "Ember", "Fern", "Glade", "Hazel", "Iris", "Jade", "Kestrel", "Lark"),
    *("Maple", "Nettle", "Opal", "Plover", "Quartz", "Raven", "Sorrel", "Teal", "Ursa", "Violet", "Willow", "Xenia"),
    *("Yew", "Zephyr", "Alder", "Basalt", "Clover", "Delta", "Elder", "Flax", "Garnet", "Heather", "Indigo", "Juno"),
    "Lotus",
)
"""Thirty-seven, a prime: stepping through them by any stride meets each once."""
