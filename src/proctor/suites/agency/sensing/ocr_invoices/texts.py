"""The words of the family: goals, trades and goods. Nothing here draws or decides."""

from __future__ import annotations

PASSES = 6
"""How many scans of the same paper there are."""
TRADES = ("Fittings", "Joinery", "Lighting", "Supplies", "Interiors", "Workshops", "Textiles", "Catering", "Tools")
GOODS = (
    *("door handles", "wall lamps", "folding chairs", "shelf brackets", "name plates", "storage boxes", "desk fans"),
    *("cable drums", "floor mats", "key cabinets", "glass panels", "coat hooks", "paint rollers", "work gloves"),
)
FIELDS = (
    "vendor: the company that issued the invoice and wants the money, spelled as in the register",
    "amount: the total of this invoice in EUR, tax included",
    "date: the day on which the invoice was issued",
)
GOALS = (
    "Enter this scanned invoice into the books. Three values are needed:\n- {fields}",
    "An invoice was scanned badly. Work out from it:\n- {fields}",
    "Accounts payable asks for three fields of the invoice in the scan:\n- {fields}",
    "Read the invoice in spite of the scanner and report:\n- {fields}",
)
NOTE = (
    "\nThe scanner misreads or drops many characters (as a rule about one in seven), never a space or the end of a "
    "line. The paper went through it {passes} times, and each time it erred in other places; you were shown scan 1, "
    "and the tool scan shows any of them. Vendors are written as in the register, a list of companies we deal with; "
    "the tool register shows it again. Other dates, sums and companies on the paper, and fields beside the text, may "
    "be there too."
)
ANSWER_FORMAT = (
    "A JSON object with the keys `vendor` (text), `amount` (number with two decimals, EUR) and `date` (date as "
    "YYYY-MM-DD)."
)

ONES = (
    *("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
