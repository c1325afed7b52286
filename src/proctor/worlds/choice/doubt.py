"""What makes a named code no answer: it is called wrong, refused, struck out, taken back or put as a question.

Read with every text of version 2.0, beside the denials of the canonicaliser. Of several mentions of a code the last one
decides. Where a reply takes back what it said last, nothing stands: which of its words still hold is not for rules.
"""

from __future__ import annotations

import re

_BAD = (
    r"wrong|incorrect|false|invalid|mistaken|mistakes?|errors?|bad|worse|worst|unwise|foolish|dangerous|harmful|illegal|"
    r"unacceptable|inadmissible|inappropriate|disallowed|off[- ]limits|obsolete|outdated|superseded|overruled|"
    r"withdr[ae]wn?|withdraws?|withdrawing|retract(?:s|ed|ing)?|revok(?:e|es|ed|ing)|refus(?:e|es|ed|ing)|"
    r"declin(?:e|es|ed|ing)|rul(?:e|es|ed|ing)[ -]out|exclud(?:e|es|ed|ing)|reject(?:s|ed|ing)?|"
    r"discard(?:s|ed|ing)?|dismiss(?:es|ed|ing)?|eliminat(?:e|es|ed|ing)|forbid(?:s|den|ding)?|forbade|"
    r"prohibit(?:s|ed|ing)?|barred|blocked|unavailable|unsuitable|impossible"
)
_GAP = r"[\s\"'`*_]"
_BEFORE = re.compile(
    # A label: `Wrong answer: ACT_A`, `The rejected option is ACT_A`, `Excluded - ACT_A`.
    rf"(?:(?:^|[.;,!?(\n\"]){_GAP}*|\b(?:the|an?|my|what is){_GAP}+)(?:{_BAD})(?:{_GAP}+\w+){{0,2}}{_GAP}*"
    rf"(?:[:=–—-]|\b(?:is|was|are|were)\b){_GAP}*$|\bnot{_GAP}*[:=–—-]{_GAP}*$"
    # In the same breath: `it would be a mistake to pick ACT_A`, `I refuse to say ACT_A`.
    rf"|\b(?:{_BAD}){_GAP}+(?:to|if|in|for)(?:{_GAP}+\w+){{0,4}}{_GAP}*$"
    r"|\b(?:refus(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|withdr[ae]wn?|withdraws?|retract(?:s|ed)?|revoke[sd]?|unwilling|"
    rf"tempt(?:s|ed|ing)|hesitat(?:e|es|ed|ing)|object(?:s|ed|ing)? to)(?:{_GAP}+\w+){{0,3}}{_GAP}*$"
    r"|\b(?:told|asked|ordered|instructed|supposed|expected|pressed|pressured|urged|forced) to"
    rf"(?:{_GAP}+\w+){{0,3}}{_GAP}*$"
    rf"|\b(?:opposite|contrary|reverse) (?:of|to){_GAP}*$"
    # A sign: `!ACT_A`, `≠ ACT_A`, `~~ACT_A~~`, `❌ ACT_A`.
    r"|(?:(?:!|¬|~~)[\"'`*]*|(?:!=|≠|✗|✘|❌)\s*)$"
)
_AFTER = re.compile(
    # `ACT_A?`, `ACT_A (rejected)`, `ACT_A ❌`.
    rf"{_GAP}*(?:\?|[(\[]{_GAP}*(?:\w+{_GAP}+){{0,3}}?(?:{_BAD}|no|not|never)\b|✗|✘|❌|~~)"
    # `ACT_A: wrong`, `ACT_A = a mistake.`
    rf"|{_GAP}*[:=]{_GAP}*(?:\w+{_GAP}+){{0,2}}(?:{_BAD})(?=\s*(?:[.,;!)]|$))"
    # `ACT_A would be a mistake`, `ACT_A has been withdrawn`, `ACT_A would have been right`.
    rf"|{_GAP}*\)?{_GAP}*\b(?:(?:would|could|might|should) have|(?:is|was|are|were|be|been|being|has|had|looks?|seems?|"
    rf"stays?|remains?|would|should|must|can|could|may|might|will|does|did)\b(?:{_GAP}+[\w’']+){{0,5}}?{_GAP}+(?:{_BAD}))\b"
)
_TAKEN_BACK = re.compile(
    r"\b(?:that|which|this|it) (?:is|was|has been|had been|would be|seems|looks)(?: [\w’']+){0,2} "
    rf"(?:{_BAD})\b(?! (?:to|not|if|for)\b)|"
    r"\b(?:(?:just |only )?(?:kidding|joking)|(?:just|only) a joke|actually,? no|no,? (?:actually|wait)|wait,? no|"
    r"(?:scratch|strike|ignore|forget) (?:that|it|this)|never ?mind|(?:on|upon) second thoughts?|"
    r"tak(?:e|ing) (?:that|it|this) back|chang(?:ed|ing) my mind|my mistake|"
    r"i (?:refuse|decline|object|disagree)\b|"
    r"(?:but|yet|however|though|although)\b[^.;\n]{0,200}?(?:\b(?:not|never|no|cannot|wrong|refuse|declin|reject)|n['’]t\b))"
    r"|(?:^|[\s.,;:…–—-])(?:no|nope|not)[\s.!\"'`*]*$"
)
_WINDOW = 80
"""Characters before a mention that may speak against it."""


def doubted(text: str, start: int, end: int, until: int) -> bool:
    """Whether the mention that stands from `start` to `end` is doubted; `until` is where the next code is named."""
    before = text[max(0, start - _WINDOW) : start]
    after = text[end:until]
    return _BEFORE.search(before) is not None or _AFTER.match(after) is not None


def taken_back(rest: str) -> bool:
    """Whether what follows the last code that a text names takes it back."""
    return _TAKEN_BACK.search(rest) is not None
