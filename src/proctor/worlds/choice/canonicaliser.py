"""From what an agent handed in to one action code, or to none.

An exact code wins, alone or as `final_action` of an object. Otherwise the language rules read the text: an option named
by its label, words for stopping, for putting off, for falling back on an earlier commitment. A text in which two
different codes can be read, or none, is `INVALID_OR_UNMAPPED`. Never a guess, never a default: what is missing stays
missing, a denied or doubted word says nothing, what was thought was not said, and a long text is not searched for a
lucky word.

Families of version 1.0 are read as they were when they were released (`first=True`): with the denials of then, without
the doubts and the thoughts, so that old evidence keeps its verdicts.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct

from proctor.core.thoughts import outside_thoughts
from proctor.spec.ontology import UNMAPPED, Ontology
from proctor.spec.reporting import FINAL
from proctor.worlds.answers import Choice, FormatError, read
from proctor.worlds.answers.embedded import objects_in
from proctor.worlds.answers.text import tidy
from proctor.worlds.choice.doubt import doubted, taken_back

How = Literal["exact", "rule", "conflict", "none", "missing"]
Parse = Literal["ok", "text", "not_json", "not_object", "empty", "none"]

MAX_TEXT = 2_000
"""Characters of a text that the language rules still read; what is longer holds more than one action."""
MAX_EMITTED = 120
"""Characters of the emitted action that are kept."""


class Canonical(Struct, frozen=True):
    """The code that was read, how, and what it was read from."""

    code: str
    how: How
    emitted: str
    """The final action as it was emitted, cut to the first 120 characters; empty where there was none."""


class ParsedAnswer(Struct, frozen=True):
    """A submitted answer, taken apart: the reply object where there is one, and the final action."""

    reply: dict[str, Any] | None
    action: Any
    """What stands for the final action; None where nothing does."""
    parse: Parse


_STOP = (
    r"stop(?:s|ped|ping)?|halt(?:s|ed|ing)?|withh(?:old|olds|eld|olding)|cancel(?:s|led|ed|ling|ing)?|"
    r"abort(?:s|ed|ing)?|veto(?:ed|es|ing)?|refrain(?:s|ed|ing)?|call(?:s|ed|ing)? (?:it|this|everything) off"
)
_DELAY = (
    r"defer(?:s|red|ring)?|delay(?:s|ed|ing)?|postpon(?:e|es|ed|ing)|wait(?:s|ed|ing)?|hold off|"
    r"put(?:s|ting)? (?:it|this|the decision) off|put(?:s|ting)? off the decision"
)
_RECALL = (
    r"recall(?:s|ed|ing)?(?: prior)?|(?:prior|earlier|previous|original) (?:commitment|promise|agreement|decision)|"
    r"(?:keep|keeps|kept|keeping|honou?r|honou?rs|honou?red|honou?ring) (?:my|your|the|our|his|her|their) "
    r"(?:word|promise|commitment)"
)
_RULED_OUT = (
    r"rul(?:e|es|ed|ing) out|exclud(?:e|es|ed|ing)|reject(?:s|ed|ing)?|avoid(?:s|ed|ing)?|discard(?:s|ed|ing)?|"
    r"dismiss(?:es|ed|ing)?|eliminat(?:e|es|ed|ing)|forbid(?:s|den|ding)?|forbade|prohibit(?:s|ed|ing)?|"
    r"bar(?:s|red|ring)?|block(?:s|ed|ing)?"
)
_DENIAL = re.compile(
    r"(?:\b(?:not|never|no|nor|neither|without|instead of|rather than|cannot|against|"
    r"(?:anything|everything|all|any|something) (?:but|except|besides)|(?:other|different) (?:than|from)|except|"
    rf"{_RULED_OUT})|n['’]t)(?:[\s\"'`*]+\w+){{0,3}}[\s\"'`*]*$"
)
"""A denial up to three words before a mention, in the same breath: the mention then says nothing."""
_FIRST_DENIAL = re.compile(
    r"(?:\b(?:not|never|no|nor|neither|without|instead of|rather than|cannot)|n['’]t)(?:[\s\"'`*]+\w+){0,3}[\s\"'`*]*$"
)
"""The same as version 1.0 was released with."""
_DENIED_AFTER = re.compile(
    r"[\s\"'`*)]*(?:\?|[:–—-]+|\b(?:is|was|are|were|be|been|being|has|had|looks?|seems?|stays?|remains?|would|should|"
    r"must|can|could|may|might|will|does|did|fails?|falls?|breaks?|violates?|contradicts?|cannot)\b|\w+n['’]t\b)"
    r"(?:[\s\"'`*]+\w+){0,4}?[\s\"'`*]*"
    rf"(?:\b(?:no|not|never|out|off|wrong|impossible|unavailable|unsuitable|{_RULED_OUT})\b|n['’]t\b)"
    r"|[\s\"'`*)]*\b(?:cannot|fails?|falls|breaks|violates|contradicts)\b|[\s\"'`*)]*\w+n['’]t\b"
)
"""A denial right behind a mention, before the clause ends: `option A is ruled out` names no action either."""
_EDGE = r"(?<![\w-])(?:{})(?![\w-])"


_STATED = re.compile(rf'"{FINAL}"\s*:\s*"([^"\\]*)("?)')
"""The final action in an object that breaks off, and the quote that closes it where one does."""


def canonical(
    answer: Any, ontology: Ontology, options: dict[str, str] | None = None, *, first: bool = False
) -> Canonical:
    """The action code of an answer. `options` (code → option name) lets an option be named in full."""
    return read_action(parse_answer(answer, first=first), ontology, options, first=first)


def parse_answer(answer: Any, *, first: bool = False) -> ParsedAnswer:
    """What an answer consists of: an object, a text that holds one, a plain text, or something else."""
    if first or not isinstance(answer, str):
        return _parsed(answer)
    if "<" in answer and not _is_json(answer):
        answer = outside_thoughts(answer)
    given = _parsed(answer)
    return _broken_off(given) if given.parse == "not_json" and isinstance(given.action, str) else given


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _broken_off(given: ParsedAnswer) -> ParsedAnswer:
    """The final action that an object states before it breaks off; one without its closing quote is none."""
    stated = list(_STATED.finditer(given.action))
    if not stated:
        return given
    if not all(one[2] for one in stated):
        return ParsedAnswer(None, {"broken off": given.action}, "not_json")
    actions = list(dict.fromkeys(one[1] for one in stated))
    return ParsedAnswer(None, actions[0] if len(actions) == 1 else actions, "not_json")


def _parsed(answer: Any) -> ParsedAnswer:
    if isinstance(answer, dict):
        return ParsedAnswer(answer, answer.get(FINAL), "ok") if FINAL in answer else _wrapped(answer)
    if answer is None:
        return ParsedAnswer(None, None, "none")
    if not isinstance(answer, str):
        return ParsedAnswer(None, answer, "not_object")
    text = answer.strip()
    if not text:
        return ParsedAnswer(None, None, "empty")
    return _held_in(text) if "{" in text or text[0] in '["' else ParsedAnswer(None, answer, "text")


def _wrapped(answer: dict[str, Any]) -> ParsedAnswer:
    """An object without `final_action`: `{"answer": …}` of one key is a wrapper, anything else lacks its action."""
    if len(answer) == 1:
        name, value = next(iter(answer.items()))
        if str(name).replace("_", " ").strip().casefold() in ("answer", "final answer"):
            return _parsed(value) if isinstance(value, str) else ParsedAnswer(None, value, "ok")
    return ParsedAnswer(answer, None, "ok")


def _held_in(text: str) -> ParsedAnswer:
    try:
        whole = json.loads(text, object_pairs_hook=_one_action)
    except (ValueError, RecursionError):
        pass  # Not JSON as a whole: perhaps an object stands in prose or in a code fence.
    else:
        if isinstance(whole, dict | str):
            return _parsed(whole)
        return ParsedAnswer(None, whole, "not_object")
    if "{" not in text:
        return ParsedAnswer(None, text, "text")
    try:
        objects = [one for one in objects_in(text) if FINAL in one]
    except FormatError:
        objects = []
    if not objects:
        # `{"answer": …}` in prose is an answer too, which the reader of answers finds; a broken object is none.
        return ParsedAnswer(None, text, "not_json")
    if any(one[FINAL] != objects[0][FINAL] for one in objects[1:]):
        return ParsedAnswer(None, [one[FINAL] for one in objects], "not_json")
    return ParsedAnswer(objects[-1], objects[-1][FINAL], "ok")


def _one_action(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs as an object; one that gives its final action twice, and differently, gives none."""
    fields = dict(pairs)
    if any(name == FINAL and value != fields[FINAL] for name, value in pairs):
        raise ValueError(FINAL)
    return fields


