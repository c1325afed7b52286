"""The words of the family: three methods of measuring, and goals in several wordings."""

from __future__ import annotations

from msgspec import Struct


class Method(Struct, frozen=True):
    """The same experiment in the words of one method."""

    title: str
    instrument: str
    setting: str
    """What is set on the instrument, with its unit."""
    settings: tuple[int, int]
    analytes: tuple[str, ...]
    matrices: tuple[str, ...]


METHODS = (
    Method(
        *("a photometric measurement", "photometer", "wavelength in nm", (380, 890)),
        ("nitrate", "phosphate", "copper", "iron", "sulfide", "manganese"),
        ("river water", "sea water", "waste water", "rain water"),
    ),
    Method(
        *("a chromatographic measurement", "chromatograph", "column temperature in degrees", (40, 260)),
        ("caffeine", "vanillin", "menthol", "limonene", "quinine", "thymol"),
        ("syrup", "tea extract", "essential oil", "mouthwash"),
    ),
    Method(
        *("an X-ray measurement", "spectrometer", "tube voltage in kilovolts", (12, 58)),
        ("zinc", "lead", "tin", "nickel", "chromium", "cobalt"),
        ("paint sludge", "solder bath", "plating bath", "ash slurry"),
    ),
)
DILUTIONS = (1, 2, 5, 10, 20, 50)
SHORT, LONG = 15, 40
GOALS = (
    "Carry out {title} for {sample} and file its result. You have five actions and ten "
    "minutes of laboratory time; the equipment works about seven times in ten.",
    "The laboratory owes its customer {title} of {sample}: measure and file the result, with at most five actions and "
    "within ten minutes of laboratory time. About three calls in ten fail because the equipment does.",
    "Please measure {sample} ({title}) and put the result on file. Five actions and ten minutes are all there is, and "
    "the equipment fails three times in ten.",
)
RULES = (
    "\nThe protocol:\n"
    "- Instrument: only one whose calibration is still valid on the day of the run (the last valid day included) and "
    "that needs no more volume than there is of the sample. Of these, the one with the largest slope.\n"
    "- Dilution factor: the smallest of 1, 2, 5, 10, 20 and 50 with which the highest expected content, divided by "
    "the factor, is not above that instrument's range limit.\n"
    "- Setting: the {setting} that the material gives for the sample's analyte in its matrix.\n"
    "- Integration time: 40 seconds where the lowest expected content, divided by the dilution factor, is below a "
    "tenth of the instrument's range limit; otherwise 15 seconds.\n"
    "- An action is a tool call of any kind. measure takes 100 seconds and uses the sample up: it can be carried out "
    "once. A call that fails uses nothing but time and an action, and can be repeated.\n"
    "- Result, filed with file_result: (reading - blank) x dilution factor x 1000 / slope, in micrograms per litre, "
    "rounded down to a whole number. Blank and slope are those of the instrument. It takes 20 seconds and can be filed "
    "once.\n"
    "{correct}"
)
ANSWER_FORMAT = "The word done, once the result is filed."
