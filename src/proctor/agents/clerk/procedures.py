"""Procedures: what a piece of code, or of instructions, does, as a set of notions.

Goes by words and signs that programming languages and instructions share: raising a number, appending, tables, lists,
conditions, giving back, refusing. What stands before the first loop is told from what stands in it. Names say nothing.
"""

from __future__ import annotations

import re

_LOOP = re.compile(r"\b(?:for|foreach|each|every|while|loop|dolist)\b", re.IGNORECASE)
_GIVES_BACK = re.compile(r"\breturn|\bresult\b|\bgive back\b|\bexit\(|\boutcome\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|when|unless)\b", re.IGNORECASE)
_REFUSES = re.compile(r"\braise [A-Z]|\b(?:throws?|error|exception|abort)\b", re.IGNORECASE)
_NOTIONS = {
    name: re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for name, pattern in {
        "raises": r"\+=|\binc(?:f|rease)?\b|^\W*add\b|\bplus\b",
        "by one": r"(?:\+=|\bby\W+|\binc\w*\W+\w+,?|\badd) ?1\b",
        "appends": r"\bappend|\bpush|\.add\(|\bstore\b|\bwrite\b",
        "table": r"table|\bmap\b|\bdict\w*|setdefault|\{\}",
        "list": r"\[\]|\blist\b|\bnewlist\b",
        "yes": r"\b(?:true|yes)\b",
        "no": r"\b(?:false|no)\b",
        "nothing": r"\b(?:none|null|nil|nothing)\b",
    }.items()
}


def notions(text: str) -> list[str]:
    """What a procedure does, in alphabetical order."""
    lines = text.strip("\n").split("\n")[1:]
    loop = next((number for number, line in enumerate(lines) if _LOOP.search(line)), len(lines))
    before, within = "\n".join(lines[:loop]), "\n".join(lines[loop:])
    names = {f"first {name}" for name, pattern in _NOTIONS.items() if pattern.search(before)}
    names |= {name for name, pattern in _NOTIONS.items() if pattern.search(within)}
    names |= {
        f"conditions {sum(bool(_CONDITION.search(line)) for line in lines[loop:])}",
        f"gives back {sum(bool(_GIVES_BACK.search(line)) for line in lines[loop:])}",
        "first refuses" if _REFUSES.search(before) else "first gives back" if _GIVES_BACK.search(before) else "plain",
    }
    return sorted(names)