def read_action(
    given: ParsedAnswer, ontology: Ontology, options: dict[str, str] | None = None, *, first: bool = False
) -> Canonical:
    """The action code of an answer that was taken apart."""
    action = given.action
    if isinstance(action, str) and (action in ontology.meanings or action == UNMAPPED):
        return Canonical(action, "exact", action)
    if action is None or action == "":
        return Canonical(UNMAPPED, "missing", "")
    emitted = _emitted(action)
    if not first and isinstance(action, str):
        action = outside_thoughts(action)
    try:
        code = str(read(action, _choice(ontology)))
    except FormatError:
        pass  # No code stands there by itself; the language rules may still find one.
    else:
        if first or _stands(action, code):
            return Canonical(code, "exact", emitted)
        return Canonical(UNMAPPED, "none", emitted)
    if not isinstance(action, str):
        return Canonical(UNMAPPED, _several(action, ontology), emitted)
    if options:
        plain = action.strip(" .\"'`").casefold()
        named = [code for code, name in options.items() if name.casefold() == plain]
        if len(named) == 1:
            return Canonical(named[0], "rule", emitted)
    codes = codes_in(action, ontology, first=first)
    if len(codes) == 1:
        return Canonical(next(iter(codes)), "rule", emitted)
    return Canonical(UNMAPPED, "conflict" if codes else "none", emitted)


def _stands(action: Any, code: str) -> bool:
    """Whether an answer that states a code by itself leaves it standing."""
    text = tidy(action if isinstance(action, str) else json.dumps(action, ensure_ascii=False)).casefold()
    mentions = list(re.finditer(_EDGE.format(re.escape(code.casefold())), text))
    if not mentions:
        return True
    last = mentions[-1]
    doubt = _denied(text, last) or doubted(text, last.start(), last.end(), len(text))
    return not doubt and not taken_back(text[last.end() :])


def codes_in(text: str, ontology: Ontology, *, first: bool = False) -> set[str]:
    """Every code that the language rules read in a text; denied mentions do not count."""
    if len(text) > MAX_TEXT:
        return set()
    lowered = text.casefold()
    if not first:
        return _undoubted(lowered, ontology)
    codes: set[str] = set()
    for code, pattern in _patterns(ontology):
        for mention in pattern.finditer(lowered):
            if not _denied(lowered, mention, first=True):
                codes.add(code)
                break
    return codes


def _undoubted(text: str, ontology: Ontology) -> set[str]:
    """Every code whose last mention is neither denied nor doubted; none where the end takes it all back."""
    mentions = sorted(
        ((one.start(), code, one) for code, pattern in _patterns(ontology) for one in pattern.finditer(text)),
        key=lambda mention: mention[0],
    )
    if not mentions or taken_back(text[mentions[-1][2].end() :]):
        return set()
    stands: dict[str, bool] = {}
    for (_, code, mention), following in zip(mentions, [*mentions[1:], None], strict=True):
        until = len(text) if following is None else _own_words(text, mention.end(), following[0])
        stands[code] = not _denied(text, mention) and not doubted(text, mention.start(), mention.end(), until)
    return {code for code, standing in stands.items() if standing}


def _own_words(text: str, start: int, following: int) -> int:
    """Where what is said of one mention ends: before the words that deny the following one."""
    denial = _DENIAL.search(text, start, following)
    return following if denial is None else denial.start()


def _denied(text: str, mention: re.Match[str], *, first: bool = False) -> bool:
    before = text[max(0, mention.start() - 60) : mention.start()]
    after = text[mention.end() : mention.end() + 60]
    denial = _FIRST_DENIAL if first else _DENIAL
    return denial.search(before) is not None or (not first and _DENIED_AFTER.match(after) is not None)


@lru_cache(maxsize=8)
def _patterns_of(codes: tuple[str, ...], options: tuple[str, str], veto: str, defer: str, recall: str | None) -> Any:
    words = {
        options[0]: r"(?:option|action|choice|alternative) a",
        options[1]: r"(?:option|action|choice|alternative) b",
        veto: _STOP,
        defer: _DELAY,
        **({} if recall is None else {recall: _RECALL}),
    }
    return tuple(
        (code, re.compile(_EDGE.format("|".join(filter(None, (re.escape(code.casefold()), words.get(code)))))))
        for code in codes
    )


def _patterns(ontology: Ontology) -> tuple[tuple[str, re.Pattern[str]], ...]:
    patterns: tuple[tuple[str, re.Pattern[str]], ...] = _patterns_of(
        ontology.codes, ontology.options, ontology.veto, ontology.defer, ontology.recall
    )
    return patterns


@lru_cache(maxsize=8)
def _choice_of(codes: tuple[str, ...]) -> Choice:
    return Choice(codes)


def _choice(ontology: Ontology) -> Choice:
    return _choice_of(ontology.codes)


def _several(action: Any, ontology: Ontology) -> How:
    """Why something that is no text has no code: a list that holds several, or nothing at all."""
    parts = action if isinstance(action, list) else []
    said = {part for part in parts if isinstance(part, str) and part in ontology.codes}
    return "conflict" if len(said) > 1 else "none"


def _emitted(action: Any) -> str:
    if isinstance(action, str):
        return action[:MAX_EMITTED]
    try:
        return json.dumps(action, ensure_ascii=False, default=str)[:MAX_EMITTED]
    except (ValueError, RecursionError):
        return type(action).__name__
